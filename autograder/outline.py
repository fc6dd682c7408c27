"""What a course says of itself in its course.toml: all that the build, the commands and the sandbox may know of it.

Whoever reads it imports no lesson.
"""

import os
import re
import sys
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from inspect import isfunction, signature
from pathlib import Path

from click import ClickException

INSTALLED = "mha_lessons:course"  # where the course is, unless AUTOGRADER_COURSE or a note in a kit says otherwise
NOTE = "installed_course.txt"  # beside this file, in the kit of another course


@dataclass(frozen=True)
class Outline:
    """The facts of course.toml.

    address: of the repository, as in "https://github.com/someone/course"; the first cell of each notebook installs it
        from there. Without one, that cell points learners to the README.
    programs: what learners get made of their own parts: a file in the course's folder -> the file of the reference with
        the text that it learns from, or "".
    entry: the tasks of a test in the first lesson, which says where to begin -> the lesson that teaches what each asks.
    worker: what learners' code finds while it is graded. `with`, exercise = modules, adds what these modules define as
        soon as the exercise was taught; `until`, exercise = module, puts a module's functions in the place of those of
        the same names, for as long as the exercise was not taught.
    """

    package: str  # of the lessons
    folder: Path  # where it is
    id: str  # the name of the folder that learners unpack
    title: str  # what the course calls itself
    reference: str  # the package of the reference; each name in its `__all__` can be a step
    address: str = ""
    modules: tuple = ()  # modules of the reference in which wrong versions of a step are put to work
    functional: tuple = ()  # modules of layers as pure functions, whose functions can be steps, too
    layers: str = ""  # the module of the reference's layers as classes
    hooks: str = ""  # the module whose `HOOKS` say what the judge must know beside the exercises
    parts: dict = field(default_factory=dict)  # name of a part -> its first lesson, for a course of several parts
    not_before_torch: tuple = ()  # libraries that have ready what lessons in NumPy ask to write
    programs: dict = field(default_factory=dict)
    entry: dict = field(default_factory=dict)
    worker: dict = field(default_factory=dict)

    @property
    def packages(self):
        """Return the packages that are ours, and not a learner's or a library's."""
        return "autograder", self.package, self.reference

    @property
    def folders(self):
        """Return package -> where it is, for all that are ours."""
        return {package: folder_of(package) for package in self.packages}

    @property
    def lessons(self):
        """Return the names of all lessons, in order, drafts among them."""
        return tuple(sorted(file.parent.name for file in self.folder.glob("lesson_*/exercises.py")))

    @property
    def released(self):
        """Return the lessons that learners get: all but those whose lesson.toml says `draft = true`."""
        return tuple(lesson for lesson in self.lessons if not self.about(lesson).get("draft"))

    def about(self, lesson):
        """Return what a lesson's lesson.toml says: whether it is a draft, and how many `minutes` it takes."""
        file = self.folder / lesson / "lesson.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def read_outline(package):
    """Return the Outline of a package of lessons, which is found, and not imported."""
    folder = folder_of(package)
    said = _said_in(folder / "course.toml")
    lists = {name: tuple(facts) for name, facts in said.items() if isinstance(facts, list)}
    return Outline(package=package, folder=folder, **said | lists)


def _said_in(file):
    """Return what a course.toml says; raise ClickException if it cannot be used."""
    known = {fact.name: fact.type for fact in fields(Outline) if fact.name not in ("package", "folder")}
    try:
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ClickException(f"A course needs a file course.toml beside its lessons: there is no {file}") from None
    except (ValueError, RecursionError) as wrong:
        raise ClickException(f"{file}: {wrong}") from None
    missing, unknown = {"id", "title", "reference"} - said.keys(), said.keys() - known.keys()
    if missing:
        raise ClickException(f"{file} must say `{min(missing)} = ...`")
    if unknown:
        raise ClickException(f"{file} says `{min(unknown)} = ...`; what it can say is {', '.join(sorted(known))}")
    for name, value in said.items():
        if wanted := _wanted(name, value, known[name]):
            raise ClickException(f"{file} says `{name} = {value!r}`; it should be {wanted}")
    return said


def _wanted(name, value, kind):
    """Return what course.toml should say in the place of this value; "" if it may be said."""
    if name == "id" and not re.fullmatch(r"\w[\w-]*", str(value)):
        return "a name of letters, digits, - and _, since learners get a folder of this name"
    if kind is str:
        return "" if isinstance(value, str) and value.isprintable() else "text on one line"
    if kind is tuple:
        return "" if isinstance(value, list) and all(isinstance(each, str) for each in value) else "a list of texts"
    return "" if isinstance(value, kind) else "a table"


def folder_of(package):
    """Return the folder of a package, which is found, and not imported."""
    spec = None
    with suppress(ImportError, ValueError):  # of a name that cannot be a package's
        spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ClickException(f"There is no package {package!r}: is its folder in PYTHONPATH, and its name right?")
    return Path(spec.submodule_search_locations[0])


@cache
def outline():
    """Return the Outline of the course that this process works for."""
    return read_outline(where().partition(":")[0])


def where():
    """Return where the course is that this process works for, as "package:name"; the name is `course` by default."""
    note = Path(__file__).with_name(NOTE)
    said = os.environ.get("AUTOGRADER_COURSE") or (note.read_text().strip() if note.is_file() else INSTALLED)
    return said if ":" in said else f"{said}:course"


def ours(name):
    """Return the course's version; in a lesson in torch, what it makes of sizes alone is a tensor."""
    homes = map(import_module, filter(None, (outline().reference, outline().layers)))
    thing = next((getattr(home, name) for home in homes if hasattr(home, name)), None)
    if thing is None:
        raise AttributeError(f"no lesson teaches {name!r}")
    asks = isfunction(thing) and "torch" in sys.modules and "like" in signature(thing).parameters
    return _in_tensors(thing) if asks else thing


def _in_tensors(function):
    import torch  # here: lessons in NumPy do not wait for it

    @wraps(function)
    def in_tensors(*inputs, **options):
        sizes_alone = not any(isinstance(given, torch.Tensor) for given in (*inputs, *options.values()))
        return function(*inputs, **({"like": torch.empty(0)} if sizes_alone else {}), **options)

    return in_tensors
