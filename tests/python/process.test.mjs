// That a run is a process: what it is given, what it leaves, when it ends, and that the next one sees nothing of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bootPython, pythonFiles, text } from './support.mjs';
import { boot } from '../../www/worker/python.mjs';

const steps = [];
const { python, run } = await bootPython({ progress: (step) => steps.push(step) });
const command = (program, more) => run({ argv: ['-c', program], ...more });
const out = (program, more) => {
  const result = command(program, more);
  assert.equal(result.code, 0, text(result.stderr));
  return text(result.stdout);
};

// --- Loading ---

test('loading tells how far it has come', () => {
  assert.ok(steps.length >= 3);
  assert.ok(steps.every(({ loaded, total }, i) => loaded <= total && loaded >= (steps[i - 1]?.loaded ?? 0)));
  assert.equal(steps.at(-1).loaded, steps.at(-1).total);
  assert.match(python.version, /^3\.14\./);
});

test('what can\'t be loaded is said', async () => {
  await assert.rejects(boot({ base: 'file:///nowhere/' }), /^Error: Python can't be loaded: manifest\.json: .*ENOENT/);
  const base = await pythonFiles();
  const { readFile } = await import('node:fs/promises');
  const broken = (name, answer) => boot({
    base,
    readFile: async (file) => (file === name ? answer() : readFile(new URL(file, base))),
  });
  await assert.rejects(broken('library.bin', () => Promise.reject(new Error('the server answered 404'))), /library\.bin: the server answered 404/);
  await assert.rejects(broken('pyodide.asm.wasm', () => Buffer.from('<!doctype html>')), /pyodide\.asm\.wasm: this browser's WebAssembly is too old for it, or the file is damaged/);
  await assert.rejects(broken('library.bin', () => Buffer.from('\x1f\x8bx', 'latin1')), /Python can't be loaded: library\.bin/);
});

// --- Two runs ---

test('the next run sees nothing of the last one', () => {
  command(`
import builtins, json, logging, math, os, random, signal, sys, unittest, warnings, collections
json.dumps = builtins.print2 = len = None
builtins.len = lambda x: 42
str.__doc__
math.pi = 3
sys.path.insert(0, "/elsewhere"); sys.modules["fake"] = sys; sys.argv.append("x")
sys.setrecursionlimit(99); sys.stdout = sys.stderr
os.environ["LEFT"] = "1"; os.putenv("LEFT2", "1"); os.chdir("/tmp"); os.umask(0o777)
logging.basicConfig(level=1); logging.getLogger("left").addHandler(logging.NullHandler())
warnings.simplefilter("error")
signal.signal(signal.SIGINT, signal.SIG_IGN)
unittest.TestCase.run = None
collections.OrderedDict.left = 1
import helper
helper.x = 2
open("/tmp/left", "w").write("x"); open("/left", "w").write("x")
open("never-closed", "w").write("y")
os.dup2(2, 1)
random.seed(1)
`, { files: { 'helper.py': 'x = 1' } });
  const program = `
import builtins, json, logging, math, os, signal, sys, unittest, warnings, collections, helper
print(json.dumps(1), hasattr(builtins, "print2"), len("abc"), math.pi > 3, "/elsewhere" in sys.path, "fake" in sys.modules, sys.argv)
print(sys.getrecursionlimit(), os.environ.get("LEFT"), os.getenv("LEFT2"), os.getcwd(), oct(os.umask(0)))
print(logging.root.handlers, logging.root.level, "left" in logging.root.manager.loggerDict, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print(callable(unittest.TestCase.run), hasattr(collections.OrderedDict, "left"), helper.x, os.listdir("/tmp"), os.path.exists("/left"), os.listdir("."))
warnings.warn("a")
`;
  const result = command(program, { files: { 'helper.py': 'x = 1' } });
  assert.equal(text(result.stdout), `1 False 3 True False False ['-c']
1000 None None /work 0o22
[] 30 False True
True False 1 [] False ['helper.py']
`);
  assert.match(text(result.stderr), /UserWarning: a/);
});

test('a module that has changed is read anew', () => {
  for (const x of [1, 2, 3]) assert.equal(out('import m; print(m.x)', { files: { 'm.py': `x = ${x}` } }), `${x}\n`);
});

test('random numbers, and names of temporary files, are others each time', () => {
  const program = 'import random, tempfile, uuid, os; print(random.random(), tempfile.mktemp(), uuid.uuid4(), os.urandom(4))';
  assert.notEqual(out(program), out(program));
});

test('after a crash, an exit within, or a lack of memory, all is as before', () => {
  const { exitCode } = process;
  command('import os; os.abort()');
  command('import os; os._exit(3)');
  command('x = []\nfor i in range(10 ** 6): x = [x]\ndel x');
  command('import ctypes; ctypes.string_at(2 ** 31)');
  command('x = []\nwhile True: x.append(bytes(10 ** 7))');
  assert.equal(out('print(sum(range(10)))'), '45\n');
  assert.equal(process.exitCode, exitCode, 'of Node');
});

test('a module of the program comes before one that was imported ahead', () => {
  assert.equal(out('import struct; print(struct.x)', { files: { 'struct.py': 'x = "mine"' } }), 'mine\n');
  assert.equal(out('import sys; sys.path.insert(0, "lib"); import queue; print(queue.x)', { files: { 'lib/queue.py': 'x = "mine"' } }), 'mine\n');
  assert.equal(out('import pkg.struct, struct; print(struct.calcsize("i"))', { files: { 'pkg/__init__.py': '', 'pkg/struct.py': '' } }), '4\n');
});

// --- Time ---

test('a deadline ends a loop, a sleep, and a program that does not want to end', () => {
  const programs = [
    'while True: pass',
    'import time; time.sleep(100); print("late")',
    'import asyncio; asyncio.run(asyncio.sleep(100)); print("late")',
    'import asyncio\nasync def f():\n    while True: pass\nasyncio.run(f())',
    'while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: break',
    'import re; re.match("(a*)*b", "a" * 60)',
  ];
  for (const program of programs) {
    const result = command(program, { deadline: Date.now() + 200 });
    assert.equal(result.code, 124, program);
    assert.doesNotMatch(text(result.stdout), /late/);
    assert.match(text(result.stderr), /python3: stopped: its time was up\n$/);
  }
  const { code, stdout } = command('import time; print("before", flush=True); time.sleep(9)', { deadline: Date.now() + 100 });
  assert.deepEqual([code, text(stdout)], [124, 'before\n']);
  assert.equal(command('print(1)', { deadline: Date.now() + 60_000 }).code, 0);
});

test('output comes while it is written', () => {
  const parts = [];
  command('import sys, time\nprint("a", flush=True)\nprint("b", file=sys.stderr)\ntime.sleep(0.05)\nprint("c")', {
    onOutput: (kind, part) => parts.push([kind, text(part), performance.now()]),
  });
  assert.deepEqual(parts.map(([kind, part]) => [kind, part]), [['stdout', 'a\n'], ['stderr', 'b\n'], ['stdout', 'c\n']]);
  assert.ok(parts[2][2] - parts[0][2] >= 49);
});

test('output without end stops at 32 MB', () => {
  const { code, stdout } = command('while True: print("x" * 100000)');
  assert.notEqual(code, 0);
  assert.ok(stdout.length <= 32 << 20);
});

test('many files are there for a program', () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`folder${i % 10}/file${i}.txt`, Buffer.alloc(10_000, i)]));
  const read = 'import pathlib; print(sum(len(p.read_bytes()) for p in pathlib.Path(".").rglob("*.txt")))';
  assert.equal(out(read, { files }), '2000000\n');
});

