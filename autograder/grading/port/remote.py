"""The examiner's side of a conversation with one worker, which may ask back: what functions here make of its inputs.

These are versions that a learner's test tries, models among the inputs of an answer, and references that are lent. They
run here, where the learner cannot read them, on a stranger's inputs; so a call gets little time, memory and numbers.
"""

import warnings
from contextlib import contextmanager
from math import inf
from mmap import PAGESIZE
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from msgspec import Struct, convert

from ...intake.bounds import MOST_MEMORY, bounded_memory
from ...judging.results import each_array, is_bfloat16, to_array
from ...judging.time_limits import TooSlow, alarms, end_of_time, time_limit
from .descriptions import KINDS
from .frames import Channel, Closed, Malformed, Room, TooLate, TooManyBytes, TooMuch
from .replies import LONGEST, Number, Reply, changed, copies, error_as_dict, rebuilt

TIMED = ("run", "call", "gradients", "look", "build")  # in which a learner's code runs
GONE, LATE = "it ended the process that it ran in", "it did not stop when its time was over"
GRACE = 2.0  # seconds that a worker gets to say that it was too slow, before it is ended
# Bytes that may come in one conversation, the reply and what a learner's test asks before: arrays, and all else.
MOST_IN_ARRAYS, MOST_BESIDE = 256 * 2**20, 32 * 2**20
MEMORY = 512 * 2**20  # bytes, for all that functions of ours make in one conversation
MOST_NUMBERS = 1_000_000  # that one call is given: no alarm is heard while large arrays are multiplied
SHORTEST = 0.05  # seconds for a call: an alarm that rings before the call has begun would not be handled


class Ended(TooSlow):
    """The worker is gone, or speaks no sense: it was ended. Passes through all that judges, as TooSlow does."""


class Remote:
    """Asks; every answer may be forged. After any fault the worker is ended, and `fault` says why."""

    def __init__(self, worker, seconds):
        self.worker, self.seconds, self.fault, self.waits = worker, seconds, "", False
        self.over = inf  # when the time of the present conversation is over, by the clock
        self.stuck, self.worked = set(), 0.0  # who did not come back, and seconds of work, as it says
        self.seen = set()  # functions whose reference it has seen at work
        self.lent = []  # implementations of all conversations, until others are: they have the first numbers
        self.known, self.results = [], []  # those of this conversation; what their calls have made, for gradients
        self.channel = Channel(worker.socket, self._described, lambda said: convert(said, KINDS).rebuild(self))

    def ask(self, do, seconds=None, **details):
        """Return the reply to a request; raise what the learner's code raised."""
        reply = self.reply(do, seconds, **details)
        self.raised_in(reply)
        return reply

    @contextmanager
    def lending(self, lent):
        """Let references run in the place of the learner's functions: name -> Lent."""
        self.lent = list(lent.values())
        if lent:
            self.reply("lend", names=list(lent))
        try:
            yield
        finally:
            self.lent, self.seen = [], self.seen | {name for name in lent if lent[name].called}
            if lent and not self.fault:
                self.reply("lend", names=[])

    def raised_in(self, reply):
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
            reply = convert(reply, Reply)
            if reply.lacks(do) or (reply.slow and do not in TIMED):
                raise Malformed("something is missing, or no time limit was given")
            reply.error = reply.error and rebuilt(reply.error)
        self.stuck |= {reply.stuck} - {""}
        self.worked += reply.worked
        return reply

    @contextmanager
    def distrusted(self):
        """End the worker, and say why, if what it sent makes no sense where it is taken apart.

        Nothing else belongs there: an error of our own must not count as the worker's.
        """
        try:
            yield
            return
        except Closed:  # a worker that asks something when its time is over ends itself
            self.end(LATE if monotonic() > self.over else GONE)
        except TooLate:
            self.end(LATE)
        except TooManyBytes:
            self.end(f"it sent more than the {MOST_IN_ARRAYS // 2**20} MiB that one answer may")
        except Exception:
            self.end("it answered in place of the worker")
        raise Ended(self.fault)

    def end(self, fault):
        self.fault = self.fault or fault
        self.worker.kill()

    def _conversed(self, request, end):
        """Converse until there is a reply. If we stopped in between, the next reply would be to an old question."""
        self.waits, self.known, self.results, self.over = True, list(self.lent), [], end - GRACE
        try:
            self.channel.send(request, end - monotonic())
            return self._heard(end, Room(MOST_BESIDE, MOST_IN_ARRAYS), most_memory())
        except (Closed, TooLate) as gone:  # what cannot be sent is our error; that it is not taken is the worker's
            with self.distrusted():
                raise gone
        except BaseException:
            self.end("it was stopped")
            raise
        finally:
            self.waits = False

    def _heard(self, end, room, memory):
        """Listen until there is a reply. All that calls make meanwhile has one bound: inputs may have no bytes."""
        while True:
            with self.distrusted():
                said = self.channel.receive(end - monotonic(), room)
                if "callback" not in said:
                    return said
                call = convert(said, Call)
                may_learn = [n for n, x in enumerate(call.leaves) if hasattr(x, "requires_grad_")]
                if call.callback >= len(self.known) or not {*call.learning} <= {*may_learn}:
                    raise Malformed("no call")
            made = call.reply(self.known[call.callback], end, memory)
            try:
                self.channel.send(made, end - monotonic())
            except Exception as unsendable:  # or nobody takes it, as the second try says
                made = dict(value=None, changed={}, error=error_as_dict(unsendable), warnings=[])
                self.channel.send(made, end - monotonic())
            self.results += [made["value"]] if getattr(made["value"], "requires_grad", False) else []

    def _described(self, x):
        """Describe what is neither plain nor an array for the worker: tensors, and implementations that stay here."""
        if hasattr(type(x), "detach"):
            return dict(_is="tensor", numbers=to_array(x), bfloat16=is_bfloat16(x), learns=bool(x.requires_grad))
        if hasattr(x, "handle"):  # a layer
            return dict(_is="kept", number=x.number)
        if not callable(x):
            raise TooMuch(f"this {type(x).__name__} is too large, or of a kind that cannot be handed over")
        self.known.append(x)
        return dict(_is="implementation", number=len(self.known) - 1)


