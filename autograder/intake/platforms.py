"""The tables of marks that learning platforms export, and take back: where in them is what."""

import re


class Canvas:
    """The gradebook: a column for each assignment, and above the students what they can reach."""

    name, several = "Canvas' gradebook", True
    stays = "EX", "N/A"  # who is excused, and who is not asked for it

    @staticmethod
    def ids(sheet):
        return [name for name in ("SIS Login ID", "SIS User ID", "ID") if name in sheet.header]

    @staticmethod
    def who(sheet, row, name):
        """Nobody in the row of Canvas' own test student."""
        return "" if sheet.value(row, 0) == "Student, Test" else sheet.value(row, sheet.header.index(name))

    @staticmethod
    def columns(sheet, lesson):
        """Titles of assignments, which end in a number; those with the lesson's name, else with its number."""
        titles = [title for title in sheet.header if re.search(r"\(\d+\)$", title)]
        return titles, called_like(lesson, titles)

    @staticmethod
    def most(sheet, column):
        """What can be reached there, as it is written."""
        tops = [row for row in range(len(sheet.rows)) if sheet.value(row, 0) == "Points Possible"]
        return {sheet.value(row, column) for row in tops}


class Moodle:
    """The grading worksheet of one assignment; its first column is `Participant 1234`, in any language."""

    name, several = "Moodle's grading worksheet", False
    stays = ()

    @staticmethod
    def ids(sheet):
        numbered = [row for row in range(1, len(sheet.rows)) if re.search(r"\d$", sheet.value(row, 0))]
        others = [name for name in ("ID number", "Username", "Email address") if name in sheet.header]
        return [sheet.header[0], *others] if numbered and len(sheet.header) > 1 else []

    @staticmethod
    def who(sheet, row, name):
        column = sheet.header.index(name)
        return re.sub(r".*?(\d*)$", r"\1", sheet.value(row, 0)) if column == 0 else sheet.value(row, column)

    @staticmethod
    def columns(sheet, lesson):
        return sheet.header[1:], [title for title in sheet.header if title == "Grade"]

    @staticmethod
    def most(sheet, column):
        titles = [title.casefold() for title in sheet.header]
        place = titles.index("maximum grade") if "maximum grade" in titles else None
        return {sheet.value(row, place) for row in range(1, len(sheet.rows))}


def called_like(lesson, titles):
    """Those that have the lesson's name in them, else those with its number: `Lesson 3 (1234)`."""
    number = re.search(r"\d+", lesson)
    short = rf"\blesson 0*{int(number[0])}\b" if number else r"(?!)"
    whole = [title for title in titles if _words(lesson) in _words(title)]
    return whole or [title for title in titles if re.search(short, _words(title))]


def _words(title):
    return " ".join(re.findall(r"[a-z0-9]+", title.casefold()))
