"""Workers for whoever grades: each a copy of one warm process, in a sandbox of its own.

with Zygote(limits) as zygote, zygote.worker(lesson) as worker:
    worker.socket ...

A new process that is given one has the same warm process.
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

from .. import NoSandbox
from .limits import TORCH_WORKER, Limits, environment

PATIENCE = 120  # seconds: on a slow disk torch takes long to import
MESSAGE = 2**16
DEATH = 10_000  # milliseconds: the kernel needs a few


class Worker:
    """A process in a sandbox, and our end of a socket to it."""

    def __init__(self, connection, keeper, lifeline):
        self.socket = connection
        self._keeper = keeper
        self._lifeline = lifeline

    def kill(self):
        """Kill all that runs in the sandbox, and return when it is gone."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._keeper, signal.SIGKILL)
        gone = select.poll()
        gone.register(self._keeper, select.POLLIN)
        if not gone.poll(DEATH):
            raise TimeoutError("a sandbox could not be ended")

    def close(self):
        try:
            self.kill()
        finally:
            self.socket.close()
            os.close(self._keeper)
            os.close(self._lifeline)


class Zygote:
    """The warm process. If it dies, the next worker comes from a new one. Threads and processes may share it.

    life: the module that says what a worker does; lacks: libraries that it shall not have.
    """

    def __init__(self, limits=None, life=TORCH_WORKER, lacks=(), control=None):
        self.limits = limits or Limits()
        self.life, self.lacks = life, lacks
        self._lock = threading.Lock()
        self._control, self._process = control, None

    def __reduce__(self):
        return Zygote, (self.limits, self.life, self.lacks, self._control)

    def __enter__(self):
        with self._lock:
            if not self._control:
                self._start()
        return self

    def __exit__(self, *_):
        with self._lock:
            self._stop()

    @contextmanager
    def worker(self, lesson):
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, self._lock:
                worker = Worker(ours, *self._ask(lesson, theirs))
            try:
                yield worker
            finally:
                worker.close()

    def _ask(self, lesson, connection):
        """Ask for a new sandbox, and return its two descriptors. If the warm process died, or hangs, ask a new one."""
        try:
            return self._ask_once(lesson, connection)
        except OSError:
            self._stop()
            self._start()
        try:
            return self._ask_once(lesson, connection)
        except OSError as error:
            raise NoSandbox(f"the warm process ended, and a second one too ({error}); it said why on stderr") from None

    def _ask_once(self, lesson, connection):
        """Ask with a way back of its own, since others may ask at the same time."""
        back, theirs = socket.socketpair()
        with back:
            with theirs:
                socket.send_fds(self._control, [lesson.encode()], [connection.fileno(), theirs.fileno()])
            back.settimeout(PATIENCE)
            answer, descriptors, *_ = socket.recv_fds(back, MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
        if not answer:
            raise ConnectionResetError("the warm process is gone")
        if not descriptors:
            raise NoSandbox(answer.decode())
        return descriptors

    def _start(self):
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        what = [str(theirs.fileno()), json.dumps(asdict(self.limits)), self.life, *self.lacks]
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "autograder.grading.sandbox.forking", *what],
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
