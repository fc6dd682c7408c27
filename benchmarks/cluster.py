"""A class of a hundred: plain nbgrader, `mha grade`, and a Dask cluster of two workers here, with PostgreSQL.

    python benchmarks/cluster.py [100]

Each grades all of them, and is called again when nothing has changed. The scores must be the same.
"""

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "grading"))

import click
from classroom import CONFIG, make_known, open_course
from grading import LESSON, PLAIN, begin, class_of, finish
from nbgrader.api import Gradebook
from servers import dask_cluster, postgresql

NBGRADER = "-m", "nbgrader", "autograde", LESSON
GRADE = "-m", "autograder.cli", "grade", LESSON


@click.command()
@click.argument("number", default=100)
def main(number):
    students = class_of(number)
    found = {
        "plain nbgrader, one for the class": measured(students, NBGRADER, PLAIN),
        "mha grade, two processes": measured(students, (*GRADE, "--jobs", "2")),
        "two Dask workers, PostgreSQL": on_a_cluster(students),
    }
    slowest, _, expected = found["plain nbgrader, one for the class"]
    click.echo(f"{number} submissions of {LESSON}: seconds, how many times as fast as plain nbgrader, a second run")
    for way, (seconds, again, marks) in found.items():
        differing = sum(marks[name] != expected[name] for name in students)
        click.echo(f"  {way:36} {seconds:6.0f} {slowest / seconds:6.1f} {again:6.1f}   scores that differ: {differing}")


def on_a_cluster(students):
    with ExitStack() as doors:
        folder = Path(doors.enter_context(tempfile.TemporaryDirectory()), "postgresql")
        folder.mkdir()
        db_url = doors.enter_context(postgresql(folder))
        scheduler, _ = doors.enter_context(dask_cluster(2))
        gradebook = f"c.CourseDirectory.db_url = {db_url!r}\n"
        return measured(students, (*GRADE, "--scheduler", scheduler), gradebook, db_url)


def measured(students, command, config="", db_url=""):
    """Seconds for all of them, and for the same command again; student -> score."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        open_course(root, LESSON, students, CONFIG.format(root=str(root), limit=30) + config)
        make_known(root, LESSON)
        first, again = timed(root, command), timed(root, command)
        with Gradebook(db_url or f"sqlite:///{root}/gradebook.db") as gradebook:
            return first, again, {s.student.id: s.score for s in gradebook.assignment_submissions(LESSON)}


def timed(root, command):
    start = time.perf_counter()
    finish(begin(root, *command))
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
