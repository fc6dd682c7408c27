"""Show every student beside every exercise: for the page, and as a workbook for a spreadsheet."""

import re
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter

from ...intake.wording import broken_in_words, name_in_words
from .counting import NAMED, NOT_JUDGED, RIGHT, STOPPED, TOLD, UNWRITTEN, WITH_RIGHT_PARTS, kind_of
from .reading import BY_HAND, WAITS, grouped

SIGNS = {RIGHT: "✓", WITH_RIGHT_PARTS: "(✓)", NAMED: "✗", TOLD: "✗", STOPPED: "!", UNWRITTEN: "–"}
SIGNS |= {NOT_JUDGED: "?", WAITS: "○"}
PARTLY = "◐"
IN_WORDS = {"✓": RIGHT, "(✓)": WITH_RIGHT_PARTS, PARTLY: "in part", "✗": "wrong", "!": "did not run"}
IN_WORDS |= {"–": "not written", "?": "not judged", "○": "waits for a mark"}
FILLS = {
    RIGHT: "D9EFDC",
    WITH_RIGHT_PARTS: "D9EFDC",
    NAMED: "FBE3C8",
    TOLD: "DCE9F7",
    UNWRITTEN: "EEEEEE",
    STOPPED: "F7D6D6",
}
NOT_IN_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Table:
    """The points of a class. exercises: name -> the points it has; lines: student -> exercise -> Row."""

    exercises: dict
    lines: dict

    def total(self, student):
        return sum(row.points for row in self.lines[student].values())


def table_of(rows, names):
    """Return the Table, with students in the order of their last names; those without a name come by their id."""
    lines = {student: {row.exercise: row for row in some} for student, some in grouped(rows, _student).items()}
    order = sorted(lines, key=lambda student: (_last_first(names.get(student, student)), student))
    return Table({row.exercise: row.of for row in rows}, {student: lines[student] for student in order})


def _student(row):
    return row.student


def _last_first(name):
    first, _, last = name.rpartition(" ")
    return last.casefold(), first.casefold()


def signs_in(rows):
    """Return the signs that a table has, and what they mean."""
    seen = set(map(sign, rows))
    return {one: words for one, words in IN_WORDS.items() if one in seen}


def sign(row):
    """Return one sign for an answer, or "" for a mark by hand, of which the points say more."""
    kind = kind_of(row)
    if 0 < row.points < row.of and kind not in (WAITS, BY_HAND):
        return PARTLY
    return SIGNS.get(kind, "")


def told(row):
    """Return what a sign means in words: the misconception where there is one."""
    broken = broken_in_words(row.property) if row.property else ""
    return name_in_words(row.misconception) if row.misconception else broken or kind_of(row)


def workbook(results):
    """Return a workbook with a sheet of points and a link to each student's feedback."""
    book, table = Workbook(), table_of(results.rows, results.names)
    sheet = book.active
    sheet.title = "points"
    _write(sheet, 1, ["student", "name", *table.exercises, "sum"], font=Font(bold=True))
    _write(sheet, 2, ["", "out of", *table.exercises.values(), sum(table.exercises.values())], font=Font(italic=True))
    for number, (student, line) in enumerate(table.lines.items(), start=3):
        found = [line.get(exercise) for exercise in table.exercises]
        points = [row and round(row.points, 2) for row in found]
        _write(sheet, number, [student, results.names.get(student, ""), *points, round(table.total(student), 2)])
        _paint(sheet, number, found)
        if student in results.pages:
            sheet.cell(number, 1).hyperlink = results.pages[student]
    _arrange(sheet, len(table.exercises))
    return book


def _write(sheet, row, values, font=None):
    """Write a value: a text stays text even if it begins like a formula; what a workbook cannot hold is left out."""
    for column, value in enumerate(values, start=1):
        cell = sheet.cell(row, column)
        if isinstance(value, str):
            cell.value, cell.data_type = NOT_IN_XML.sub("", value), "s"
        else:
            cell.value = value
        if font:
            cell.font = font


def _paint(sheet, number, rows):
    """Colour each cell by what became of the answer."""
    for column, row in enumerate(rows, start=3):
        colour = row and FILLS.get(kind_of(row))
        if colour:
            sheet.cell(number, column).fill = PatternFill("solid", fgColor=colour)


def _arrange(sheet, exercises):
    """Keep names and titles in sight, and turn titles upright, so that many columns fit on a screen."""
    sheet.freeze_panes = "C3"
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 14, 26
    for column in range(3, exercises + 4):
        sheet.column_dimensions[get_column_letter(column)].width = 7
        sheet.cell(1, column).alignment = Alignment(text_rotation=90)
