"""Choose where workers come from, a sandbox or an ordinary process, and what each may use.

An ordinary process is as slow to start as Python and torch. The judge still sits outside of it, but neither files nor
the network nor other processes are protected: it is for the work of people whom one trusts. It is started as
`python -m autograder.grading.sandbox.sources MODULE WITHOUT ...`.
"""

import atexit
import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from .. import NoSandbox

MIB = 2**20
SET_DUMPABLE = 4  # of Linux's prctl
WORKER = "autograder.grading.workers.worker"  # what a worker does
TORCH_WORKER = "autograder.grading.workers.torch_worker"
ROOT = Path(__file__).resolve().parents[3]
# A worker could read in its memory what the environment was at the start: it holds no more than this.
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "MPLCONFIGDIR", "SYSTEMROOT")
KEPT += ("AUTOGRADER_COURSE",)
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
FEW_HEAPS = {"MALLOC_ARENA_MAX": "2"}  # each reserves 64 MiB of addresses, and addresses are what is limited

# What one worker may use, however long it lives; whoever asks it has a clock of their own.
# Addresses on top of what every worker has: lessons stay under 200 MiB, and a matrix of 10 000 x 10 000 fits twice.
MEMORY = 2048 * MIB
# Threads, as torch and NumPy start some for each core. A worker has no children: MEMORY is for all that it does.
THREADS = 64
# /tmp with the working folder in it lies in memory. Empty files take memory too, so they are counted.
TMP_SIZE, TMP_FILES = 64 * MIB, 2000
LIMITS = {
    "CPU": 300,  # seconds: a net below the examiner's clocks
    "FSIZE": 16 * MIB,  # no single file may fill the folder; a figure takes 50 KiB
    "NOFILE": 256,  # each open file and pipe holds some of the kernel's memory
    "CORE": 1,  # byte, and not 0: a program that Linux pipes cores to gets one all the same
    "MEMLOCK": 0,
    "MSGQUEUE": 0,
    "SIGPENDING": 64,
}


def set_limits(in_sandbox=True):
    """Set limits on this process for good, as far as this platform has them; Windows has none."""
    try:
        import resource
    except ImportError:
        return
    limits = LIMITS | ({"NPROC": THREADS} if in_sandbox else {})  # elsewhere it would count all that its user runs
    if sys.platform == "linux":  # others count differently, or not at all
        with open("/proc/self/statm") as file:
            limits["AS"] = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            _, most = resource.getrlimit(kind)
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(kind, (value, value))


def environment():
    """Return the environment of a process that we start, which finds our packages where we have them ourselves."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # Not the folder in which we are: a submission may lie there, with a numpy.py in it.
    ours = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**kept, **ONE_THREAD, **FEW_HEAPS, "PYTHONPATH": ours, "PYTHONSAFEPATH": "1"}


@dataclass(frozen=True)
class SpawnedWorker:
    """A process, and our end of a socket to it."""

    socket: socket.socket
    process: subprocess.Popen

    def kill(self):
        """Kill the worker, and its children unless they hid from us."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL) if os.name == "posix" else self.process.kill()
        self.process.wait()


@dataclass(frozen=True)
class Spawner:
    """Starts each worker as an ordinary process, where there is no sandbox; a Zygote is used in the same way.

    module: says what a worker does; without: libraries that the workers shall not have.
    """

    module: str = TORCH_WORKER
    without: tuple = ()

    @contextmanager
    def worker(self):
        """Start a child, which finds the socket in place of the keyboard; on Windows, a description of it."""
        if sys.platform == "linux":  # or a worker might look into this process, change it, or take its open files
            ctypes.CDLL(None).prctl(SET_DUMPABLE, 0, 0, 0, 0)
        ours, theirs = socket.socketpair()
        shared = hasattr(theirs, "share")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ours:
            with theirs:
                process = subprocess.Popen(
                    [sys.executable, "-m", "autograder.grading.sandbox.sources", self.module, *self.without],
                    stdin=subprocess.PIPE if shared else theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment(),
                    cwd=folder,
                    start_new_session=True,
                )
                if shared:
                    with process.stdin as keyboard:
                        keyboard.write(theirs.share(process.pid))
            worker = SpawnedWorker(ours, process)
            try:
                yield worker
            finally:
                worker.kill()


def workers(trust_submissions=False, without=()):
    """Return a context manager that makes workers; without a sandbox only for trusted submissions.

    without: libraries that the workers shall not have.
    """
    module = WORKER if "torch" in without else TORCH_WORKER
    trouble = why_no_sandbox()
    if not trouble:
        from .zygote import Zygote  # here: it needs Linux

        return Zygote(module, without)
    if not trust_submissions:
        raise NoSandbox(f"There is no sandbox here: {trouble}. {ADVICE}")
    return nullcontext(Spawner(module, without))


@cache
def source_of_workers(trust_submissions, without):
    """Return one source of workers for all submissions that this process grades, of lessons in NumPy or in torch."""
    to_close = ExitStack()
    atexit.register(to_close.close)
    return to_close.enter_context(SHARED.get(without) or workers(trust_submissions, without))


SHARED = {}  # without -> where workers come from: what another process began for this one, too
ADVICE = (
    "`mha doctor` says how to get one. Whoever trusts these people with all files of this machine grades with "
    "--trust-submissions, or sets c.Examiner.trust_submissions."
)

WITH_SANDBOX = """\
A sandbox was made here, and ended: submissions run in one, and are judged outside of it.
docs/grading.md says what that promises, and what not."""
WITHOUT_SANDBOX = """\
There is no sandbox here: {}.
Submissions can only run as ordinary processes, and grading starts only with --trust-submissions.
They are still judged outside of their own process, so they cannot change the judge in memory.
Not protected: all files that you can read or write, the gradebook among them; the network; your other programs.
How to get a sandbox: "What a sandbox needs" in docs/grading.md."""


def why_no_sandbox():
    """Return why there is no sandbox, in a sentence; "" if there can be one, which is tried."""
    if sys.platform != "linux":
        return "a sandbox needs Linux"
    try:
        from .bubblewrap import Sandbox
        from .lockdown import rules_for_calls

        Sandbox(rules_for_calls()).close()
    except (ImportError, NoSandbox, OSError, RuntimeError) as error:
        return str(error)
    return ""


def main(worker, *without):
    """Take the socket, and leave nothing in its place, so that `input()` does not read from it; be a worker."""
    from ..workers.surroundings import hide  # here: it imports what lessons may import

    worker = import_module(worker)
    if hasattr(socket, "fromshare"):
        connection = socket.fromshare(sys.stdin.buffer.read())
    else:
        connection = socket.socket(fileno=os.dup(0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    worker.prepare()
    hide(without)
    set_limits(in_sandbox=False)
    worker.serve(connection)


if __name__ == "__main__":
    main(*sys.argv[1:])
