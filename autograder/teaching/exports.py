"""Names in the zip of submissions that a learning platform gives, and what it wants feedback to be called.

A platform finds out from the name of a file whom it belongs to; so a name that came from it goes back to it.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Entry:
    """A file that somebody handed in; who: the number that the platform knows them by."""

    name: str
    who: str


class Canvas:
    """`doejane_LATE_1234_567890_lesson_03_masks-1.ipynb`: of the parts, the first two numbers are looked at.

    Canvas shows feedback under the name of the submission, its ending too, whatever the file is
    (its issue 2406): what should open has to be of the same kind.
    """

    name = "Canvas"

    @staticmethod
    def entry(name):
        parts = [part for part in PurePosixPath(name).name.split("_") if part != "LATE"]
        numbers = parts[1:3] if parts[0] == "anon" else [part for part in parts if part.isdecimal()][:2]
        return Entry(name, numbers[0]) if len(numbers) == 2 and numbers[1].isdecimal() else None

    @staticmethod
    def feedback(entry, lesson):
        """(name in the zip, ending of the file to put there)."""
        name = PurePosixPath(entry.name).name
        return (name, ".ipynb") if name.endswith(".ipynb") else (f"{PurePosixPath(name).stem}.html", ".html")

    @staticmethod
    def remarks(entry):
        """What an instructor should know about it."""
        kind = PurePosixPath(entry.name).suffix
        return (
            []
            if kind == ".ipynb"
            else [f"{entry.name}: Canvas will call the page that; it opens once it ends in .html"]
        )


class Moodle:
    """`Jane Doe_1234_assignsubmission_file_/lesson.ipynb`, in older ones all in one name.

    Moodle looks at what stands in front of the file's own name.
    """

    name = "Moodle"
    PLACE = re.compile(r"(?:.*/)?([^/_]*_(\d+)_assignsubmission_file(?:_?/|_))[^/]+(?:/.*)?")

    @classmethod
    def entry(cls, name):
        found = cls.PLACE.fullmatch(name)
        return Entry(name, found[2]) if found else None

    @classmethod
    def feedback(cls, entry, lesson):
        return f"{cls.PLACE.fullmatch(entry.name)[1]}{lesson}.html", ".html"

    @staticmethod
    def remarks(entry):
        return []
