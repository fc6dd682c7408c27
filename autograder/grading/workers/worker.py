"""The worker's side: runs a learner's cells, and does with what they wrote what the examiner asks.

Nothing here is trusted. Whoever runs in this process can change all of it, and wins nothing: what is right is decided
by the examiner, from numbers alone.
"""

import os
import random
import warnings
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from itertools import count
from math import inf
from threading import Lock
from time import process_time

import numpy as np

from ...judging.code_slips import overlooked
from ...judging.line_by_line import line_by_line, swallows
from ...judging.results import LARGEST, is_bfloat16, is_tensor, plain_tensor, to_array
from ...judging.running import caught_output, put, quiet
from ...judging.source import arrays_named, is_stub, names_called, names_used, views_of, without_memory
from ...judging.time_limits import TooSlow
from ...plain_values import as_plain_number
from ..port import replies
from ..port.frames import TYPES, Channel, Closed, are_plain_keys, fits
from ..port.replies import LONGEST_NAME, changed, copies, error_as_dict, rebuilt, signature_of, write_back
from .shell import Shell, Watchdog, begun_shell
from .surroundings import keep, silence

WATCHED = {"line_by_line": line_by_line, "swallows": swallows}  # while an answer runs
LOOKS = {look.__name__: look for look in (without_memory, arrays_named, overlooked, names_used, names_called)}
LIBRARIES, LAYER = ("torch", "builtins", "abc", "typing"), "torch.nn.modules.module.Module"
# What other types of numbers become, those of the other byte order, say.
OF_KIND = {"f": float, "c": complex, "i": np.int64, "u": np.uint64}
PLAIN = (bool, int, float, dict, list, tuple)

prepare = begun_shell  # while files can still be read


def serve(socket):
    Worker(socket).converse()


class Worker:
    """Answers a request {"do": "run", ...} by its method of that name, do_run."""

    def __init__(self, socket):
        self.objects, self.numbers = {}, count()  # number -> what stays here
        self.channel = Channel(socket, self._described, self._find)
        self.asking = Lock()
        self.lent = []  # what undoes it
        self.shell = Shell.instance()
        self.watchdog = Watchdog(self.shell.user_ns)

    def converse(self):
        """Answer until the examiner is gone."""
        with suppress(Closed):
            while True:
                self._answer(self.channel.receive())

    def _answer(self, request):
        begin = process_time()
        try:
            reply = getattr(self, f"do_{request.pop('do')}")(**request) or {"value": None}
            self.channel.send(reply | {"worked": process_time() - begin})
        except Closed:
            raise
        except BaseException as error:  # whatever a learner raises, exit() too, or what cannot be described
            slow = isinstance(error, TooSlow)
            said = {"error": error_as_dict(error), "slow": slow, "stuck": self.watchdog.stuck if slow else ""}
            self.channel.send(said | {"worked": process_time() - begin})

    def do_begin(self, taught):
        """Begin with the functions that were taught, and nothing else of this project."""
        keep(taught)
        silence()
        self.shell.move_in()
        random.seed(0)
        np.random.seed(0)  # whoever throws dice throws the same in every regrading

    def do_run(self, code, seconds, patience=inf, names=()):
        """Run a cell. names: of functions in it of which one call may take as long as our patience lasts."""
        said = {}
        try:
            with self.watchdog.limit(seconds, patience, names):
                self.shell.run(code)
        except TooSlow as error:
            said = {"slow": True, "error": error_as_dict(error)}
        return said | {"outputs": self.shell.outputs.joined(), "stuck": self.watchdog.stuck}

    def do_halt(self, names):
        """Let these functions, which did not end, raise an error from now on."""
        self.watchdog.halt(names)

    def do_lend(self, names):
        """Let references of the examiner run in the place of the functions of these names, and of no others."""
        while self.lent:
            self.lent.pop()()
        self.lent = [put(self._over_there(number), name, self.shell.user_ns) for number, name in enumerate(names)]

    def do_get(self, name):
        variables = self.shell.user_ns  # a learner may have put other ones there
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
        return reply | dict(changed=changed(leaves, before), error=error and error_as_dict(error))

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
            raise rebuilt(reply["error"])
        return reply

    def _kept(self, thing):
        """Keep a thing that stays here, and return its number."""
        number = next(self.numbers)
        self.objects[number] = thing
        return number

    def _described(self, x):
        """Return a plain value in the place of an object, or a dict; descriptions.py says what becomes of that."""
        if is_tensor(x):
            x = plain_tensor(x)
            numbers = to_array(x)
            return dict(_is="tensor", numbers=numbers, bfloat16=is_bfloat16(x)) if fits(numbers) else _array(numbers)
        if isinstance(x, np.ma.MaskedArray):
            x = x.astype(float).filled(np.nan)
        if isinstance(x, np.ndarray):
            return _array(x)
        if isinstance(x, type):
            return self._class(x)
        if isinstance(x, str):
            return str.__str__(x)  # of a member of an Enum str() makes its name
        kind = next((kind for kind in PLAIN if isinstance(x, kind)), None)
        if kind and (kind is not dict or are_plain_keys(x)):
            return kind(x)  # a subclass could hold anything
        if type(x) is complex:
            return dict(_is="complex", real=x.real, imag=x.imag)
        number = as_plain_number(x)
        if number is not x:  # a fraction, say, or of another library
            return number
        if callable(x):
            return self._function(x)
        if hasattr(x, "__array__"):
            return np.asarray(x)
        return dict(_is="thing", type=type(x).__name__[:LONGEST_NAME])

    def _function(self, x):
        name = str(getattr(x, "__name__", type(x).__name__))[:LONGEST_NAME]
        return dict(_is="function", number=self._kept(x), name=name, stub=is_stub(x), signature=signature_of(x))

    def _class(self, x):
        own = (part for part in x.__mro__ if part.__module__.partition(".")[0] not in LIBRARIES)
        methods = {name for part in own for name, method in vars(part).items() if callable(method)}
        return self._function(x) | dict(
            _is="class",
            methods={name: signature_of(getattr(x, name)) for name in sorted(methods)},
            is_layer=LAYER in [f"{part.__module__}.{part.__qualname__}" for part in x.__mro__],
            missing=str(getattr(x, "_library", ""))[:LONGEST_NAME],
        )


def _few(names):
    names = sorted(names) if isinstance(names, set) else names
    return [str(name)[:LONGEST_NAME] for name in names[: replies.MOST_NAMES]]


def _array(x):
    """Return an array that can be handed over, or the type and shape of one that is too large, or of another kind."""
    if x.size <= LARGEST and x.dtype.kind in OF_KIND and x.dtype.str not in TYPES:
        x = x.astype(OF_KIND[x.dtype.kind])
    if x.size <= LARGEST and fits(x):
        return np.array(x)
    if x.size <= replies.MOST_OBJECTS and x.dtype.kind in "OU" and replies.take_little(x.ravel().tolist()):
        return dict(_is="objects", items=x.ravel().tolist(), texts=x.dtype.kind == "U", shape=list(x.shape))
    return dict(_is="vast", type=x.dtype.str if x.dtype.str in TYPES else x.dtype.kind, shape=list(x.shape))
