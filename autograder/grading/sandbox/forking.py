"""The warm process, `python -m autograder.grading.sandbox.forking SOCKET LIMITS WORKER LACKS ...`: it makes workers.

It has a single thread, runs only our code, knows no secret, and keeps nothing of a worker.
It ends when the other end of its socket is closed, and bubblewrap ends all sandboxes with it.
"""

import json
import os
import signal
import socket
import sys
import traceback
from contextlib import contextmanager, suppress
from importlib import import_module

from .. import NoSandbox
from ..workers.warming import warm
from . import lockdown
from .bubblewrap import Sandbox
from .limits import Limits
from .syscalls import program

MESSAGE = 2**16
LOCKED = b"locked"


def main(control, limits, worker, *lacks):
    control = socket.socket(fileno=int(control))
    forker = Forker(Limits(**json.loads(limits)), import_module(worker), lacks)
    warm(lacks)
    lockdown.adopt_orphans()
    signal.signal(signal.SIGCHLD, reap)
    while True:
        lesson, given, *_ = socket.recv_fds(control, MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
        if not given:
            return
        connection, reply_to = given
        answer(reply_to, *forker.worker(lesson.decode(), connection))
        os.close(connection)


def answer(reply_to, trouble, descriptors):
    """Send back what went wrong, or the sandbox's descriptors; we keep neither of these."""
    with socket.socket(fileno=reply_to) as reply, suppress(BrokenPipeError):  # whoever asked may be gone
        socket.send_fds(reply, [(trouble or "made").encode()[:MESSAGE]], [] if trouble else descriptors)
    for descriptor in descriptors:
        os.close(descriptor)


def reap(*_):
    """Take note of each dead child at once: the kernel ends a sandbox only after that."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class Forker:
    """Makes workers, each in a sandbox of its own."""

    def __init__(self, limits, work, lacks=()):
        self.limits, self.lacks = limits, lacks
        self.work = work  # what a worker does: a module with `prepare` and `serve`
        self.program = program()

    def worker(self, lesson, connection):
        """Return what went wrong, if anything, and descriptors of the sandbox's first process and of its lifeline."""
        try:
            sandbox = Sandbox(self.program, self.lacks)
        except (NoSandbox, OSError) as error:
            return str(error) or "no sandbox", []
        return self._fork(lesson, connection, sandbox.keeper), [sandbox.keeper, sandbox.lifeline]

    def _fork(self, lesson, connection, keeper):
        """Fork a worker, and return what went wrong, if anything, once it is locked in."""
        read_end, write_end = os.pipe()
        if os.fork() == 0:
            run_and_exit(self._join, lesson, connection, keeper, write_end)
        os.close(write_end)
        with open(read_end, "rb") as pipe:
            words = pipe.read()
        return "" if words == LOCKED else words.decode() or "a worker died at birth"

    def _join(self, lesson, connection, keeper, write_end):
        """Join a sandbox in a first child, which can still read files; its own child is inside as a process."""
        with report_failure(write_end):
            self.work.prepare(lesson)
            lockdown.join_namespaces(keeper)
            if os.fork() == 0:
                run_and_exit(self._serve, lesson, connection, write_end)

    def _serve(self, lesson, connection, write_end):
        """Serve as the worker. The first question may come only when everything is locked."""
        connection, write_end = lockdown.keep_only(connection, write_end)
        with report_failure(write_end):
            lockdown.lock(self.limits, self.program)
        os.write(write_end, LOCKED)
        os.close(write_end)
        self.work.serve(socket.socket(fileno=connection), lesson)


def run_and_exit(run, *arguments):
    """End a child whatever happens, so that it never returns into the code of its parent."""
    try:
        run(*arguments)
    finally:
        os._exit(0)


@contextmanager
def report_failure(write_end):
    try:
        yield
    except BaseException:
        os.write(write_end, traceback.format_exc().encode())
        raise


if __name__ == "__main__":
    main(*sys.argv[1:])
