// Everything that can go wrong between the page and a model: what the reader is told, and that Retry goes on from there.

import { createServer } from 'node:net';
import { expect, test } from './playground.mjs';
import { call, faults, plan, says } from './messages-server.mjs';

const written = () => call('write_file', { path: 'half.txt', content: 'x'.repeat(300) });

/** [what happens, the server's answer, what happened in words, what to do] */
const FAULTS = [
  ['a wrong key', faults.wrongKey, /answered 401 authentication_error: invalid x-api-key/, /The key was refused\. Check it in the settings/],
  ['a missing browser header', faults.browserHeader, /answered 401/, /key may be fine: the header that lets browsers in is missing/],
  ['an organization that is closed to browsers', faults.organization, /answered 401/, /its organization doesn't allow requests from browsers/],
  ['no credit', faults.noCredit, /answered 402 billing_error/, /no credit left/],
  ['a model that is unknown', faults.unknownModel, /answered 404 not_found_error: model: claude-nope/, /Check the model's name/],
  ['a request that is refused', faults.invalidRequest, /answered 400 invalid_request_error: messages\.2/, /refuses this request/],
  ['too many requests', faults.rateLimit('7'), /answered 429 rate_limit_error.*asks to wait 7 s/, /Wait as long as it asks, then retry/],
  ['too many requests, told in milliseconds', faults.rateLimit('60', { 'retry-after-ms': '1500' }), /asks to wait 2 s/, /then retry/],
  ['too many requests until a date', faults.rateLimit(new Date(Date.now() + 3_600_000).toUTCString()), /asks to wait 3\d\d\d s/, /then retry/],
  ['an overloaded endpoint', faults.overloaded, /answered 529 overloaded_error: Overloaded/, /Wait a little, then retry/],
  ['an internal error', faults.internal, /answered 500 api_error: Internal server error \(request id req_test_0001\)/, /problem of its own/],
  ['a gateway\'s page', faults.badGateway, /answered 502.*<h1>502 Bad Gateway<\/h1>/, /problem of its own/],
  ['an HTML page with status 200', faults.page, /not with an event stream.*text\/html.*<h1>Welcome to nginx!/, /base URL is the one of a Messages API/],
  ['an error object with status 200', faults.errorIn200, /overloaded_error: Overloaded in a 200/, /Wait a little, then retry/],
  ['a refusal with status 200', faults.refusedIn200, /In place of a reply came the endpoint's error invalid_request_error: max_tokens/, /refuses this request/],
  ['JSON although a stream was asked for', faults.json, /not with an event stream.*application\/json.*"id":"msg_1"/, /base URL/],
  ['garbage', faults.garbage, /not with an event stream/, /base URL/],
  ['an empty answer', faults.empty, /stream ended before the reply was complete/, /Retry sends the same request again/],
  ['an error in the middle of the stream', says('Half a sentence', written()).with({ errorAfter: 9 }), /broke off in the middle with the endpoint's error overloaded_error: Overloaded in mid-stream/, /Wait a little, then retry/],
  ['a stream that ends too early', says('Half a sentence', written()).with({ cutAfter: 9 }), /stream ended before the reply was complete/, /Nothing half-read was run/],
  ['a connection that breaks', says('Half a sentence', written()).with({ breakAfter: 9 }), /stream ended before the reply was complete/, /Nothing half-read was run/],
  ['a stream without its last event', says(written()).with({ rewrite: (events) => events.slice(0, -1) }), /stream ended before the reply was complete/, /Nothing half-read was run/],
  ['a call cut off by max_tokens', says('Writing.', { ...written(), partialInput: '{"path":"half.txt","cont' }).with({ stopReason: 'max_tokens' }), /ends in the middle of a write_file call \(stop reason: max_tokens\)\. The call was not run/, /Raise max tokens/],
  ['an event that is none', says('Half').with({ rewrite: (events) => [...events.slice(0, 2), ['content_block_delta', { index: 7, delta: { type: 'text_delta', text: 'lost' } }], ...events.slice(2)] }), /has no place in the Messages API: content_block_delta \(index 7\)/, /Nothing half-read was run/],
  ['a reply that ends inside a block', says('Half', written()).with({ rewrite: (events) => events.filter(([name, data]) => name !== 'content_block_stop' || data.index !== 1) }), /The reply was cut off/, /Nothing half-read was run/],
  ['a connection that is closed at once', faults.reset, /No answer from http:\/\/127\.0\.0\.1:\d+\/v1\/messages/, /can't be reached, or it doesn't allow requests from web pages \(CORS\)/],
];

for (const [what, fault, happened, advice] of FAULTS) {
  test(`${what}: said in words, and Retry sends the same messages`, async ({ playground, server }) => {
    server.answers(fault, says('Now it works.', plan('[x] Retry')), says('Over.'));
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.run.click();
    await expect(playground.alert).toContainText(happened);
    await expect(playground.alert).toContainText(advice);
    await expect(playground.alert).not.toContainText(/undefined|null|\[object|"part"|TypeError: Failed to fetch$/);
    await expect(playground.scrubber).toContainText('turn failed');
    await expect(playground.stop).toBeDisabled();
    await expect(playground.retry).toBeEnabled();

    // Nothing half-read became a call, a message or a file.
    await expect(playground.panel.getByRole('article')).toHaveCount(1);
    await playground.tab('Files').click();
    await expect(playground.panel).toContainText('greeting.py');
    await expect(playground.panel).not.toContainText('half.txt');

    await playground.alert.getByRole('button', { name: 'Retry' }).click();
    await playground.over();
    await expect(playground.transcript).toContainText('Now it works.');
    await playground.expectBoard([], [], ['Retry']);
    expect(server.requests[1].raw).toBe(server.requests[0].raw);
    expect(server.requests[1].body.messages).toHaveLength(1);
  });
}

/** [what happens, the reply, what the turn's end says] */
const ENDINGS = [
  ['max_tokens', says('Half an answer').with({ stopReason: 'max_tokens' }), /cut off at max tokens.*the turn is over/],
  ['a refusal', says('No.').with({ stopReason: 'refusal' }), /The model refused to answer.*the turn is over/],
  ['a pause', says('Searching.').with({ stopReason: 'pause_turn' }), /The model paused.*doesn't go on by itself.*the turn is over/],
  ['an answer that is empty', says(), /answered with nothing at all: the turn is over/],
  ['an answer', says('Done.'), /answered without a call: the turn is over/],
];

for (const [what, reply, words] of ENDINGS) {
  test(`a turn that ends with ${what} says so`, async ({ playground, server }) => {
    server.answers(reply);
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.runToEnd();
    await expect(playground.round(1).locator('.turn-ended')).toContainText(words);
  });
}

test('Step after a fault sends the request again, and holds', async ({ playground, server }) => {
  server.answers(faults.overloaded, says('Now it works.', plan('[>] Retry')), says('Over.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.alert).toBeVisible();
  await playground.prompt.fill('');
  const [, total] = await playground.place();
  await playground.step.click();
  await expect(playground.slider).toHaveAttribute('aria-valuetext', new RegExp(`^Step ${total + 1} of ${total + 1} .*Request 2`));
  expect(server.requests).toHaveLength(1);
  await playground.step.click();
  await expect(playground.round(2)).toContainText('Now it works.');
  await expect(playground.resume).toBeVisible();
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1].raw).toBe(server.requests[0].raw);
  await playground.resume.click();
  await playground.over();
});

test('the two ways on from a fault stand beside each other', async ({ playground, server }) => {
  server.answers(faults.overloaded);
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const [retry, settings] = ['Retry', 'Settings'].map((name) => playground.alert.getByRole('button', { name }));
  await expect(retry).toBeVisible();
  expect((await retry.boundingBox()).y).toBe((await settings.boundingBox()).y);
});

test('what had been read of a broken reply stays in sight, marked as cut', async ({ playground, server }) => {
  server.answers(says('Half a sentence', written()).with({ cutAfter: 9 }), says('Whole.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  const cut = playground.round(1).getByLabel('The reply was cut here; it is not part of the history.');
  await expect(cut).toContainText('Half a sentence');
  await expect(cut).toContainText('half.txt');
});

test('a fault in a later round keeps what was done, and Retry goes on from there', async ({ playground, server }) => {
  server.answers(
    says(plan('[>] Write'), call('write_file', { path: 'done.txt', content: 'done' })),
    faults.overloaded,
    says(plan('[x] Write')),
    says('Over.'),
  );
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.alert).toContainText('529');
  await playground.expectBoard([], ['Write'], []);
  await playground.retry.click();
  await playground.over();
  await playground.expectBoard([], [], ['Write']);
  expect(server.requests[2].raw).toBe(server.requests[1].raw);
  expect(server.requests).toHaveLength(4);
});

test('after a fault another prompt can be sent instead', async ({ playground, server }) => {
  server.answers(faults.internal, says('To the other question.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.alert).toBeVisible();
  await playground.ask('Another question');
  await playground.over();
  await expect(playground.transcript).toContainText('To the other question.');
  expect(server.requests[1].body.messages.map((message) => message.role)).toEqual(['user', 'user']);
});

test('two faults in a row: Retry retries each', async ({ playground, server }) => {
  server.answers(faults.overloaded, faults.internal, says('At last.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await expect(playground.transcript).toContainText('529');
  await playground.retry.click();
  await expect(playground.transcript).toContainText('500');
  await playground.retry.click();
  await playground.over();
  expect(server.requests.map((request) => request.raw)).toEqual(Array(3).fill(server.requests[0].raw));
});

test('a fault that Retry has overcome offers no second Retry', async ({ playground, server }) => {
  server.answers(faults.overloaded, says('At last.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await playground.retry.click();
  await playground.over();
  await expect(playground.transcript).toContainText('529');
  await expect(playground.transcript.getByRole('button', { name: 'Retry' })).toHaveCount(0);
});

test('a wrong key can be put right in the settings, and Retry uses the new one', async ({ playground, server }) => {
  server.answers(says('Welcome.'));
  await playground.open();
  await playground.useEndpoint({ url: server.url, key: 'sk-ant-wrong' });
  await playground.run.click();
  await expect(playground.alert).toContainText('The key was refused');
  await playground.alert.getByRole('button', { name: 'Settings' }).click();
  await expect(playground.field('baseUrl')).toHaveValue(server.url);
  await playground.field('key').fill('sk-ant-test-0123456789abcdef');
  await playground.dialog.getByRole('button', { name: 'Use this endpoint' }).click();
  await playground.retry.click();
  await playground.over();
  await expect(playground.transcript).toContainText('Welcome.');
});

test('a host that does not exist and a port where nobody listens are said to be out of reach', async ({ playground }) => {
  // A port that was free a moment ago.
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  await playground.open();
  for (const url of ['http://nowhere.invalid', `http://127.0.0.1:${port}`]) {
    await playground.useEndpoint({ url });
    await playground.ask('Is anybody there?');
    await expect(playground.alert.last()).toContainText(`No answer from ${url}/v1/messages`);
    await expect(playground.alert.last()).toContainText('Is the server running');
    await expect(playground.retry).toBeEnabled();
  }
});

test.describe('a server without CORS', () => {
  test.use({ serverOptions: { cors: 'none' } });

  test('is said to be out of reach or closed to web pages', async ({ playground, server }) => {
    await playground.open();
    await playground.useEndpoint({ url: server.url });
    await playground.run.click();
    await expect(playground.alert).toContainText(`No answer from ${server.url}/v1/messages`);
    await expect(playground.alert).toContainText('CORS');
    expect(server.requests).toHaveLength(0);
  });
});

test('without the vendor\'s headers the API itself is out of reach, as the browser sees it', async ({ playground, server }) => {
  await playground.open();
  await playground.useEndpoint({ url: server.url, vendorHeaders: false });
  await playground.run.click();
  await expect(playground.alert).toContainText('CORS');
});

test('a long wait for the first byte is no fault, and can be stopped', async ({ playground, server }) => {
  server.answers(says('Finally.').with({ holdAfter: 0 }));
  await playground.open();
  await playground.useEndpoint({ url: server.url });
  await playground.run.click();
  await server.request(1);
  await expect(playground.transcript).toContainText('Waiting for the model');
  await expect(playground.stop).toBeEnabled();
  server.release();
  await playground.over();
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  for (const [what, fault, happened, advice] of [
    ['密钥错误', faults.wrongKey, /接口返回 401 authentication_error：invalid x-api-key/, /密钥被拒绝/],
    ['请求过多', faults.rateLimit('7'), /接口返回 429.*要求等待 7 秒/, /请求过于频繁/],
    ['网页而不是数据流', faults.page, /不是事件流.*Welcome to nginx/, /Messages API，而不是网页/],
    ['数据流中断', says('一半').with({ cutAfter: 3 }), /数据流在回复完成之前就断了/, /“重试”会重新发送同一请求/],
    ['连不上', faults.reset, /没有回应/, /CORS/],
  ]) {
    test(`${what}：用中文说明，重试后继续`, async ({ playground, server }) => {
      server.answers(fault, says('好了。'));
      await playground.open();
      await playground.useEndpoint({ url: server.url });
      await playground.run.click();
      await expect(playground.alert).toContainText(happened);
      await expect(playground.alert).toContainText(advice);
      await playground.alert.getByRole('button', { name: '重试' }).click();
      await playground.over();
      await expect(playground.transcript).toContainText('好了。');
    });
  }
});
