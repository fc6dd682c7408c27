"""Libraries that a worker lacks, because its lesson asks to write what they have ready.

Importing them is no mistake: what is found then has any name that one asks for, and does nothing but say so.
"""

import ast
import sys
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

WHY = "it is not installed where submissions are graded"
REMARK = "There is no `{}` where submissions are graded. This cell runs without it, as far as that goes.\n"


class Absent(type):
    """The type of all names in such a library: classes, so that `isinstance` and annotations work."""

    def __getattr__(cls, name):
        return absent(cls._library, name, cls._why)

    def __call__(cls, *_, **__):
        raise ModuleNotFoundError(f"No {cls._library} here: {cls._why}", name=cls._library)


def absent(library, name, why):
    if name.startswith("_") or name == "dtype":  # protocols: NumPy asks everything whether it has one
        raise AttributeError(name)
    return Absent(name, (), {"_library": library, "_why": why})


class Lacking:
    """Makes empty modules for these names; it says why they are."""

    def __init__(self, names, why="this lesson is written in NumPy"):
        self.names, self.why = names, why

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        library = module.__name__.partition(".")[0]
        module.__getattr__ = lambda name: absent(library, name, self.why)


def hide(names):
    """Make these modules impossible to import.

    In a sandbox their folders are covered, too; elsewhere this is all, for people who are trusted anyway.
    """
    sys.meta_path.insert(0, Lacking(names))
    there = sorted({name.partition(".")[0] for name in sys.modules} & set(names))
    assert not there, f"a worker would have {', '.join(there)}"


def forgive():
    """Let imports of what is missing succeed, from now on; returns what says of a cell which those are."""
    missing = Missing()
    sys.meta_path += [Progress(), missing]
    return missing


class Missing(Lacking):
    """The last finder of modules, which makes empty ones for names that no other has found."""

    def __init__(self):
        super().__init__(set(), WHY)

    def remarks_on(self, code, transformed):
        """Say which packages a cell imports that are missing; from now on they can be imported, and are empty.

        transformed: a function that makes Python of a cell with magics.
        """
        new = {name for name in _imported(code, transformed) if name not in self.names and _is_nowhere(name)}
        self.names |= new
        return "".join(REMARK.format(name) for name in sorted(new))


def _imported(code, transformed):
    """Return the packages that a cell imports and relies on, which it does not within a `try` with an `except`."""
    try:
        queue = [_parsed(code, transformed)] if "import" in code else []
    except (SyntaxError, ValueError, RecursionError):
        return
    while queue:
        node = queue.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]
        elif not isinstance(node, (ast.Try, ast.TryStar)):
            queue += ast.iter_child_nodes(node)


def _parsed(code, transformed):
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.parse(transformed(code))


def _is_nowhere(name):
    with suppress(ValueError, ImportError):
        return name not in sys.modules and find_spec(name) is None
    return False


class Progress(Lacking):
    """Makes a tqdm whose loops run, and show nothing."""

    def __init__(self):
        super().__init__({"tqdm"}, WHY)

    def exec_module(self, module):
        module.tqdm = module.tqdm_notebook = tqdm
        module.trange = module.tnrange = lambda *bounds, **_: tqdm(range(*bounds))


class tqdm:
    """Goes through a loop. Its other methods do nothing, and take whatever they are given."""

    def __init__(self, iterable=(), *_, **__):
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: None

    @staticmethod
    def write(text, *_, **__):
        print(text)
