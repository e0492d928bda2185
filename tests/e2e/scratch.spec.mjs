import { test, expect } from './playground.mjs';
test('look', async ({ playground, page }) => {
  await page.setViewportSize({width:1280,height:800});
  await playground.open();
  await page.screenshot({path:'/tmp/e2e-a.png'});
  const t=Date.now();
  await playground.runToEnd();
  console.log('instant', Date.now()-t, await playground.place());
  await page.screenshot({path:'/tmp/e2e-b.png'});
  console.log(await page.locator('#app').ariaSnapshot());
});
test('slow', async ({ playground, page }) => {
  await playground.open({speed:null});
  const t=Date.now();
  await playground.runToEnd();
  console.log('normal', Date.now()-t, await playground.place());
});
