// Commands: a real shell and a real Python in a worker, which can be killed.

import { expect, test } from './playground.mjs';
import { call, says } from './messages-server.mjs';

const bash = (command) => call('bash', { command });

/** Lets the model run the commands, one a round, and gives their results as the model read them. */
async function runs(playground, server, ...commands) {
  server.answers(...commands.map((command) => says(bash(command))), says('Done.'));
  await playground.useEndpoint({ url: server.url });
  await playground.ask('Go');
  await expect(playground.transcript).toContainText('Done.', { timeout: 60_000 });
  return server.requests.slice(1).map(({ body }) => body.messages.at(-1).content.find(({ type }) => type === 'tool_result').content);
}

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
  server.answers(says(bash('echo begun; echo x > made.txt; sleep 100')));
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

test('without its files the shell says so to the model, and works once they are there', async ({ playground, page, server }) => {
  await playground.open();
  await page.route('**/worker_bg.wasm', (route) => route.abort());
  const results = await runs(playground, server, 'echo hi');
  expect(results[0]).toMatch(/^Error: the sandbox failed/);
  await page.unroute('**/worker_bg.wasm');
  server.requests.length = 0;
  server.answers(says(bash('echo hi')), says('Done again.'));
  await playground.ask('Again');
  await expect(playground.transcript).toContainText('Done again.', { timeout: 60_000 });
  expect(JSON.stringify(server.requests.at(-1).body.messages.at(-1))).toContain('hi');
});

test('200 files go to the shell and come back', async ({ playground, server }) => {
  await playground.open();
  const results = await runs(playground, server, 'for i in $(seq 200); do head -c 10000 /dev/zero | tr "\\0" x > f$i.txt; done; ls f*.txt | wc -l', 'cat f*.txt | wc -c', 'find . -name "f1*.txt" -delete; ls f*.txt | wc -l');
  expect(results).toEqual(['200', '2000000', '89']);
});
