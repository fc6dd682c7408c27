"""The work of `mha collect`: keep what a class handed in as it came, mend it, and print what became of it."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from ..failure_messages import FULL, harmless
from . import course_folder, platforms
from .bounds import Refused, folder_is_there
from .course_folder import note, note_class, place_of, receipt, receipt_or_trouble, released_notebook, submitted_folder
from .fit import copy_pieces, keep, keep_submitted, numbers, put_in_place
from .late import late_for_free, put_time, time_of
from .names import name_as_told, trouble_with_name, whom
from .own_numbers import own_numbers
from .owners import by_student, pieces_of
from .platforms import entry_of
from .progress_output import console, print_table
from .students import with_whose_numbers
from .triage.matched_cells import WHICH
from .whole_files import only_one
from .wording import listed

FINE, MENDED, LOOK, TROUBLE = "fine", "mended", "LOOK", "TROUBLE"
UNKNOWN, MISSING, REFUSED, SAME, EXCUSED = "UNKNOWN", "MISSING", "REFUSED", "as before", "excused"
WITHOUT_GRADE = UNKNOWN, REFUSED, TROUBLE  # what came, and cannot be graded as it is
TOTALS = {  # the last lines of the table stay in sight
    SAME: "as before",
    FINE: "as it should be",
    MENDED: "mended",
    EXCUSED: "excused",
    MISSING: "missing",
    LOOK: "to look at",
    UNKNOWN: "not in the roster",
    REFUSED: "refused",
    TROUBLE: "cannot be graded",
}
STYLES = {LOOK: "yellow", MISSING: "yellow"} | dict.fromkeys(WITHOUT_GRADE, "bold red")


@dataclass(frozen=True)
class Collected:
    """What became of the work of one student: a state, and sentences; later: in place of an earlier submission."""

    student: str
    state: str
    name: str = ""
    about: tuple = ()
    later: bool = False


def take_in(source, lesson, roster, platform):
    """Collect what was handed in, print what became of it, and return whether something came that cannot be graded."""
    here, done, screen = course_folder.course(), [], console()
    with screen.status("Looking at what came in ...") as status:
        for line in collect(source, lesson, here.coursedir, roster, getattr(platforms, platform, None)):
            done.append(line)
            status.update(f"{len(done)} looked at")
    done.sort(key=lambda line: ([*TOTALS].index(line.state), line.student))
    rows = ((one.student, one.name * (one.name != one.student), one.state, " ".join(one.about)) for one in done)
    print_table(("student", "name", "", "what was found"), rows, (STYLES.get(one.state, "") for one in done))
    screen.print(f"\n{totals(done)}", highlight=False)
    names = {line.student: name_as_told(line.name) for line in done if line.student}
    for sentence in late_for_free(here, lesson, {who: whom(who, names) for who in names}):
        click.echo(harmless(sentence))
    return any(line.state in WITHOUT_GRADE for line in done)


def totals(all_collected):
    """Return a summary such as `280 as it should be, 20 mended; 3 of them in place of an earlier one`."""
    count = Counter(each.state for each in all_collected)
    later = sum(each.later for each in all_collected)
    states = ", ".join(f"{count[state]} {words}" for state, words in TOTALS.items() if count[state])
    return f"{states}; {later} of them in place of an earlier one" if later else states


def collect(source, lesson, coursedir, roster=None, platform=None):
    """Yield a Collected for everyone who handed in, as they are looked at, and then for those who did not.

    Between them comes one for each file that belongs to no student. platform: the one whose export the source is.
    """
    released_notebook(coursedir, lesson)
    own_numbers(coursedir.db_url, lesson)  # if it cannot be read who has which, that concerns the whole class
    # two at once would take each other's half files for work that came in
    with only_one(coursedir.root, "collecting"), pieces_of(source) as pieces:
        entries = (entry_of(platform, piece.path) for piece in pieces if platform)
        nameless = any(entry and not entry.who.isdecimal() for entry in entries)  # Canvas, graded anonymously
        handed, refused = by_student(pieces, lesson, None if nameless else roster, platform)
        if nameless:  # a roster could not tell who is missing
            roster = [theirs.student for theirs in handed]
        if not handed:
            raise click.ClickException(f"There is nothing in {source} that a student could have handed in.")
        if roster:
            note_class(coursedir.root, lesson, roster)
        everybody = [*(theirs.student for theirs in handed), *(roster or ())]
        names = {student.id: student.name for student in everybody}
        for theirs in handed:
            before = receipt_or_trouble(coursedir.root, lesson, theirs.student.id)
            collected = _collected(theirs, lesson, coursedir, Path(source).name)
            after = receipt_or_trouble(coursedir.root, lesson, theirs.student.id)
            yield _with_remarks(_as_news(collected, before, after), after, names)
    yield from (Collected("", REFUSED, about=(f"{sentence}.",)) for sentence in refused)
    came = {theirs.student.id for theirs in handed}
    for student in roster or ():
        if student.id not in came and not receipt_or_trouble(coursedir.root, lesson, student.id):
            yield Collected(student.id, EXCUSED if student.excused else MISSING, student.name)


def _as_news(collected, before, after):
    """Return the report without what was reported before, except for what prevents grading."""
    if "student" not in before or collected.state == UNKNOWN:  # nothing was noted of it, or it cannot be read
        return collected
    if before.get("received") != after.get("received"):
        return replace(collected, about=("In place of an earlier one.", *collected.about), later=True)
    if any(before.get(part) != after.get(part) for part in ("mended", "unfit", "empty", "numbers_of")):
        return collected
    about = tuple(sentence for sentence in collected.about if sentence not in after.get("mended", ()))
    if collected.state == TROUBLE:
        return replace(collected, about=("As before:", *about))
    return replace(collected, state=SAME, about=about)


def _with_remarks(collected, noted, names):
    """Return the report with remarks, if the work can be graded but should be looked at first."""
    empty = "Nothing is written where answers belong." if noted.get("empty") else ""
    remarks = tuple(filter(None, [empty, with_whose_numbers(noted.get("numbers_of"), names)]))
    doubt = remarks or any(sentence.endswith(WHICH) for sentence in noted.get("mended", ()))
    if collected.state not in (FINE, MENDED) or not doubt:
        return collected
    return replace(collected, state=LOOK, about=(*remarks, *collected.about))


def _collected(theirs, lesson, coursedir, source):
    """Collect the work of one student; an error becomes its trouble, so that one bad submission stops no other."""
    student, versions = theirs.student, theirs.versions()
    try:
        kept = _keep_all(theirs, versions, lesson, coursedir)
        if not theirs.known:
            not_known = "This name or number is not in the roster: kept in received/, not graded."
            return Collected(student.id, UNKNOWN, student.name, (not_known,))
        came_as = [str(piece.path) for piece in versions[-1]]
        trouble, about = _placed(theirs, kept, lesson, coursedir, source=source, came_as=came_as)
    except (Refused, OSError, ValueError) as error:
        if getattr(error, "errno", None) in FULL:  # it is no fault of the submission
            raise
        trouble, about = str(error), []
        with suppress(Refused, OSError, ValueError):  # the receipt itself may be what cannot be read, or written
            folder_is_there(*place_of(coursedir, lesson, student.id))
            submitted_folder(coursedir, lesson, student.id).mkdir(parents=True, exist_ok=True)
            note(coursedir.root, lesson, student.id, name=student.name, source=source, trouble=trouble, unfit=trouble)
    times = f"Handed in {len(versions)} times: the latest counts." if len(versions) > 1 else ""
    told = (*filter(None, ["Late." * theirs.late, times, trouble and f"{trouble}."]), *about)
    return Collected(student.id, TROUBLE if trouble else MENDED if about else FINE, student.name, told)


def _keep_all(theirs, versions, lesson, coursedir):
    """Keep all versions, after what an instructor has put into submitted/, and return the number of the latest."""
    if trouble_with_name(theirs.student.id):
        raise Refused(trouble_with_name(theirs.student.id))
    keep_submitted(lesson, theirs.student.id, coursedir)
    if not versions:
        raise Refused(listed(piece.refused for piece in theirs.refused))
    for version in versions:
        pieces = [(piece.own, piece.copy) for piece in version]
        number = keep(partial(copy_pieces, pieces), coursedir.root, lesson, theirs.student.id)
    return number


def _placed(theirs, number, lesson, coursedir, **noted):
    """Put what was kept under a number in place, unless it came before; return (trouble, what was mended)."""
    root, student = coursedir.root, theirs.student
    latest, before = numbers(root, lesson, student.id)[-1], receipt(root, lesson, student.id)
    counts = before.get("received", str(latest))
    if number < latest and str(number) != counts and not before.get("unfit"):  # else the latest was not meant, perhaps
        return "", [f"It came before; submission {counts} counts."]
    put_time(lesson, student.id, coursedir, number, time := time_of(theirs, lesson, coursedir, number))
    refused = [f"Left out: {listed(piece.refused for piece in theirs.refused)}."] if theirs.refused else []
    noted |= dict(name=student.name, late=theirs.late, time=time)
    return put_in_place(lesson, student.id, coursedir, number, refused, **noted)
