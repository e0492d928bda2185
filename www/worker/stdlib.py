# What this page adds to modules of the standard library: `tests/tools/python-files.mjs` puts each part, which begins with
# a line `#: module`, at the end of that module. A web page has no processes, no threads and no network, and the modules
# would say so in words that don't help ("can't start new thread") or not at all.

#: asyncio/selector_events.py
# A loop is woken from outside by a byte in a pair of sockets. Here is nothing outside, and there are no sockets.
BaseSelectorEventLoop._ssock = BaseSelectorEventLoop._csock = None
BaseSelectorEventLoop._make_self_pipe = lambda self: None
BaseSelectorEventLoop._close_self_pipe = lambda self: None
BaseSelectorEventLoop._write_to_self = lambda self: None

#: selectors.py
class DefaultSelector(SelectSelector):
    """A selector that sleeps until its time is up: that of this platform returns at once."""

    def select(self, timeout=None):
        import time

        ready = super().select(0) if self.get_map() else []
        if not ready and (timeout is None or timeout > 0):
            time.sleep(1e6 if timeout is None else timeout)
        return ready

#: multiprocessing/context.py
def _no_processes(*args, **kwargs):
    raise OSError("there are no processes here: this Python runs in a web page")

BaseContext.Pool = BaseContext.Manager = BaseContext.Queue = BaseContext.SimpleQueue = _no_processes
process.BaseProcess.start = _no_processes

#: socket.py
_NO_NETWORK = "there is no network here: this Python runs in a web page"

def _no_socket(self, *args, **kwargs):
    raise OSError(errno.EAFNOSUPPORT, _NO_NETWORK)

def getaddrinfo(*args, **kwargs):
    raise gaierror(EAI_FAIL, _NO_NETWORK)

def gethostbyname(hostname):
    raise gaierror(EAI_FAIL, _NO_NETWORK)

socket.__init__ = _no_socket

#: subprocess.py
def _no_processes(self, *args, **kwargs):
    raise OSError(errno.ENOTSUP, "there are no processes here: this Python runs in a web page; run the command in the shell itself")

Popen.__init__ = _no_processes

#: threading.py
def _start_joinable_thread(*args, **kwargs):
    raise RuntimeError("can't start new thread: there are no threads and no processes here: this Python runs in a web page")
