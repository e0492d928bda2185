// Each program of programs.mjs, by the page's Python, by that with a start of its own, and by the machine's.

import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after as afterAll, test } from 'node:test';

import { programs } from './programs.mjs';
import { after, bootPython, findPython, runReal, text } from './support.mjs';

process.umask(0o022);
const real = await findPython();
const { run } = await bootPython();
const base = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'todowrite-')));
afterAll(() => fs.rm(base, { recursive: true }));

/** What differs from run to run, and is the same for all that. */
const plain = (output) => text(output)
  .replaceAll(/\b(in|loop, best of \d+:) \d[\d.]* ?[a-z]*s(ec)?\b/g, '$1 TIME')
  .replaceAll(/0x[0-9a-f]{6,}/g, '0xADDRESS')
  // What a web page has of the standard library lies elsewhere.
  .replaceAll(/"[^"]*\/lib\/python3\.\d+\//g, '"LIB/')
  .replaceAll(/LIB\/(.*)", line \d+/g, 'LIB/$1", line N');

const check = (found, wanted, what) => {
  if (wanted instanceof RegExp) assert.match(text(found), wanted, what);
  else if (wanted !== undefined && wanted !== 'same') assert.equal(text(found), wanted, what);
};

let number = 0;
for (const [name, program] of Object.entries(programs)) {
  test(name, async () => {
    const cwd = path.join(base, String(++number));
    const got = run({ ...program, cwd });
    const said = () => `\n${text(got.stdout).slice(-2000)}\n${text(got.stderr).slice(-2000)}`;
    if (program.code !== undefined) assert.equal(got.code, program.code, `exit code${said()}`);
    check(got.stdout, program.stdout, 'stdout');
    check(got.stderr, program.stderr, 'stderr');

    if (program.cold) {
      // -s: what it does makes no difference here, but it makes a start of its own necessary.
      const cold = run({ ...program, argv: ['-s', ...program.argv], cwd });
      assert.deepEqual(
        { code: got.code, stdout: plain(got.stdout), stderr: plain(got.stderr), changes: got.changes },
        { code: cold.code, stdout: plain(cold.stdout), stderr: plain(cold.stderr), changes: cold.changes },
        'as with a start of its own',
      );
    }
    if (program.real !== false && real) {
      const there = await runReal(real, program, cwd);
      assert.equal(plain(got.stdout), plain(there.stdout), 'stdout, as python3 has it');
      assert.equal(got.code, there.code, `exit code, as python3 has it${said()}`);
      assert.deepEqual(after(program.files ?? {}, program.links ?? {}, got.changes, cwd), there.tree, 'files, as python3 leaves them');
      if (program.stderr === 'same' && real.version >= 13) assert.equal(plain(got.stderr), plain(there.stderr), 'stderr, as python3 has it');
    }
  });
}
test('the machine has a python3 to compare with', { skip: real ? false : 'no python3 of 3.11 or later' }, () => {});
