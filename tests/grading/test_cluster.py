"""`mha grade --scheduler`: a Dask cluster of two workers, and PostgreSQL as the gradebook."""

import signal
import subprocess
import sys
import time

import psutil
import pytest
from classroom import CONFIG, Submission, open_course
from helpers import our_answers
from nbgrader.api import Gradebook
from servers import dask_cluster, postgresql

from autograder.grading.processes import KILLED, results_of_cluster

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("cluster")]
LESSON = "lesson_00_start_here"
WRONG = {"weighted_mean": "def weighted_mean(weights, values):\n    return weights + values\n"}
STUDENTS = [f"student_{n}" for n in range(8)]


def submissions():
    ours = our_answers(LESSON)
    return {name: Submission(ours | WRONG if n % 2 else ours) for n, name in enumerate(STUDENTS)}


def grade(root, *options):
    command = [sys.executable, "-m", "autograder.cli", "grade", LESSON, "--trust-submissions", *options]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def points(db_url):
    with Gradebook(db_url) as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(LESSON)}


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    with postgresql(tmp_path_factory.mktemp("postgresql")) as address:
        yield address


@pytest.fixture(scope="module")
def course(tmp_path_factory, gradebook):
    root = tmp_path_factory.mktemp("course")
    address = f"c.CourseDirectory.db_url = {gradebook!r}\n"
    open_course(root, LESSON, submissions(), CONFIG.format(root=str(root), limit=15) + address, short=True)
    return root


def test_a_class_is_graded_by_two_workers_and_one_of_them_is_killed(course, gradebook):
    """Everybody has the points they deserve, in the server's gradebook."""
    with dask_cluster(2) as (scheduler, workers):
        running = grade(course, "--scheduler", scheduler)
        until = time.monotonic() + 120
        while not list(course.glob("receipts/*/*.json")) and time.monotonic() < until:
            time.sleep(0.05)
        working = [p for p in psutil.Process(workers.pid).children(recursive=True) if "spawn" in " ".join(p.cmdline())]
        working[0].send_signal(signal.SIGKILL)
        said, complaint = running.communicate(timeout=240)
    assert running.returncode == 0, said + complaint
    most = max(points(gradebook).values())
    assert set(points(gradebook)) == set(STUDENTS)
    assert all((score < most) == (STUDENTS.index(name) % 2 == 1) for name, score in points(gradebook).items())


def test_this_machine_grades_with_that_gradebook_too(course, gradebook):
    """What the cluster has graded is known, and what changed is graded here."""
    before = points(gradebook)
    said, complaint = grade(course).communicate(timeout=120)
    assert "8 were graded before" in said, said + complaint
    said, _ = grade(course, STUDENTS[0], "--again").communicate(timeout=120)
    assert STUDENTS[0] in said and points(gradebook) == before


def test_a_submission_that_is_never_done(tmp_path):
    """Whoever works on it is ended after its share of time, also in C; it is told, and the others are done."""
    hurry = tmp_path / "hurry.py"
    hurry.write_text("from autograder.intake import bounds\nbounds.MOST_WORK = 1\n")
    endless = ("(a|a)*b", "a" * 60)
    tasks = [("a", "a" * n) for n in range(5)] + [endless]
    with dask_cluster(2, "--preload", hurry) as (scheduler, _):
        found = dict(results_of_cluster("re:findall", tasks, scheduler, tmp_path))
    assert found == {(sought, text): ["a"] * len(text) for sought, text in tasks} | {endless: KILLED}


def test_a_cluster_is_refused_a_file(tmp_path):
    """SQLite on a disk that several machines share loses rows."""
    open_course(tmp_path, LESSON, {"ada": Submission(...)}, CONFIG.format(root=str(tmp_path), limit=15))
    running = grade(tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    _, complaint = running.communicate(timeout=120)
    assert running.returncode == 1 and "db_url" in complaint
