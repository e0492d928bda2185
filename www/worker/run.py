"""What a run of `python3` finds before its program starts: see python.mjs, which calls these functions.

The interpreter has been started once, with the modules below imported; its memory in that state is copied back before
each run. `begin` makes of it the state that a process has: the environment, the paths, the arguments.
"""

import sys

STARTED = set(sys.modules)  # what each process has, and no file of a program can come before

import gc
import io
import json
import os
import random
import struct
import types

# What programs import most. The costs: each is a few milliseconds of the start, and memory that is copied for each run.
USUAL = """
    abc argparse ast asyncio base64 bisect calendar collections.abc contextlib copy csv dataclasses datetime decimal
    difflib doctest enum fnmatch fractions functools glob hashlib heapq html importlib.metadata importlib.util inspect io
    itertools json logging math operator os pathlib pickle pprint queue random re runpy shlex shutil signal
    statistics string struct subprocess tempfile textwrap threading time timeit traceback types typing unittest
    unittest.mock urllib.parse uuid warnings weakref
"""
TESTING = "pytest _pytest.config _pytest.main _pytest.terminal"


def settle(which):
    """Imports ahead, and returns the names of all that a new process wouldn't have."""
    sys.modules.pop(__name__, None)
    for name in (TESTING if which == "testing" else USUAL).split():
        __import__(name)
    return json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - STARTED - {__name__}}))


def lasting(_):
    """The addresses of all objects.

    They needn't be taken apart at the end of a run, since the memory is written anew then. So they are set to last for
    ever, and are not looked at for garbage: without that, most of a short program's time would be its end.
    """
    global held
    gc.unfreeze()
    gc.collect()
    held = gc.get_objects()
    gc.freeze()
    return struct.pack(f"{len(held)}I", *map(id, held))


def begin(text):
    """Takes over what belongs to this run."""
    run = json.loads(text)
    # The program's own module is one that doesn't last: with it goes what the program has made.
    main = types.ModuleType("__main__")
    main.__dict__.update(sys.modules["__main__"].__dict__)
    sys.modules["__main__"] = main
    os.environ.clear()
    os.environ.update(run["env"])
    sys.argv[:] = run["args"]
    sys.orig_argv[:] = ["python3", *run["argv"]]
    paths = [path for path in run["env"].get("PYTHONPATH", "").split(os.pathsep) if path]
    paths = [path for path in dict.fromkeys(map(os.path.abspath, paths)) if path not in sys.path]
    sys.path[0:0] = paths
    # New streams, too: what is in their buffers is written when they go.
    sys.stdin = sys.__stdin__ = stream(0, sys.stdin, False)
    sys.stdout = sys.__stdout__ = stream(1, sys.stdout, run["unbuffered"])
    sys.stderr = sys.__stderr__ = stream(2, sys.stderr, run["unbuffered"])
    # Else each run would have the same random numbers: those of the copy.
    random.seed()


def stream(number, like, unbuffered):
    """Standard input, output, or error, as the interpreter makes them when it starts."""
    mode = "w" if number else "r"
    binary = io.open(number, f"{mode}b", 0 if unbuffered else -1, closefd=False)
    getattr(binary, "raw", binary).name = like.name
    text = io.TextIOWrapper(
        binary, like.encoding, like.errors, newline="\n", line_buffering=number == 2, write_through=unbuffered
    )
    text.mode = mode
    return text
