// The lessons and scenarios, each to its end.

import { expect, test } from './playground.mjs';
import { call, says } from './messages-server.mjs';

/** For a turn in which Python runs: it loads first. */
const withPython = { timeout: 60_000 };

test.describe('S04', () => {
  test('the same scenario runs without a plan, a counter or a reminder', async ({ playground }) => {
    await playground.open({ lesson: 'S04 Hooks' });
    await expect(playground.board).toContainText('This lesson has no todo_write.');
    await expect(playground.board).toContainText('No counter and no reminder in this lesson.');
    await expect(playground.counter).toHaveCount(0);
    await playground.runToEnd();
    await expect(playground.transcript).toContainText("I can't show you what is left");
    await expect(playground.transcript).not.toContainText('<reminder>');
    await expect(playground.transcript).not.toContainText('Counter');
    await expect(playground.updates).toHaveCount(0);
    await playground.tab('Files').click();
    await expect(playground.panel.getByRole('listitem').filter({ hasText: 'README.md' })).toContainText('new');
    const { body } = await playground.sentBody();
    expect(body.tools.map((tool) => tool.name)).toEqual(['bash', 'read_file', 'write_file', 'edit_file', 'glob']);
    expect(JSON.stringify(body.messages)).not.toContain('todo_write');
  });

  test('changing back to S05 starts the scenario over under its rules', async ({ playground }) => {
    await playground.open({ lesson: 'S04 Hooks' });
    await playground.runToEnd();
    await playground.lesson.selectOption('S05 TodoWrite');
    await expect(playground.scrubber).toContainText('No steps yet');
    await playground.runToEnd();
    await expect(playground.updates).toHaveCount(4);
  });

  test.describe('with a live model', () => {
    test.use({ serverOptions: { lesson: 's04' } });

    test('a call of the plan tool is unknown there', async ({ playground, server }) => {
      server.answers(says(call('todo_write', { todos: [] })), says('Then without.'));
      await playground.open({ lesson: 'S04 Hooks' });
      await playground.useEndpoint({ url: server.url });
      await playground.runToEnd();
      expect(server.requests[1].body.messages[2].content[0].content).toBe('Unknown: todo_write');
    });
  });
});

