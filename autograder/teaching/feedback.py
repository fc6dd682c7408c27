"""Make feedback for a class, a page and a notebook for each student, and pack it for a learning platform.

It is made on all cores, and one failure stops no other page.
"""

from collections import Counter
from functools import cache

import click

from ..failure_messages import harmless, in_words
from ..grading.grade import reason
from ..grading.processes import KILLED, WHY_KILLED, cores, results
from ..grading.whole_class import Graded
from ..intake import bounds, course_folder, platforms, whole_files
from ..intake.course_folder import receipt_or_trouble
from ..intake.late import take_anew
from ..intake.names import find_students, trouble_with_name, whom
from ..intake.platforms import entry_of
from ..intake.progress_output import follow
from ..intake.students import as_listed, names_of
from ..intake.wording import cut
from .gradebook import trouble_with

MAKE = "autograder.teaching.feedback:make"
BEGINS_AGAIN = "The same command makes all of them, from the beginning."
_course = cache(course_folder.course)


def give_back(lesson, students, platform, submissions, to):
    """Run `mha feedback`: make the pages, pack them if asked, and print what became of them."""
    asked = students_of(lesson, students)
    take_anew(_course(), lesson)
    names = names_of(_course().coursedir.db_url)
    made = (
        Graded(lesson, student, trouble=WHY_KILLED if trouble is KILLED else trouble, whom=whom(student, names))
        for (_, student), trouble in results(MAKE, [(lesson, student) for student in asked], cores())
    )
    given = follow(made, len(asked), then=BEGINS_AGAIN)
    given.sort(key=lambda one: one.student)
    lines = [f"no feedback for {one.whom}: {one.trouble}" for one in given if one.trouble]
    click.echo(f"{len(given) - len(lines)} of {len(given)} have feedback.")
    if to:
        lines = pack(getattr(platforms, platform), lesson, given, submissions, to, _course().coursedir, bool(students))
    for line in lines:
        click.echo(harmless(line))


def students_of(lesson, asked=()):
    """Return all students who handed in, or those of them who were asked for."""
    coursedir = _course().coursedir
    there = course_folder.who_handed_in(coursedir, lesson)
    asked = find_students(asked, as_listed(coursedir) if asked else {})
    unknown = sorted(set(asked) - set(there))
    if unknown or not there:
        who, where = ", ".join(unknown) or "anybody", course_folder.submitted_folder(coursedir, lesson)
        raise click.ClickException(f"No submission of {lesson} by {who} in {where}: `mha collect` takes them in.")
    fit = [student for student in there if not trouble_with_name(student)]
    if not any(course_folder.autograded_notebook(coursedir, lesson, student).exists() for student in fit):
        wanted = f"call `mha grade {lesson}`, and then this again."
        raise click.ClickException(f"Nothing of {lesson} is graded yet: {wanted}")
    return asked or there


def make(lesson, student):
    """Make one student's feedback and return why there is none, or "". A failure stops no other."""
    try:
        coursedir = _course().coursedir
        trouble = trouble_with(coursedir, lesson, student, receipt_or_trouble(coursedir.root, lesson, student))
        if trouble:
            return trouble
        done = _course().generate_feedback(lesson, student)
        why = "" if done["success"] else reason(f"{done.get('log')}\n{done.get('error')}")
        has_none = f"the gradebook has no points for it: `mha grade {lesson}` gives them again"
        return has_none if "MissingEntry" in why else why
    except Exception as failed:
        return in_words(failed)


def pack(platform, lesson, given, archive, to, coursedir, some=False):
    """Write the zip, and return sentences about it. given: a Graded for each student; some: only for some of them."""
    entries = _entries(platform, archive)
    chosen = {one.student: _chosen(entries, lesson, one.student, coursedir) for one in given}
    owners = Counter(entry.who for entry in chosen.values() if entry)
    files, remarks, left = {}, [], []
    for one in given:
        entry = chosen[one.student]
        why = one.trouble or ("" if entry else f"nothing in {archive} is theirs, as far as names and receipts tell")
        if not why and owners[entry.who] > 1:
            why = f"{owners[entry.who]} of the folders here belong to {entry.name}"
        if why:
            left.append(f"no feedback for {one.whom or one.student}: {why}")
        else:
            name, ending, remark = platform.feedback(entry, lesson)
            files[name] = course_folder.feedback_folder(coursedir, lesson, one.student) / f"{lesson}{ending}"
            remarks += remark
    whole_files.pack(files, to, archive)
    others = {entry.who: entry for entry in entries if entry.who not in owners}  # one file of each
    if not some:
        left += [f"no feedback for {entry.name}: nothing of theirs has been graded" for entry in others.values()]
    told = f"{to}: feedback for {len(files)} of {len({entry.who for entry in entries})} in {archive}"
    return [told, *remarks, *left]


def _entries(platform, archive):
    try:
        with bounds.opened(archive) as submissions:
            names = [str(path) for path, _ in bounds.members(submissions)]
    except bounds.Refused as refused:
        raise click.ClickException(f"{archive}: {refused}.") from None
    entries = [entry for name in names if (entry := entry_of(platform, name)) and entry.takes]
    if not entries:
        some = ", ".join(map(cut, names[:3])) or "nothing at all"
        raise click.ClickException(
            f"No name in {archive} is one of {platform.name}'s: there is {some}. "
            "Give the zip of submissions as it was downloaded."
        )
    return entries


def _chosen(entries, lesson, student, coursedir):
    """Return the file that a student was graded for: by the receipt, else by the number that names the folder."""
    noted = receipt_or_trouble(coursedir.root, lesson, student)
    came_as = {*noted.get("came_as", ()), *(found["file"] for found in noted.get("found", ()))}
    theirs = [entry for entry in entries if entry.name in came_as]
    if len({entry.who for entry in theirs}) != 1:
        theirs = [entry for entry in entries if entry.who == student]
    return max(theirs, key=lambda entry: (entry.name.endswith(".ipynb"), lesson in entry.name), default=None)
