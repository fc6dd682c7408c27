"""The examiner's side of a conversation with one worker."""

from contextlib import contextmanager
from time import monotonic

import numpy as np

from ...judging.time_limits import TooSlow, end_of_time
from ...judging.values import is_bfloat16, to_array
from ..wire.frames import Channel, Closed, Malformed, Room, TooLate, of
from ..wire.replies import REPLIES, Looked, checked, rebuilt
from .implementations import Implementations, refusal
from .things import Things

TIMED = ("run", "call", "build", "forward", "look", "gradients")  # in which a learner's code runs
GONE = "it ended the process that it ran in"
GRACE = 2.0  # seconds that a worker gets to say that it was too slow, before it is ended
# Bytes in one conversation: of a reply, and of what a learner's test asks before; of arrays, and of all else.
MOST_HEARD, MOST_SAID = 256 * 2**20, 32 * 2**20


class Ended(TooSlow):
    """The worker is gone, or speaks no sense: it was ended. Passes through all that judges, as TooSlow does."""


class Remote:
    """Asks; every answer may be forged. After any fault the worker is ended, and `fault` says why."""

    def __init__(self, worker, seconds):
        self.worker, self.seconds, self.fault, self.waits = worker, seconds, "", False
        self.things, self.implementations = Things(self), Implementations()
        self.stuck = set()  # names of functions that did not come back, as the worker says
        self.channel = Channel(worker.socket, self._described, self.things.found)

    def ask(self, do, seconds=None, **details):
        """Return the reply to a request; raise what the learner's code raised."""
        reply = self.reply(do, seconds, **details)
        self.raised_in(reply)
        return reply

    @contextmanager
    def lending(self, lent):
        """Let references run in the place of the learner's functions: name -> reference."""
        if not lent:
            yield
            return
        self.implementations.lent = list(lent.values())
        self.reply("lend", names=list(lent))
        try:
            yield
        finally:
            self.implementations.lent = []
            if not self.fault:
                self.reply("lend", names=[])

    def raised_in(self, reply):
        """Raise the error that the learner's code ended with."""
        if reply.slow:
            raise TooSlow
        if reply.error:
            raise reply.error

    def reply(self, do, seconds=None, **details):
        """Return the reply with any error in it. The worker stops by itself when its time is over, or is ended."""
        if self.fault:
            raise Ended(self.fault)
        if self.waits:
            raise RuntimeError("nothing can be asked while an answer is waited for")
        seconds = min(seconds or self.seconds, end_of_time() - monotonic())
        if seconds <= 0:
            raise TooSlow
        details |= {"seconds": seconds} if do in TIMED else {}
        reply = self._conversed({"do": do, **details}, monotonic() + seconds + GRACE)
        with self.distrusted():
            reply = checked(reply, REPLIES.get(do, Looked))
            if reply.slow and do not in TIMED:
                raise Malformed("no time limit was given")
            reply.error = reply.error and rebuilt(reply.error)
        self.stuck |= {reply.stuck} - {""}
        return reply

    @contextmanager
    def distrusted(self):
        """End the worker, and say why, if what it sent makes no sense where it is taken apart.

        Nothing else belongs there: an error of our own must not count as the worker's.
        """
        try:
            yield
            return
        except Closed:
            self.end(GONE)
        except TooLate:
            self.end("it did not stop when its time was over")
        except Exception:
            self.end("it answered in place of the worker")
        raise Ended(self.fault)

    def end(self, fault):
        self.fault = self.fault or fault
        self.worker.kill()

    def _conversed(self, request, end):
        """Converse until there is a reply. If we stopped in between, the next reply would be to an old question."""
        self.waits = True
        self.implementations.begin()
        try:
            self._send(request, end)
            return self._heard(end, Room(MOST_SAID, MOST_HEARD))
        except BaseException:
            self.end("it was stopped")
            raise
        finally:
            self.waits = False

    def _heard(self, end, room):
        while True:
            with self.distrusted():
                said = self.channel.receive(end - monotonic(), room)
                if "callback" not in of(said, dict):
                    return said
                call, implementation = self.implementations.called(said)
            made = call.reply(implementation, end)
            self.implementations.results.append(made["value"])
            self._give(made, end)

    def _give(self, made, end):
        """Return what a call made or, where that cannot be sent, why."""
        try:
            self._send(made, end)
        except Exception as unsendable:
            self._send(refusal(unsendable), end)

    def _send(self, value, end):
        """Send a value. What cannot be sent is our error; that it is not taken is the worker's."""
        try:
            self.channel.send(value, end - monotonic())
        except (Closed, TooLate) as gone:
            with self.distrusted():
                raise gone

    def _described(self, x):
        """Describe what is neither plain nor an array for the worker: tensors, and implementations that stay here."""
        if hasattr(type(x), "detach"):
            return dict(_is="tensor", numbers=to_array(x), bfloat16=is_bfloat16(x), learns=bool(x.requires_grad))
        if isinstance(x, np.generic):
            return dict(_is="scalar", numbers=np.asarray(x))
        if hasattr(x, "handle"):  # a layer
            return dict(_is="kept", number=x.number)
        return dict(_is="implementation", number=self.implementations.number_of(x))
