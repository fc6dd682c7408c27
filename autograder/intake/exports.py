"""The names of files in a platform's zip of submissions, and the names that the platform wants for feedback.

A platform tells from a file's name whom it belongs to, so a name that came from the platform goes back to it.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Entry:
    """A file that a student handed in.

    who: the number by which the platform knows the student; called: the student's name there.
    own: the student's own name for the file; number: the file's number, 0 if it has none.
    takes: whether feedback can be returned for it; late: whether the platform marked it as late.
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
    """Canvas' names: `doejane_LATE_1234_567890_lesson_03_masks-1.ipynb` has the student's number, then the file's.

    Where names are hidden, `anon_x7Kq2_567890_...` has letters in the place of the first number.
    No number begins with 0: `lesson_NN_2026_doe.ipynb` is a name that a person chose.
    Canvas shows feedback under the name of the submission, including its ending, whatever the file is
    (its issue 2406): a file that should open has to be of the same kind.
    """

    name = "Canvas"
    NAMED = re.compile(
        r"(?P<called>[^/]+?)_(?P<late>LATE_)?(?P<who>[1-9]\d*|(?:(?<=anon_)|(?<=anon_LATE_))[^/_]+)_"
        r"(?:(?P<number>[1-9]\d*)_(?P<own>[^/]+)|(?:text|link)\.html)"
    )

    @classmethod
    def entry(cls, name):
        """Return the Entry that a name describes; None if it is not one of Canvas' names."""
        found = cls.NAMED.fullmatch(name)
        if found:
            number, late = int(found["number"] or 0), bool(found["late"])
            return Entry(cls, name, found["who"], found["called"], found["own"] or name, number > 0, number, late)

    @staticmethod
    def feedback(entry, lesson):
        """Return (name in the zip, ending of the file to put there)."""
        is_notebook = entry.name.endswith(".ipynb")
        return (entry.name, ".ipynb") if is_notebook else (f"{PurePosixPath(entry.name).stem}.html", ".html")

    @staticmethod
    def remarks(entry):
        """Yield what an instructor should know about the feedback for an entry."""
        if not entry.name.endswith(".ipynb"):
            yield f"{entry.name}: Canvas will call the page that; it opens once it ends in .html"


class Moodle:
    """Moodle's names: `Jane Doe_1234_assignsubmission_file_/lesson.ipynb`, without a folder in older versions.

    Moodle reads what comes before the file's own name.
    A file with such a name inside another folder is one that a learner named.
    """

    name = "Moodle"
    NAMED = re.compile(
        r"(?P<front>(?P<called>[^/]+?)_(?P<who>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_?/|_?))(?P<own>.*)"
    )

    @classmethod
    def entry(cls, name):
        """Return the Entry that a name describes; None if it is not one of Moodle's names."""
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


def entry_of(platform, path):
    """Return the Entry of a path, or None: the outermost name that says whose it is was no learner's choice."""
    parts = PurePosixPath(path).parts
    entries = (platform.entry("/".join(parts[n:])) for n in range(len(parts)))
    return next(filter(None, entries), None)
