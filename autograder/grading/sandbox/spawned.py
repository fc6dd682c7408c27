"""A worker without a sandbox: `python -m autograder.grading.sandbox.spawned LESSON LIMITS WORKER LACKS ...`.

Its stdin is a socket.
"""

import json
import os
import socket
import sys
from importlib import import_module

from ..workers.warming import hide
from .limits import Limits, set_limits


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