test.describe('S05', () => {
  test('updates that are refused: the plan stays, and the board says why', async ({ playground }) => {
    await playground.open({ scenario: 'Updates that are refused' });
    await playground.runToEnd();
    await expect(playground.updates).toHaveCount(5);
    await expect(playground.updates.nth(3)).toContainText('refused, the plan stays: Only one todo can be in_progress at a time');
    await expect(playground.updates.nth(2)).toContainText("refused, the plan stays: todos[1] has invalid status 'doing'");
    await expect(playground.updates.nth(1)).toContainText('− Check the links');
    await expect(playground.updates.nth(0)).toContainText('− Draft the outline');
    await playground.expectBoard([], [], []);
    await playground.updates.nth(3).getByRole('button').click();
    await playground.expectBoard(['Write the text', 'Check the links'], ['Draft the outline'], []);
    await expect(playground.updates).toHaveCount(2); // of the history up to there
    await playground.live.click();
    await playground.updates.nth(1).getByRole('button').click();
    await playground.expectBoard([], ['Write the text'], ['Draft the outline']);
    await playground.live.click();
    await expect(playground.call('Error:')).toHaveCount(2);
    for (const fold of await playground.call('Error:').all()) await expect(fold).toContainText('error');
    const { body } = await playground.sentBody();
    const results = body.messages.flatMap((message) => message.content).filter((block) => block.type === 'tool_result');
    expect(results.map((result) => result.content)).toEqual([
      expect.stringMatching(/^\[>\] Draft the outline/),
      'Error: Only one todo can be in_progress at a time',
      "Error: todos[1] has invalid status 'doing'",
      expect.stringMatching(/^\[x\] Draft the outline/),
      'No todos.',
    ]);
    // A refused update counts as one: the counter never left 0.
    await expect(playground.counterSaid).toHaveText('0 of 3 rounds without todo_write');
  });

  test('several calls of one response are one round, and a second prompt starts the counter again', async ({ playground }) => {
    await playground.open({ scenario: 'Several calls, one round' });
    await playground.runToEnd();
    await expect(playground.counterSaid).toHaveText('2 of 3 rounds without todo_write');
    await expect(playground.round(2).locator('details.call')).toHaveCount(3);
    await expect(playground.round(2)).toContainText('Counter 1 of 3');
    await expect(playground.prompt).toHaveValue('And how many files are there?');
    await playground.run.click();
    await expect(playground.round(6)).toContainText('the turn is over');
    await expect(playground.transcript).toContainText('Turn 2');
    await expect(playground.counterSaid).toHaveText('1 of 3 rounds without todo_write');
    await playground.expectBoard(['Report'], ['Read the files'], []);
    await expect(playground.transcript).not.toContainText('<reminder>');
  });

  test('the lesson\'s own first prompt: hello.py gets its type hints, docstrings and main guard', async ({ playground }) => {
    test.slow();
    await playground.open({ scenario: 'Refactor hello.py' });
    await playground.runToEnd(withPython);
    await playground.expectBoard([], [], ['Add type hints', 'Add docstrings', 'Add a main guard']);
    await expect(playground.transcript).toContainText('an import prints neither');
    await playground.tab('Files').click();
    await playground.panel.getByRole('button', { name: 'hello.py' }).click();
    const lines = await playground.panel.locator('.lines li').allInnerTexts();
    expect(lines.map((line) => line.replace(/\n$/, ''))).toEqual([
      'def hello(name: str) -> str:',
      '    """Return a greeting for name."""',
      '    return "Hello, " + name',
      '',
      '',
      'def add(a: int, b: int) -> int:',
      '    """Return the sum of a and b."""',
      '    return a + b',
      '',
      '',
      'if __name__ == "__main__":',
      '    print(hello("s05"))',
      '    print(add(2, 3))',
    ]);
  });

  for (const [scenario, done, results, answer] of [
    [
      'A calculator that runs',
      ['Look at the workspace', 'Write calculator.py: four operations', 'Refuse division by zero', 'Add a command line', 'Write tests', 'Run the tests', 'Try it out for real'],
      [/Ran 3 tests in [\d.]+s\n\nOK$/, /^2\n42$/, /^error: cannot divide by zero\nexit code 1$/],
      'with exit code 1',
    ],
    [
      'Three rounds of commands',
      ['Look at the files', 'Find the failed requests', 'Count them by page', 'Write report.md'],
      [/12 access\.log$/, /^3:09:01:17 GET \/cart 500\n/, /^4 \/cart\n +1 \/search$/, /^# Failed requests\n\n- \/cart: 4\n- \/search: 1$/],
      '/cart is to blame',
    ],
    [
      'A package with tests',
      ['Write the package textstats', 'Write its tests', 'Run the tests', 'Fix what fails', 'Run the tests again'],
      [/assert \[\('The', 1\)\] == \[\('the', 2\)\][^]*1 failed, 2 passed in /, /3 passed in /],
      'now all 3 pass',
    ],
  ]) {
    test(`“${scenario}” runs its commands for real`, async ({ playground }) => {
      test.slow();
      await playground.open({ scenario });
      await playground.runToEnd(withPython);
      await playground.expectBoard([], [], done);
      await expect(playground.transcript).toContainText(answer);
      const { body } = await playground.sentBody();
      const blocks = body.messages.flatMap((message) => message.content);
      const commands = blocks.filter((block) => block.name === 'bash').map((block) => block.id);
      const printed = commands.map((id) => blocks.find((block) => block.tool_use_id === id).content);
      expect(printed).toEqual(results.map((result) => expect.stringMatching(result)));
    });
  }

  test('it asks for permission: both ways end well', async ({ playground, page }) => {
    await playground.open({ scenario: 'It asks for permission' });
    await playground.run.click();
    await playground.allow.click();
    await playground.over();
    await playground.expectBoard([], [], ['Read report.txt', 'Copy the report']);
    await page.getByRole('button', { name: 'Start over' }).click();
    await playground.run.click();
    await playground.deny.click();
    await playground.over();
    await playground.expectBoard([], [], ['Read report.txt', 'Copy the report']);
  });

  test('a prompt that the script does not know is answered honestly', async ({ playground }) => {
    await playground.open();
    await playground.ask('What is the weather?');
    await playground.over();
    await expect(playground.round(1)).toContainText("I only know this scenario's own prompts");
  });

  test('the lesson\'s other prompts are offered, with the note that they need a real model', async ({ playground, page }) => {
    await playground.open();
    await page.getByText('Suggested prompts').click();
    const suggestion = page.getByRole('button', { name: /^Create a Python package/ });
    await expect(suggestion).toContainText('needs a real model');
    await suggestion.click();
    await expect(playground.prompt).toHaveValue(/^Create a Python package/);
  });
});

test.describe('S03', () => {
  test('items have ids, and the counter goes on behind a reminder', async ({ playground }) => {
    await playground.open({ lesson: 'S03 Todo list' });
    await expect(playground.counter).toContainText('3 rounds without todo → reminder, again every round until it is called');
    await playground.runToEnd();
    await expect(playground.updates).toHaveCount(4);
    await playground.updates.last().getByRole('button').click();
    await expect(playground.board.getByRole('listitem').filter({ hasText: 'Write README.md' }).first()).toContainText('#4');
    await playground.live.click();
    await playground.transcript.getByRole('button', { name: 'messages[8].content[1]' }).click();
    await expect(playground.block('messages[8].content[1]')).toContainText('3 rounds in which no todo ran:');
    const { body } = await playground.sentBody();
    expect(body.messages[1].content[1].input.items[3]).toEqual({ id: '4', text: 'Write README.md', status: 'pending' });
    expect(body.tools.map((tool) => tool.name)).toEqual(['bash', 'read_file', 'write_file', 'edit_file', 'todo']);
  });

  test('the item in progress has an active form, and the reminder stands before the results', async ({ playground }) => {
    await playground.open({ lesson: 'S03 Session plan' });
    await expect(playground.counter).toContainText('only if there is a plan; goes on over prompts');
    await playground.runToEnd();
    await playground.updates.last().getByRole('button').click();
    const active = playground.board.getByRole('listitem').filter({ hasText: 'Look at the files' }).first();
    await expect(active).toContainText('Looking at the files');
    await playground.live.click();
    await playground.transcript.getByRole('button', { name: 'messages[8].content[0]' }).click();
    await expect(playground.block('messages[8].content[0]')).toContainText('before the tool results. The real API refuses that order.');
  });

  test('a path outside the workspace is refused by the tool, without a question', async ({ playground }) => {
    await playground.open({ lesson: 'S03 Todo list', scenario: 'It asks for permission' });
    await playground.runToEnd();
    await expect(playground.transcript).toContainText('Error: Path escapes workspace: /tmp/report.txt');
    await playground.expectBoard([], [], ['Read report.txt', 'Copy the report']);
  });
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });

  for (const [scenario, done] of [
    ['健忘的模型', ['查看文件', '给 greeting.py 加文档字符串', '改正 notes.md 里的错字', '写 README.md']],
    ['被拒绝的更新', []],
    ['写计算器并运行', ['查看工作区', '写 calculator.py：四则运算', '拒绝除以零', '加上命令行', '写测试', '运行测试', '实际运行一遍']],
    ['连跑三轮命令', ['查看文件', '找出失败的请求', '按页面计数', '写 report.md']],
    ['重构 hello.py', ['添加类型注解', '添加文档字符串', '添加 main guard']],
    ['带测试的包', ['写 textstats 包', '写测试', '运行测试', '修好没通过的', '再运行一次测试']],
  ]) {
    test(`“${scenario}”演到最后`, async ({ playground }) => {
      test.slow();
      await playground.open({ scenario });
      await playground.runToEnd(withPython);
      await playground.expectBoard([], [], done);
    });
  }
});
