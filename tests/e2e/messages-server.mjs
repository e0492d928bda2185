// A model that the tests write: a real HTTP server on 127.0.0.1 that speaks the Anthropic Messages API as a stream.
//
// A test queues what it answers (`server.answers(says('Hello'), faults.overloaded)`), and each request takes the next one.
// The server keeps every request with its headers and body, holds each body against the API's rules and the lesson's system
// prompt (`server.violations` has to stay empty), and knows whether its client stayed to the end (`request.ended`).

import { once } from 'node:events';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

export const KEY = 'sk-ant-test-0123456789abcdef';

/** What the lessons' programs send as `system`, with the playground's working directory filled in. */
export const SYSTEM = {
  s04: 'You are a coding agent at /workspace. Use tools to solve tasks. Act, don\'t explain.',
  s05: 'You are a coding agent at /workspace. Before starting any multi-step task, use todo_write to plan your steps. Update status as you go.',
};

// --- What a model can answer ---------------------------------------------------------------------------------------

let calls = 0;
export const text = (text) => ({ type: 'text', text });
export const call = (name, input, id = `toolu_test_${(calls += 1)}`) => ({ type: 'tool_use', id, name, input });
export const thinking = (thinking, signature) => ({ type: 'thinking', thinking, signature });
export const plan = (...items) =>
  call('todo_write', {
    todos: items.map((item) => {
      const [, mark, content] = /^\[( |>|x)\] (.*)$/su.exec(item);
      return { content, status: { ' ': 'pending', '>': 'in_progress', x: 'completed' }[mark] };
    }),
  });

/**
 * A streamed reply of these blocks; a string stands for a text block. Its stream can be bent by `with(options)`:
 *   piece       characters in a delta (default 12)
 *   delay       milliseconds before each event
 *   holdAfter   after so many events, waits for `server.release()` or for the client to go away
 *   cutAfter    after so many events, ends the body; `breakAfter`: breaks the connection
 *   errorAfter  after so many events, `event: error`
 *   stopReason  instead of `end_turn` or `tool_use`
 *   bytes       bytes in a write, 1 for one-byte chunks
 *   lineEnd     '\r\n' or '\r' instead of '\n'
 *   named       false: data-only events
 *   pings       a ping and a comment line between all events
 *   starts      how many times `message_start` is sent
 *   rewrite     (events) => events, a last word on the list of [name, data]
 */
export function says(...blocks) {
  const reply = (options) => ({
    kind: 'stream',
    blocks: blocks.map((block) => (typeof block === 'string' ? text(block) : block)),
    options,
    with: (more) => reply({ ...options, ...more }),
  });
  return reply({});
}

