"""Turn a verdict into a card: HTML for notebooks, and plain text for everything else.

Cards use inline styles only: those survive in a notebook that somebody else ran and JupyterLab does not trust.
They are low and wide: after Shift + Enter the next cell is in the middle of the window, and the card above it.
"""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import fill, indent, shorten

import numpy as np
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ..judging.verdict import in_short
from ..pictures.comparison import comparison, first_difference, same_numbers
from ..pictures.picture import Figure
from ..shapes import axis_words, function_in_words, shape_in_words, words_of_result

FRAME = (
    "border:1px solid #8884;border-left:5px solid {colour};border-radius:4px;"
    "padding:0.6em 1em;margin:0.3em 0;max-width:66em;line-height:1.4;background:transparent;overflow-wrap:anywhere"
)
ROW = "display:flex;flex-wrap:wrap;gap:0.2em 1.5em;align-items:flex-start"
TEXT = "flex:1 1 20em;max-width:46em"  # so a figure of usual width has room beside it
LAST = "flex:1 0 auto;align-self:flex-end;text-align:right;font-size:0.9em"
COLOURS = {"right": "#2e8b57", "wrong": "#c77700", "waiting": "#808080", "hint": "#4a7ebb"}
# For code, a dark panel with colours of its own is legible in light and dark pages.
CODE = HtmlFormatter(style="github-dark", noclasses=True, nowrap=True)
PANEL = (
    "margin:0.3em 0;padding:0.7em 1em;border-radius:4px;overflow-x:auto;white-space:pre;line-height:1.45;"
    f"background:{CODE.style.background_color};color:#e6edf3"
)

LONGEST, ARROW = 80, "\n    → "  # characters of a line of code that are shown; before what it made
LONGEST_THAT_STOPS = 400
SMALL = 12  # numbers of an array that is shown whole, with all its axes
WHOLE = 60, SMALL, 0  # numbers of a table that is shown whole; next, where inputs are long; at last shapes alone
MOST_LINES, MOST_LINES_BESIDE_A_FIGURE, MOST_LINES_OF_INPUTS = 8, 4, 12  # of an input not folded, of all inputs


@dataclass(frozen=True, repr=False)
class Card:
    """A title, paragraphs, a figure, named blocks of fixed-width text, and such blocks that unfold on a click."""

    mood: str
    title: str
    text: str
    figure: Figure = None
    blocks: tuple = ()
    folded: tuple = ()
    lesson: str = ""  # where the text has its title, there is a link to it

    def _repr_html_(self):
        """Lay out the words and, beside them, the blocks, with a figure above; below both is what unfolds."""
        words = "".join(f'<p style="margin:0.3em 0">{marked_up(part)}</p>' for part in self.text.split("\n\n") if part)
        columns = [f'<div style="{TEXT}">{words}</div>'] if words else []
        blocks, last = [_block(*block) for block in self.blocks], [_fold(*block) for block in self.folded]
        if self.figure:
            blocks = [f'<div style="max-width:100%">{self.figure._repr_html_()}{"".join(blocks)}</div>']
        if self.figure or self.blocks or self.folded:  # may be higher than the screen: who sees the end sees the title
            last.append(f'<div style="{LAST}">{escape(self.title)}</div>')
        rows = "".join(f'<div style="{ROW}">{"".join(row)}</div>' for row in ([*columns, *blocks], last) if row)
        frame = FRAME.format(colour=COLOURS[self.mood])
        return linked(f'<div style="{frame}"><strong>{escape(self.title)}</strong>{rows}</div>', self.lesson)

    def __str__(self):
        paragraphs = [fill(" ".join(part.split()), width=76) for part in self.text.split("\n\n")]
        blocks = [f"{name.rstrip(':')}:\n{text}" for name, text in (*self.blocks, *self.folded)]
        return "\n\n".join(part for part in (self.title, *paragraphs, *blocks) if part)

    __repr__ = __str__


