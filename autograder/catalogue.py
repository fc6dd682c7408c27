"""The tasks of the installed course, and the lessons that are released, by name."""

import re
from difflib import get_close_matches
from functools import cache

from click import ClickException

from .course import installed
from .outline import outline

EXERCISES = installed().exercises
LESSONS = installed().released


class UnknownLesson(ClickException):
    """There is no lesson of that name, or more than one."""

    exit_code = 2  # as of whatever is typed wrongly


def lesson_named(name):
    """Return the lesson that somebody means by its number, its name, the beginning of either, or its printed title."""
    asked, names = _simple(name), {}
    for lesson in LESSONS:
        number, _, title = _simple(lesson).partition("_")
        names |= dict.fromkeys((f"{number}_{title}", number, title), lesson)
    if asked in names:
        return names[asked]
    begun = [called for called in names if asked and called.startswith(asked)]
    inside = [called for called in names if asked and asked in called]
    near = begun or inside or get_close_matches(asked, names, cutoff=0.7)
    lessons = list(dict.fromkeys(names[called] for called in near))
    if begun and len(lessons) == 1:
        return lessons[0]
    what = f"More than one lesson begins with {name}" if begun else f"There is no lesson {name!r}. Perhaps it is one of"
    raise UnknownLesson(f"{what}: {', '.join(lessons or LESSONS)}.")


def _simple(name):
    """Return what a name says: a title and a folder's name both give `3_masks`, and `03` gives `3`."""
    words = re.sub(r"[\W_]+", "_", name.casefold()).strip("_").removeprefix("lesson").strip("_")
    return re.sub(r"^0+(?=\d)", "", words)


def varying(lesson):
    """Return the questions of a lesson that have variants."""
    return [task for task in EXERCISES.values() if task.lesson == lesson and getattr(task, "variants", None)]


@cache
def lacking(lesson):
    """Return the libraries that answers of this lesson may not use; from the first lesson in torch on, none."""
    in_torch = any(getattr(task, "library", "") == "torch" and task.lesson <= lesson for task in EXERCISES.values())
    return () if in_torch else outline().not_before_torch
