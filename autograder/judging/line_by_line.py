"""Trace a learner's own run: what each line made."""

import ast
import dis
import inspect
import linecache
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import numpy as np

from .results import to_array
from .source import handle_of, syntax_of

MOST_LINES = 20
LONGEST = 30  # characters of a value that is told as it is
PLAIN = (bool, int, float, np.number, str, type(None))


def line_by_line(function: Callable, run: Callable):
    """Return [(source line, what it made)] for a call of `run()`, which calls the function; [] without its source.

    Of a loop the first pass is told, or the one that stops; of a function called twice the first call. A single line
    is told only where it stops: otherwise it says no more than the result.
    """
    if handle_of(function):
        return handle_of(function).watch("line_by_line", run)
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or not linecache.getline(code.co_filename, code.co_firstlineno):
        return ()
    notes = Notes(code)
    with traced(notes.of_call):
        run()
    lines = list(notes.in_order())
    return _few(lines) if len(lines) != 1 or _stops(lines[0]) else ()


def _few(lines):
    """Choose a few of many lines: up to where the run stops, or to the first odd number, or else the last ones."""
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    signs = _stops, lambda line: ", with " in line[1]
    telling = (n for tells in signs for n, line in enumerate(lines) if tells(line))
    end = max(next(telling, len(lines) - 1) + 1, MOST_LINES - 2)
    start = max(0, end - MOST_LINES + 2)
    return (*_left_out(start), *lines[start:end], *_left_out(len(lines) - end))


def _left_out(number):
    return [(f"({number} more {'line' if number == 1 else 'lines'})", "")] if number else []


def _stops(line):
    return line[1].startswith("stops: ")


class Notes:
    """What each statement of a function made in its first call, in words, by the number of its first line.

    Of loops the first pass is noted, and the last one, too: it is told where the function stops in a later pass.
    """

    def __init__(self, code):
        self.code, self.frame = code, None
        self.first, self.last = {}, {}
        self.passes, self.passes_now = Counter(), Counter()  # of each loop, and since the one around it went on
        self.stopped, self.stops_later = None, False  # the line that raised last; nothing if the function returns
        nodes = list(ast.walk(syntax_of(code) or ast.Module([], [])))
        statements = [node for node in nodes if isinstance(node, ast.stmt)]
        ends = [(node.lineno, _last_line(node)) for node in statements]
        # line number -> the first line of its statement, for statements that take several lines
        self.begins = {row: first for first, last in ends if last and last > first for row in range(first, last + 1)}
        loops = [node for node in statements if isinstance(node, (ast.For, ast.While))]
        self.loops = {node.lineno: range(node.lineno + 1, (node.body[-1].end_lineno or 0) + 1) for node in loops}
        # first line of an `else` branch -> the line of its `if`; an `elif`, which is no further in, is one of its own
        choices = [node for node in statements if isinstance(node, ast.If) and node.orelse]
        inside = [node for node in choices if node.orelse[0].col_offset > node.col_offset]
        self.headings = {node.orelse[0].lineno: node.lineno for node in inside}

    def in_order(self):
        """Yield each statement, in one line, and what it made; of a loop with several passes, which one this is."""
        first_pass = self.first, self.passes, "(the first pass)"
        made, passes, which = (self.last, self.passes_now, "(pass {})") if self.stops_later else first_pass
        last = {first: number for number, first in self.begins.items()}  # they are in order
        outermost = min(map(self.indentation, made), default=0)
        for number, words in sorted(made.items()):
            rows = range(number, last.get(number, number) + 1)
            source = " ".join(linecache.getline(self.code.co_filename, row).strip() for row in rows)
            inside = " " * (self.indentation(number) - outermost)
            if number in self.headings:
                yield " " * (self.indentation(self.headings[number]) - outermost) + "else:", ""
            several = number in self.loops and passes[number] > 1 and not words.startswith("stops")
            yield inside + source, f"{words} {which.format(passes[number]) * several}".strip()

    def indentation(self, number):
        line = linecache.getline(self.code.co_filename, number).expandtabs()
        return len(line) - len(line.lstrip())

    def of_call(self, frame, event, argument):
        if frame.f_code is self.code and self.frame is None:
            self.frame, self.before, self.line = frame, dict(frame.f_locals), None
            self.types = {kind_of(x) for x in self.before.values()}
            return self.of_line

    def of_line(self, frame, event, argument):
        """Note what the line before has made: before a line runs, after the last one, and where one stops."""
        line = self.begins.get(frame.f_lineno, frame.f_lineno)
        if event == "line" and line == self.line and frame.f_lineno in self.begins:
            return self.of_line  # still inside of a statement of several lines
        if self.line is not None and not (self.line in self.last and self.ends_a_loop(frame, event, argument)):
            self.note(self.told(frame, event, argument))
        if event == "return":
            self.tell_what_was_caught(frame)
        self.before, self.line = dict(frame.f_locals), None if event == "exception" else line
        return self.of_line

    def tell_what_was_caught(self, frame):
        """Say of each line that raised, except the one at which the function stops, that this was caught."""
        if _returns(frame):
            self.stopped, self.stops_later = None, False
        for made in (self.first, self.last):
            for line, told in made.items():
                if told.startswith("stops: ") and line != self.stopped:
                    made[line] = f"{told.replace('stops:', 'raises')}, which is caught"

    def ends_a_loop(self, frame, event, argument):
        """Say whether the line was a loop's head that found nothing more; a generator says so by an error."""
        if event == "exception":
            return argument[0] is StopIteration
        return self.line in self.loops and frame.f_lineno not in self.loops[self.line]

    def note(self, told):
        for inside in self.loops.get(self.line, ()):  # of an earlier pass
            self.last.pop(inside, None)
            self.passes_now.pop(inside, None)
        self.passes.update([self.line])
        self.passes_now.update([self.line])
        around = [head for head, inside in self.loops.items() if self.line in inside]
        if not any(self.passes_now[head] > 1 for head in around):
            self.first.setdefault(self.line, told)
        self.last[self.line] = told
        if told.startswith("stops"):
            self.stopped, self.stops_later = self.line, any(self.passes[head] > 1 for head in around)

    def told(self, frame, event, argument):
        if event == "exception":
            return f"stops: {argument[0].__name__}"
        new = {name: x for name, x in frame.f_locals.items() if self.before.get(name, self) is not x}
        made = [f"{name}: {said}" for name, x in new.items() if (said := made_in_words(x, self.types))]
        returned = made_in_words(argument, self.types) if event == "return" and _returns(frame) else ""
        return ", ".join(made + [f"returns {returned}"] * bool(returned))


