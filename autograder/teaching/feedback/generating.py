"""Make feedback for a class, a page and a notebook for each student, and pack it for a learning platform.

It is made on all cores, and one failure stops no other page.
"""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click

from ...grading.grade import reason
from ...grading.whole_class import cores, results
from ...intake import archives, platforms, students
from ...intake.course_folder import (
    autograded_notebook,
    course,
    feedback_folder,
    is_whole,
    submitted_folder,
    trouble_of,
    who_handed_in,
)
from ...intake.late import take_anew
from ...intake.platforms import entry_of
from ...intake.progress_output import stopped_well
from ...intake.receipts import receipt, receipt_or_trouble
from ...intake.students import find_students, names_of, trouble_with_name, whom
from ...intake.wording import cut
from ...told import harmless, in_words

MAKE = "autograder.teaching.feedback.generating:make"


@dataclass(frozen=True)
class Feedback:
    """The feedback for one student; trouble: why there is none; folder: of page and notebook; whom: id with name."""

    student: str
    folder: Path
    trouble: str = ""
    whom: str = ""


def give_back(lesson, students, platform, submissions, to):
    """Run `mha feedback`: make the pages, pack them if asked, and print what became of them."""
    _must_be_graded(lesson)
    take_anew(_course(), lesson)
    given = _with_progress(lesson, students_of(lesson, students))
    troubles = [f"no feedback for {one.whom}: {one.trouble}" for one in given if one.trouble]
    click.echo(f"{len(given) - len(troubles)} of {len(given)} have feedback.")
    root = _course().coursedir.root
    for line in pack(getattr(platforms, platform), lesson, given, submissions, to, root) if to else troubles:
        click.echo(harmless(line))


def _with_progress(lesson, students):
    """Yield a Feedback for each student, in order, behind a progress bar."""
    given, making = [], feedback(lesson, students)
    bar = click.progressbar(length=len(students), label=lesson, show_pos=True)
    with stopped_well(lambda: f"{len(given)} of {len(students)} are done. {BEGINS_AGAIN}"), closing(making), bar:
        for one in making:
            given.append(one)
            bar.update(1)
    return sorted(given, key=lambda one: one.student)


BEGINS_AGAIN = "The same command makes all of them, from the beginning."


def _must_be_graded(lesson):
    """Raise an error if no submission of the lesson is graded."""
    students = [student for student in students_of(lesson) if not trouble_with_name(student)]
    if not any(autograded_notebook(_course().coursedir, lesson, student).exists() for student in students):
        wanted = f"call `mha grade {lesson}`, and then this again."
        raise click.ClickException(f"Nothing of {lesson} is graded yet: {wanted}")


def students_of(lesson, asked=()):
    """Return all students who handed in, or those of them who were asked for."""
    there = who_handed_in(_course().coursedir, lesson)
    asked = find_students(asked, students.as_listed(_course().coursedir) if asked else {})
    unknown = sorted(set(asked) - set(there))
    if unknown or not there:
        where = submitted_folder(_course().coursedir, lesson)
        raise click.ClickException(
            f"No submission of {lesson} by {', '.join(unknown) or 'anybody'}: {where} is where it should be."
        )
    return asked or there


def feedback(lesson, students):
    """Yield a Feedback for each student, as they are done."""
    tasks = [(lesson, student) for student in students]
    names = names_of(_course().coursedir.db_url)
    for (_, student), trouble in results(MAKE, tasks, cores()):
        folder = feedback_folder(_course().coursedir, lesson, student)
        yield Feedback(student, folder, trouble, whom(student, names))


def make(lesson, student):
    """Make one student's feedback and return why there is none, or "". A failure stops no other."""
    try:
        return trouble_with_name(student) or _made(lesson, student)
    except Exception as failed:
        return in_words(failed)


def _made(lesson, student):
    """Make the page of the present grading, after taking away that of an earlier one."""
    coursedir = _course().coursedir
    not_graded = trouble_of(coursedir, lesson, student, receipt(coursedir.root, lesson, student))
    if not_graded:
        return not_graded
    if not autograded_notebook(coursedir, lesson, student).exists():
        return f"not graded yet: `mha grade {lesson}` does that"
    if not is_whole(autograded_notebook(coursedir, lesson, student)):
        return f"its autograded notebook is damaged: `mha grade {lesson}` makes it again"
    done = _course().generate_feedback(lesson, student)
    why = "" if done["success"] else reason(f"{done.get('log')}\n{done.get('error')}")
    return (
        f"the gradebook has no points for it: `mha grade {lesson}` gives them again" if "MissingEntry" in why else why
    )


@cache
def _course():
    """Return the course, read once for all pages that this process makes."""
    return course()


def pack(platform, lesson, given, archive, to, root):
    """Write the zip, and return sentences about it. given: a Feedback for each student."""
    entries = _entries(platform, archive)
    chosen = {
        one.student: _chosen(entries, lesson, one.student, receipt_or_trouble(root, lesson, one.student))
        for one in given
    }
    owners = Counter(entry.who for entry in chosen.values() if entry)
    reasons = {one.student: _why_not(one, chosen[one.student], owners, archive) for one in given}
    packed = {chosen[one.student]: one for one in given if not reasons[one.student]}
    named = ((one, *platform.feedback(entry, lesson)) for entry, one in packed.items())
    archives.pack({name: one.folder / f"{lesson}{ending}" for one, name, ending in named}, to, archive)
    others = {entry.who: entry for entry in entries if entry.who not in owners}  # one file of each
    return [
        f"{to}: feedback for {len(packed)} of {len({entry.who for entry in entries})} in {archive}",
        *(line for entry in packed for line in platform.remarks(entry)),
        *(f"no feedback for {one.whom or one.student}: {why}" for one in given if (why := reasons[one.student])),
        *(f"no feedback for {entry.name}: nothing of theirs has been graded" for entry in others.values()),
    ]


def _why_not(one, entry, owners, archive):
    if one.trouble or not entry:
        return one.trouble or f"nothing in {archive} is theirs, as far as names and receipts tell"
    return f"{owners[entry.who]} of the folders here belong to {entry.name}" if owners[entry.who] > 1 else ""


def _entries(platform, archive):
    try:
        with archives.opened(archive) as submissions:
            names = [str(path) for path, _ in archives.members(submissions)]
    except archives.Refused as refused:
        raise click.ClickException(f"{archive}: {refused}.") from None
    entries = [entry for name in names if (entry := entry_of(platform, name)) and entry.takes]
    if not entries:
        some = ", ".join(map(cut, names[:3])) or "nothing at all"
        raise click.ClickException(
            f"No name in {archive} is one of {platform.name}'s: there is {some}. "
            "Give the zip of submissions as it was downloaded."
        )
    return entries


def _chosen(entries, lesson, student, noted):
    """Return the file that a student was graded for: by the receipt, else by the number that names the folder."""
    came_as = {*noted.get("came_as", ()), *(found["file"] for found in noted.get("found", ()))}
    theirs = [entry for entry in entries if entry.name in came_as]
    if len({entry.who for entry in theirs}) != 1:
        theirs = [entry for entry in entries if entry.who == student]
    return max(theirs, key=lambda entry: (entry.name.endswith(".ipynb"), lesson in entry.name), default=None)
