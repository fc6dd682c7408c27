"""Libraries that a worker lacks, because its lesson asks to write what they have ready."""

import sys


class Lacking:
    """Stands before all that finds modules, and says why these are not there."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        library = name.partition(".")[0]
        if library in self.names:
            raise ModuleNotFoundError(f"No {library} here: this lesson is written in NumPy", name=name)


def hide(names):
    """In a sandbox their folders are covered, too; elsewhere this is all, for people who are trusted anyway."""
    sys.meta_path.insert(0, Lacking(names))
    there = sorted({name.partition(".")[0] for name in sys.modules} & set(names))
    assert not there, f"a worker would have {', '.join(there)}"