// --- Files ---

test('the tree of the shell', () => {
  const files = [
    { path: '/', kind: 'dir', mode: 0o755 },
    { path: '/tmp', kind: 'dir', mode: 0o1777 },
    { path: '/tmp/x', kind: 'file', mode: 0o600, bytes: Buffer.from('1') },
    { path: '/usr/bin/python3', kind: 'file', mode: 0o755, bytes: Buffer.from('#!') },
    { path: '/dev/null', kind: 'file', mode: 0o666, bytes: Buffer.from('') },
    { path: '/home/me/', kind: 'dir', mode: 0o700 },
    { path: '/home/me/l', kind: 'link', mode: 0o777, target: 'sub' },
    { path: '/home/me/sub/f', kind: 'file', mode: 0o400, bytes: Buffer.from('deep') },
    { path: '/home/me/empty', kind: 'file', mode: 0o644 },
    { path: '/home/me/kind', kind: 'dir', mode: 0o755 },
    { path: '/home/me/kind/f', kind: 'file', mode: 0o644, bytes: Buffer.from('') },
  ];
  const program = `
import os, shutil, stat
print(open("l/f").read(), stat.filemode(os.stat("sub/f").st_mode), open("/usr/bin/python3").read(), os.path.getsize("/dev/null"), os.listdir("/home"))
open("/dev/null", "w").write("nothing")
try: open("sub/f", "w")
except PermissionError: print("denied")
os.mkdir("new"); open("new/a", "w").write("a")
os.makedirs("__pycache__"); open("__pycache__/x.pyc", "w").close()
os.remove("/tmp/x"); os.chmod("empty", 0o755)
shutil.rmtree("kind"); os.symlink("sub/f", "kind")
try: open("/usr/lib/python3.14/os.py", "w")
except PermissionError: print("denied")
`;
  const given = structuredClone(files);
  const result = python.run({ argv: ['-c', program], cwd: '/home/me', env: {}, files });
  assert.equal(text(result.stderr), '');
  assert.equal(text(result.stdout), "deep -r-------- #! 0 ['me']\ndenied\ndenied\n");
  const brief = result.changes.map(({ path, kind, mode, bytes, target }) => [kind, path, mode?.toString(8), bytes ? text(bytes) : target]);
  assert.deepEqual(brief, [
    ['gone', '/tmp/x', undefined, undefined],
    ['gone', '/home/me/kind/f', undefined, undefined],
    ['gone', '/home/me/kind', undefined, undefined],
    ['file', '/home/me/empty', '755', ''],
    ['dir', '/home/me/new', '755', undefined],
    ['file', '/home/me/new/a', '644', 'a'],
    ['link', '/home/me/kind', '777', 'sub/f'],
  ]);
  assert.deepEqual(structuredClone(files), given, 'what was given is as it was');
  assert.deepEqual(python.run({ argv: ['-c', 'pass'], cwd: '/home/me', env: {}, files }).changes, []);
});