class Call(Struct):
    """Inputs for the implementation of a number, as a worker sends them.

    learning, directions: places of the inputs whose gradients are wanted in place of the value, and from where.
    numerics: what NumPy should do where numbers overflow and the like, as the test has set it.
    """

    callback: Number
    inputs: list[Any]
    options: dict[str, Any]
    numerics: dict[str, Any]
    learning: list[Number] = []
    directions: list[Any] | None = None

    @property
    def leaves(self):
        return [*self.inputs, *self.options.values()]

    def reply(self, implementation, end, memory):
        """Return what came out and which inputs it changed, or the error that stopped it, with all warnings."""
        reply = dict(value=None, changed={}, error=None)
        numerics = {kind: "raise" if self.numerics.get(kind) == "raise" else "warn" for kind in np.geterr()}
        with np.errstate(**numerics), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                if sum(array.size for x in self.leaves for array in each_array(x)) > MOST_NUMBERS:
                    raise ValueError(f"while this is graded, a call is given at most {MOST_NUMBERS:,} numbers")
                before, value = copies(self.leaves), self._value(implementation, end, memory)
                reply |= dict(value=value, changed=changed(self.leaves, before))
            except Exception as stopped:
                reply["error"] = error_as_dict(stopped)
        return reply | {"warnings": [str(one.message)[:LONGEST] for one in told if one.category is RuntimeWarning]}

    def _value(self, implementation, end, memory):
        with bounded_memory(memory), alarms(True), time_limit(max(end - monotonic(), SHORTEST)):
            if self.directions is None:
                return implementation(*self.inputs, **self.options)
            from .remote_layer import gradients_of  # here: it imports torch

            return gradients_of(implementation, self.inputs, self.options, self.learning, self.directions)


def most_memory():
    """Return how many bytes this process may hold while it calls our functions, on a stranger's inputs."""
    held = Path("/proc/self/statm")  # in pages; the sixth number is what it writes to
    return int(held.read_text().split()[5]) * PAGESIZE + MEMORY if held.exists() else MOST_MEMORY
