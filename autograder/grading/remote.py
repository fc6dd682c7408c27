"""The examiner's side of a conversation with one worker."""

from time import monotonic
from weakref import WeakValueDictionary

import numpy as np

from ..judging.outcome import TooSlow, end_of_time
from .changes import changed, copies
from .errors import in_words, rebuilt
from .handles import Things
from .wire import Channel, Closed, Malformed, TooLate

TIMED = ("run", "call", "make", "forward", "backward")  # in which a learner's code runs
GRACE = 2.0  # seconds that a worker gets to say that it was too slow, before it is ended


class Ended(TooSlow):
    """The worker is gone, or speaks no sense: it was ended. Passes through all that judges, as TooSlow does."""


class Remote:
    """Asks; every answer may be forged. After any fault the worker is ended, and why stands in `fault`."""

    def __init__(self, worker, seconds):
        self.worker, self.seconds, self.fault = worker, seconds, ""
        self.things, self.implementations = Things(self), []
        self.weights = WeakValueDictionary()  # number -> a weight of one layer, or of several
        self.channel = Channel(worker.socket, self._described, self.things.found)

    def ask(self, do, seconds=None, **details):
        """The reply to a request, a dict; raises what the learner's code raised."""
        reply = self.reply(do, seconds, **details)
        self.raised_in(reply)
        return reply

    def raised_in(self, reply):
        """An error that the learner's code ended with is raised here."""
        if reply.get("slow"):
            raise TooSlow
        if reply.get("error"):
            raise rebuilt(reply["error"])

    def reply(self, do, seconds=None, **details):
        """The same, with an error in words. The worker stops by itself when its time is over, or is ended."""
        if self.fault:
            raise Ended(self.fault)
        seconds = min(seconds or self.seconds, end_of_time() - monotonic())
        if seconds <= 0:
            raise TooSlow
        details |= {"seconds": seconds} if do in TIMED else {}
        try:
            return self._conversed({"do": do, **details}, seconds + GRACE)
        except Closed:
            self.end("it ended the process that it ran in")
        except TooLate:
            self.end("it did not stop when its time was over")
        except (Malformed, LookupError, TypeError, ValueError, AttributeError, OverflowError):
            self.end("it answered in the place of the worker")
        except BaseException:
            self.end("it was stopped")
            raise
        raise Ended(self.fault)

    def end(self, fault):
        self.fault = self.fault or fault
        self.worker.kill()

    def _conversed(self, request, seconds):
        self.implementations.clear()
        self.things.begin()
        self.channel.send(request)
        end = monotonic() + seconds
        while True:
            reply = self.channel.receive(end - monotonic())
            if not isinstance(reply, dict):
                raise Malformed("no reply")
            if "callback" not in reply:
                return reply
            self.channel.send(self._called_back(reply))

    def _called_back(self, asked):
        """What an implementation makes of the inputs of a learner's test."""
        implementation = self.implementations[asked["callback"]]
        inputs, options = list(asked["inputs"]), dict(asked["options"])
        before = copies([*inputs, *options.values()])
        value, error = None, None
        try:
            value = implementation(*inputs, **options)
        except TooSlow:
            raise
        except Exception as stopped:
            error = in_words(stopped)
        return {"value": value, "error": error, "changed": changed([*inputs, *options.values()], before)}

    def _described(self, x):
        """What goes to the worker and is neither plain nor an array: tensors, and implementations that stay here."""
        if hasattr(type(x), "detach"):
            return dict(_is="tensor", numbers=x.detach().cpu().numpy(), learns=bool(x.requires_grad))
        if isinstance(x, np.generic):
            return dict(_is="scalar", numbers=np.asarray(x))
        self.implementations.append(x)
        return dict(_is="implementation", number=len(self.implementations) - 1)
