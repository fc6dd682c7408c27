"""All there is to judge, by name."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from pathlib import Path

from .exercise import Exercise, Question, TestWriting
from .ordering import Ordering

KINDS = (Exercise, Question, Ordering, TestWriting)
LESSONS = tuple(sorted(file.stem for file in (Path(__file__).parent / "exercises").glob("lesson_*.py")))


class UnknownLesson(Exception):
    """There is no lesson of that name, or more than one."""


def lesson_named(name):
    """The one of this name, or the only one whose name begins like this: `lesson_02`."""
    begun = [lesson for lesson in LESSONS if lesson.startswith(name)]
    if name in LESSONS or len(begun) == 1:
        return name if name in LESSONS else begun[0]
    what = f"More than one lesson begins with {name}" if begun else f"There is no lesson {name!r}. Perhaps it is one of"
    raise UnknownLesson(f"{what}: {', '.join(begun or _near(name))}.")


def _near(name):
    """Those that have this in their names, or begin like it; else all."""
    beginnings = get_close_matches(name, {lesson[: len(name)] for lesson in LESSONS})
    return [lesson for lesson in LESSONS if name in lesson or lesson[: len(name)] in beginnings] or LESSONS


class UnknownExercise(KeyError):
    """There is no exercise of that name."""

    def __str__(self):
        return self.args[0]

    def _render_traceback_(self):  # in a notebook one line says it all
        return [f"{type(self).__name__}: {self}"]


class Catalogue(Mapping):
    """Read-only: name -> one of these kinds of tasks. The lessons' files are imported at the first look-up."""

    @cached_property
    def _tasks(self):
        return {name: task for lesson in LESSONS for name, task in _tasks_of(lesson)}

    def __getitem__(self, name):
        if name not in self._tasks:
            near = get_close_matches(str(name), self._tasks, n=1)
            advice = f"did you mean {near[0]!r}?" if near else 'for a question, write its name in quotes: hint("name")'
            raise UnknownExercise(f"there is no exercise {name!r}; {advice}")
        return self._tasks[name]

    def __contains__(self, name):
        return name in self._tasks

    def __iter__(self):
        return iter(self._tasks)

    def __len__(self):
        return len(self._tasks)


def _tasks_of(lesson):
    """A task learns its name and its lesson here: both are written once, as a variable's and a file's name."""
    for name, task in vars(import_module(f"autograder.exercises.{lesson}")).items():
        if isinstance(task, KINDS):
            if vars(task).setdefault("lesson", lesson) == lesson:  # else it was imported from an earlier one
                task.name = name
                yield name, task


EXERCISES = Catalogue()
