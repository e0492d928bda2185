// What every test of the page starts from: the page as a person sees it, and the rules that no test may break (nothing on the
// console, no request to anywhere else, no violation of the API's rules).

import { test as base, expect } from '@playwright/test';
import { KEY, start } from './messages-server.mjs';

export { expect };

const WORDS = {
  en: {
    run: 'Run', runAgain: 'Run again', pause: 'Pause', pausing: 'Pausing…', resume: 'Resume', retry: 'Retry', step: 'Step', stop: 'Stop', controls: 'Run controls',
    lesson: 'Lesson', scenario: 'Scenario', speed: 'Speed', instant: 'Instant', theme: 'Theme', settings: 'Settings',
    prompt: 'Prompt', send: 'Send', transcript: 'Transcript', plan: 'Plan', inspector: 'Inspector', counter: 'Reminder counter',
    messages: 'Messages', request: 'Request', files: 'Files', terminal: 'Terminal', commands: 'Your commands', steps: 'Steps', live: 'Live', over: 'turn over',
    columns: ['To do', 'In progress', 'Done'], updates: 'Plan updates', permission: 'May this run?', allow: 'Allow', deny: 'Deny',
    dialog: 'A real model', baseUrl: 'Base URL', model: 'Model', key: 'API key', maxTokens: 'Max tokens', auth: 'How the key is sent',
    vendor: "Send Anthropic's own headers", use: 'Use this endpoint',
    startOver: 'Start over', asSent: 'As sent', showAll: /^Show all/, round: (number) => `Round ${number}`,
  },
  zh: {
    run: '运行', runAgain: '再运行一次', pause: '暂停', pausing: '即将暂停…', resume: '继续', retry: '重试', step: '单步', stop: '停止', controls: '运行控制',
    lesson: '课程', scenario: '场景', speed: '速度', instant: '即时', theme: '主题', settings: '设置',
    prompt: '提示词', send: '发送', transcript: '对话记录', plan: '计划', inspector: '检查器', counter: '提醒计数器',
    messages: '消息', request: '请求', files: '文件', terminal: '终端', commands: '你的命令', steps: '步骤', live: '实时', over: '回合结束',
    columns: ['待办', '进行中', '已完成'], updates: '计划更新', permission: '允许执行吗？', allow: '允许', deny: '拒绝',
    dialog: '真实模型', baseUrl: '接口地址', model: '模型', key: 'API 密钥', maxTokens: '最大 token 数', auth: '密钥发送方式',
    vendor: '发送 Anthropic 专用请求头', use: '使用此接口',
    startOver: '重新开始', asSent: '原始文本', showAll: /^显示全部/, round: (number) => `第 ${number} 轮`,
  },
};

/** The page. Parts are found by role and name; a class is used only where what a person sees has neither. */
export class Playground {
  constructor(page, language) {
    this.page = page;
    this.setLanguage(language);
  }

  setLanguage(language) {
    const words = WORDS[language];
    this.words = words;
    const { page } = this;
    const exact = true;
    this.controls = page.getByRole('group', { name: words.controls });
    for (const name of ['runAgain', 'pause', 'pausing', 'resume', 'retry', 'step', 'stop']) {
      this[name] = this.controls.getByRole('button', { name: words[name], exact });
    }
    // Behind the end of a script it plays that again.
    this.run = this.controls.getByRole('button', { name: new RegExp(`^(${words.run}|${words.runAgain})$`) });
    this.lesson = page.getByRole('combobox', { name: words.lesson, exact });
    this.scenario = page.getByRole('combobox', { name: words.scenario, exact });
    this.speed = page.getByRole('combobox', { name: words.speed, exact });
    this.theme = page.getByRole('combobox', { name: words.theme, exact });
    this.prompt = page.getByRole('textbox', { name: words.prompt, exact });
    this.send = page.getByRole('button', { name: words.send, exact });

    this.transcript = page.getByRole('region', { name: words.transcript, exact }).first();
    this.rounds = this.transcript.getByRole('article');
    this.board = page.getByRole('region', { name: words.plan, exact });
    this.counter = page.getByRole('region', { name: words.counter, exact });
    this.counterSaid = this.counter.getByRole('status');
    this.updates = page.getByRole('region', { name: words.updates, exact }).getByRole('listitem');

    this.inspector = page.getByRole('region', { name: words.inspector, exact });
    this.panel = this.inspector.getByRole('tabpanel');
    this.permission = page.getByRole('alertdialog', { name: words.permission });
    this.allow = this.permission.getByRole('button', { name: words.allow, exact });
    this.deny = this.permission.getByRole('button', { name: words.deny, exact });
    this.alert = this.transcript.getByRole('alert');
    this.bringBack = this.transcript.locator('.left-run').getByRole('button');

    this.scrubber = page.getByRole('contentinfo');
    this.slider = page.getByRole('slider', { name: words.steps, exact });
    this.live = page.getByRole('button', { name: words.live, exact });
    this.dialog = page.getByRole('dialog', { name: words.dialog });
  }

  /** Opens the page, ready for a press of Run. The scripted model answers at once, unless told otherwise. */
  async open({ speed = this.words.instant, lesson, scenario } = {}) {
    await this.page.goto('./');
    await expect(this.run).toBeEnabled();
    if (lesson) await this.lesson.selectOption(lesson);
    if (scenario) await this.scenario.selectOption(scenario);
    if (speed) await this.speed.selectOption(speed);
  }

  /** Presses Run and waits until the turn is over. */
  async runToEnd(options) {
    await this.run.click();
    await this.over(options);
  }

