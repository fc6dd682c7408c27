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
TITLE = re.compile("(?m)^# # (?:Lesson )?(.*)$")  # in the text of a lesson
MARKUP = re.compile(r"\$(.+?)\$|`(.+?)`|\*(.+?)\*")  # formulas, code, words in italics


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
        shapes = takewhile(bool, (words_of_result(self.task.reference, place) for place in count()))
        in_words = re.findall(r"-> ([^.,;:(]+)", getdoc(self.task.reference))  # where it is no array
        return " → ".join(filter(None, map(", ".join, (goes_in, [*map(_shape, shapes)] or in_words[-1:]))))


def _shape(words):
    return re.sub(r"([·+/])", r" \1 ", f"({', '.join(words)})".replace("...", "…"))


def rows_of(course, lesson):
    """Return the rows that a lesson's sheet.toml makes, and its note; raise ClickException for a name that is none."""
    file = course.folder / lesson / SOURCE
    said = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    note, rows = said.pop("note", ""), []
    for name, about in said.items():
        names, [(mistake, why)] = (name, *about.get("also", ())), about["trap"].items()
        for task in set(names) - set(course.exercises):
            raise ClickException(f"{file}: there is no exercise {task!r}")
        if mistake not in {known.name for known in course.exercises[name].mistakes}:
            raise ClickException(f"{file}: {name} has no mistake {mistake!r}")
        rows.append(Row(course.exercises[name], names, about["formula"], name_in_words(mistake), why))
    return rows, note


def cheat_sheet(course, template="page.html"):
    """Return the page, a side for each part of the course; nothing if no lesson has a sheet.toml."""
    with_rows = [lesson for lesson in course.released if (course.folder / lesson / SOURCE).is_file()]
    begins = [*(course.outline.parts.values() or [""]), "~"]
    sides = [[lesson for lesson in with_rows if first <= lesson < end] for first, end in pairwise(begins)]
    titles = {name: TITLE.search(course.text(name).read_text(encoding="utf-8"))[1] for name in with_rows}
    sides = [[(titles[lesson], *rows_of(course, lesson)) for lesson in side] for side in sides]
    return TEMPLATES.get_template(template).render(title=course.outline.title, sides=sides) if with_rows else ""


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
