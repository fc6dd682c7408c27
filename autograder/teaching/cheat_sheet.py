"""A page to keep: every formula of a course, with its shapes and its trap, as HTML that prints and needs no network.

What a lesson's sheet.toml says of an exercise:

    [a_name]
    formula = 'TeX'
    trap.name_of_a_mistake = "what is wrong with it"
    also = ["another_name"]  # exercises that this row speaks for

`note`, at its top, explains the lesson's letters. Shapes come from the reference, titles from the lessons' texts.
"""

import re
import tomllib
from dataclasses import dataclass
from html import escape
from inspect import getdoc
from itertools import count, pairwise, takewhile
from pathlib import Path
from typing import Any

from click import ClickException
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..intake.wording import name_in_words
from ..shapes import axis_words, words_of_result
from .rendering import mathml

FILE, SOURCE = "cheat_sheet.html", "sheet.toml"
MARKUP = re.compile(r"\$(.+?)\$|`(.+?)`|\*(.+?)\*")  # formulas, code, words in italics


class WrongSheet(ClickException):
    """A sheet.toml cannot be used; the message says where and why."""


@dataclass(frozen=True)
class Row:
    """What the page says of a task. names: its own, and those of others that it speaks for."""

    task: Any
    names: tuple
    formula: str
    trap: str
    why: str

    @property
    def shapes(self):
        """Return what goes in and what comes out, in axis words; a layer's weights are inside it."""
        said, inputs = axis_words(self.task.reference), self.task.shown_parameters
        alike = {}
        for name in (name for name in inputs if name in said):
            alike.setdefault(said[name], []).append(name)
        goes_in = [f"{', '.join(names)} {_shape(words)}" for words, names in alike.items()] or inputs
        return " → ".join(filter(None, [", ".join(goes_in), _result(self.task.reference)]))


def _result(reference):
    """Return the shapes of what it returns, or the words that its docstring has for that."""
    shapes = takewhile(bool, (words_of_result(reference, place) for place in count()))
    said = re.findall(r"-> ([^.,;:(]+)", getdoc(reference))
    return ", ".join(map(_shape, shapes)) or (said[-1] if said else "")


def _shape(words):
    return re.sub(r"([·+/])", r" \1 ", f"({', '.join(words)})".replace("...", "…"))


def rows_of(course, lesson):
    """Return the rows that a lesson's sheet.toml makes, and its note."""
    file = course.folder / lesson / SOURCE
    said = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    note = said.pop("note", "")
    return [_row(course, name, file, **about) for name, about in said.items()], note


def _row(course, name, file, formula, trap, also=()):
    """Make a row, if the tasks that it names are there, and its trap is a mistake that their checks know."""
    [(mistake, why)] = trap.items()
    for task in {name, *also} - set(course.exercises):
        raise WrongSheet(f"{file}: there is no exercise {task!r}")
    if mistake not in {known.name for known in course.exercises[name].mistakes}:
        raise WrongSheet(f"{file}: {name} has no mistake {mistake!r}")
    return Row(course.exercises[name], (name, *also), formula, name_in_words(mistake), why)


def cheat_sheet(course, template="page.html"):
    """Return the page, a side for each part of the course; nothing if no lesson has a sheet.toml."""
    with_rows = [lesson for lesson in course.released if (course.folder / lesson / SOURCE).is_file()]
    begins = [*(course.outline.parts.values() or [""]), "~"]
    sides = [[lesson for lesson in with_rows if first <= lesson < end] for first, end in pairwise(begins)]
    sides = [[(_title(course, lesson), *rows_of(course, lesson)) for lesson in side] for side in sides]
    return TEMPLATES.get_template(template).render(title=course.outline.title, sides=sides) if with_rows else ""


def _title(course, lesson):
    return re.search("(?m)^# # (?:Lesson )?(.*)$", course.text(lesson).read_text(encoding="utf-8"))[1]


def marked_up(text):
    def html(found):
        tex, code, sloping = found.groups()
        return mathml(tex) if tex else f"<code>{code}</code>" if code else f"<i>{sloping}</i>"

    return Markup(MARKUP.sub(html, escape(text, quote=False)))


def formula(tex):
    """Return TeX as MathML, which may begin a new line wherever there is a \\quad or a \\qquad."""
    return Markup(" ".join(map(mathml, re.split(r"\\q?quad", tex))))


HERE = Path(__file__).parent / "templates" / "cheat_sheet"
TEMPLATES = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
TEMPLATES.filters |= {"marked_up": marked_up, "formula": formula}
