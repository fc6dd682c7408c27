"""The commands of `mha` that instructors use, in the order of their week. Each calls one function."""

from pathlib import Path

import click

EXPORT = click.Path(exists=True, dir_okay=False)  # a file of a learning platform
NEW_FILE = click.Path(dir_okay=False)
PLATFORM = click.Choice(["gradescope", "github", "prairielearn", "vpl"])
SOME_REFUSED = 3  # beside 1 for what cannot be done, and 2 for what was typed wrongly
TRUST = click.option("--trust-submissions", is_flag=True, help="Grade even where there is no sandbox.")


def lesson(words):
    """Return a lesson from whatever words somebody has for it: its number, its name, or the title that we print."""
    from .catalogue import lesson_named

    return lesson_named(words)


LESSON = click.types.FuncParamType(lesson)


@click.command()
@click.argument("lesson", type=LESSON)
@click.option("--for", "roster", type=EXPORT, help="The class, as a CSV file: a kit for each, with their own numbers.")
@click.option("--to", type=click.Path(), help="A zip to make, by default LESSON.zip; with --for a folder, kits/LESSON.")
def kit(lesson, roster, to):
    """Make the zip of LESSON that students receive.

    It holds the lesson, and all that it needs to be installed.
    With --for, calculations ask each student with other numbers, and `mha grade` knows whose are which.
    """
    from .intake.course_folder import course
    from .intake.students import read_roster
    from .intake.wording import count, in_points
    from .teaching.kit import make_kit, make_kits, points_of

    if to and (Path(to).is_file() if roster else Path(to).is_dir()):
        raise click.UsageError(f"With --for, --to is a folder, else a zip: {to} is a {'file' if roster else 'folder'}.")
    if roster:
        made = list(make_kits(lesson, course().coursedir, read_roster(roster), to or f"kits/{lesson}"))
        click.echo(
            f"{count(len(made), 'kit')} in {made[0].parent}: each is named after a student's id, and is theirs alone."
        )
    else:
        click.echo(f"The kit is here: {make_kit(lesson, course().coursedir, to or f'{lesson}.zip')}")
    click.echo(f"The lesson has {in_points(points_of(lesson, course().coursedir))}.")


@click.command()
@click.argument("source", type=click.Path(exists=True))
@click.option("--lesson", type=LESSON, required=True, help="What was handed in: 3, or masks.")
@click.option("--roster", type=EXPORT, help="The class, as a CSV file.")
@click.option("--canvas", "platform", flag_value="Canvas", help="SOURCE is what Canvas gave.")
@click.option("--moodle", "platform", flag_value="Moodle", help="SOURCE is what Moodle gave.")
def collect(source, lesson, roster, platform):
    """Take in what students handed in.

    SOURCE is the zip of Canvas or of Moodle, or a folder with a folder or a file for each student.
    Originals are kept in received/; what is broken is mended where that is safe, or told.
    It ends with 3 if something came that cannot be graded.
    """
    from .intake.collect import take_in
    from .intake.students import read_roster

    if take_in(source, lesson, read_roster(roster, lesson) if roster else None, platform or ""):
        raise SystemExit(SOME_REFUSED)


@click.command()
@click.argument("lesson", type=LESSON, required=False)
def status(lesson):
    """Show how far the work is: of all lessons, or of each student in LESSON.

    What came in, what is graded, what waits for a mark by hand, what is fed back, and the commands that come next.
    A learner, to whom nobody hands in, sees how far they are.
    """
    from .lab import learners_progress
    from .teaching.status import status

    if lesson or not (so_far := learners_progress()):
        status(lesson)
    else:
        click.echo(so_far)


@click.command()
@click.argument("student")
@click.argument("lessons", type=LESSON, nargs=-1)
def show(student, lessons):
    """Show what was found in STUDENT's work, in all lessons or in LESSONS.

    A table of tasks, and each answer that has not all points, with what its card says.
    """
    from .teaching.status import show

    show(student, lessons)


@click.command()
@click.argument("lesson", type=LESSON, required=False)
@click.argument("students", nargs=-1)
@click.option("--all", "all_lessons", is_flag=True, help="All lessons that somebody handed in.")
@click.option("--again", is_flag=True, help="Also what has not changed since it was graded.")
@click.option("--dry-run", is_flag=True, help="With --again: show every mark that would change, and write nothing.")
@click.option("--jobs", type=click.IntRange(1), help="Processes; by default one for each core.")
@click.option("--scheduler", help="tcp://..., of a Dask cluster that grades in place of this machine.")
@TRUST
def grade(lesson, students, all_lessons, again, dry_run, jobs, scheduler, trust_submissions):
    """Grade the submissions of LESSON.

    All of them, or those of STUDENTS.
    They are read from submitted/<student>/<lesson>/, and run in a sandbox; nbgrader keeps the scores.
    Stopped at any moment, it goes on where it was when it is called again.
    It ends with 1 as long as one cannot be graded, and says which were already reported.
    """
    from .grading.whole_class import ClassOfStudents
    from .intake.progress_output import GOES_ON, stopped_well, tell
    from .intake.wording import count

    if bool(lesson) == all_lessons:
        raise click.UsageError("Name a lesson, or say --all.")
    if dry_run and (not again or all_lessons or scheduler):
        raise click.UsageError("--dry-run goes with --again, for one lesson, on this machine.")
    with stopped_well(lambda: f"Nothing was begun yet. {GOES_ON}"):
        if dry_run:
            from .teaching.regrade import rehearse

            return rehearse(lesson, students, trust_submissions, jobs)
        submissions = ClassOfStudents(lesson, students, trust_submissions, again)
    if troubles := tell(submissions.grade(jobs, scheduler), submissions.everybody):
        raise click.ClickException(f"{count(len(troubles), 'submission')} not fully graded: see above.")


