// A plain static file server for dist/, as a static host would serve it: right MIME types, brotli or gzip, an ETag.
// It has no dependencies. `node serve.mjs DIR PORT` runs it; `serve(dir, port)` is what the benchmark calls (port 0: any free one).

import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const ALREADY_COMPRESSED = new Set(['.ico', '.png', '.woff2']);

// The encodings that a static host usually offers, best first.
const ENCODINGS = {
  br: (body) => brotli(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzip(body),
};

/** Serves `dir` on 127.0.0.1. Resolves when it listens. */
export async function serve(dir, port = 0) {
  const root = await realpath(dir);
  const compressed = new Map(); // "etag encoding" -> Buffer, so that each file is compressed once

  const server = createServer(async (request, response) => {
    try {
      await answer(request, response, root, compressed);
    } catch (error) {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(request, response, root, compressed) {
  const refuse = (status, headers = {}) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
    response.end(request.method === 'HEAD' ? undefined : `${status}\n`);
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, { allow: 'GET, HEAD' });

  const file = await findFile(root, request.url);
  if (file === null) return refuse(404);

  const extension = path.extname(file).toLowerCase();
  const plain = await readFile(file);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const encoding = ALREADY_COMPRESSED.has(extension) ? null : chooseEncoding(request.headers['accept-encoding']);
  const headers = {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    etag: encoding ? `W/${etag}` : etag,
    vary: 'accept-encoding',
  };
  if (request.headers['if-none-match']?.includes(etag)) {
    response.writeHead(304, headers);
    return response.end();
  }

  let body = plain;
  if (encoding) {
    const key = `${etag} ${encoding}`;
    if (!compressed.has(key)) compressed.set(key, await ENCODINGS[encoding](plain));
    body = compressed.get(key);
    headers['content-encoding'] = encoding;
  }
  headers['content-length'] = body.length;
  response.writeHead(200, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The file inside `root` that a request's path names, or null: nothing outside `root` is ever served, by `..` or by a link. */
async function findFile(root, target) {
  let name;
  try {
    name = decodeURIComponent(target.split(/[?#]/, 1)[0]);
  } catch {
    return null;
  }
  if (name.includes('\0')) return null;
  try {
    const file = await realpath(path.join(root, name.endsWith('/') ? `${name}index.html` : name));
    return file.startsWith(root + path.sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}

function chooseEncoding(accept = '') {
  const offered = accept
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]);
  return Object.keys(ENCODINGS).find((encoding) => offered.includes(encoding)) ?? null;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [dir, port] = process.argv.slice(2);
  if (!dir || !/^\d+$/.test(port ?? '')) {
    console.error('usage: node serve.mjs DIR PORT');
    process.exit(2);
  }
  const { url } = await serve(dir, Number(port));
  console.log(`serving ${dir} at ${url}`);
}
