"""The same for a spreadsheet."""

import csv
from io import StringIO

COLUMNS = ("exercise", "points", "of", "reason", "misconception", "also", "property", "message")
COUNTED = ("exercise", "misconception", "students", "of", "recovered", "later exercises")


def answers(rows, names):
    """One line for each student and exercise. names: student -> name."""
    lines = ([row.student, names.get(row.student, ""), *(getattr(row, column) for column in COLUMNS)] for row in rows)
    return _csv(("student", "name", *COLUMNS), lines)


def misconceptions(shown):
    """One line for each exercise and misconception. Where there is nothing further on, nobody can have recovered."""
    every = (one for found in shown.values() for one in found)
    return _csv(COUNTED, (_counted(one) for one in every))


def _counted(one):
    recovered = len(one.recovered) if one.later else ""
    return one.exercise, one.name, len(one.students), one.of, recovered, " ".join(one.later)


def _csv(columns, lines):
    text = StringIO()
    text.write("\ufeff")  # so that spreadsheets read names well
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_harmless(value) for value in line] for line in lines)
    return text.getvalue()


def _harmless(value):
    """A spreadsheet would compute a text that begins like a formula; with an apostrophe it stays a text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
