"""A worker that does whatever it is told: Python code comes, what that printed goes back.

Before each message stands its length, in four bytes.
"""

import contextlib
import io
import struct
import traceback


def prepare():
    """Files can still be read here."""


def serve(connection):
    names = {"__name__": "__main__"}
    while question := receive(connection):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            try:
                exec(question.decode(), names)
            except BaseException:
                traceback.print_exc(file=said)
        send(connection, said.getvalue().encode())


def send(connection, message):
    connection.sendall(struct.pack("!I", len(message)) + message)


def receive(connection):
    (length,) = struct.unpack("!I", exactly(connection, 4) or bytes(4))
    return exactly(connection, length)


def exactly(connection, size):
    """Fewer bytes than these are none: the other end is gone."""
    received = b""
    while len(received) < size:
        more = connection.recv(size - len(received))
        if not more:
            return b""
        received += more
    return received


def ask(connection, code):
    """The other end of it."""
    send(connection, code.encode())
    return receive(connection).decode()
