"""Workers where no sandbox can be had: an ordinary process each, as slow to start as Python and torch.

The judge still sits outside of it. But files are not protected, nor is the network, nor are other processes:
for people whom one trusts. Such a worker is `python -m autograder.grading.sandbox.spawning LESSON LIMITS WORKER LACKS`.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib import import_module

from ..workers.warming import hide
from .limits import TORCH_WORKER, Limits, environment, set_limits


class SpawnedWorker:
    """A process, and our end of a socket to it."""

    def __init__(self, connection, process):
        self.socket = connection
        self._process = process

    def kill(self):
        """Kill the worker, and its children unless they hid from us."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL) if os.name == "posix" else self._process.kill()
        self._process.wait()


class Spawner:
    """What a zygote is elsewhere."""

    def __init__(self, limits=None, life=TORCH_WORKER, lacks=()):
        self.limits = limits or Limits()
        self.life, self.lacks = life, lacks

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @contextmanager
    def worker(self, lesson):
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ours:
            with theirs:
                worker = SpawnedWorker(ours, self._start(lesson, theirs, folder))
            try:
                yield worker
            finally:
                worker.kill()

    def _start(self, lesson, connection, folder):
        """Start a child, which finds the socket in place of the keyboard; on Windows, a description of it."""
        shared = hasattr(connection, "share")
        what = [lesson, json.dumps(asdict(self.limits)), self.life, *self.lacks]
        process = subprocess.Popen(
            [sys.executable, "-m", "autograder.grading.sandbox.spawning", *what],
            stdin=subprocess.PIPE if shared else connection.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd=folder,
            start_new_session=True,
        )
        if shared:
            with process.stdin as keyboard:
                keyboard.write(connection.share(process.pid))
        return process


def main(lesson, limits, worker, *lacks):
    worker = import_module(worker)
    connection = take_socket()
    worker.prepare(lesson)
    hide(lacks)
    set_limits(Limits(**json.loads(limits)), in_sandbox=False)
    worker.serve(connection, lesson)


def take_socket():
    """Take the socket, and leave nothing in its place, so that `input()` does not read from it."""
    if hasattr(socket, "fromshare"):
        return socket.fromshare(sys.stdin.buffer.read())
    connection = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return connection


if __name__ == "__main__":
    main(*sys.argv[1:])
