"""What a run of `python3` finds before its program starts: see python.mjs, which calls these functions.

The interpreter has been started once, with the modules below imported; its memory in that state is copied back before
each run. `begin` makes of it the state that a process has: the environment, the paths, the arguments.
"""

import gc
import io
import json
import os
import random
import struct
import sys

# What programs import most. The costs: each is a few milliseconds of the start, and memory that is copied for each run.
USUAL = """
    abc argparse ast asyncio base64 bisect calendar collections.abc contextlib copy csv dataclasses datetime decimal
    difflib doctest enum fnmatch fractions functools glob hashlib heapq html importlib.metadata importlib.util inspect io
    itertools json json.tool logging math operator os pathlib pickle pprint queue random re runpy shlex shutil signal
    statistics string struct subprocess tempfile textwrap threading time timeit traceback types typing unittest
    unittest.mock urllib.parse uuid warnings weakref
"""
TESTING = "pytest _pytest.config _pytest.main _pytest.terminal"


def settle(which):
    """Imports ahead. What a process has from its start is returned apart: a program can't put a file before those."""
    sys.modules.pop(__name__, None)
    before = set(sys.modules)
    if which == "usual":
        before -= {"json", "random"} | {name for name in before if name.startswith("json.")}
    for name in (TESTING if which == "testing" else USUAL).split():
        __import__(name)
    sys.path_importer_cache.pop(os.getcwd(), None)
    return json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before}))


def lasting(_):
    """The addresses of all objects but the program's own module.

    They needn't be taken apart at the end of a run, since the memory is written anew then. So they are set to last for
    ever, and are not looked at for garbage: without that, most of a short program's time would be its end.
    """
    gc.unfreeze()
    gc.collect()
    objects = gc.get_objects()
    main = sys.modules["__main__"]
    own = {id(main), id(main.__dict__), id(objects)}
    addresses = [address for address in map(id, objects) if address not in own]
    del objects
    gc.freeze()
    return struct.pack(f"{len(addresses)}I", *addresses)


def begin(text):
    """Takes over what belongs to this run."""
    run = json.loads(text)
    os.environ.clear()
    os.environ.update(run["env"])
    sys.argv[:] = run["args"]
    sys.orig_argv[:] = ["python3", *run["argv"]]
    paths = [path for path in run["env"].get("PYTHONPATH", "").split(os.pathsep) if path]
    paths = [path for path in dict.fromkeys(map(os.path.abspath, paths)) if path not in sys.path]
    sys.path[0:0] = paths
    if run["unbuffered"]:
        sys.stdout = sys.__stdout__ = unbuffered(sys.stdout)
        sys.stderr = sys.__stderr__ = unbuffered(sys.stderr)
    # Else each run would have the same random numbers: those of the copy.
    random.seed()


def unbuffered(stream):
    raw = io.FileIO(stream.fileno(), "wb", closefd=False)
    raw.name = stream.name
    new = io.TextIOWrapper(raw, stream.encoding, stream.errors, write_through=True)
    new.mode = "w"
    return new
