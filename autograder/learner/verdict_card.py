"""A verdict as a card: what is wrong, the smallest input that shows it, what should come out, and what did."""

from textwrap import shorten

import numpy as np

from ..exercise import Question
from ..judging.verdict import in_short
from ..ordering import Ordering
from ..pictures.comparison import agree, comparison, first_difference
from ..shapes import axis_words, function_in_words, shape_in_words, words_of_result
from .card import Card

LONGEST, ARROW = 80, "\n    → "  # characters of a line of code that are shown; before what it made
LONGEST_THAT_STOPS = 400
SMALL = 12  # numbers of an array that is shown whole, with all its axes
MOST_LINES, MOST_LINES_BESIDE_A_FIGURE = 8, 4  # of an input that is not folded


def verdict_card(verdict, task):
    """Return what a learner sees after a check."""
    if verdict.right:
        return Card("right", f"✓ {task.name}: right", verdict.message.removeprefix("Right.").strip())
    if verdict.reason == "unwritten":
        state = "answered" if isinstance(task, (Question, Ordering)) else "written"
        further = verdict.message.partition(". ")[2]
        return Card("waiting", f"○ {task.name}: not {state} yet", further)
    title = f"✗ {task.name}: not yet" if verdict.score == 0 else f"◐ {task.name}: {verdict.score:.0%} there"
    which = verdict.example.which if verdict.example else ""  # of several results is shown
    which = "" if which in verdict.message else which
    message = "\n\n".join(filter(None, (verdict.right_so_far, verdict.message, which)))
    return Card("wrong", title, message, **(_shown(verdict.example, task) if verdict.example else {}))


def _shown(example, exercise):
    """Return the smallest input that shows the mistake, what should come out, what did, and what else happened."""
    axes = words_of_result(exercise.reference, example.place)
    hooks = exercise.course.hooks
    figure = comparison(example.expected, example.got, axes, hooks.hatched(example.inputs, axes), hooks.why_hatched)
    results = tuple(_results(example, axes))
    blocks = *_inputs(example, exercise), *(() if figure else results), *_besides(example)
    most = MOST_LINES_BESIDE_A_FIGURE if figure else MOST_LINES
    low, high = [], []
    for name, text in blocks:
        (low if text.count("\n") < most else high).append((name, text))
    return dict(figure=figure, blocks=tuple(low), folded=(*high, *_lines(example), *(results if figure else ())))


def _inputs(example, exercise):
    """Show the inputs, without the weights that the judge put into a layer."""
    words, item = axis_words(exercise.reference), _item(example)
    shown = {n: x for n, x in example.inputs.items() if n in exercise.shown_parameters or not isinstance(x, np.ndarray)}
    weights = "" if len(shown) == len(example.inputs) else " (with weights of the judge)"
    inputs = [_named(name, _show(x, words.get(name, ()), item, _digits(x))) for name, x in shown.items()]
    left_out = [n for n, default in exercise.shown_parameters.items() if default is None and n not in example.inputs]
    inputs += [f"{name} = None (not given)" for name in left_out]
    yield f"Smallest input that shows it{weights}", "\n".join(inputs)


def _digits(x):
    """Return as many digits as an input needs: what is just below 1 does not look like 1."""
    just_below = isinstance(x, np.ndarray) and x.dtype.kind == "f" and ((x > 1 - 1e-6) & (x < 1)).any()
    return 17 if just_below and x.size <= SMALL else 3


def _results(example, axes):
    """Show both results with as many digits as tell them apart; nothing if they agree up to rounding."""
    if agree(example.expected, example.got):
        return
    item = _item(example)
    for digits in (3, 6, 12):
        got = _show(example.got, (), item, digits)
        if got != _show(example.expected, (), item, digits):
            yield "What should come out", _show(example.expected, axes, item, digits)
            yield "What your code gave", got
            return


def _besides(example):
    for name, x in example.changed.items():
        same = agree(example.inputs[name], x)
        yield f"What your code made of {name}", "the same numbers, but for the last digits" if same else _show(x)
    if example.printed:
        yield "What your code printed", example.printed


def _lines(example):
    """Show the learner's own run on this input: each line, and below it what it made."""
    told = []
    for line, made in example.lines:
        longest = LONGEST_THAT_STOPS if made.startswith("stops") else LONGEST  # the reason may be at its end
        told.append(shorten(line, longest, placeholder=" ...") + (f"{ARROW}{made}" if made else ""))
    if told:
        yield "Your run on this input, line by line", "\n".join(told)


def _item(example):
    """Return the first item of a batch in which results differ, as an index of the axes in front of the last two."""
    first = first_difference(example.expected, example.got)
    return first[:-2] if first else ()


def _named(name, shown):
    return f"{name}: {shown}" if "\n" in shown else f"{name} = {shown}"


def _show(value, words=(), item=(), digits=3):
    """Show arrays with axis words (of a batch, one item), functions by their docstrings, the rest as Python does.

    A dictionary of arrays is shown entry by entry.
    """
    if isinstance(value, dict) and value and all(isinstance(entry, np.ndarray) for entry in value.values()):
        entries = [_named(f'"{name}"', _show(entry, digits=digits)) for name, entry in value.items()]
        return "\n".join([f"a dictionary with {len(entries)} {'entry' if len(entries) == 1 else 'entries'}", *entries])
    if isinstance(value, np.ndarray) and value.ndim:
        shape, shown = shape_in_words(value.shape, words), value
        if value.ndim > 2 and value.size > SMALL:
            place = tuple(int(i) % n for i, n in zip((*item, *[0] * value.ndim), value.shape[:-2]))
            shape, shown = f"{shape}, item {list(place)}:", value[place]
        text = np.array2string(shown, precision=digits, suppress_small=True, threshold=60, edgeitems=2, separator=", ")
        return f"{shape}\n{text}"
    if callable(value):
        return function_in_words(value)
    value = value.item() if isinstance(value, (np.ndarray, np.generic)) else value
    text = f"{value:.6g}" if isinstance(value, float) and not value.is_integer() else in_short(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."
