"""A course: its lessons in order, what each asks, and the reference that answers are compared with.

Commands and notebooks use the installed course; others may be loaded beside it, since each exercise knows its own.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from pkgutil import resolve_name
from types import FunctionType

from click import ClickException

from .mistakes import Mutants, read_hints
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
    optional_part: str = ""  # an input that may be left out, and decides much where it is given: "mask", say
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
        they are imported at the first look-up.
    """

    def __init__(self, package):
        self.package, self.outline = package, read_outline(package)
        self.lessons, self.released = self.outline.lessons, self.outline.released
        self.folder = self.outline.folder
        self.reference, self.layers = self.outline.reference, self.outline.layers
        self.exercises, self._steps = Exercises(self), {}

    @property
    def steps(self):
        """Return every Step by name, after all lessons have declared theirs."""
        self.exercises.load()
        return self._steps

    def declare(self, step):
        """Take in a Step; return the first of its name, with which it shares what people believe."""
        return self._steps.setdefault(step.step, step)

    def text(self, lesson):
        """Return the file with a lesson's text; where only the packages were installed, it does not exist."""
        return self.folder / lesson / "text" / "lesson.py"

    @cached_property
    def hooks(self):
        """Return what the judge must know of this course beside its exercises."""
        return import_module(self.outline.hooks).HOOKS if self.outline.hooks else Hooks()

    @cached_property
    def hints(self):
        """Return all hints by the names of what they help with."""
        return read_hints(self)

    @cached_property
    def mutants(self):
        """Return what makes wrong versions of the reference."""
        modules = map(import_module, (*self.outline.modules, *self.outline.functional))
        return Mutants(self._references(), modules)

    def _references(self):
        """Return the functions that can be steps, by name."""
        package = import_module(self.reference)
        modules = [(module, vars(import_module(module))) for module in self.outline.functional]
        own = {n: f for module, things in modules for n, f in things.items() if getattr(f, "__module__", "") == module}
        return own | {name: f for name in package.__all__ if isinstance(f := getattr(package, name), FunctionType)}


class Exercises(Mapping):
    """The tasks of a course by name, read-only."""

    def __init__(self, course):
        self._course = course

    def load(self):
        """Import all lessons, unless that is done."""
        return self._tasks

    @cached_property
    def _tasks(self):
        token = _loading.set(self._course)  # to which everything belongs that is declared meanwhile
        try:
            return {name: task for lesson in self._course.lessons for name, task in self._tasks_of(lesson)}
        finally:
            _loading.reset(token)

    def _tasks_of(self, lesson):
        """Yield a lesson's tasks, and tell each its name and its lesson: both are written once, in the source."""
        declared = import_module(f"{self._course.package}.{lesson}.exercises")
        for file in sorted((self._course.folder / lesson).glob("misconceptions/[!_]*.py")):  # a lesson may have none
            import_module(f"{self._course.package}.{lesson}.misconceptions.{file.stem}")  # they register with steps
        for name, task in vars(declared).items():
            if isinstance(task, Task):
                if vars(task).setdefault("lesson", lesson) == lesson:  # else it was imported from an earlier one
                    task.name, task.course = name, self._course
                    yield name, task

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
