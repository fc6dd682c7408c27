"""The tasks of the installed course, and the lessons that are released, by name."""

import re
from difflib import get_close_matches
from functools import cache

from click import ClickException

from .course import UnknownExercise, installed
from .outline import outline

__all__ = ["EXERCISES", "LESSONS", "UnknownExercise", "UnknownLesson", "lesson_named"]

EXERCISES = installed().exercises
LESSONS = installed().released


class UnknownLesson(ClickException):
    """There is no lesson of that name, or more than one."""

    exit_code = 2  # as of whatever is typed wrongly


def lesson_named(name):
    """Return the lesson that somebody means by its number, its name, the beginning of either, or its printed title."""
    asked = _simple(name)
    exact = [lesson for lesson in LESSONS if asked in _names_of(lesson)]
    begun = exact or [lesson for lesson in LESSONS if asked and any(n.startswith(asked) for n in _names_of(lesson))]
    if len(begun) == 1:
        return begun[0]
    what = f"More than one lesson begins with {name}" if begun else f"There is no lesson {name!r}. Perhaps it is one of"
    raise UnknownLesson(f"{what}: {', '.join(begun or _near(name))}.")


def _simple(name):
    """Return what a name says: a title and a folder's name both give `3_masks`, and `03` gives `3`."""
    words = re.sub(r"[\W_]+", "_", name.casefold()).strip("_").removeprefix("lesson").strip("_")
    return re.sub(r"^0+(?=\d)", "", words)


def _names_of(lesson):
    """Return what a lesson may be called: `3_masks`, `3` and `masks`."""
    number, _, title = _simple(lesson).partition("_")
    return f"{number}_{title}", number, title


def _near(name):
    """Return the lessons whose names contain this or begin like it, or all lessons if there are none."""
    beginnings = get_close_matches(name, {lesson[: len(name)] for lesson in LESSONS})
    titles = get_close_matches(_simple(name), [_names_of(lesson)[2] for lesson in LESSONS])
    near = [x for x in LESSONS if name in x or x[: len(name)] in beginnings or _names_of(x)[2] in titles]
    return near or LESSONS


def varying(lesson):
    """Return the questions of a lesson that have variants."""
    return [task for task in EXERCISES.values() if task.lesson == lesson and getattr(task, "variants", None)]


@cache
def lacking(lesson):
    """Return the libraries that answers of this lesson may not use; from the first lesson in torch on, none."""
    in_torch = any(getattr(task, "library", "") == "torch" and task.lesson <= lesson for task in EXERCISES.values())
    return () if in_torch else outline().not_before_torch
