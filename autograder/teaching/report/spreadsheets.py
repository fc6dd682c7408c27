"""The same for a spreadsheet."""

import csv
from dataclasses import replace
from io import StringIO

from ...intake.wording import broken_in_words

COLUMNS = ("exercise", "points", "of", "reason", "misconception", "also", "message")
WRONG = "what is wrong"  # beside what has a name
COUNTED = ("exercise", "misconception", "students", "of", "compared", "recovered", "later exercises")


def answers(rows, names):
    """One line for each student and exercise. names: student -> name."""
    return _csv(("student", "name", *COLUMNS[:-1], WRONG, COLUMNS[-1]), (_line(row, names) for row in rows))


def _line(row, names):
    *facts, message = (getattr(replace(row, points=round(row.points, 2)), column) for column in COLUMNS)
    return row.student, names.get(row.student, ""), *facts, broken_in_words(row.property), message


def misconceptions(shown):
    """One line for each exercise and misconception. Where there is nothing further on, nobody can have recovered."""
    every = (one for found in shown.values() for one in found)
    return _csv(COUNTED, (_counted(one) for one in every))


def _counted(one):
    compared = (len(one.compared), len(one.recovered)) if one.compared else ("", "")
    return one.exercise, one.name, len(one.students), one.of, *compared, " ".join(one.later)


def _csv(columns, lines):
    text = StringIO()
    text.write("\ufeff")  # so that spreadsheets read names well
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_harmless(value) for value in line] for line in lines)
    return text.getvalue()


def _harmless(value):
    """A text on one line: some spreadsheets would begin a new row. One that begins like a formula they would compute;
    with an apostrophe it stays a text.
    """
    if not isinstance(value, str):
        return value
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line