/** An answer that is no stream. */
const plain = (status, body, headers = {}) => ({
  kind: 'plain',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json', ...headers },
});
const apiError = (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_test_0001' });

export const faults = {
  wrongKey: plain(401, apiError('authentication_error', 'invalid x-api-key')),
  browserHeader: plain(
    401,
    apiError(
      'authentication_error',
      "CORS requests must set 'anthropic-dangerous-direct-browser-access' header. This is because the header lets anyone see your key.",
    ),
  ),
  organization: plain(
    401,
    apiError('authentication_error', 'CORS requests are not allowed for this Organization because custom retention settings have been applied.'),
  ),
  noCredit: plain(402, apiError('billing_error', 'Your credit balance is too low.')),
  unknownModel: plain(404, apiError('not_found_error', 'model: claude-nope')),
  rateLimit: (retryAfter, headers = {}) =>
    plain(429, apiError('rate_limit_error', 'Number of requests has exceeded your limit'), { 'retry-after': retryAfter, ...headers }),
  overloaded: plain(529, apiError('overloaded_error', 'Overloaded')),
  internal: plain(500, apiError('api_error', 'Internal server error')),
  badGateway: plain(502, '<html><body><h1>502 Bad Gateway</h1></body></html>'),
  invalidRequest: plain(400, apiError('invalid_request_error', 'messages.2.content.0: unexpected `tool_use_id`')),
  page: plain(200, '<!doctype html><html><body><h1>Welcome to nginx!</h1></body></html>'),
  errorIn200: plain(200, apiError('overloaded_error', 'Overloaded in a 200')),
  refusedIn200: plain(200, apiError('invalid_request_error', 'max_tokens: too large')),
  json: plain(200, {
    id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', content: [text('Hello as JSON')],
  }),
  garbage: plain(200, '\u0000\u0001�PNG not a stream at all', { 'content-type': 'text/event-stream' }),
  empty: plain(200, '', { 'content-type': 'text/event-stream' }),
  /** Answers nothing at all until the client goes away. */
  hang: { kind: 'hang' },
  /** Breaks the connection before any answer. */
  reset: { kind: 'reset' },
};

// --- The stream ----------------------------------------------------------------------------------------------------

function pieces(whole, length) {
  const characters = Array.from(whole);
  const cut = [];
  for (let i = 0; i < characters.length; i += length) cut.push(characters.slice(i, i + length).join(''));
  return cut;
}

/** A reply as [event name, data] pairs, as the API sends them. */
function events(blocks, { piece = 12, stopReason, starts = 1, rewrite }) {
  const id = `msg_test_${Math.random().toString(36).slice(2, 10)}`;
  const message = { id, type: 'message', role: 'assistant', model: 'test-model', content: [], stop_reason: null, usage: { input_tokens: 25, output_tokens: 1 } };
  const list = Array.from({ length: starts }, () => ['message_start', { message }]);
  blocks.forEach((block, index) => {
    const delta = (delta) => list.push(['content_block_delta', { index, delta }]);
    const start = (content_block) => list.push(['content_block_start', { index, content_block }]);
    if (block.type === 'text') {
      start({ type: 'text', text: '' });
      for (const part of pieces(block.text, piece)) delta({ type: 'text_delta', text: part });
    } else if (block.type === 'tool_use') {
      start({ ...block, input: {} });
      delta({ type: 'input_json_delta', partial_json: '' });
      const input = block.partialInput ?? JSON.stringify(block.input);
      for (const part of pieces(input, piece)) delta({ type: 'input_json_delta', partial_json: part });
    } else if (block.type === 'thinking') {
      start({ type: 'thinking', thinking: '', signature: '' });
      for (const part of pieces(block.thinking, piece)) delta({ type: 'thinking_delta', thinking: part });
      delta({ type: 'signature_delta', signature: block.signature });
    } else {
      start(block);
    }
    list.push(['content_block_stop', { index }]);
  });
  const ending = stopReason ?? (blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');
  list.push(['message_delta', { delta: { stop_reason: ending, stop_sequence: null }, usage: { output_tokens: 42 } }]);
  list.push(['message_stop', {}]);
  return rewrite ? rewrite(list) : list;
}

function frame([name, data], { lineEnd = '\n', named = true, pings = false }) {
  const lines = [`data: ${JSON.stringify({ type: name, ...data })}`, ''];
  if (named) lines.unshift(`event: ${name}`);
  if (pings) lines.unshift('event: ping', 'data: {"type": "ping"}', '', ': keep-alive');
  return lines.map((line) => line + lineEnd).join('');
}

// --- The rules of a message list (https://docs.anthropic.com/en/api/messages) -----------------------------------------

/** What is wrong with a request's body, as sentences. */
export function check(body, system) {
  const wrong = [];
  const say = (sentence) => wrong.push(sentence);
  if (body.stream !== true) say('"stream" is not true');
  if (typeof body.model !== 'string' || body.model.trim() !== body.model || body.model === '') say('no model');
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) say('"max_tokens" is no positive whole number');
  if (body.system !== system) say(`the system prompt is not the lesson's: ${JSON.stringify(body.system)}`);
  const known = new Set(['model', 'max_tokens', 'system', 'messages', 'tools', 'stream']);
  for (const name of Object.keys(body)) if (!known.has(name)) say(`unexpected field ${name}`);

  if (!Array.isArray(body.tools) || body.tools.length === 0) say('no tools');
  const names = (body.tools ?? []).map((tool) => tool.name);
  if (new Set(names).size !== names.length) say('two tools of one name');
  for (const tool of body.tools ?? []) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) say(`tool name ${tool.name}`);
    if (tool.input_schema?.type !== 'object') say(`no input schema of ${tool.name}`);
  }

  const messages = Array.isArray(body.messages) ? body.messages : [];
  if (messages[0]?.role !== 'user') say('the first message is not the user\'s');
  if (messages.at(-1)?.role !== 'user') say('the last message is not the user\'s');
  const ids = new Set();
  messages.forEach((message, i) => {
    const at = `messages[${i}]`;
    if (message.role !== 'user' && message.role !== 'assistant') say(`${at}: role ${message.role}`);
    if (message.role === 'assistant' && messages[i - 1]?.role === 'assistant') say(`${at}: a second assistant message in a row`);
    if (message.content === '' || message.content?.length === 0) say(`${at}: no content`);
    const blocks = typeof message.content === 'string' ? [text(message.content)] : message.content;
    let others = 0;
    const results = [];
    for (const block of blocks) {
      if (block.type === 'text' && (typeof block.text !== 'string' || block.text === '')) say(`${at}: an empty text block`);
      if (block.type === 'tool_use') {
        if (message.role !== 'assistant') say(`${at}: a call in a user message`);
        if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) say(`${at}: call id ${block.id}`);
        if (ids.has(block.id)) say(`${at}: the id ${block.id} twice`);
        ids.add(block.id);
      }
      if (block.type === 'tool_result') {
        if (message.role !== 'user') say(`${at}: a result in an assistant message`);
        if (others > 0) say(`${at}: a result behind other content`);
        if (typeof block.content !== 'string') say(`${at}: the content of a result is no string`);
        results.push(block.tool_use_id);
      } else {
        others += 1;
      }
    }
    const before = messages[i - 1];
    const asked = before?.role === 'assistant' && Array.isArray(before.content)
      ? before.content.filter((block) => block.type === 'tool_use').map((block) => block.id)
      : [];
    if (message.role === 'user' && !isDeepStrictEqual(results, asked)) {
      say(`${at}: results for ${JSON.stringify(results)}, but the calls before are ${JSON.stringify(asked)}`);
    }
  });
  return wrong;
}

