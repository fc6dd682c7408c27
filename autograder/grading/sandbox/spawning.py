"""Workers where no sandbox can be had: an ordinary process each, as slow to start as Python and torch.

The judge still sits outside of it. But files are not protected, nor is the network, nor are other processes:
for people whom one trusts.
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

from .limits import Limits
from .surroundings import TORCH_WORKER, environment


class SpawnedWorker:
    """A process, and our end of a socket to it."""

    protection = "process"

    def __init__(self, connection, process):
        self.socket = connection
        self._process = process

    def kill(self):
        """Kill the worker, and its children unless they hid from us."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                _kill_group(self._process)
        self._process.wait()


def _kill_group(process):
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


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
            [sys.executable, "-m", "autograder.grading.sandbox.spawned", *what],
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