test('a folder to work in that is not there', () => {
  const result = python.run({ argv: ['-c', 'pass'], cwd: '/nowhere', env: {}, files: [] });
  assert.equal(result.code, 1);
  assert.match(text(result.stderr), /there is no folder \/nowhere/);
});

// --- pip ---

test('pip', () => {
  const pip = (...args) => {
    const { code, stdout, stderr } = python.pip(args);
    return [code, text(stdout), text(stderr)];
  };
  assert.match(pip('--version')[1], /^pip .*\(python 3\.14\)\n$/);
  assert.match(pip('list')[1], /^Package +Version\n-+ -+\n(.+\n)*pytest +9\./);
  assert.match(pip('freeze')[1], /^pytest==9\.[\d.]+$/m);
  assert.match(pip('show', 'pytest')[1], /^Name: pytest\nVersion: 9/);
  assert.deepEqual(pip('show', 'requests').slice(0, 2), [1, '']);
  const [code, , error] = pip('install', 'requests');
  assert.equal(code, 1);
  assert.match(error, /nothing can be installed .* Here are Python 3\.14\.\d with its standard library, and .*pytest 9/);
  assert.equal(pip('config')[0], 1);
  const versions = 'import importlib, importlib.metadata as m, sys\nfor n in sys.argv[1:]: importlib.import_module(n); print(f"{n}=={m.version(n)}")';
  const names = pip('freeze')[1].match(/^[^=]+/gm);
  assert.deepEqual(names, ['iniconfig', 'packaging', 'pluggy', 'pytest']);
  assert.equal(text(run({ argv: ['-c', versions, ...names] }).stdout), pip('freeze')[1]);
});

// --- The stack ---

test('recursion through C ends in an error, and the next program runs', () => {
  const program = `
import sys
sys.setrecursionlimit(10 ** 6)
class A:
    def __repr__(self): return repr(self)
try: repr(A())
except RecursionError: print("RecursionError")
`;
  // In Node the stack may be full before Python says so.
  const { code, stdout, stderr } = command(program);
  if (code === 139) assert.match(text(stderr), /stack overflow/);
  else assert.equal(text(stdout), 'RecursionError\n');
  assert.equal(out('print(1)'), '1\n');
});