/** The API's words for calls whose results do not come first. */
function refusal(body) {
  const ids = (blocks, type, field) => blocks.filter((block) => block.type === type).map((block) => block[field]);
  const at = body.messages.findIndex(({ content }, i) => {
    const next = body.messages[i + 1]?.content;
    return Array.isArray(content) && content.some(({ type }) => type === 'tool_use') && next?.[0]?.type !== 'tool_result';
  });
  const open = at < 0 ? [] : ids(body.messages[at].content, 'tool_use', 'id');
  return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

// --- The server ----------------------------------------------------------------------------------------------------

/**
 * Starts a server. `cors`:
 *   api     as api.anthropic.com: open to pages that send `anthropic-dangerous-direct-browser-access`, closed to others
 *   open    as most compatible endpoints: any header, any origin
 *   listed  as a local server: a preflight that asks for more than `content-type` and `authorization` is not answered well
 *   none    no CORS headers at all
 * `auth`: `x-api-key`, `bearer` or `none`.
 */
export async function start({ cors = 'api', auth = 'x-api-key', key = KEY, lesson = 's05' } = {}) {
  const queue = [];
  const sent = []; // the block lists that were streamed whole
  let released = 0; // how many holds are free to go
  const waiting = new Set();
  const server = {
    cors,
    auth,
    lesson,
    /** Every POST: `{ headers, raw, body, ended }`; `ended` resolves to `complete` or `aborted`. */
    requests: [],
    /** The headers that each preflight asked for. */
    preflights: [],
    violations: [],
    /** Whether what breaks the rules of a message list is answered with 400, as the API does, and not held against the page. */
    strict: false,
    /** What the system prompt has to be; null where any will do. */
    system: undefined,
    /** Whether an assistant message has to be one that this server sent. */
    echoes: true,
    answers(...replies) {
      queue.push(...replies);
    },
    /** Lets one reply that holds go on. */
    release() {
      released += 1;
      for (const wake of waiting) wake();
    },
    /** The request of this number, from 1, once it is there. */
    async request(number) {
      while (server.requests.length < number) await once(http, 'asked');
      return server.requests[number - 1];
    },
  };

  const http = createServer(async (request, response) => {
    try {
      await answer(request, response);
    } catch (error) {
      server.violations.push(`the test server failed: ${error.stack}`);
      response.destroy();
    }
  });

  const corsHeaders = (request) => {
    const asks = (request.headers['access-control-request-headers'] ?? Object.keys(request.headers).join(',')).toLowerCase();
    switch (server.cors) {
      case 'open':
        return { 'access-control-allow-origin': request.headers.origin ?? '*', 'access-control-allow-headers': asks, 'access-control-expose-headers': '*' };
      case 'api':
        return asks.includes('anthropic-dangerous-direct-browser-access')
          ? { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-expose-headers': '*' }
          : {};
      case 'listed':
        return { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'Authorization, Content-Type, User-Agent, Accept' };
      default:
        return {};
    }
  };

  async function answer(request, response) {
    const allowed = corsHeaders(request);
    if (request.method === 'OPTIONS') {
      server.preflights.push(request.headers['access-control-request-headers'] ?? '');
      // A browser sends a request again that fails on a connection used before, so every request gets a new one.
      response.shouldKeepAlive = false;
      response.writeHead(204, { ...allowed, 'access-control-allow-methods': 'POST', 'access-control-max-age': '0' });
      return response.end();
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString('utf8');
    let body = null;
    try {
      body = JSON.parse(raw);
    } catch {
      server.violations.push(`a body that is no JSON: ${raw.slice(0, 200)}`);
    }
    const ended = new Promise((resolve) => {
      response.on('close', () => resolve(response.writableFinished ? 'complete' : 'aborted'));
    });
    response.shouldKeepAlive = false;
    const taken = { method: request.method, path: request.url, headers: request.headers, raw, body, ended };
    server.requests.push(taken);
    const number = server.requests.length;
    if (request.method !== 'POST' || !request.url.endsWith('/v1/messages')) server.violations.push(`${request.method} ${request.url}`);
    if (body) {
      const system = server.system === undefined ? SYSTEM[server.lesson] : (server.system ?? body.system);
      const wrong = check(body, system);
      if (server.strict && wrong.length > 0) {
        taken.refused = plain(400, apiError('invalid_request_error', refusal(body)));
      } else {
        for (const sentence of wrong) server.violations.push(`request ${number}: ${sentence}`);
      }
      if (server.echoes) {
        (body.messages ?? []).forEach((message, i) => {
          if (message.role === 'assistant' && !sent.some((blocks) => isDeepStrictEqual(blocks, message.content))) {
            server.violations.push(`request ${number}: messages[${i}] is not what this server said: ${JSON.stringify(message.content)}`);
          }
        });
      }
    }
    http.emit('asked');

    const reply = keyFault(request) ?? taken.refused ?? queue.shift();
    if (!reply) {
      server.violations.push(`request ${number} was not expected`);
      return send(response, plain(500, apiError('api_error', 'the test has no more answers')), allowed);
    }
    if (reply.kind === 'reset') return response.destroy();
    if (reply.kind === 'hang') return undefined;
    if (reply.kind === 'plain') return send(response, reply, allowed);
    return stream(response, reply, allowed);
  }

  function keyFault(request) {
    const given = { 'x-api-key': request.headers['x-api-key'], bearer: request.headers.authorization?.replace(/^Bearer /, '') }[server.auth];
    if (server.auth !== 'none' && given !== key) return faults.wrongKey;
    return null;
  }

  function send(response, { status, body, headers }, allowed) {
    response.writeHead(status, { ...allowed, 'request-id': 'req_test_head', ...headers });
    response.end(body);
  }

  async function stream(response, { blocks, options }, allowed) {
    response.writeHead(200, { ...allowed, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'request-id': 'req_test_head' });
    let gone = false;
    const closed = once(response, 'close').then(() => {
      gone = true;
      for (const wake of waiting) wake();
    });
    const write = async (string) => {
      const bytes = Buffer.from(string, 'utf8');
      const size = options.bytes ?? bytes.length;
      for (let at = 0; at < bytes.length && !gone; at += size) {
        // Waiting until it is out keeps two writes apart on the wire, most of the time, and leaves nothing behind in a break.
        await Promise.race([new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve)), closed]);
      }
    };
    let done = 0;
    for (const event of events(blocks, options)) {
      if (done === options.holdAfter) await held(() => gone);
      if (done === options.cutAfter) return response.end();
      if (done === options.breakAfter) return response.destroy();
      if (done === options.errorAfter) {
        await write(frame(['error', { error: { type: 'overloaded_error', message: 'Overloaded in mid-stream' } }], options));
        return response.end();
      }
      if (options.delay) await new Promise((resolve) => setTimeout(resolve, options.delay));
      if (gone) return undefined;
      await write(frame(event, options));
      done += 1;
    }
    sent.push(blocks.map(({ partialInput, ...block }) => block));
    return response.end();
  }

  function held(gone) {
    return new Promise((resolve) => {
      const wake = () => {
        if (gone()) waiting.delete(wake), resolve();
        else if (released > 0) (released -= 1), waiting.delete(wake), resolve();
      };
      waiting.add(wake);
      wake();
    });
  }

  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  server.url = `http://127.0.0.1:${http.address().port}`;
  server.close = async () => {
    http.close();
    http.closeAllConnections();
    if (http.listening) await once(http, 'close');
  };
  return server;
}
