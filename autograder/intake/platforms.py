"""What learning platforms export and take back: zips, whose names of files say whose they are, and tables of marks."""

import codecs
import csv
import io
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from click import ClickException

from .wording import points

ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
EMAIL = re.compile(r"[^\s@]+@[^\s@]+")
PARTICIPANT = re.compile(r"([^\d@]*?)\s*(\d+)")  # `Participant 1234`, in German `Teilnehmer/in1234`


@dataclass(frozen=True)
class Entry:
    """A file that a student handed in.

    who: the number by which the platform knows the student; called: the student's name there.
    own: the student's own name for the file; number: the file's number, 0 if it has none.
    takes: whether feedback can be returned for it; late: whether the platform marked it as late.
    """

    name: str
    who: str
    called: str
    own: str
    takes: bool
    number: int = 0
    late: bool = False


class OfCanvas:
    """Canvas' names: `doejane_LATE_1234_567890_lesson_03_masks-1.ipynb` has the student's number, then the file's.

    Where names are hidden, `anon_x7Kq2_567890_...` has letters in the place of the first number.
    No number begins with 0: `lesson_NN_2026_doe.ipynb` is a name that a person chose.
    Canvas shows feedback under the name of the submission, including its ending, whatever the file is
    (its issue 2406): a file that should open has to be of the same kind.
    Its table is the gradebook: a column for each assignment, with the points that can be reached above the students.
    """

    name = "Canvas"
    table, several = "Canvas' gradebook", True
    stays = "EX", "N/A"  # the student is excused, or need not do the assignment
    NAMED = re.compile(
        r"(?P<called>[^/]+?)_(?P<late>LATE_)?(?P<who>[1-9]\d*|(?:(?<=anon_)|(?<=anon_LATE_))[^/_]+)_"
        r"(?:(?P<number>[1-9]\d*)_(?P<own>[^/]+)|(?:text|link)\.html)"
    )

    def entry(self, name):
        """Return the Entry that a name describes; None if it is not one of Canvas' names."""
        if found := self.NAMED.fullmatch(name):
            number, late = int(found["number"] or 0), bool(found["late"])
            return Entry(name, found["who"], found["called"], found["own"] or name, number > 0, number, late)

    def feedback(self, entry, lesson):
        """Return (name in the zip, ending of the file to put there, what an instructor should know of it)."""
        if entry.name.endswith(".ipynb"):
            return entry.name, ".ipynb", ()
        remark = f"{entry.name}: Canvas will call the page that; it opens once it ends in .html"
        return f"{PurePosixPath(entry.name).stem}.html", ".html", (remark,)

    def ids(self, sheet):
        return [name for name in ("SIS Login ID", "SIS User ID", "ID") if name in sheet.header]

    def who(self, sheet, row, name):
        """Return what the column `name` says of a row's student; "" for Canvas' own test student."""
        return "" if sheet.value(row, 0) == "Student, Test" else sheet.value(row, sheet.header.index(name))

    def columns(self, sheet, lesson):
        """Return the titles of all assignments, which end in a number, and of those that are called like the lesson."""
        titles = [title for title in sheet.header if re.search(r"\(\d+\)$", title)]
        return titles, called_like(lesson, titles)

    def most(self, sheet, column):
        """Return the set of points that can be reached in a column, as they are written."""
        tops = [row for row in range(len(sheet.rows)) if sheet.value(row, 0) == "Points Possible"]
        return {sheet.value(row, column) for row in tops}


class OfMoodle:
    """Moodle's names: `Jane Doe_1234_assignsubmission_file_/lesson.ipynb`, without a folder in older versions.

    Moodle reads what comes before the file's own name.
    A file with such a name inside another folder is one that a learner named.
    Its table is the worksheet of one assignment, in the language of whoever exported it.
    What its columns hold says which is which; the points that can be reached stand beside the grade (gradingtable.php).
    """

    name = "Moodle"
    table, several = "Moodle's grading worksheet", False
    stays = ()
    # As Moodle's language packs have them: English, Dutch, French, German, Italian, Portuguese of Brazil, Spanish.
    HIDDEN = "participant", "deelnemer", "teilnehmer", "partecipante"  # how what stands before a number begins
    GRADES = "grade", "cijfer", "note", "bewertung", "valutazione", "nota", "calificación"
    NAMES = "full name", "volledige naam", "nom complet", "vollständiger name", "nome"
    NAMES += "nome completo", "nombre completo"
    NAMED = re.compile(r"(?P<front>(?P<called>[^/]+?)_(?P<who>\d+)_assignsubmission_(?P<kind>[a-z]+)_?/?)(?P<own>.*)")

    def entry(self, name):
        """Return the Entry that a name describes; None if it is not one of Moodle's names."""
        if found := self.NAMED.fullmatch(name):
            own = found["own"] or PurePosixPath(name).name
            return Entry(name, found["who"], found["called"], own, found["kind"] == "file")

    def feedback(self, entry, lesson):
        return f"{self.NAMED.fullmatch(entry.name)['front']}{lesson}.html", ".html", ()

    def ids(self, sheet):
        """Return the titles of the participant's number and of whatever else is left of the grade."""
        number = sheet.participants
        if number is None or len(sheet.header) == 1 or sheet.header[0] == "Student":  # Canvas' gradebook
            return []
        grade = next((n for n, title in enumerate(sheet.header) if title.casefold() in self.GRADES), None)
        others = [title for n, title in enumerate(sheet.header[:grade]) if n != number]
        return [sheet.header[number], *others]

    def who(self, sheet, row, name):
        column = sheet.header.index(name)
        value = sheet.value(row, column)
        return PARTICIPANT.sub(r"\2", value) if column == sheet.participants else value

    def columns(self, sheet, lesson):
        return sheet.header[1:], [title for title in sheet.header if title.casefold() in self.GRADES]

    def people(self, sheet):
        """Return column -> what it tells about a student; an empty dict if this is no worksheet."""
        titles = dict(enumerate(title.strip().casefold() for title in sheet.header))
        numbers = sheet.values(sheet.participants) if sheet.participants is not None else [""]
        if not numbers[0].casefold().startswith(self.HIDDEN):
            return {}
        found = {n: "name" for n, title in titles.items() if title in self.NAMES}
        found |= {n: "time" for n, title in titles.items() if title == "last modified (submission)"}
        found |= {n: "email" for n in titles if (each := sheet.values(n)) and all(map(EMAIL.fullmatch, each))}
        return found | {sheet.participants: "participant"}

    def most(self, sheet, column):
        return {value for value in sheet.values(column + 1) if re.fullmatch(r"[\d.,]+", value)}


