"""Tables: those that a platform exports and takes back, as they came, and our own, which spreadsheets read well."""

import codecs
import csv
import io
import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from .wording import points

ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
PARTICIPANT = re.compile(r"([^\d@]*?)\s*(\d+)")  # `Participant 1234`, in German `Teilnehmer/in1234`


class Sheet:
    """The rows of a table; it is written in the encoding, with the separator and the ends of lines that it came in."""

    def __init__(self, file):
        data = Path(file).read_bytes()
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
    """Return a number as points are written, and a text on one line, since some spreadsheets would begin a new row.

    A text that begins like a formula gets an apostrophe, with which it stays a text.
    """
    if not isinstance(value, str):
        return points(value)
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line
