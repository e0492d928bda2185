// Commands: a real shell and a real Python in a worker, which can be killed.

import { expect, test } from './playground.mjs';
import { call, says } from './messages-server.mjs';

const bash = (command) => call('bash', { command });

/** Writes a file and waits. What it prints, "begun", does not stand in the command: once it is on the page, the command runs. */
const HANGING = "echo x > made.txt; echo be''gun; sleep 100";

/** Lets the model run the commands, one a round, and gives their results as the model read them. */
async function runs(playground, server, ...commands) {
  server.answers(...commands.map((command) => says(bash(command))), says('Done.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.transcript).toContainText('Done.', { timeout: 60_000 });
  return server.requests.slice(1).flatMap(resultsIn);
}

/** The results that a request brings. */
const resultsIn = ({ body }) => body.messages.at(-1).content.filter(({ type }) => type === 'tool_result').map(({ content }) => content);

test.beforeEach(() => test.slow());

test('the shell loads when a command first needs it, and a command sees and changes the files', async ({ playground, page, server }) => {
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await playground.open();
  await playground.tab('Files').click();
  expect(loaded.filter((path) => /worker|python/.test(path))).toEqual([]);
  const results = await runs(playground, server, 'ls; cat notes.md | wc -l', 'mkdir -p "a b" && echo "héllo 你好" > "a b/é.txt"; cd /tmp; x=1', 'pwd; echo "[$x]"; cat "a b/é.txt"', 'true', 'echo out; echo err >&2; exit 3', 'no_such_command');
  expect(results).toEqual(['greeting.py\nnotes.md\n3', '(no output)', '/workspace\n[]\nhéllo 你好', '(no output)', 'out\nerr', '/bin/sh: 1: no_such_command: not found']);
  expect(loaded.filter((path) => /python/.test(path))).toEqual([]);
  await expect(playground.panel).toContainText('é.txt');
});

test('Python runs the file that the model wrote, with its exit code, traceback, input and imports', async ({ playground, server }) => {
  await playground.open();
  const results = await runs(
    playground, server,
    'python3 greeting.py',
    `cat > calc.py <<'EOF'\ndef div(a, b):\n    return a / b\nEOF\ncat > main.py <<'EOF'\nimport calc, sys\nprint(calc.div(6, 3), sys.argv[1:], sys.stdin.read().strip())\nprint(calc.div(1, 0))\nEOF\necho in | python3 main.py x y`,
    `cat > test_calc.py <<'EOF'\nimport calc, pytest\ndef test_div():\n    assert calc.div(6, 3) == 2\ndef test_zero():\n    with pytest.raises(ZeroDivisionError):\n        calc.div(1, 0)\nEOF\npytest -q`,
    "python3 -c 'open(\"made.txt\", \"w\").write(\"x\" * 3)'; wc -c < made.txt; python3 -c 'import sys; sys.exit(4)'; echo $?",
  );
  expect(results[0]).toBe('Hello, world!');
  expect(results[1]).toMatch(/^2\.0 \['x', 'y'\] in\nTraceback \(most recent call last\):\n  File "\/workspace\/main\.py"|File "main\.py"/);
  expect(results[1]).toContain('ZeroDivisionError: division by zero');
  expect(results[2]).toMatch(/2 passed/);
  expect(results[3]).toBe('3\n4');
});

test('Stop in the middle of a command kills it, the files stay, and the next command works', async ({ playground, page, server }) => {
  await playground.open();
  server.answers(says(bash(HANGING)));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.transcript).toContainText('begun', { timeout: 60_000 });
  await playground.stop.click();
  await playground.over();
  await playground.tab('Files').click();
  await expect(playground.panel).not.toContainText('made.txt');
  server.requests.length = 0;
  server.answers(says(bash('echo again')), says('Done.'));
  await playground.ask('Again');
  await expect(playground.transcript).toContainText('Done.', { timeout: 60_000 });
  expect(JSON.stringify(server.requests.at(-1).body.messages.at(-1))).toContain('again');
});

test('an endless loop, a fork bomb and a flood end by themselves or are told, and the page stays alive', async ({ playground, page, server }) => {
  await playground.open();
  const results = await runs(playground, server, 'while true; do :; done', ':(){ :|:& };:', 'yes | head -n 3', 'head -c 60000 /dev/zero | tr "\\0" a');
  expect(results[0]).toMatch(/^Error: the sandbox stopped the command/);
  expect(results[2]).toBe('y\ny\ny');
  expect(results[3]).toBe('a'.repeat(50_000));
  expect(await page.evaluate(() => 6 * 7)).toBe(42);
});

test('two commands of one reply run in order, and both results are in one message', async ({ playground, server }) => {
  await playground.open();
  server.answers(says(bash('echo one > one.txt'), bash('cat one.txt')), says('Done.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.transcript).toContainText('Done.', { timeout: 60_000 });
  expect(server.requests[1].body.messages.at(-1).content.map(({ content }) => content)).toEqual(['(no output)', 'one']);
});

/** [what does not arrive, how] */
const MISSING = [
  ['program', '**/worker_bg.wasm', (route) => route.abort()],
  ['script', '**/worker/worker.mjs', (route) => route.fulfill({ status: 500, body: '500' })],
];

for (const [what, address, fail] of MISSING) {
  test(`without its ${what} the shell says so to the model, and works once it is there`, async ({ playground, page, server }) => {
    await playground.open();
    await page.route(address, fail);
    const results = await runs(playground, server, 'echo hi');
    expect(results[0]).toMatch(/^Error: the sandbox failed \(.*\); nothing was changed$/);
    await page.unroute(address);
    server.requests.length = 0;
    server.answers(says(bash('echo hi')), says('Done again.'));
    await playground.ask('Again');
    await expect(playground.transcript).toContainText('Done again.', { timeout: 60_000 });
    expect(resultsIn(server.requests.at(-1))).toEqual(['hi']);
  });
}

test('a worker that crashes in the middle of a command is told, nothing is changed, and the next command works', async ({ playground, page, server }) => {
  await playground.open();
  server.answers(says(bash(HANGING)), says(bash('ls; echo again')), says('Done.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.transcript).toContainText('begun', { timeout: 60_000 });
  const [worker] = page.workers();
  await worker.evaluate(() => void setTimeout(() => { throw new Error('out of memory'); }));
  await expect(playground.transcript).toContainText('Done.', { timeout: 60_000 });
  expect(resultsIn(server.requests[1])).toEqual(['Error: the sandbox failed (Uncaught Error: out of memory); nothing was changed']);
  expect(resultsIn(server.requests[2])).toEqual(['greeting.py\nnotes.md\nagain']);
  await expect(playground.call('made.txt')).toContainText('error');
  await playground.tab('Files').click();
  await expect(playground.panel).toContainText('notes.md');
  await expect(playground.panel).not.toContainText('made.txt');
});

test('a reload in the middle of a command leaves a page that works', async ({ playground, page, server }) => {
  await playground.open();
  server.answers(says(bash(HANGING)));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.transcript).toContainText('begun', { timeout: 60_000 });
  await page.reload();
  await expect(playground.scrubber).toContainText('No steps yet');
  server.requests.length = 0;
  expect(await runs(playground, server, 'ls')).toEqual(['greeting.py\nnotes.md']);
  expect(page.workers()).toHaveLength(1);
});

test('file names with spaces and of other scripts come to the Files tab, and open there', async ({ playground, server }) => {
  await playground.open();
  const names = ['two words.txt', ' edges ', '你好.md', 'naïve café.txt', '🦀 & <b>.txt', "it's.txt"];
  await runs(
    playground, server,
    `mkdir -p '目录 a/b c'; cd '目录 a/b c'; ${names.map((name, i) => `echo 'content ${i}' > "${name}"`).join('; ')}`,
    `mv '目录 a/b c/two words.txt' 'three more words.txt'`,
  );
  await playground.tab('Files').click();
  const files = playground.panel.getByRole('listitem');
  for (const folder of ['目录 a/', 'b c/']) await expect(files.getByText(folder, { exact: true })).toBeVisible();
  for (const [i, name] of ['three more words.txt', ...names.slice(1)].entries()) {
    const file = playground.panel.getByRole('button', { name: name.trim(), exact: true });
    expect(await file.textContent()).toBe(name);
    await file.click();
    await expect(playground.panel.locator('.viewer')).toContainText(`content ${i}`);
  }
});

test('200 files go to the shell and come back', async ({ playground, server }) => {
  await playground.open();
  const results = await runs(playground, server, 'for i in $(seq 200); do head -c 10000 /dev/zero | tr "\\0" x > f$i.txt; done; ls f*.txt | wc -l', 'cat f*.txt | wc -c', 'find . -name "f1*.txt" -delete; ls f*.txt | wc -l');
  expect(results).toEqual(['200', '2000000', '89']);
});