def marked_up(text):
    """Return HTML for text with `code` and *emphasis*, as docstrings write them."""
    pieces = escape(text, quote=False).split("`")
    pieces[::2] = [re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    return "".join(pieces)


def title(lesson):
    return lesson.removeprefix("lesson_").replace("_", " ")


def linked(html, lesson):
    """Make the title of a lesson a link to it, if it is beside this one."""
    if not Path(address := f"../{lesson}/{lesson}.ipynb").exists():
        return html
    words = f"lesson {title(lesson)}"
    return html.replace(words, f'<a href="{address}" style="text-decoration:underline">{words}</a>')


def _block(name, text):
    wrap = "pre" if "\n" in text else "pre-wrap"  # an array keeps its lines, a sentence need not
    style = f"margin:0.1em 0 0.4em 0;padding:0;border:0;background:transparent;overflow-x:auto;white-space:{wrap}"
    style += ";word-break:normal;overflow-wrap:anywhere"  # JupyterLab breaks within words
    heading = f"<em>{escape(name)}</em>" if name else ""
    pre = f'<pre tabindex="0" style="{style}">{escape(text)}</pre>'  # the keyboard can scroll it
    shown = text._repr_html_() if isinstance(text, Code) else pre
    return f'<div style="font-size:0.9em;max-width:100%">{heading}{shown}</div>'


def _fold(name, text):
    style = "display:list-item;font-size:0.9em"  # formgrader hides the triangle
    summary = f'<summary style="{style}">{escape(name)}</summary>'
    return f'<details style="max-width:100%">{summary}{_block("", text)}</details>'


class Code(str):
    """Python code: plain text, and in HTML a panel in colours."""

    def _repr_html_(self):
        return f'<pre tabindex="0" style="{PANEL}">{highlight(self, PythonLexer(), CODE)}</pre>'


class Mark(float):
    """Points. A notebook shows the card; nbgrader reads the number, which is therefore all that repr says."""

    def __new__(cls, points, card):
        mark = super().__new__(cls, points)
        mark.card = card
        return mark

    def _repr_html_(self):
        return self.card._repr_html_()


def verdict_card(verdict, task):
    """Return what a learner sees after a check."""
    if verdict.right:
        return Card("right", f"✓ {task.name}: right", verdict.message.removeprefix("Right.").strip())
    if verdict.reason == "unwritten":
        return Card("waiting", f"○ {task.name}: not {task.to_be} yet", verdict.message.partition(". ")[2])
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
    low = tuple(block for block in blocks if block[1].count("\n") < most)
    high = (block for block in blocks if block not in low)
    return dict(figure=figure, blocks=low, folded=(*high, *_lines(example), *(results if figure else ())))


def _inputs(example, exercise):
    """Show the inputs, without the weights that the judge put into a layer."""
    words, item = axis_words(exercise.reference), _item(example)
    shown = {n: x for n, x in example.inputs.items() if n in exercise.shown_parameters or not isinstance(x, np.ndarray)}
    weights = "" if len(shown) == len(example.inputs) else " (with weights of the judge)"
    left_out = [n for n, default in exercise.shown_parameters.items() if default is None and n not in example.inputs]
    for whole in WHOLE:
        inputs = [_named(name, _show(x, words.get(name, ()), item, _digits(x), whole)) for name, x in shown.items()]
        text = "\n".join(inputs + [f"{name} = None (not given)" for name in left_out])
        if text.count("\n") < MOST_LINES_OF_INPUTS:
            break
    # Where both are the same, a property went on from this input.
    shows_it = example.changed or not same_numbers(example.expected, example.got)
    yield f"{'Smallest input that shows it' if shows_it else 'An input on which we tried it'}{weights}", text


def _digits(x):
    """Return as many digits as an input needs: what is just below 1 does not look like 1, nor do two numbers alike."""
    if not isinstance(x, np.ndarray) or x.dtype.kind != "f" or x.size > SMALL:
        return 3
    if ((x > 1 - 1e-6) & (x < 1)).any():
        return 17
    return 3 if len(np.unique(x.round(3))) == len(np.unique(x)) else 7


def _results(example, axes):
    """Show both results with as many digits as tell them apart; nothing if they agree up to rounding."""
    if same_numbers(example.expected, example.got):
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
        same = same_numbers(example.inputs[name], x)
        yield f"What your code made of {name}", "the same numbers, but for the last digits" if same else _show(x)
    if example.printed:
        yield "What your code printed", example.printed


def _lines(example):
    """Show the learner's own run on this input: each line, and below it what it made."""
    told = []
    for line, made in example.lines:
        longest = LONGEST_THAT_STOPS if made.startswith("stops") else LONGEST  # the reason may be at its end
        shown = shorten(line, longest, placeholder=" ...") + (f"{ARROW}{made}" if made else "")
        told.append(indent(shown, line[: -len(line.lstrip())]))
    if told:
        yield "Your run on this input, line by line", "\n".join(told)


def _item(example):
    """Return the first item of a batch in which results differ, as an index of the axes in front of the last two."""
    first = first_difference(example.expected, example.got)
    return first[:-2] if first else ()


def _named(name, shown):
    return f"{name}: {shown}" if "\n" in shown else f"{name} = {shown}"


def _show(value, words=(), item=(), digits=3, whole=60):
    """Show arrays with axis words (of a batch, one item), functions by their docstrings, the rest as Python does.

    A dictionary of arrays, or several of them, are shown one by one. whole: numbers of a table that is shown in full.
    """
    if isinstance(value, (tuple, list)) and value and all(isinstance(entry, np.ndarray) for entry in value):
        results = [_show(entry, digits=digits, whole=whole) for entry in value]
        return "\n".join(_named(f"result {number}", result) for number, result in enumerate(results, 1))
    if isinstance(value, dict) and value and all(isinstance(entry, np.ndarray) for entry in value.values()):
        entries = [_named(f'"{name}"', _show(entry, digits=digits, whole=whole)) for name, entry in value.items()]
        return "\n".join([f"a dictionary with {len(entries)} {'entry' if len(entries) == 1 else 'entries'}", *entries])
    if isinstance(value, np.ndarray) and value.ndim:
        shape, shown = shape_in_words(value.shape, words), value
        if not whole and value.size > SMALL and value.dtype.kind == "f":  # what a mask blocks is seen all the same
            return shape
        if value.ndim > 2 and value.size > SMALL:
            place = tuple(int(i) % n for i, n in zip((*item, *[0] * value.ndim), value.shape[:-2]))
            shape, shown = f"{shape}, item {list(place)}:", value[place]
        options = dict(precision=digits, suppress_small=True, separator=", ")
        text = np.array2string(shown, threshold=whole or 60, edgeitems=1 if whole == SMALL else 2, **options)
        return f"{shape}\n{text}"
    if callable(value):
        return function_in_words(value)
    value = value.item() if isinstance(value, (np.ndarray, np.generic)) else value
    text = f"{value:.6g}" if isinstance(value, float) and not value.is_integer() else in_short(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."
