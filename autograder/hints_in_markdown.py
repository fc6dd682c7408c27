"""Hints, which authors write as Markdown in the folder of each lesson.

    ## fills_with_zero, fills_with_one
    The first hint gives the concept.
    Each sentence has a line of its own.

    The second hint gives the place.

    The third hint gives the line.

A heading names whatever its hints help with: misconceptions, faults of a class, or tasks.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from importlib.resources import files

from click import ClickException

NAME = "hints.md"


class WrongHints(ClickException):
    """Hints cannot be used as they are written; the message says where and why."""


class Hints(Mapping):
    """All hints of a course: name -> hints, the broadest first; they are read at the first look-up.

    For faults that layers have in any course, the engine has hints of its own, for which a course may have others.
    """

    def __init__(self, course):
        self._course = course

    @cached_property
    def _by_name(self):
        return dict(read((files("autograder.judging.layers") / NAME).read_text(encoding="utf-8"))) | self._own

    @cached_property
    def _own(self):
        found = {}
        for lesson, text in self._texts():
            for name, hints in read(text):
                if name in found:
                    raise WrongHints(f"{lesson}/{NAME}: {name} has hints already; a name has them once in a course")
                found[name] = hints
        return found

    def _texts(self):
        """Yield each lesson that has hints, and its file's text."""
        for lesson in self._course.lessons:
            file = files(import_module(f"{self._course.package}.{lesson}")) / NAME
            if file.is_file():
                yield lesson, file.read_text(encoding="utf-8")

    def check(self, names):
        """Raise WrongHints unless these names, and no others, have hints."""
        for name in self._own:
            if name not in names:
                near = get_close_matches(name, names, n=1)
                advice = f"did you mean {near[0]!r}?" if near else "no task, misconception or fault is called so"
                raise WrongHints(f"{NAME} has hints for {name!r}; {advice}")
        missing = [name for name in names if name not in self]
        if missing:
            listed = ", ".join(f"`## {name}`" for name in missing)
            raise WrongHints(f"{len(missing)} without hints: write sections {listed} in {NAME} of their lessons")

    def __getitem__(self, name):
        return self._by_name[name]

    def __iter__(self):
        return iter(self._by_name)

    def __len__(self):
        return len(self._by_name)


def read(text):
    """Yield each name of a file's headings, with the paragraphs below it, each on one line."""
    for section in ("\n" + text).split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        paragraphs = tuple(" ".join(part.split("\n")) for part in body.strip().split("\n\n"))
        for name in heading.split(","):
            yield name.strip(), paragraphs
