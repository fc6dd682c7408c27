"""The warm process, `python -m autograder.grading.forking SOCKET LIMITS`: whenever it is asked to, it makes a worker.

It has a single thread, runs nobody's code but ours, knows no secret, and keeps nothing of a worker.
It ends when its socket is closed, and bubblewrap ends all sandboxes with it.
"""

import json
import os
import socket
import sys
import traceback
from contextlib import contextmanager

from . import kernel, lockdown, worker
from .limits import Limits
from .sandbox import NoSandbox, Sandbox
from .syscalls import program
from .warming import warm

MESSAGE = 2**16


def main(control, limits):
    control = socket.socket(fileno=int(control))
    nursery = Nursery(Limits(**json.loads(limits)))
    warm()
    while True:
        lesson, given, *_ = socket.recv_fds(control, MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
        if not given:
            return
        nursery.bury()
        answer(control, *nursery.worker(lesson.decode(), given[0]))
        os.close(given[0])


def answer(control, trouble, descriptors):
    try:
        socket.send_fds(control, [json.dumps({"trouble": trouble}).encode()], descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


class Nursery:
    """Makes workers, each in a sandbox of its own."""

    def __init__(self, limits):
        self.limits = limits
        self.program = program()
        self._monitors = []

    def worker(self, lesson, connection):
        """What went wrong, if anything, and two descriptors: of the sandbox's first process, and of its lifeline."""
        try:
            sandbox = Sandbox(self.program)
        except (NoSandbox, OSError) as error:
            return str(error), []
        self._monitors.append(sandbox.monitor)
        return self._fork(lesson, connection, sandbox.keeper), [sandbox.keeper, sandbox.lifeline]

    def bury(self):
        self._monitors = [monitor for monitor in self._monitors if monitor.poll() is None]

    def _fork(self, lesson, connection, keeper):
        """Returns when the worker is locked in, with what went wrong."""
        said, say = os.pipe()
        child = os.fork()
        if child == 0:
            for_good(self._join, lesson, connection, keeper, say)
        os.close(say)
        with open(said, encoding="utf-8") as trouble:
            trouble = trouble.read()
        os.waitpid(child, 0)
        return trouble

    def _join(self, lesson, connection, keeper, say):
        """In a first child, which can still read files. As to processes it stays outside; its own child is inside."""
        with last_words(say):
            worker.prepare(lesson)
            kernel.join_namespaces(keeper)
            if os.fork() == 0:
                for_good(self._serve, lesson, connection, say)

    def _serve(self, lesson, connection, say):
        """In the worker. The pipe for last words is closed when all doors are: then the first question may come."""
        connection, say = lockdown.keep_only(connection, say)
        with last_words(say):
            lockdown.lock(self.limits, self.program)
        os.close(say)
        worker.serve(socket.socket(fileno=connection), lesson)


def for_good(run, *arguments):
    """Whatever happens, a child never returns into the code of its parent."""
    try:
        run(*arguments)
    finally:
        os._exit(0)


@contextmanager
def last_words(say):
    try:
        yield
    except BaseException:
        os.write(say, traceback.format_exc().encode())
        raise


if __name__ == "__main__":
    main(*sys.argv[1:])