@click.command()
@click.argument("notebook", type=click.Path(exists=True))
@click.option("--lesson", type=LESSON, help="Which lesson it is; by default its cells say that.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, allow_dash=True), help="A file, or - for stdout.")
@click.option("--html", type=NEW_FILE, help="A page of feedback to make.")
@click.option("--as", "platform", type=PLATFORM, help="Write what this platform reads, in the place of our JSON.")
@click.option("--seed", type=click.IntRange(0), help="Draws the inputs; by default a secret number does.")
@TRUST
def grade_file(notebook, lesson, json_file, html, platform, seed, trust_submissions):
    """Grade one NOTEBOOK: a file, or a folder or a zip that holds it.

    It needs no course's folder and writes into no gradebook; docs/result.schema.json describes its JSON.
    It ends with 3 if the notebook cannot be graded, and says why.
    """
    from .teaching.lone_notebook import grade_file

    if not grade_file(notebook, lesson, json_file, html, platform, seed, trust_submissions):
        raise SystemExit(SOME_REFUSED)


@click.command()
@click.argument("platform", type=PLATFORM)
@click.argument("lesson", type=LESSON)
@click.option("-o", "--to", type=click.Path(), required=True, help="A zip, or a new folder, to make.")
def bundle(platform, lesson, to):
    """Make what PLATFORM needs to grade LESSON by itself.

    docs/platforms.md says where to upload it.
    """
    from .teaching.kit import make_bundle

    click.echo(f"The bundle is here: {make_bundle(platform, lesson, to)}")


@click.command()
@click.argument("lessons", type=LESSON, nargs=-1)
@click.option("--all", "all_lessons", is_flag=True, help="All lessons that are graded.")
def report(lessons, all_lessons):
    """Write what a class understood of LESSONS, and what not.

    reports/<lesson>.html is the page to read, the .csv files beside it are for a spreadsheet.
    """
    from .teaching.report import report

    if bool(lessons) == all_lessons:
        raise click.UsageError("Name the lessons, as in `mha report 1 2`, or say --all.")
    for page, main_facts in report(lessons):
        click.echo(f"{main_facts}\n  -> {page}")


@click.command()
@click.argument("lesson", type=LESSON)
@click.argument("students", nargs=-1)
@click.option("--canvas", type=EXPORT, help="The zip of submissions that Canvas gave.")
@click.option("--moodle", type=EXPORT, help="The zip of submissions that Moodle gave.")
@click.option("--to", type=NEW_FILE, help="A zip to make, for Canvas or Moodle to hand out.")
def feedback(lesson, students, canvas, moodle, to):
    """Make a page of feedback on LESSON for each.

    For everybody, or for STUDENTS, in feedback/<student>/<lesson>/.
    With a zip of submissions, also a zip of feedback that the same platform takes.
    """
    from .teaching.feedback import give_back

    if bool(canvas and moodle) or bool(canvas or moodle) != bool(to):
        raise click.UsageError("For a zip, say --canvas or --moodle, and --to.")
    give_back(lesson, students, "Canvas" if canvas else "Moodle", canvas or moodle, to)


@click.command()
@click.argument("lessons", type=LESSON, nargs=-1, required=True)
@click.option("--canvas", type=EXPORT, help="The gradebook that Canvas exported.")
@click.option("--moodle", type=EXPORT, help="The grading worksheet that Moodle gave.")
@click.option("--csv", "plain", is_flag=True, help="A table for anybody: id, name, points, of.")
@click.option("--to", type=NEW_FILE, required=True, help="The table to make.")
@click.option("--column", "titles", multiple=True, help="The title of the column; once for each lesson.")
@click.option("--missing-as-zero", is_flag=True, help="Write 0 for those who handed in nothing.")
def marks(lessons, canvas, moodle, plain, to, titles, missing_as_zero):
    """Write the marks of LESSONS into a table.

    It is one that Canvas or Moodle exported, for it to import again; or with --csv a new one, of one lesson.
    """
    from .teaching.marks import hand_over

    if bool(canvas) + bool(moodle) + plain != 1:
        raise click.UsageError("Say --canvas or --moodle, with the table that it exported, or --csv.")
    platform = "Canvas" if canvas else "Moodle" if moodle else ""
    hand_over(lessons, platform, canvas or moodle, to, titles, missing_as_zero)


@click.command()
@click.argument("student")
@click.argument("exercise")
@click.argument("points", type=click.FloatRange(0))
@click.option("--comment", help="What STUDENT reads below the answer, as Markdown.")
def mark(student, exercise, points, comment):
    """Give STUDENT POINTS for EXERCISE by hand.

    They count in place of the judge's, and stay when you grade again.
    """
    from .teaching.marks import mark

    mark(student, exercise, points, comment)


@click.command()
def doctor():
    """Say what protects this machine from submissions."""
    from .grading.sandbox.sources import WITH_SANDBOX, WITHOUT_SANDBOX, why_no_sandbox

    trouble = why_no_sandbox()
    click.echo(WITHOUT_SANDBOX.format(trouble) if trouble else WITH_SANDBOX)
    if trouble:
        raise SystemExit(1)


INSTRUCTORS = [kit, collect, status, show, grade, grade_file, bundle, report, feedback, marks, mark, doctor]
