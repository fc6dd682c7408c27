"""Names of students: as folders, in either order, as lists print them, and who is meant by one."""

import re
import unicodedata
from difflib import get_close_matches

import click

from .wording import cut, listed

MOST, MOST_BYTES = 128, 200  # characters, in the gradebook; bytes, in a file's name to which an ending is added
NO_MARKUP = str.maketrans("<>", "‹›")  # formgrader writes names into its pages as they are
STRANGE = frozenset('<>"&\\%#?*[]{}|:;`')  # with a meaning in a page, an address or a pattern
MISNAMED = (
    "%s cannot be the name of a student's folder: rename it. It may hold letters, digits, . _ - + @ , ' ( ), "
    f"and blanks inside, at most {MOST} characters or {MOST_BYTES} bytes, and begins with no dot"
)


def as_folder(text):
    """Turn a text into a name for a folder that is fit for any computer, and for nbgrader."""
    return re.sub(r"[^\w.@'+-]+", "_", composed(text)).strip("._") or "nameless"


def composed(text):
    """Return a text with each accent in its letter: macOS writes names of folders with accents of their own."""
    return unicodedata.normalize("NFC", text)


def letters(text):
    """Reduce a text to small letters and digits without accents, so that a name is the same however it is typed."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalnum()).casefold()


def names_in_any_order(name):
    """Return a name without blanks in both orders, whether it is written `Doe, Jane` or `Jane Doe`."""
    words = re.split(r"[,\s]+", name.strip())
    return {letters("".join(words[n:] + words[:n])) for n in (0, 1, len(words) - 1)} - {""}


def first_and_last(name):
    """Split `Doe, Jane` or `Jane Doe` into first and last name; a name of one word has an empty first name."""
    plain = "".join(c if c.isprintable() else " " for c in name).translate(NO_MARKUP)
    last, comma, first = plain.rpartition(",")
    if not comma:
        first, _, last = " ".join(plain.split()).rpartition(" ")
    return " ".join(first.split())[:MOST], " ".join(last.split())[:MOST]


def name_as_told(name):
    """Return a name as `Jane Doe`, in whichever order it is given."""
    return " ".join(filter(None, first_and_last(name)))


def whom(student, names):
    """Return `Jane Doe (12345)`, or the id alone if no name is known, or the name says the same."""
    name = names.get(student, "")
    return f"{name} ({student})" if as_folder(name).casefold() not in ("nameless", student.casefold()) else student


def trouble_with_name(student):
    """Return why no student can be graded under the name of a folder, and what to do; "" if the name is fine."""
    fits = student == student.strip() and student.isprintable() and STRANGE.isdisjoint(student)
    if fits and not student.startswith(".") and len(student) <= MOST and len(student.encode()) <= MOST_BYTES:
        return ""
    return MISNAMED % repr(cut(student))


def find_student(asked, told):
    """Return the id of whoever is meant, or raise ClickException. told: id -> as lists print it, `Jane Doe (12345)`."""
    if found := _meant(asked, told):
        return found
    if not told:
        raise click.ClickException("No student is known here yet: `mha collect` takes in what they hand in.")
    near = get_close_matches(asked, told.values()) or [who for who in told.values() if asked.lower() in who.lower()]
    advice = f"Perhaps {listed(near)}?" if near else f"There are {listed(told.values(), 20)}."
    raise click.ClickException(f"There is no student {asked!r} here. {advice}")


def find_students(asked, told):
    """Return the ids of the students who are meant; a name that fits none stays as it is, for the caller to report."""
    return [_meant(name, told) or name for name in asked]


def _meant(asked, told):
    """Return the id that is meant by an id, a name in either order, or both as `Jane Doe (12345)`; "" if none is."""
    if asked in told:
        return asked
    sought, found = letters(asked), []
    for student, whom in told.items():
        forms = {letters(student), letters(whom), *names_in_any_order(whom.removesuffix(f" ({student})"))}
        found += [student] if sought and sought in forms else []
    if len(found) > 1:
        raise click.ClickException(f"{asked} may be {listed((told[one] for one in found), 10)}. Give the id.")
    return found[0] if found else ""
