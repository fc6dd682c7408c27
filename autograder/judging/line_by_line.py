"""A learner's own run: line by line, what each line made."""

import inspect
import linecache

import numpy as np

from .handle import handle_of
from .tensors import to_array
from .traced import traced

MOST_LINES = 20


def line_by_line(function, run):
    """[(source line, what it made)] for a call of `run()`, which calls the function; nothing if it has no source.

    Of a loop the first pass is told, and where a later one stops; of a function called twice the first call.
    """
    if handle_of(function):
        return handle_of(function).watch("line_by_line", run)
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or not linecache.getline(code.co_filename, code.co_firstlineno):
        return ()
    notes = Notes(code)
    with traced(notes.of_call):
        run()
    sources = {number: linecache.getline(code.co_filename, number).strip() for number in notes.made}
    lines = [(source, notes.beside(number, source)) for number, source in sources.items()]
    return tuple(lines) if 1 < len(lines) <= MOST_LINES else ()


class Notes:
    """Line number -> what that line made, in words."""

    def __init__(self, code):
        self.code, self.made, self.again, self.frame = code, {}, set(), None

    def of_call(self, frame, event, argument):
        if frame.f_code is self.code and self.frame is None:
            self.frame, self.before, self.line = frame, dict(frame.f_locals), None
            return self.of_line

    def of_line(self, frame, event, argument):
        """Before a line runs, after the last one, and where one stops: note what the line before has made."""
        if self.line is not None:
            self.note(self.told(frame, event, argument))
        self.before, self.line = dict(frame.f_locals), frame.f_lineno
        return self.of_line

    def note(self, told):
        """Of a line that runs again only an error is news, but not the one that ends a loop over a generator."""
        if self.line not in self.made:
            self.made[self.line] = told
            return
        self.again.add(self.line)
        if told.startswith("stops") and "StopIteration" not in told:
            self.made[self.line] = f"{told}, in a later pass"

    def beside(self, number, source):
        """What the line made; a loop says that its first pass is told."""
        loops = number in self.again and source.startswith(("for ", "while "))
        return f"{self.made[number]} (the first pass)".lstrip() if loops else self.made[number]

    def told(self, frame, event, argument):
        if event == "exception":
            return f"stops: {argument[0].__name__}"
        new = {name: x for name, x in frame.f_locals.items() if self.before.get(name, self) is not x}
        made = [f"{name}: {in_short(x)}" for name, x in new.items() if in_short(x)]
        return ", ".join(made + [f"returns {in_short(argument)}"] if event == "return" and in_short(argument) else made)


def in_short(value):
    """A number as it is, an array's shape and whether it holds something odd; of other things nothing."""
    if isinstance(value, (bool, int, float, np.number, tuple)):
        return str(value) if len(str(value)) < 30 else ""
    array = to_array(value)
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiub":
        return ""
    return f"shape {array.shape}{_oddities(array)}" if array.ndim else f"{array.item():.4g}"


def _oddities(array):
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return ""
    return ", with nan" if np.isnan(array).any() else ", with ∞"
