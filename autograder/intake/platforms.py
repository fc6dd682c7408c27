"""The tables of marks that learning platforms export and take back, and where each thing is found in them."""

import re


class Canvas:
    """Canvas' gradebook: a column for each assignment, with the points that can be reached above the students."""

    name, several = "Canvas' gradebook", True
    stays = "EX", "N/A"  # the student is excused, or need not do the assignment

    @staticmethod
    def ids(sheet):
        return [name for name in ("SIS Login ID", "SIS User ID", "ID") if name in sheet.header]

    @staticmethod
    def who(sheet, row, name):
        """Return what the column `name` says of a row's student; "" for Canvas' own test student."""
        return "" if sheet.value(row, 0) == "Student, Test" else sheet.value(row, sheet.header.index(name))

    @staticmethod
    def columns(sheet, lesson):
        """Return the titles of all assignments, which end in a number, and of those that are called like the lesson."""
        titles = [title for title in sheet.header if re.search(r"\(\d+\)$", title)]
        return titles, called_like(lesson, titles)

    @staticmethod
    def most(sheet, column):
        """Return the set of points that can be reached in a column, as they are written."""
        tops = [row for row in range(len(sheet.rows)) if sheet.value(row, 0) == "Points Possible"]
        return {sheet.value(row, column) for row in tops}


class Moodle:
    """Moodle's grading worksheet of one assignment; its first column says `Participant 1234`, in any language."""

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
    """Return the titles that have the lesson's name in them, or else those with its number: `Lesson 3 (1234)`."""
    number = re.search(r"\d+", lesson)
    short = rf"\blesson 0*{int(number[0])}\b" if number else r"(?!)"
    whole = [title for title in titles if _words(lesson) in _words(title)]
    return whole or [title for title in titles if re.search(short, _words(title))]


def _words(title):
    return " ".join(re.findall(r"[a-z0-9]+", title.casefold()))