  /** Waits until the turn is over; `timeout` in milliseconds, where Python has to load first. */
  async over({ timeout } = {}) {
    await expect(this.scrubber).toContainText(this.words.over, { timeout });
    await expect(this.run).toBeVisible();
  }

  tab(name) {
    return this.inspector.getByRole('tab', { name, exact: true });
  }

  /** Shows the place for the reader's own commands. */
  async openCommands() {
    await this.tab(this.words.terminal).click();
    await this.panel.getByRole('button', { name: this.words.commands, exact: true }).click();
  }

  /** The cards of a column, as a person reads them. */
  column(name) {
    const heading = this.page.getByRole('heading', { name: new RegExp(`^${name} *\\d*$`) });
    return this.board.locator('section').filter({ has: heading }).getByRole('listitem').locator('.content');
  }

  async expectBoard(todo, active, done) {
    const [first, second, third] = this.words.columns;
    await expect(this.column(first)).toHaveText(todo);
    await expect(this.column(second)).toHaveText(active);
    await expect(this.column(third)).toHaveText(done);
  }

  /** How many lamps of the counter are lit. */
  get lit() {
    return this.counter.locator('.lamp.lit');
  }

  /** A round's card in the transcript. */
  round(number) {
    return this.rounds.filter({ has: this.page.getByRole('button', { name: this.words.round(number), exact: true }) });
  }

  /** A call's fold in the transcript, by what its line says. */
  call(text) {
    return this.transcript.locator('details.call').filter({ has: this.page.locator('summary', { hasText: text }) });
  }

  /** A block of the message list, by its position: `messages[8].content[1]`. */
  block(position) {
    return this.panel.locator('details, div').filter({ has: this.page.locator('code', { hasText: position }) }).last();
  }

  /** The body of the request at the cursor, as sent. Leaves the Request tab open. */
  async sentBody() {
    await this.tab(this.words.request).click();
    const raw = this.panel.getByRole('button', { name: this.words.asSent });
    if ((await raw.getAttribute('aria-pressed')) !== 'true') await raw.click();
    const more = this.panel.getByRole('button', { name: this.words.showAll });
    if (await more.isVisible()) await more.click();
    const text = await this.panel.locator('pre').innerText();
    return { text, body: JSON.parse(text) };
  }

  /** The place of the cursor: `[11, 64]` for "Step 11 of 64". */
  async place() {
    const said = await this.slider.getAttribute('aria-valuetext');
    const [, at, of] = /(\d+)\D+(\d+)/.exec(said) ?? [0, 0, 0];
    return [Number(at), Number(of)];
  }

  async openSettings() {
    await this.page.getByRole('button', { name: this.words.settings, exact: true }).first().click();
    await expect(this.dialog).toBeVisible();
  }

  field(name) {
    return this.dialog.getByLabel(this.words[name], { exact: true });
  }

  /** Fills in the settings and uses them. */
  async useEndpoint({ url, key = KEY, model = 'test-model', maxTokens, auth, vendorHeaders } = {}) {
    await this.openSettings();
    await this.field('baseUrl').fill(url);
    await this.field('model').fill(model);
    await this.field('key').fill(key);
    if (maxTokens !== undefined) await this.field('maxTokens').fill(maxTokens);
    if (auth !== undefined) await this.field('auth').selectOption(auth);
    if (vendorHeaders !== undefined) await this.field('vendor').setChecked(vendorHeaders);
    await this.dialog.getByRole('button', { name: this.words.use }).click();
    await expect(this.dialog).toBeHidden();
  }

  /** Sends a prompt by the prompt box. */
  async ask(prompt) {
    await this.prompt.fill(prompt);
    await this.send.click();
  }
}

export const test = base.extend({
  /** The page, in the browser's language. */
  playground: async ({ page, locale }, use) => {
    await use(new Playground(page, locale?.startsWith('zh') ? 'zh' : 'en'));
  },

  /** How the messages server is set up: `test.use({ serverOptions: { cors: 'open' } })`. */
  serverOptions: [{}, { option: true }],

  /** A messages server. A request that breaks the API's rules fails the test. */
  server: async ({ serverOptions }, use) => {
    const server = await start(serverOptions);
    await use(server);
    await server.close();
    expect(server.violations, 'what the requests did wrong').toEqual([]);
  },

  /** What went wrong on the page without anybody being told. Each test must leave it empty. */
  trouble: [
    async ({ page, baseURL }, use) => {
      const trouble = [];
      const own = new URL(baseURL).origin;
      page.on('pageerror', (error) => trouble.push(`exception: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        // The browser writes down each request that fails. The page has to say it in words, which the tests of errors check.
        const from = message.location().url;
        const network = /^(Failed to load resource|Access to fetch)/.test(message.text());
        if (network && !from.startsWith(`${own}/app`)) return;
        trouble.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        const { protocol, origin, hostname } = new URL(request.url());
        if (protocol === 'blob:' || protocol === 'data:' || origin === own) return;
        // Endpoints that a test named: its own server, and names that exist nowhere.
        if (hostname === '127.0.0.1' || hostname === 'localhost' || hostname.endsWith('.invalid')) return;
        trouble.push(`request to ${origin}`);
      });
      await use(trouble);
      expect(trouble, 'trouble on the page').toEqual([]);
      if (!page.isClosed()) await expect(page.locator('.crash'), 'the overlay that says that the program crashed').toHaveCount(0);
    },
    { auto: true },
  ],
});
