"""Marks: one that an instructor gives by hand, and all of them into the table that a learning platform exported.

Everything else in that table stays as it came.
"""

import re
from collections import Counter
from contextlib import suppress
from difflib import get_close_matches
from math import isfinite
from pathlib import Path

import click

from ..failure_messages import harmless
from ..intake import platforms
from ..intake.course_folder import course, feedback_folder
from ..intake.fit import received_folder
from ..intake.late import late_for_free, take_anew
from ..intake.names import as_folder, find_student, whom
from ..intake.own_numbers import has_no_gradebook
from ..intake.platforms import Canvas, Sheet, as_csv
from ..intake.students import as_listed, handed_in_nothing, names_of_all
from ..intake.whole_files import whole, write_whole
from ..intake.wording import count, in_points, listed, points
from .gradebook import CHECK, marks_of


def hand_over(lessons, platform, table, to, titles, missing_as_zero):
    """Run `mha marks`: write the table, a platform's or our own, and print what was written and who got no mark."""
    here = course()
    given = {lesson: marks_of(here, lesson) for lesson in lessons}
    names = names_of_all(here.coursedir)
    if platform:
        spared = {lesson: _not_missing(here.coursedir, lesson) for lesson in lessons if missing_as_zero}
        told = merge(getattr(platforms, platform), given, table, to, titles, missing_as_zero, names, spared)
    else:
        absent = handed_in_nothing(here.coursedir, lessons[0], given[lessons[0]])
        told = plain(given, absent, to, missing_as_zero, names)
    for line in told:
        click.echo(harmless(line))
    for lesson, marks in given.items():
        graded = {student: whom(student, names) for student in marks if not marks[student].trouble}
        for sentence in (*above_the_most(marks, names), *late_for_free(here, lesson, graded)):
            click.echo(harmless(f"{lesson}: {sentence}"))


def _not_missing(coursedir, lesson):
    """Return the names of folders of those who are excused, or whose work was kept though no roster has them."""
    kept = received_folder(coursedir.root, lesson, "").glob("*")
    return {*handed_in_nothing(coursedir, lesson, ())[1], *(folder.name for folder in kept)}


def merge(platform, given, table, to, titles=(), missing_as_zero=False, names=None, spared=None):
    """Write the table, and return sentences about it.

    given: lesson -> student -> Grade; names: student -> name; spared: lesson -> the folders of those who get no 0.
    """
    if len(given) > 1 and not platform.several:
        raise click.ClickException(f"{platform.table} is for one lesson: name one.")
    if titles and len(titles) != len(given):
        raise click.ClickException("Give --column once for each lesson, in the same order, or not at all.")
    sheet, told = Sheet(table), []
    if not platform.ids(sheet):
        columns = ", ".join(sheet.header[:6])
        advice = f"its columns are {columns}. Give the file as it was exported."
        raise click.ClickException(f"{table} does not look like {platform.table}: {advice}")
    for (lesson, marks), title in zip(given.items(), titles or [None] * len(given)):
        column = _column(platform, sheet, lesson, title)
        told.append(f"{lesson} -> {sheet.header[column]}")
        told += _fill(platform, sheet, column, marks, missing_as_zero, names or {}, (spared or {}).get(lesson, ()))
    with whole(to, table) as new:
        new.write_bytes(bytes(sheet))
    return told


def plain(given, absent, to, missing_as_zero, names):
    """Write a table of id, name, points and of, and return sentences about it. absent: (missing, excused)."""
    if len(given) > 1:
        raise click.ClickException("A table of our own is for one lesson: name one.")
    ((lesson, marks),), (missing, excused) = given.items(), absent
    earned = dict.fromkeys(missing, 0 if missing_as_zero else "") | dict.fromkeys(excused, Canvas.stays[0])
    earned |= {student: "" if mark.trouble else mark.points for student, mark in marks.items()}
    most = max((mark.most for mark in marks.values()), default=0)
    lines = [(student, names.get(student, ""), earned[student], most) for student in sorted(earned)]
    write_whole(Path(to), as_csv(("id", "name", "points", "of"), lines))
    waiting = [f"  {whom(one, names)}: no mark written, {mark.trouble}" for one, mark in marks.items() if mark.trouble]
    return [f"{lesson} -> {to}", f"  {count(len(marks) - len(waiting), 'mark')} written", *waiting]


def above_the_most(marks, names):
    """Yield a sentence for each mark that is more than can be reached."""
    for student, mark in sorted(marks.items()):
        if mark.points > mark.most and not mark.trouble:
            yield f"{whom(student, names)} has {points(mark.points)} of {in_points(mark.most)}: is that meant?"


def _column(platform, sheet, lesson, title):
    """Return the column of that title, with or without its number; else the one that is called like the lesson."""
    titles, found = platform.columns(sheet, lesson)
    if title:
        found = [name for name in sheet.header if title in (name, re.sub(r" \(\d+\)$", "", name))]
    if len(found) != 1:
        fit = f"{len(found)} columns are" if found else "no column is"
        choose = f"Say --column with one of: {'; '.join(titles)}."
        make_one = f"{platform.table} has no column of any assignment: make the assignment there, and export again."
        raise click.ClickException(f"{fit} called like {title or lesson}. {choose if titles else make_one}")
    return sheet.header.index(found[0])


