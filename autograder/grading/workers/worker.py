"""The worker's side: runs a learner's cells, and does with what they wrote what the examiner asks.

Nothing here is trusted. Whoever runs in this process can change all of it, and wins nothing: what is right is decided
by the examiner, from numbers alone.
"""

import os
import random
import warnings
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from math import inf
from threading import Lock
from time import process_time

import numpy as np

from ...judging.code_slips import overlooked
from ...judging.line_by_line import line_by_line, swallows
from ...judging.running import caught_output, put, quiet
from ...judging.source import arrays_named, names_called, names_used, views_of, without_memory
from ...judging.time_limits import TooSlow
from ..port.frames import Channel, Closed
from ..port.replies import LONGEST_NAME, MOST_NAMES, Error, changed, checked, copies, in_words, rebuilt, write_back
from .object_registry import ObjectRegistry
from .shell import Shell, Watchdog, begun_shell
from .surroundings import keep, silence

WATCHED = {"line_by_line": line_by_line, "swallows": swallows}  # while an answer runs
LOOKS = {look.__name__: look for look in (without_memory, arrays_named, overlooked, names_used, names_called)}

prepare = begun_shell  # while files can still be read


def serve(socket):
    Worker(socket).converse()


class Worker:
    """Answers a request {"do": "run", ...} by its method of that name, do_run."""

    def __init__(self, socket):
        self.objects = ObjectRegistry()
        self.channel = Channel(socket, self.objects.describe, self._find)
        self.asking = Lock()
        self.lent = []  # what undoes it
        self.watchdog = Watchdog(Shell.instance().user_ns)

    def converse(self):
        """Answer until the examiner is gone."""
        with suppress(Closed):
            while True:
                self._answer(self.channel.receive())

    def _answer(self, request):
        begin = process_time()
        try:
            reply = getattr(self, f"do_{request.pop('do')}")(**request)
            self.channel.send(reply | {"worked": process_time() - begin})
        except Closed:
            raise
        except BaseException as error:  # whatever a learner raises, exit() too, or what cannot be described
            slow = isinstance(error, TooSlow)
            said = {"error": in_words(error), "slow": slow, "stuck": self.watchdog.stuck if slow else ""}
            self.channel.send(said | {"worked": process_time() - begin})

    def do_begin(self, taught, seed):
        """Begin with the functions that were taught, and nothing else of this project."""
        keep(taught)
        silence()
        Shell.instance().move_in()
        random.seed(seed)
        np.random.seed(seed % 2**32)  # whoever throws dice throws the same in every regrading
        return {"value": None}

    def do_run(self, code, seconds, patience=inf, names=()):
        """Run a cell. names: of functions in it of which one call may take as long as our patience lasts."""
        said = {"well": False}
        try:
            with self.watchdog.limit(seconds, patience, names):
                said["well"] = Shell.instance().run(code)
        except TooSlow as error:
            said |= {"slow": True, "error": in_words(error)}
        return said | {"outputs": Shell.instance().outputs, "stuck": self.watchdog.stuck}

    def do_halt(self, names):
        """Let these functions, which did not end, raise an error from now on."""
        self.watchdog.halt(names)
        return {"value": None}

    def do_lend(self, names):
        """Let references of the examiner run in the place of the functions of these names, and of no others."""
        while self.lent:
            self.lent.pop()()
        variables = Shell.instance().user_ns
        self.lent = [put(self._over_there(number), name, variables) for number, name in enumerate(names)]
        return {"value": None}

    def do_get(self, name):
        variables = Shell.instance().user_ns
        return {"found": name in variables, "value": variables.get(name)}

    def do_call(self, at, inputs, options, seconds, look=None):
        """Reply with what a function makes of these; `look`: what to watch while it runs."""
        function = self.objects[at]
        return self._done(lambda: function(*inputs, **options), [*inputs, *options.values()], seconds, look, function)

    def do_look(self, at, question, inputs, seconds):
        """Reply with what is seen here in an object, in its code say."""
        with quiet(), caught_output(), self.watchdog.limit(seconds):
            seen = LOOKS[question](self.objects[at], *inputs)
        seen = _few(seen) if isinstance(seen, (set, list)) else seen
        return {"value": asdict(seen) if is_dataclass(seen) else seen}

    def _done(self, run, leaves, seconds, look, watched):
        """Reply with what came out, what was printed, and which inputs were changed."""
        before, value, error = copies(leaves), None, None

        def attempt():
            nonlocal value, error
            try:
                value = run()
            except TooSlow:
                raise
            except BaseException as stopped:
                error = stopped

        with quiet(), caught_output() as output, self.watchdog.limit(seconds):
            noted = WATCHED[look](watched, attempt) if look else attempt()
        views, shared = map(_few, views_of(watched, value, leaves))
        reply = dict(value=value, printed=output.getvalue(), noted=noted, views=views, shared=shared)
        return reply | dict(changed=changed(leaves, before), error=error and in_words(error))

    def _find(self, description):
        """Find what the examiner sends that is neither plain nor an array: a function to call there."""
        if description["_is"] == "kept":
            return self.objects[description["number"]]
        return self._over_there(description["number"])

    def _over_there(self, number):
        """Return an implementation that a learner's test should try, or that stands in for a function."""

        def implementation(*inputs, **options):
            __tracebackhide__ = True
            reply = self._ask_back(callback=number, inputs=inputs, options=options)
            write_back([*inputs, *options.values()], reply["changed"])
            return reply["value"]

        return implementation

    def _ask_back(self, **call):
        """Ask, in the middle of an answer, what an implementation makes of this, and of what it warns."""
        __tracebackhide__ = True
        try:
            with self.asking:  # a test may have threads
                self.channel.send(call | {"numerics": np.geterr()})
                reply = self.channel.receive()
        except TooSlow:  # half a frame may be on its way, so nothing that is said here would be understood
            os._exit(1)
        for text in reply["warnings"]:
            warnings.warn(text, RuntimeWarning, stacklevel=3)
        if reply["error"] is not None:
            raise rebuilt(checked(reply["error"], Error))
        return reply


def _few(names):
    names = sorted(names) if isinstance(names, set) else names
    return [str(name)[:LONGEST_NAME] for name in names[:MOST_NAMES]]
