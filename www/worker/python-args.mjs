// What an invocation of `python3` or `pip` asks for, as far as it must be known before CPython reads it itself.

/** Modules that are programs which can't do here what they are for, and why. */
export const ABSENT = Object.fromEntries([
  ...['http.server', 'xmlrpc.server', 'wsgiref.simple_server'].map((name) => [name, 'a web page has no network that a server could listen on']),
  ...['venv', 'ensurepip'].map((name) => [name, 'nothing can be installed in this browser sandbox']),
  ...['idlelib', 'tkinter', 'turtledemo'].map((name) => [name, 'this Python has no windows']),
]);

/** What it runs. `other`: it has options that count when the interpreter starts, or is not understood. */
export function parse(argv) {
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

/**
 * Whether there is a file that would be imported as one of these modules, from whatever folder: those that are in a
 * package have longer names.
 */
export function hasModule(files, names) {
  const modules = files.filter(({ path, kind }) => path.endsWith('.py') && kind !== 'dir').map(({ path }) => path.replace(/\.py$/, ''));
  const packages = new Set(modules.filter((path) => path.endsWith('/__init__')).map((path) => path.replace(/\/__init__$/, '')));
  return [...modules, ...packages].some((path) => {
    const cut = path.lastIndexOf('/');
    return names.has(path.slice(cut + 1)) && !packages.has(path.slice(0, cut));
  });
}

/** A stand-in for pip: it knows which packages are here, and that no others can be. */
export function pip(args, python, packages) {
  const all = Object.entries(packages);
  const here = all.map(([name, version]) => `${name} ${version}`).join(', ');
  const [command, ...names] = args.filter((arg) => !arg.startsWith('-'));
  let code = 0, stdout = '', stderr = '';
  if (args[0] === '--version' || args[0] === '-V') {
    stdout = `pip (a stand-in, of this page) from /usr/lib/python3 (python ${python.split('.', 2).join('.')})\n`;
  } else if (command === 'list') {
    const width = Math.max(...all.map(([name]) => name.length));
    const rows = [['Package', 'Version'], ['-'.repeat(width), '-------'], ...all];
    stdout = rows.map(([name, version]) => `${name.padEnd(width)} ${version}\n`).join('');
  } else if (command === 'freeze') {
    stdout = all.map(([name, version]) => `${name}==${version}\n`).join('');
  } else if (command === 'show') {
    const found = all.filter(([name]) => names.some((wanted) => wanted.toLowerCase() === name));
    stdout = found.map(([name, version]) => `Name: ${name}\nVersion: ${version}\n`).join('---\n');
    if (!found.length) [code, stderr] = [1, `WARNING: Package(s) not found: ${names.join(', ')}\n`];
  } else if (['install', 'download', 'uninstall', 'wheel'].includes(command)) {
    code = 1;
    stderr = `ERROR: pip ${command}: nothing can be installed or removed in this browser sandbox. ` +
      `Here are Python ${python} with its standard library, and ${here}.\n`;
  } else {
    code = 1;
    stderr = `ERROR: only pip list, pip freeze, pip show and pip --version are here${command ? `, not pip ${command}` : ''}.\n`;
  }
  const encoder = new TextEncoder();
  return { code, stdout: encoder.encode(stdout), stderr: encoder.encode(stderr) };
}
