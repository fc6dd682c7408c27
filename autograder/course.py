"""A course: its lessons in order, what each asks, and the reference that answers are compared with.

Commands and notebooks use the installed course; others may be loaded beside it, since each exercise knows its own.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from pkgutil import resolve_name
from types import FunctionType

from click import ClickException

from .mistakes import OF_ENGINE, Versions, own_hints, sections
from .outline import folder_of, read_outline, where

_loading = ContextVar("the course whose lessons are being imported", default=None)


class Task:
    """Something to answer in a lesson; the course tells it its name and its lesson when it loads the lesson."""

    name = lesson = course = None
    to_be = "written"  # or answered

    @property
    def hints(self):
        """Return the hints that help with it, the broadest first."""
        return self.course.hints.get(self.name, ())


class UnknownExercise(KeyError):
    """There is no exercise of that name."""

    def __str__(self):
        return self.args[0]

    def _render_traceback_(self):  # in a notebook one line says it all
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class Hooks:
    """What the judge must know of a course beside its exercises; the defaults suit a course without such things."""

    hatched: Callable = lambda inputs, axes: None  # -> an array, True where a card hatches numbers; axes: of the result
    why_hatched: str = ""  # what a card says of these numbers
    optional_input: str = ""  # an input that may be left out, and decides much where it is given: "mask", say
    is_weight: Callable = lambda name: False  # whether an input of this name is what a layer learns, and is not given
    instead: dict = field(default_factory=dict)  # an input that may be left out -> what is done where it is
    relations: tuple = ()  # of wrong numbers to right ones: as in judging/differences.py, and they come after those
    edges: dict = field(default_factory=dict)  # tag of a case -> where that is, in the learner's words
    at_work: str = ""  # "package.module:name" of a dictionary: exercise -> what runs an answer at a later lesson's size
    nan_remarks: dict = field(default_factory=dict)  # tag -> a remark where a right answer's gradients are NaN there


class Course:
    """Everything that the engine must know of one course.

    package: the package whose folders `lesson_...` hold the lessons, and whose course.toml says the rest. In each
        lesson, `exercises` declares the tasks, and the folder `misconceptions` the wrong versions that people write;
        they are imported at the first look-up of `exercises`.
    """

    def __init__(self, package):
        self.package, self.outline = package, read_outline(package)
        self.lessons, self.released = self.outline.lessons, self.outline.released
        self.folder = self.outline.folder
        self.reference, self.layers = self.outline.reference, self.outline.layers
        self.declared = {}  # name -> the first Step of this name that was declared until now

    @cached_property
    def exercises(self):
        """Return the tasks by name."""
        token = _loading.set(self)  # to which belongs whatever is declared meanwhile
        try:
            return Exercises((task.name, task) for lesson in self.lessons for task in self._tasks_of(lesson))
        finally:
            _loading.reset(token)

    def _tasks_of(self, lesson):
        """Yield a lesson's tasks, and tell each its name and its lesson: both are written once, in the source."""
        declared = import_module(f"{self.package}.{lesson}.exercises")
        for file in sorted((self.folder / lesson).glob("misconceptions/[!_]*.py")):  # a lesson may have none
            if file.stem not in self.declared:
                raise ClickException(f"{file}: no lesson so far has a step {file.stem!r}; a file is named after one")
            self.declared[file.stem].take_mistakes(import_module(f"{self.package}.{lesson}.misconceptions.{file.stem}"))
        for name, task in vars(declared).items():
            if isinstance(task, Task) and vars(task).setdefault("lesson", lesson) == lesson:  # else of an earlier one
                task.name, task.course = name, self
                yield task

    @property
    def steps(self):
        """Return every Step by name, after all lessons have declared theirs."""
        len(self.exercises)  # which are there when all lessons are
        return self.declared

    def text(self, lesson):
        """Return the file with a lesson's text; where only the packages were installed, it does not exist."""
        return self.folder / lesson / "text" / "lesson.py"

    @cached_property
    def hooks(self):
        """Return what the judge must know of this course beside its exercises."""
        return import_module(self.outline.hooks).HOOKS if self.outline.hooks else Hooks()

    @cached_property
    def hints(self):
        """Return all hints by the names of what they help with; a course's own go before those of the engine."""
        return dict(sections(OF_ENGINE)) | own_hints(self)

    @cached_property
    def versions(self):
        """Return the functions of the reference that can be steps, and what makes wrong versions of them."""
        package, right = import_module(self.reference), {}
        modules, functional = ([*map(import_module, some)] for some in (self.outline.modules, self.outline.functional))
        for module in functional:
            right |= {n: f for n, f in vars(module).items() if getattr(f, "__module__", "") == module.__name__}
        right |= {name: f for name in package.__all__ if isinstance(f := getattr(package, name), FunctionType)}
        return Versions(right, modules + functional)


class Exercises(dict):
    """The tasks of a course by name."""

    def __missing__(self, name):
        near = get_close_matches(str(name), self, n=1)
        advice = f"did you mean {near[0]!r}?" if near else 'for a question, write its name in quotes: hint("name")'
        raise UnknownExercise(f"there is no exercise {name!r}; {advice}")


@cache
def installed():
    """Return the course that this process works for."""
    package, _, name = where().partition(":")
    folder_of(read_outline(package).reference)  # says what is wrong, if either cannot be found or used
    try:
        return resolve_name(where())
    except AttributeError:
        raise ClickException(f"The package {package!r} has no {name!r}; AUTOGRADER_COURSE names it") from None


def being_loaded():
    """Return the course whose lessons are being imported; a lesson imported alone belongs to the installed one."""
    return _loading.get() or installed()