def _fill(platform, sheet, column, marks, missing_as_zero, names, spared):
    """Write the marks of one lesson, and return sentences about them."""
    match = Matching(platform, sheet, marks)
    stay = [row for row in match.owners if sheet.value(row, column) in platform.stays]
    ready = [row for row, student in match.owners.items() if not marks[student].trouble and row not in stay]
    possible = platform.most(sheet, column)
    comma = any("," in value for value in possible)
    for row in ready:
        earned = points(marks[match.owners[row]].points)
        sheet.write(row, column, earned.replace(".", ",") if comma else earned)
    empty = [row for row, claim in match.claims.items() if not claim and sheet.value(row, column) in ("", "-")]
    kept = [row for row in empty if missing_as_zero and not match.folders[row].isdisjoint(spared)]
    empty = [row for row in empty if row not in kept]
    for row in empty if missing_as_zero else ():
        sheet.write(row, column, "0")
    ids = ", ".join(f"{name} ({count})" for name, count in match.found_by.items()) or "no id"
    yield f"  {count(len(ready), 'mark')} written; students found by {ids}"
    yield f"  {len(empty)} without a submission: {'0 written' if missing_as_zero else 'left empty'}"
    for row in kept:
        yield f"  row {row + 1}: no 0 written, they are excused, or what they handed in was kept without a mark"
    for row in stay:
        yield f"  {whom(match.owners[row], names)}: {sheet.value(row, column)} stays there, no mark written"
    for student in sorted(marks):
        owned = student in match.owners.values()
        why = marks[student].trouble if owned else match.why_not(student, names)
        if why:
            yield f"  {whom(student, names)}: no mark written, {why}"
    here = {points(mark.most) for mark in marks.values() if mark.most}
    differ = sorted(value for value in possible if value and _as_written(value) not in here)
    if differ and here:
        yield f"  points possible: {' or '.join(differ)} there, {' or '.join(sorted(here, key=float))} here"
        yield "  Marks are written as they were given here: change what is possible there before you import them."


def _as_written(value):
    """Return a number of a table as we write points; a text that is none stays as it is."""
    with suppress(ValueError):
        return points(float(value.replace(",", ".")))
    return value


class Matching:
    """The rows that belong to students, as their folders are called; and row -> student, where neither is another's."""

    def __init__(self, platform, sheet, students):
        self.claims = {}  # row -> student -> the column with the id
        self.folders = {}  # row -> the folders that could be theirs
        known = {as_folder(student): student for student in students} | {student: student for student in students}
        for row in range(1, len(sheet.rows)):
            columns = platform.ids(sheet)[::-1]  # of several that hold an id the first counts
            ids = {who: name for name in columns if (who := platform.who(sheet, row, name))}
            if ids:
                found = ((known.get(who) or known.get(as_folder(who)), name) for who, name in ids.items())
                self.claims[row] = {student: name for student, name in found if student}
                self.folders[row] = {as_folder(who) for who in ids}
        rows_of = Counter(student for claim in self.claims.values() for student in claim)
        sure = {row: claim for row, claim in self.claims.items() if len(claim) == 1 and rows_of[next(iter(claim))] == 1}
        self.owners = {row: next(iter(claim)) for row, claim in sure.items()}
        self.found_by = Counter(next(iter(claim.values())) for claim in sure.values())

    def why_not(self, student, names):
        """Return why a student has no row."""
        rows = [row for row, claim in self.claims.items() if student in claim]
        if not rows:
            return "no row there has this id"
        others = sorted({other for row in rows for other in self.claims[row]} - {student})
        also = f", as that of {', '.join(whom(other, names) for other in others)} could" if others else ""
        places = " and ".join(str(row + 1) for row in rows)
        return f"row{'s' if len(rows) > 1 else ''} {places} could be theirs{also}"


def mark(asked, exercise, given, comment):
    """Write the points and the comment into the gradebook, and make a page of feedback again that is there already."""
    if not isfinite(given):
        raise click.UsageError(f"POINTS is a number, and not {given}.")
    here = course()
    told = as_listed(here.coursedir)
    student = find_student(asked, told)
    if has_no_gradebook(here.coursedir.db_url):
        raise click.ClickException("Nothing is graded yet: `mha grade` does that.")
    with here.gradebook as gradebook:
        grade = _grade(gradebook, student, exercise)
        lesson, most = grade.assignment.name, grade.max_score
        grade.manual_score, grade.needs_manual_grade = given, False
        if comment is not None:
            gradebook.find_comment(exercise, lesson, lesson, student).manual_comment = comment
        gradebook.db.commit()
    take_anew(here, lesson, student)
    click.echo(harmless(f"{told[student]}, {exercise}: {points(given)} of {in_points(most)} by hand."))
    if given > most:
        click.echo("That is more than there are: is it meant?")
    if feedback_folder(here.coursedir, lesson, student).exists():
        from .feedback import make  # here: marks need not wait for it

        trouble = make(lesson, student)
        click.echo(harmless(f"No new page of feedback: {trouble}." if trouble else "The page of feedback has it, too."))


def _grade(gradebook, student, exercise):
    """Return what the gradebook has of an exercise; raise ClickException if that is nothing."""
    sheets = [sheet for one in gradebook.student_submissions(student) for sheet in one.notebooks]
    grades = {grade.name.removeprefix(CHECK): grade for sheet in sheets for grade in sheet.grades}
    if exercise not in grades:
        near = listed(get_close_matches(exercise, grades) or grades, 8) or "nothing at all"
        raise click.ClickException(f"Nothing of theirs is graded that is called {exercise!r}. There is {near}.")
    return grades[exercise]
