"""Frames between examiner and worker: two sizes, then what `packing` makes of a value.

Sizes are looked at before anything is read, and whoever waits has a clock.
"""

import math
import struct
import time

from .packing import BODY_LIMIT, HEAD_LIMIT, Malformed, pack, unpack

BEGINNING = struct.Struct("<II")  # bytes of the head, bytes of all arrays


class Closed(Exception):
    """The other end is closed."""


class TooLate(Exception):
    """No whole frame went, or came, in time."""


class Room:
    """How many bytes may still come: in a frame, or in all frames of a conversation."""

    def __init__(self, head=HEAD_LIMIT, body=BODY_LIMIT):
        self.head, self.body = head, body

    def take(self, head, body):
        if head > min(self.head, HEAD_LIMIT) or body > min(self.body, BODY_LIMIT):
            raise Malformed(f"a frame of {head + body:,} bytes")
        self.head, self.body = self.head - head, self.body - body


class Channel:
    """One end. Values are plain Python, arrays, and what `keep` describes by a dict and `find` finds by it again."""

    def __init__(self, socket, keep, find):
        self.socket, self.keep, self.find = socket, keep, find

    def send(self, value, seconds=None):
        """Send a value, or raise TooMuch if it does not fit; then nothing was sent."""
        head, body = pack(value, self.keep)
        try:
            self.socket.settimeout(None if seconds is None else max(seconds, 1e-3))
            self.socket.sendall(b"".join([BEGINNING.pack(len(head), len(body)), head, body]))
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Closed from None

    def receive(self, seconds=None, room=None):
        """Return the next value; `seconds` are for the whole of its frame."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        sizes = BEGINNING.unpack(self._read(BEGINNING.size, end))
        (room or Room()).take(*sizes)
        head, body = (self._read(size, end) for size in sizes)
        return unpack(head, body, self.find)

    def _read(self, size, end):
        whole = bytearray(size)
        missing = memoryview(whole)
        while missing:
            taken = self._read_into(missing, end - time.monotonic())
            missing = missing[taken:]
        return whole

    def _read_into(self, place, seconds):
        if seconds <= 0:
            raise TooLate
        try:
            self.socket.settimeout(None if seconds == math.inf else seconds)
            taken = self.socket.recv_into(place)
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Closed from None
        if not taken:
            raise Closed
        return taken
