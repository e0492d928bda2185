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

import { ABSENT, hasModule, parse, pip } from './python-args.mjs';
import { load } from './python-load.mjs';

const INTERRUPT = 2; // SIGINT
const STOPPED = 124; // as `timeout` has it
const MOST_OUTPUT = 32 << 20;
/** Of Python's stack. With this much, some 300 calls through C, the stack of a worker in Chromium still holds. */
const STACK = 160 << 10;
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
  #stack; // { top, end, unused }: addresses; it grows downwards, and between `unused` and `end` is nothing
  #peak = 0;
  #entered; // the state that the memory is in, if nothing has run since
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
    this.#limitStack();
    // New files and folders get the modes that the umask leaves them; Emscripten knows none.
    const { mknod, open } = module.FS;
    module.FS.mknod = (path, mode, device) => mknod.call(module.FS, path, mode & ~system.umask, device);
    module.FS.open = (path, flags, mode = 0o666) => open.call(module.FS, path, flags, mode & ~system.umask);
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
      const state = this.#stateFor(call, env, files);
      code = state.begin ? this.#runWarm(state, call, cwd, env, argv) : this.#runCold(env, argv);
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
    const result = this.#result(code & 0xff, this.#tree.changes());
    // The next run finds it clean already, unless it follows at once.
    setTimeout(() => this.clean());
    return result;
  }

  /** `pip`, with its arguments. */
  pip(args) {
    return pip(args, this.version, this.#packages);
  }

  /** Forgets the last run. Nothing needs to call it: the next run does. */
  clean() {
    if (!this.#dirty) return;
    this.#dirty = false;
    this.#tree.reset();
    if (this.#states.usual) this.#enterState(this.#states.usual);
  }

  // --- Memory ---

  /**
   * Python counts its recursion by its own stack, which is in this memory. It has 10 MB. The browser's stack, on which
   * functions call each other, is full long before, and then all that can be said is "stack overflow".
   */
  #limitStack() {
    const module = this.#module;
    const [top, unused] = [module._emscripten_stack_get_base(), module._emscripten_stack_get_end()];
    this.#stack = { top, unused, end: top - STACK };
    module._emscripten_stack_set_limits(top, top - STACK);
  }

  #copy() {
    const heap = this.#module.HEAPU8;
    return [heap.slice(0, this.#stack.unused), heap.slice(this.#stack.end, this.#module._sbrk(0))];
  }

  #enterState(state) {
    if (this.#entered === state) return;
    this.#entered = state;
    const [fixed, rest] = state.memory;
    const heap = this.#module.HEAPU8;
    heap.set(fixed);
    heap.set(rest, this.#stack.end);
    // Memory that the program hasn't asked for yet is zero.
    const end = this.#stack.end + rest.length;
    heap.fill(0, end, Math.max(end, this.#peak));
    this.#peak = end;
    this.#module.stackRestore(this.#stack.top);
    this.#listen(true);
  }

  /** Whether the interpreter asks for signals. It reads the first element of this, and sets it to 0 when it has. */
  #listen(to) {
    this.#module.Py_EmscriptenSignalBuffer = Object.defineProperty({}, 0, { get: () => this.#system.signal(), set() {} });
    this.#module.HEAP8[this.#module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = Number(to);
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

  /** The state that a run can begin from. */
  #stateFor(call, env, files) {
    const { cold, usual } = this.#states;
    if (!usual || call.other) return cold;
    for (const name of Object.keys(env)) if (name.startsWith('PYTHON') && !SIMPLE.has(name)) return cold;
    const state = call.module === 'pytest' ? this.#testing() : usual;
    // A program's own `random.py` comes before Python's, unless that one is there already.
    return hasModule(files, state.ahead) ? cold : state;
  }

  #testing() {
    if (!this.#states.testing) {
      this.#enterState(this.#states.usual);
      this.#entered = undefined;
      this.#listen(false); // what is half imported can't be kept
      this.#settle('testing', this.#states.usual.helper);
    }
    return this.#states.testing;
  }

  #runWarm(state, call, cwd, env, argv) {
    const module = this.#module;
    this.#enterState(state);
    this.#entered = undefined;
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
    this.#entered = undefined;
    this.#environ(env);
    // -B: nothing that the program's modules compile to is kept, so it needn't be written.
    return module._Py_BytesMain(argv.length + 2, this.#strings(['python3', '-B', ...argv]));
  }

  /** The exit code of a program that has ended by leaving the interpreter's code at once. */
  #ended(error) {
    if (error?.name === 'ExitStatus') return error.status;
    if (this.#system.aborted) {
      this.#system.say('stderr', 'Aborted\n');
      return 134;
    }
    // A browser says RangeError, or InternalError, when its stack is full.
    if (error instanceof RangeError || error?.name === 'InternalError') {
      this.#system.say('stderr', 'Fatal Python error: stack overflow: the recursion is deeper than a web page allows\n');
      return 139;
    }
    if (error instanceof WebAssembly.RuntimeError) {
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

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
