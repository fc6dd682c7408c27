"""Libraries that a worker lacks, because its lesson asks to write what they have ready.

Importing them is no mistake: what is found then has any name that one asks for, and does nothing but say so.
"""

import sys
from importlib.machinery import ModuleSpec


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
    """Let nobody find these.

    In a sandbox their folders are covered, too; elsewhere this is all, for people who are trusted anyway.
    """
    sys.meta_path.insert(0, Lacking(names))
    there = sorted({name.partition(".")[0] for name in sys.modules} & set(names))
    assert not there, f"a worker would have {', '.join(there)}"
