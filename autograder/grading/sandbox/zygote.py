"""Workers for whoever grades: each a copy of one warm process, in a sandbox of its own.

with Zygote() as zygote, zygote.worker() as worker:
    worker.socket ...

A new process that is given one has the same warm process: `python -m autograder.grading.sandbox.zygote SOCKET MODULE
WITHOUT ...`, which is below. It has one thread, runs only our code, knows no secret, and keeps nothing of a worker.
It ends when the other end of its socket is closed, and bubblewrap ends all sandboxes with it.
"""

import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module

from .. import NoSandbox
from . import lockdown
from .bubblewrap import Sandbox
from .sources import TORCH_WORKER, environment

PATIENCE = 120  # seconds: on a slow disk torch takes long to import
MESSAGE = 2**16
DEATH = 10_000  # milliseconds: the kernel needs a few
LOCKED = b"locked"


@dataclass(frozen=True)
class SandboxedWorker(AbstractContextManager):
    """A process in a sandbox, and our end of a socket to it."""

    socket: socket.socket
    keeper: int
    lifeline: int

    def kill(self):
        """Kill all that runs in the sandbox, and return when it is gone."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.keeper, signal.SIGKILL)
        gone = select.poll()
        gone.register(self.keeper, select.POLLIN)
        if not gone.poll(DEATH):
            raise TimeoutError("a sandbox could not be ended")

    def __exit__(self, *_):
        try:
            self.kill()
        finally:
            self.socket.close()
            os.close(self.keeper)
            os.close(self.lifeline)


class Zygote:
    """The warm process. If it dies, the next worker comes from a new one. Processes may share it.

    module: the module that says what a worker does; without: libraries that it shall not have.
    """

    def __init__(self, module=TORCH_WORKER, without=(), control=None):
        self.module, self.without = module, without
        self._control, self._process = control, None

    def __reduce__(self):
        return Zygote, (self.module, self.without, self._control)

    def __enter__(self):
        if not self._control:
            self._start()
        return self

    def __exit__(self, *_):
        self._stop()

    def worker(self):
        """Return a new worker. If the warm process died, or hangs, ask another one."""
        with suppress(OSError):
            return self._ask()
        self._stop()
        self._start()
        try:
            return self._ask()
        except OSError as error:
            raise NoSandbox(f"the warm process ended, and a second one too ({error}); it said why on stderr") from None

    def _ask(self):
        """Ask for a worker by giving away its end of a socket; before it serves there, we hear how it went."""
        with ExitStack() as if_it_fails:
            ours, theirs = map(if_it_fails.enter_context, socket.socketpair())
            with theirs:
                socket.send_fds(self._control, [b"?"], [theirs.fileno()])
            ours.settimeout(PATIENCE)
            answer, descriptors, *_ = socket.recv_fds(ours, MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
            ours.settimeout(None)
            if not answer:
                raise ConnectionResetError("the warm process is gone")
            if not descriptors:
                raise NoSandbox(answer.decode())
            if_it_fails.pop_all()
        return SandboxedWorker(ours, *descriptors)

    def _start(self):
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        what = [str(theirs.fileno()), self.module, *self.without]
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "autograder.grading.sandbox.zygote", *what],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment(),
                cwd="/",
                start_new_session=True,  # whoever presses Ctrl-C means us; it ends when we do
            )

    def _stop(self):
        """Stop the process. It would end by itself when all who could ask are gone, but is not waited for."""
        self._control.close()
        if self._process:
            self._process.kill()
            self._process.wait()


def main(control, worker, *without):
    from ..workers.surroundings import warm  # here: it imports what a lesson may import

    control = socket.socket(fileno=int(control))
    forker = Forker(import_module(worker), without)
    warm(without)
    lockdown.adopt_orphans()
    signal.signal(signal.SIGCHLD, reap)
    while True:
        _, given, *_ = socket.recv_fds(control, MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
        if not given:
            return
        with socket.socket(fileno=given[0]) as connection:
            forker.answer(connection)


def reap(*_):
    """Take note of each dead child at once: the kernel ends a sandbox only after that."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class Forker:
    """Makes workers out of the warm process: each is a copy of it, locked into a sandbox of its own."""

    def __init__(self, work, without):
        self.work, self.without = work, without  # what a worker does: a module with `prepare` and `serve`
        self.rules = lockdown.rules_for_calls()

    def answer(self, connection):
        """Make a worker, and send back what keeps its sandbox alive, or what went wrong; we keep neither of these."""
        descriptors = []
        try:
            sandbox = Sandbox(self.rules, self.without)
            descriptors = [sandbox.keeper, sandbox.lifeline]
            trouble = self._fork(connection.fileno(), sandbox.keeper)
        except (NoSandbox, OSError) as error:
            trouble = str(error) or "no sandbox"
        with suppress(BrokenPipeError):  # whoever asked may be gone
            socket.send_fds(connection, [(trouble or "made").encode()[:MESSAGE]], [] if trouble else descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def _fork(self, connection, keeper):
        """Fork a worker, and return what went wrong, if anything, once it is locked in.

        A first child, which can still read files, joins the sandbox; its own child is inside as a process.
        """
        read_end, write_end = os.pipe()
        if os.fork() == 0:
            with last_words(write_end):
                self.work.prepare()
                lockdown.call("setns", keeper, lockdown.ALL_NAMESPACES)  # that of processes is its children's
                if os.fork() == 0:
                    self._serve(connection, write_end)
        os.close(write_end)
        with open(read_end, "rb") as pipe:
            words = pipe.read()
        return "" if words == LOCKED else words.decode() or "a worker died at birth"

    def _serve(self, connection, write_end):
        """Serve as the worker. The first question may come only when everything is locked."""
        connection, write_end = lockdown.keep_only(connection, write_end)
        with last_words(write_end):
            lockdown.lock(self.rules)
            os.write(write_end, LOCKED)
            os.close(write_end)
            self.work.serve(socket.socket(fileno=connection))


@contextmanager
def last_words(write_end):
    """End a child whatever happens, so that it never returns into the code of its parent, and let it say why."""
    try:
        yield
    except BaseException:
        os.write(write_end, traceback.format_exc().encode())
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
