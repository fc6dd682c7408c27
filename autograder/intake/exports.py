"""Names in the zip of submissions that a learning platform gives, and what it wants feedback to be called.

A platform finds out from the name of a file whom it belongs to; so a name that came from it goes back to it.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Entry:
    """A file that somebody handed in.

    who: the number that the platform knows them by; called: their name there; own: what they called the file;
    number: of the file, where there is one; takes: whether feedback can go there.
    """

    platform: type
    name: str
    who: str
    called: str
    own: str
    takes: bool
    number: int = 0
    late: bool = False


class Canvas:
    """`doejane_LATE_1234_567890_lesson_03_masks-1.ipynb`: the student's number, then that of the file.

    Where names are hidden, `anon_x7Kq2_567890_...`, with letters in the place of the first number.
    No number begins with 0: `lesson_NN_2026_doe.ipynb` is a name that somebody gave.
    Canvas shows feedback under the name of the submission, its ending too, whatever the file is
    (its issue 2406): what should open has to be of the same kind.
    """

    name = "Canvas"
    NAMED = re.compile(
        r"(?P<called>[^/]+?)_(?P<late>LATE_)?(?P<who>[1-9]\d*|(?:(?<=anon_)|(?<=anon_LATE_))[^/_]+)_"
        r"(?:(?P<number>[1-9]\d*)_(?P<own>[^/]+)|(?:text|link)\.html)"
    )

    @classmethod
    def entry(cls, name):
        """What a name says; None if it is none of Canvas'."""
        found = cls.NAMED.fullmatch(name)
        if found:
            number, late = int(found["number"] or 0), bool(found["late"])
            return Entry(cls, name, found["who"], found["called"], found["own"] or name, number > 0, number, late)

    @staticmethod
    def feedback(entry, lesson):
        """(name in the zip, ending of the file to put there)."""
        is_notebook = entry.name.endswith(".ipynb")
        return (entry.name, ".ipynb") if is_notebook else (f"{PurePosixPath(entry.name).stem}.html", ".html")

    @staticmethod
    def remarks(entry):
        """What an instructor should know about it."""
        if not entry.name.endswith(".ipynb"):
            yield f"{entry.name}: Canvas will call the page that; it opens once it ends in .html"


class Moodle:
    """`Jane Doe_1234_assignsubmission_file_/lesson.ipynb`, in older ones all in one name.

    Moodle looks at what stands in front of the file's own name. What is called so within another folder is a learner's.
    """

    name = "Moodle"
    NAMED = re.compile(
        r"(?P<front>(?P<called>[^/]+?)_(?P<who>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_?/|_?))(?P<own>.*)"
    )

    @classmethod
    def entry(cls, name):
        """What a name says; None if it is none of Moodle's."""
        found = cls.NAMED.fullmatch(name)
        if found:
            own = found["own"] or PurePosixPath(name).name
            return Entry(cls, name, found["who"], found["called"], own, found["kind"] == "file")

    @classmethod
    def feedback(cls, entry, lesson):
        return f"{cls.NAMED.fullmatch(entry.name)['front']}{lesson}.html", ".html"

    @staticmethod
    def remarks(entry):
        return ()


def entry_of(path):
    """Of whichever platform a path is; None if it is nobody's. Moodle's mark is a word, and Canvas' only numbers."""
    return Moodle.entry(str(path)) or Canvas.entry(str(path))
