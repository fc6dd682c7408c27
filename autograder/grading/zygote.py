"""Workers for whoever grades: each a copy of one warm process, in a sandbox of its own.

    with Zygote(limits) as zygote, zygote.worker("lesson_01_softmax") as worker:
        worker.socket ...
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from .limits import Limits
from .sandbox import NoSandbox

PATIENCE = 120  # seconds: on a slow disk torch takes long to import
MESSAGE = 2**16
ROOT = Path(__file__).resolve().parent.parent.parent
# A worker could read in its memory what the environment was at the start: it holds no more than this.
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "MPLCONFIGDIR")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# Each thread's share of the heap reserves 64 MiB of addresses, and those are what is limited.
ONE_HEAP = {"MALLOC_ARENA_MAX": "2"}


class Worker:
    """A process in a sandbox, and our end of a socket to it."""

    protection = "sandbox"

    def __init__(self, connection, keeper, lifeline):
        self.socket = connection
        self._keeper = keeper
        self._lifeline = lifeline

    def kill(self):
        """All that runs in the sandbox, whatever it does. Returns when it is gone."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._keeper, signal.SIGKILL)
        gone = select.poll()
        gone.register(self._keeper, select.POLLIN)
        gone.poll()

    def close(self):
        self.kill()
        self.socket.close()
        os.close(self._keeper)
        os.close(self._lifeline)


class Zygote:
    """The warm process. If it dies, the next worker comes from a new one. Threads may share it."""

    def __init__(self, limits=None):
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._process = self._control = None

    def __enter__(self):
        with self._lock:
            self._start()
        return self

    def __exit__(self, *_):
        with self._lock:
            self._stop()

    @contextmanager
    def worker(self, lesson):
        worker = self._new_worker(lesson)
        try:
            yield worker
        finally:
            worker.close()

    def _new_worker(self, lesson):
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return Worker(ours, *self._ask(lesson, theirs))
            except BaseException:
                ours.close()
                raise

    def _ask(self, lesson, connection):
        with self._lock:
            try:
                trouble, descriptors = self._ask_once(lesson, connection)
            except OSError:  # it died, or hangs
                self._stop()
                self._start()
                trouble, descriptors = self._ask_once(lesson, connection)
        if trouble:
            for descriptor in descriptors:
                os.close(descriptor)
            raise NoSandbox(trouble)
        return descriptors

    def _ask_once(self, lesson, connection):
        socket.send_fds(self._control, [lesson.encode()], [connection.fileno()])
        answer, descriptors, *_ = socket.recv_fds(self._control, MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
        if not answer:
            raise ConnectionResetError("the warm process is gone")
        return json.loads(answer)["trouble"], descriptors

    def _start(self):
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(PATIENCE)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "autograder.grading.forking", str(theirs.fileno()), json.dumps(asdict(self.limits))],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment(),
                cwd="/",
                start_new_session=True,  # whoever presses Ctrl-C means us; it ends when we do
            )

    def _stop(self):
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def environment():
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, **ONE_THREAD, **ONE_HEAP, "PYTHONPATH": search_path(), "PYTHONSAFEPATH": "1"}


def search_path():
    """Our own packages, from wherever we have them ourselves."""
    return os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
