"""Make wrong versions of a reference from the mistakes that people make, and read the hints for each.

A reference composes later functions from earlier ones; each of its functions is a step, known here by its name.
So a mistake about a small step is, for free, a mistake about everything built on that step.
"""

from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from inspect import cleandoc, isfunction
from itertools import product
from operator import itemgetter
from pathlib import Path
from types import FunctionType
from typing import Any

from click import ClickException

HINTS = "hints.md"
OF_ENGINE = Path(__file__).with_name("judging") / "layers" / HINTS  # for faults that layers have in any course


class Refused(ValueError):
    """Raised by a wrong version that turns down an input that should work: on purpose, and not by accident."""


@dataclass(frozen=True, eq=False)
class Mistake:
    """What people get wrong: a name for the class report, a message for the learner, and hints that help against it."""

    name: str
    message: str
    course: Any = field(repr=False)
    function: FunctionType | None = None  # a wrong version of the step; None for what none can hold, such as a number
    step: str = ""
    on: tuple[str, ...] = ()  # tags of the edge cases that alone show it; none if ordinary ones do
    constants: dict[str, Any] = field(default_factory=dict)  # of a family ("divides by a fixed number": which one)

    @property
    def hints(self):
        return self.course.hints.get(self.name, ())


def mistake(*, on=(), **families):
    """Say more about a wrong version, which a function in a lesson's `misconceptions` is without this, too.

    on: tags of the edge cases that alone show it.
    families: `constant=(2, 8)` makes a version for each value of its keyword-only parameter. A second `mistake` below
    the first adds rarer ones, which come after all others of the step.
    """

    def noted(function):
        tags = (on,) if isinstance(on, str) else tuple(on)
        vars(function).setdefault("variants", []).insert(0, (tags, families))
        return function

    return noted


def written_in(module):
    """Yield (function, message, tags, constants) for each wrong version in a module; what begins with _ is a helper.

    They come as they stand there, and after all of them what a second `mistake` says of a function.
    """
    functions = [f for f in vars(module).values() if isfunction(f) and f.__module__ == module.__name__]
    wrong = [(f, vars(f).get("variants", [((), {})])) for f in functions if not f.__name__.startswith("_")]
    said = [(rank, function, *more) for function, variants in wrong for rank, more in enumerate(variants)]
    for _, function, tags, families in sorted(said, key=itemgetter(0)):
        for values in product(*families.values()):
            constants = dict(zip(families, values))
            yield function, _message(function, constants), tags, constants


def _message(function, constants):
    """Return what learners read: the docstring, with the constants of a family filled in."""
    try:
        return cleandoc(function.__doc__ or "").format(**constants)
    except (KeyError, IndexError, ValueError) as error:
        where = f"{function.__module__}: the docstring of {function.__name__}"
        raise ClickException(f"{where} has {{{error.args[0]}}}, which no @mistake gives") from None


@dataclass(eq=False)
class WrongVersion:
    """A step as written by somebody who makes one mistake, or two at once, in it or in what it is made of."""

    mistakes: tuple[Mistake, ...]
    step: str

    @cached_property
    def function(self):
        return self.mistakes[0].course.versions.wrong(self.step, *self.mistakes)

    @cached_property
    def exercise(self):
        """Return the Step of that name, or its Exercise."""
        return self.mistakes[0].course.steps[self.step]

    @cached_property
    def tags(self):
        """Return the tags of the edge cases that show it; none if every case does."""
        return {tag for mistake in self.mistakes for tag in mistake.on}


class Versions:
    """The right version of each step, and its wrong ones.

    right: step -> the function of the reference; modules: what the code of these functions may name.
    """

    def __init__(self, right, modules):
        self.right = right
        self._globals = {name: thing for module in modules for name, thing in vars(module).items()}
        # A wrong version checks nothing.
        self._globals |= {n: lambda *inputs, **named: None for n in self._globals if n.startswith("check_")}

    @cache
    def steps_of(self, step):
        """Return the steps that this one is made of: itself first, the nearest before the deeper."""
        found = [step]
        for part in found:  # which grows meanwhile
            named = self.right[part].__code__.co_names
            found += [called for called in named if called in self.right and called not in found]
        return tuple(found)

    def wrong(self, step, *mistakes):
        """Return a step as written by somebody who makes these mistakes.

        The steps that it is made of are copied into globals of their own, where those with a mistake are wrong.
        Inside a wrong version, the step's own name still means what it meant before.
        """
        world = dict(self._globals)
        world |= {part: _copy(self.right[part], world) for part in self.steps_of(step)}
        insides = []
        for mistake in mistakes:
            inside = dict(mistake.function.__globals__)
            insides.append((inside, mistake.step, world[mistake.step]))
            wrong = _copy(mistake.function, inside, mistake.constants)
            world[mistake.step] = _without_like(wrong)
        for inside, wrong_one, before in insides:
            inside |= world | {wrong_one: before}
        return world[step]


def _without_like(wrong):
    """Return a wrong version that is not told the library, as makers of masks are: it knows NumPy alone."""
    return lambda *inputs, like=None, **options: wrong(*inputs, **options)


def _copy(function, world, constants=None):
    copy = FunctionType(function.__code__, world, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = constants or function.__kwdefaults__
    return copy


def own_hints(course):
    """Return the hints that a course's lessons have: name -> hints, the broadest first."""
    found = {}
    for lesson in course.lessons:
        for name, hints in sections(course.folder / lesson / HINTS):
            if name in found:
                raise ClickException(f"{lesson}/{HINTS}: {name} has hints already; a name has them once in a course")
            found[name] = hints
    return found


def sections(file):
    """Yield each name of a file's headings, with the paragraphs below it, each on one line.

    A heading names whatever its hints help with: mistakes, faults of a class, or tasks. Each hint is a paragraph, in
    which each sentence has a line of its own.
    """
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    for section in f"\n{text}".split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        paragraphs = tuple(" ".join(part.split("\n")) for part in body.strip().split("\n\n"))
        yield from ((name.strip(), paragraphs) for name in heading.split(","))


def check_hints(course, names):
    """Raise ClickException unless these names, and in the lessons no others, have hints."""
    for name in sorted(own_hints(course).keys() - set(names)):
        near = get_close_matches(name, names, n=1)
        advice = f"did you mean {near[0]!r}?" if near else "no task, misconception or fault is called so"
        raise ClickException(f"{HINTS} has hints for {name!r}; {advice}")
    missing = [f"`## {name}`" for name in names if name not in course.hints]
    if missing:
        listed = ", ".join(missing)
        raise ClickException(f"{len(missing)} without hints: write sections {listed} in {HINTS} of their lessons")