Canvas, Moodle = OfCanvas(), OfMoodle()


def called_like(lesson, titles):
    """Return the titles that have the lesson's name in them, or else those with its number: `Lesson 3 (1234)`."""
    number = re.search(r"\d+", lesson)
    short = rf"\blesson 0*{int(number[0])}\b" if number else r"(?!)"
    whole = [title for title in titles if _words(lesson) in _words(title)]
    return whole or [title for title in titles if re.search(short, _words(title))]


def _words(title):
    return " ".join(re.findall(r"[a-z0-9]+", title.casefold()))


def entry_of(platform, path):
    """Return the Entry of a path, or None: the outermost name that says whose it is was no learner's choice."""
    parts = PurePosixPath(path).parts
    entries = (platform.entry("/".join(parts[n:])) for n in range(len(parts)))
    return next(filter(None, entries), None)


class Sheet:
    """The rows of a table; it is written in the encoding, with the separator and the ends of lines that it came in."""

    def __init__(self, file):
        try:
            self._read(Path(file).read_bytes())
        except (ValueError, OSError, csv.Error) as error:
            raise ClickException(f"{file} cannot be read: {error}.") from None

    def _read(self, data):
        likely = next((name for bom, name in ENCODINGS.items() if data.startswith(bom)), "utf-8")
        for self.encoding in (likely, "cp1252", "latin-1"):  # the last one reads anything, and writes what it read
            with suppress(UnicodeDecodeError):
                text = data.decode(self.encoding)
                break
        if "\0" in text:
            raise ValueError("it is not text")
        first = text.partition("\n")[0]
        self.about = {"delimiter": max(",;\t", key=first.count)}
        self.about["lineterminator"] = "\r\n" if first.endswith("\r") else "\n"
        self.rows = list(csv.reader(io.StringIO(text, newline=""), **self.about)) or [[""]]
        self.header = self.rows[0]

    def __bytes__(self):
        text = io.StringIO(newline="")
        csv.writer(text, **self.about).writerows(self.rows)
        return text.getvalue().encode(self.encoding)

    def value(self, row, column):
        """Return what a cell says; "" if the row is too short."""
        return self.rows[row][column].strip() if column < len(self.rows[row]) else ""

    def values(self, column):
        """Return what the cells of a column say below its title, without empty ones."""
        return [value for row in range(1, len(self.rows)) if (value := self.value(row, column))]

    @cached_property
    def participants(self):
        """Return the column in which each row has the same word and a number; None if there is none.

        Of several it is the one with the longest word: a student's id may be a letter and a number.
        """
        words = {}
        for column in range(len(self.header)):
            found = [PARTICIPANT.fullmatch(value) for value in self.values(column)]
            if found and all(found) and len({one[1] for one in found}) == 1:
                words[column] = found[0][1]
        return max(words, key=lambda column: len(words[column]), default=None)

    def write(self, row, column, value):
        self.rows[row] += [""] * (column + 1 - len(self.rows[row]))
        self.rows[row][column] = value


def as_csv(columns, lines):
    """Return a table that spreadsheets read well, with a mark of its encoding; in texts nothing is a formula."""
    text = io.StringIO()
    text.write("\ufeff")
    csv.writer(text, lineterminator="\n").writerows(map(_as_cell, line) for line in (columns, *lines))
    return text.getvalue()


def _as_cell(value):
    """Return points as they are written, and a text on one line, with an apostrophe if it would be a formula."""
    if not isinstance(value, str):
        return points(value)
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line
