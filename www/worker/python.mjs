// CPython for the page's shell: `boot` brings it, `run` is one process of `python3`.
//
// How a run becomes a fresh process: a process is its memory and its files. After the start, with what programs import
// most already imported, Python's memory is copied. A run begins with that copy written back (a few milliseconds), and
// then lets CPython's own `Py_RunMain` do all of it: reading the program, tracebacks, exit codes, `atexit`, the end. What
// one run did to modules, to the warnings' filters, to anything, the next one can't see.
//
// Options and variables that count when the interpreter starts (`-O`, `-I`, `PYTHONHASHSEED`, ...) need a start of their
// own: from memory as it was before, CPython's `main` is called with the arguments as they are. That takes longer, some
// 50 ms and the imports. The same is done where a program's own file would be hidden by a module that is imported ahead.

import { load } from './python-load.mjs';

const INTERRUPT = 2; // SIGINT
const STOPPED = 124; // as `timeout` has it
const MOST_OUTPUT = 32 << 20;
/** Variables that matter to Python and don't need a start of its own. */
const SIMPLE = new Set(['PYTHONPATH', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUNBUFFERED']);

/** Downloads and starts Python. See `load` for the parameters: the folder's address, a listener, in Node a reader. */
export async function boot({ base, progress, readFile }) {
  const system = new System();
  const loaded = await load({ base, progress, readFile, system });
  return new Python(loaded, system);
}

/** What the program asks the operating system for, of one run at a time. */
class System {
  start({ stdin, deadline, onOutput }) {
    this.stdin = stdin ?? new Uint8Array(0);
    this.deadline = deadline ?? Infinity;
    this.onOutput = onOutput;
    this.stdout = [];
    this.stderr = [];
    this.size = 0;
    this.umask = 0o022;
    this.aborted = false;
    this.nextInterrupt = this.deadline;
    this.interrupted = false;
  }

  /** Asked by the interpreter between its steps. Once is not enough for a program that catches the interrupt. */
  signal() {
    if (Date.now() < this.nextInterrupt) return 0;
    this.nextInterrupt = Date.now() + 500;
    this.interrupted = true;
    return INTERRUPT;
  }

  read(buffer, offset, length) {
    const part = this.stdin.subarray(0, length);
    buffer.set(part, offset);
    this.stdin = this.stdin.subarray(part.length);
    return part.length;
  }

  write(kind, buffer, offset, length) {
    this.size += length;
    if (this.size > MOST_OUTPUT) throw new this.ErrnoError(64); // EPIPE: nobody reads that much
    const part = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice();
    this[kind].push(part);
    this.onOutput?.(kind, part);
    return length;
  }

  say(kind, text) {
    const part = new TextEncoder().encode(text);
    this[kind].push(part);
    this.onOutput?.(kind, part);
  }

  /** Emscripten's answers, where a program is to get others. */
  imports({ emscripten_resize_heap: grow, emscripten_get_now: now }, mostMemory) {
    return {
      emscripten_resize_heap: (size) => size >>> 0 <= mostMemory && grow(size),
      // Asked by a sleep for the time, in a loop. After the deadline it is later than any sleep lasts.
      emscripten_get_now: () => {
        if (Date.now() < this.deadline) return now();
        this.wake();
        return now() + 1e15;
      },
      __syscall_umask_js: (mask) => {
        const old = this.umask;
        this.umask = mask & 0o777;
        return old;
      },
      _emscripten_system: (command) => {
        if (command) this.say('stderr', "python3: os.system: there are no processes here: this Python runs in a web page\n");
        return command ? 127 << 8 : 0;
      },
      _abort_js: () => {
        this.aborted = true;
        throw new WebAssembly.RuntimeError('abort');
      },
    };
  }
}

class Python {
  #module;
  #tree;
  #system;
  #packages;
  #states = {}; // name -> { memory, begin, ahead }
  #runTarget; // where the interpreter's configuration says what to run
  #stack;
  #peak = 0;
  #dirty = false;

  constructor({ module, tree, manifest }, system) {
    this.#module = module;
    this.#tree = tree;
    this.#system = system;
    this.#packages = manifest.packages;
    this.version = manifest.python;
    system.ErrnoError = module.FS.ErrnoError;
    // The interpreter asks for signals at each 50th step. After a sleep that was cut short it does at once.
    system.wake = () => { module.HEAP32[module.__Py_emscripten_signal_clock >>> 2] = 0; };
    this.#stack = module.stackSave();
    // New files and folders get the modes that the umask leaves them; Emscripten knows none.
    const { mknod } = module.FS;
    module.FS.mknod = (path, mode, device) => mknod.call(module.FS, path, mode & ~system.umask, device);
    system.start({});
    this.#states.cold = { memory: this.#copy() };
    this.#warm();
  }

  /** One process. Returns when it has ended: its exit code, what it printed, and what has changed in the files. */
  run({ argv, stdin, cwd, env, files, deadline, onOutput }) {
    const call = parse(argv);
    if (call.module === 'pip') return { ...this.pip(call.args.slice(1)), changes: [] };
    this.#system.start({ stdin, deadline, onOutput });
    if (Object.hasOwn(ABSENT, call.module ?? '')) {
      this.#system.say('stderr', `python3: ${call.module} can't run here: ${ABSENT[call.module]}.\n`);
      return this.#result(1, []);
    }
    this.clean();
    this.#dirty = true;
    this.#tree.lay(files);
    if (!this.#tree.enter(cwd)) {
      this.#system.say('stderr', `python3: there is no folder ${cwd} to work in\n`);
      return this.#result(1, []);
    }
    const exitCode = globalThis.process?.exitCode;
    let code;
    try {
      code = this.#suits(call, cwd, env) ? this.#runWarm(call, cwd, env, argv) : this.#runCold(env, argv);
    } catch (error) {
      code = this.#ended(error);
    }
    // In Node an exit code of the program becomes that of Node.
    if (globalThis.process) process.exitCode = exitCode;
    this.#peak = Math.max(this.#peak, this.#module._sbrk(0));
    if (this.#system.interrupted) {
      this.#system.say('stderr', 'python3: stopped: its time was up\n');
      code = STOPPED;
    }
    const result = this.#result(code, this.#tree.changes());
    // The next run finds it clean already, unless it follows at once.
    setTimeout(() => this.clean());
    return result;
  }

  /** `pip`, with its arguments: it knows what is here, and that nothing else can be. */
  pip(args) {
    const all = Object.entries(this.#packages);
    const here = all.map(([name, version]) => `${name} ${version}`).join(', ');
    const [command] = args.filter((arg) => !arg.startsWith('-'));
    let code = 0, stdout = '', stderr = '';
    if (args[0] === '--version' || args[0] === '-V') {
      stdout = `pip (a stand-in, of this page) from /usr/lib/python3 (python ${this.version.split('.', 2).join('.')})\n`;
    } else if (command === 'list') {
      const width = Math.max(7, ...all.map(([name]) => name.length));
      const row = (name, version) => `${name.padEnd(width)} ${version}\n`;
      stdout = [['Package', 'Version'], ['-'.repeat(width), '-'.repeat(7)], ...all].map((cells) => row(...cells)).join('');
    } else if (command === 'freeze') {
      stdout = all.map(([name, version]) => `${name}==${version}\n`).join('');
    } else if (command === 'show') {
      const names = args.slice(args.indexOf('show') + 1).filter((arg) => !arg.startsWith('-'));
      const found = all.filter(([name]) => names.includes(name.toLowerCase()));
      stdout = found.map(([name, version]) => `Name: ${name}\nVersion: ${version}\n`).join('---\n');
      if (!found.length) [code, stderr] = [1, `WARNING: Package(s) not found: ${names.join(', ')}\n`];
    } else if (['install', 'download', 'uninstall', 'wheel'].includes(command)) {
      code = 1;
      stderr = `ERROR: pip ${command}: nothing can be installed or removed in this browser sandbox. ` +
        `Here are Python ${this.version} with its standard library, and ${here}.\n`;
    } else {
      code = 1;
      stderr = `ERROR: only pip list, pip freeze, pip show and pip --version are here${command ? `, not pip ${command}` : ''}.\n`;
    }
    const encoder = new TextEncoder();
    return { code, stdout: encoder.encode(stdout), stderr: encoder.encode(stderr) };
  }

  /** Forgets the last run. Nothing needs to call it: the next run does. */
  clean() {
    if (!this.#dirty) return;
    this.#dirty = false;
    this.#tree.reset();
  }

  // --- Memory ---

  #copy() {
    return this.#module.HEAPU8.slice(0, this.#module._sbrk(0));
  }

  #enterState({ memory }) {
    const heap = this.#module.HEAPU8;
    heap.set(memory);
    // Memory that the program hasn't asked for yet is zero.
    heap.fill(0, memory.length, Math.max(memory.length, this.#peak));
    this.#module.stackRestore(this.#stack);
    this.#module.Py_EmscriptenSignalBuffer = signalBuffer(this.#system);
    this.#module.HEAP8[this.#module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
  }

  // --- Starting ahead ---

  /** Starts the interpreter, imports ahead, and keeps that. If it can't be done, each run gets a start of its own. */
  #warm() {
    const module = this.#module;
    const marker = 'what to run stands here';
    const status = module._malloc(64);
    const config = module._malloc(4096); // more than it needs
    const check = () => {
      if (module.HEAPU32[status >>> 2]) throw new Error('Python does not start');
    };
    this.#environ({ PATH: '/usr/bin', LANG: 'C.UTF-8' });
    module._PyConfig_InitPythonConfig(config);
    module._PyConfig_SetBytesArgv(status, config, 4, this.#strings(['python3', '-B', '-c', marker]));
    check();
    module._Py_InitializeFromConfig(status, config);
    check();
    this.#runTarget = this.#findTarget(marker);
    if (!this.#runTarget) return;
    const helper = module._PyImport_ImportModule(this.#string('_playground'));
    if (!helper) throw this.#failure();
    this.#settle('usual', helper);
  }

  /** Imports ahead, and keeps the memory as the state that runs start from. */
  #settle(which, helper) {
    const module = this.#module;
    const call = (name, text) => module._PyObject_CallOneArg(module._PyObject_GetAttrString(helper, this.#string(name)), this.#text(text));
    const answer = call('settle', which);
    if (!answer) throw this.#failure();
    const ahead = new Set(JSON.parse(module.UTF8ToString(module._PyUnicode_AsUTF8(answer))));
    const addresses = call('lasting', '');
    if (!addresses) throw this.#failure();
    const start = module._PyBytes_AsString(addresses) >>> 2;
    const end = start + (module._PyBytes_Size(addresses) >>> 2);
    const forever = module.HEAPU32[module.__Py_NoneStruct >>> 2]; // the reference count of None
    for (const address of module.HEAPU32.slice(start, end)) module.HEAPU32[address >>> 2] = forever;
    const begin = module._PyObject_GetAttrString(helper, this.#string('begin'));
    this.#states[which] = { helper, begin, ahead };
    this.#peak = Math.max(this.#peak, module._sbrk(0));
    this.#states[which].memory = this.#copy();
  }

  /**
   * The address of `run_command` in the interpreter's PyConfig, which no function sets once it runs; `run_module` and
   * `run_filename` follow it. It was started with `marker` as its command, so the pointer to that text is it.
   */
  #findTarget(marker) {
    const words = this.#module.HEAPU32;
    const start = this.#module.__Py_GetConfig() >>> 2;
    const wanted = [...`${marker}\n`].map((char) => char.codePointAt(0));
    for (let at = start; at < start + 256; at++) {
      const text = words[at] >>> 2;
      if (wanted.every((code, i) => words[text + i] === code)) return words[at + 1] || words[at + 2] ? 0 : at * 4;
    }
    return 0;
  }

  // --- Running ---

  /** Whether a run can begin from the state that was kept. */
  #suits(call, cwd, env) {
    if (!this.#states.usual || call.other) return false;
    for (const name of Object.keys(env)) if (name.startsWith('PYTHON') && !SIMPLE.has(name)) return false;
    // A program's own `random.py` comes before Python's, unless that one is there already.
    const folders = (env.PYTHONPATH ?? '').split(':').filter(Boolean);
    if (call.file === undefined) folders.push(cwd);
    else {
      const path = absolute(cwd, call.file);
      if (this.#tree.isLink(path)) return false;
      folders.push(path, path.slice(0, path.lastIndexOf('/')) || '/');
    }
    const { ahead } = this.#states.usual;
    return !folders.some((folder) => this.#tree.names(absolute(cwd, folder)).some((name) => ahead.has(name.replace(/\.py$/, ''))));
  }

  #runWarm(call, cwd, env, argv) {
    const module = this.#module;
    const state = this.#stateFor(call);
    this.#enterState(state);
    const run = { argv, args: call.args, env, unbuffered: call.unbuffered || !!env.PYTHONUNBUFFERED };
    if (!module._PyObject_CallOneArg(state.begin, this.#text(JSON.stringify(run)))) throw this.#failure();
    const status = module._malloc(64);
    const config = module.__Py_GetConfig();
    module._PyConfig_SetBytesArgv(status, config, call.args.length, this.#strings(call.args));
    const file = call.file === undefined ? undefined : call.file.startsWith('/') ? call.file : `${cwd === '/' ? '' : cwd}/${call.file}`;
    const command = call.command === undefined ? undefined : `${call.command}\n`;
    [command, call.module, file].forEach((text, i) => {
      const at = this.#runTarget + i * 4;
      if (text === undefined) module.HEAPU32[at >>> 2] = 0;
      else module._PyConfig_SetBytesString(status, config, at, this.#string(text));
    });
    return module._Py_RunMain();
  }

  #runCold(env, argv) {
    const module = this.#module;
    this.#enterState(this.#states.cold);
    this.#environ(env);
    // -B: nothing that the program's modules compile to is kept, so it needn't be written.
    return module._Py_BytesMain(argv.length + 2, this.#strings(['python3', '-B', ...argv]));
  }

  #stateFor(call) {
    if (call.module !== 'pytest') return this.#states.usual;
    if (!this.#states.testing) {
      this.#enterState(this.#states.usual);
      this.#settle('testing', this.#states.usual.helper);
    }
    return this.#states.testing;
  }

  /** The exit code of a program that has ended by leaving the interpreter's code at once. */
  #ended(error) {
    if (error?.name === 'ExitStatus') return error.status;
    if (this.#system.aborted) {
      this.#system.say('stderr', 'Aborted\n');
      return 134;
    }
    if (globalThis.process?.env.PYDEBUG) console.log('ENDED', String(error.message).slice(0,200), 'stack used', this.#stack-this.#module.stackSave(), 'of', this.#stack - this.#module._emscripten_stack_get_end());
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      this.#system.say('stderr', 'Segmentation fault\n');
      return 139;
    }
    throw error;
  }

  /** What went wrong in a module of ours. */
  #failure() {
    this.#module._PyErr_Print();
    return new Error(`Python can't be prepared: ${new TextDecoder().decode(join(this.#system.stderr))}`);
  }

  #result(code, changes) {
    const { stdout, stderr } = this.#system;
    return { code, stdout: join(stdout), stderr: join(stderr), changes };
  }

  // --- Values in Python's memory; they go with the run ---

  #string(text) {
    return this.#module.stringToNewUTF8(text);
  }

  #strings(texts) {
    const list = this.#module._malloc((texts.length + 1) * 4);
    texts.forEach((text, i) => {
      const string = this.#string(text);
      this.#module.HEAPU32[(list >>> 2) + i] = string;
    });
    this.#module.HEAPU32[(list >>> 2) + texts.length] = 0;
    return list;
  }

  /** A `str` object. */
  #text(text) {
    return this.#module._PyUnicode_FromString(this.#string(text));
  }

  #environ(env) {
    this.#module._clearenv();
    for (const [name, value] of Object.entries(env)) this.#module._setenv(this.#string(name), this.#string(value), 1);
  }
}

/** Modules that are programs which can't do here what they are for. */
const ABSENT = Object.fromEntries([
  ...['http.server', 'xmlrpc.server', 'wsgiref.simple_server'].map((name) => [name, 'a web page has no network that a server could listen on']),
  ...['venv', 'ensurepip'].map((name) => [name, 'nothing can be installed in this browser sandbox']),
  ...['idlelib', 'tkinter', 'turtledemo'].map((name) => [name, 'this Python has no windows']),
]);

/** What an invocation runs. `other`: it has options that count when the interpreter starts, or is not understood. */
function parse(argv) {
  let i = 0, unbuffered = false, other = false;
  for (; argv[i]?.startsWith('-') && argv[i] !== '-'; i++) {
    if (argv[i] === '-c' && i + 1 < argv.length) return { unbuffered, other, command: argv[i + 1], args: ['-c', ...argv.slice(i + 2)] };
    if (argv[i] === '-m' && i + 1 < argv.length) return { unbuffered, other, module: argv[i + 1], args: ['-m', ...argv.slice(i + 2)] };
    if (argv[i] === '-u') unbuffered = true;
    else if (argv[i] !== '-B') other = true;
    if (argv[i] === '-W' || argv[i] === '-X') i++;
  }
  const [file] = argv.slice(i);
  if (file === undefined || file === '-') return { unbuffered, other, args: [file ?? '', ...argv.slice(i + 1)] };
  return { unbuffered, other, file, args: argv.slice(i) };
}

/** The interpreter reads element 0, and writes 0 there when it has seen it. */
function signalBuffer(system) {
  return Object.defineProperty({}, 0, { get: () => system.signal(), set() {} });
}

function absolute(cwd, path) {
  const parts = [];
  for (const part of `${path.startsWith('/') ? '' : cwd}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