def _returns(frame):
    """Say whether a function that ends returns, or gives a value of a generator: else an error ends it."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith(("RETURN", "YIELD"))


def _last_line(node):
    """Return a statement's last line, or that of the head of a loop or condition; None for what is not run as one."""
    if isinstance(node, (ast.For, ast.While, ast.If)):
        return (node.iter if isinstance(node, ast.For) else node.test).end_lineno
    return node.end_lineno if not hasattr(node, "body") else None


@contextmanager
def traced(watch: Callable):
    """Let Python tell `watch` of each call, line and error."""
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


def swallows(test: Callable, run: Callable):
    """Say whether an assert of the test fails while it runs, and the test catches the error itself.

    Only for runs that end without an error.
    """
    if handle_of(test):
        return handle_of(test).watch("swallows", run)
    failed = []

    def watch(frame, event, raised):
        if event == "exception" and frame.f_code is getattr(test, "__code__", None):
            failed.append(issubclass(raised[0], AssertionError))
        return watch

    with traced(watch):
        run()
    return any(failed)


def made_in_words(value: Any, expected=()):
    """Describe a number as it is, an array by its shape and what is odd about it, and other things by what they are.

    expected: the kinds of floating-point numbers that need no mention.
    """
    if isinstance(value, PLAIN):
        return in_full(value) or f"a {type(value).__name__}"
    if isinstance(value, (tuple, list)):
        return _several(value)
    if isinstance(value, dict):
        return f"a dictionary of {len(value)} {_parts(value.values())}"
    array = to_array(value)
    if isinstance(array, np.ndarray) and array.dtype.kind in "fiub":
        return _array(array, "" if kind_of(value) in expected else kind_of(value))
    if hasattr(type(value), "state_dict"):
        return f"a layer, {type(value).__name__}"
    return "a function" if callable(value) else ""  # that has not been called yet


def in_full(value: Any):
    """Write a value as Python does, if that is short."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) < LONGEST else ""


def kind_of(value: Any):
    """Return what kind of numbers an array holds, or "" for other things."""
    return str(getattr(value, "dtype", "")).removeprefix("torch.")


def _array(array, kind):
    if not array.ndim:
        return f"{array.item():.4g}"
    is_odd = array.dtype.kind == "f" and not np.isfinite(array).all()
    oddity = ("with nan" if np.isnan(array).any() else "with ∞") if is_odd else ""
    return ", ".join(filter(None, [f"shape {array.shape}", kind, oddity]))


def _several(value):
    """Describe a shape as it is, and other tuples and lists by how many things they hold."""
    if isinstance(value, tuple) and all(isinstance(part, PLAIN) for part in value) and in_full(value):
        return in_full(value)
    if hasattr(value, "indices") and hasattr(value, "values"):
        return "a pair of tensors: values and indices"  # torch's maximum along a dimension
    kind = "a list of" if isinstance(value, list) else "a pair of" if len(value) == 2 else "a tuple of"
    number = "" if kind == "a pair of" else f" {len(value)}"
    return f"{kind}{number} {_parts(value)}"


def _parts(value):
    """Return what the parts are called, if they are all of a kind."""
    for attribute, name in (("detach", "tensors"), ("__array__", "arrays")):
        if value and all(hasattr(type(part), attribute) for part in value):
            return name
    return "things"
