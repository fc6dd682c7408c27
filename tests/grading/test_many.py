"""A class is graded by several processes, and some of them are killed."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial

import psutil
import pytest
from classroom import CONFIG, Submission, open_course, scores
from crowd import graded, open_crowd, points
from helpers import our_answers
from nbgrader.api import Gradebook

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("many")]
LESSON = "lesson_00_start_here"
OVERFLOWS = {"weighted_mean": "def weighted_mean(weights, values):\n    return weights + values\n"}


def submissions():
    ours = our_answers(LESSON)
    right = {f"right_{n}": Submission(ours) for n in range(5)}
    wrong = {f"wrong_{n}": Submission(ours | OVERFLOWS) for n in range(3)}
    return right | wrong | {"broken": Submission(ours, files={f"{LESSON}.ipynb": "{"}), "untouched": Submission(...)}


def begin(root, *options):
    """As in a terminal: what runs in the background, as tests may, would hand on that Ctrl-C is not for it."""
    command = [sys.executable, "-m", "autograder.cli", "grade", LESSON, "--trust-submissions", *options]
    pipes, hear = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE), partial(signal.signal, signal.SIGINT)
    new = dict(start_new_session=True, preexec_fn=partial(hear, signal.SIG_DFL))
    return subprocess.Popen(command, cwd=root, text=True, **pipes, **new)


def grade(root, *options):
    """Until it is done: what was said, line by line, by its first word."""
    running = begin(root, *options)
    said, _ = running.communicate(timeout=900)
    return {line.split()[0]: line for line in said.splitlines() if line}


def marks(root):
    return {student: scores(root, LESSON, student) for student in submissions() if student != "broken"}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    open_course(root, LESSON, submissions(), CONFIG.format(root=str(root), limit=15), short=True)
    return root


@pytest.fixture(scope="module")
def expected(course):
    """What they get when nobody is in the way."""
    grade(course)
    return marks(course)


def start_afresh(root):
    """As if nobody had been graded yet."""
    (root / "gradebook.db").unlink(missing_ok=True)
    for file in root.glob("receipts/*/*.json"):
        file.unlink()


def wait_for(root, number):
    """Until so many have a receipt that says how they were graded."""
    until = time.monotonic() + 60
    while sum("fingerprint" in file.read_text() for file in root.glob("receipts/*/[!.]*.json")) < number:
        assert time.monotonic() < until, f"{number} submissions should be graded by now"
        time.sleep(0.02)


def test_whoever_is_unchanged_is_not_graded_again(course, expected):
    """Those that could not be graded are tried again, and told again."""
    said = grade(course)
    assert set(said) == {"broken", "9"} and "graded before" in said["9"] and "as before, not graded" in said["broken"]
    assert marks(course) == expected


def test_what_changed_is_graded_again(course, expected):
    """One handed in again, all others are as they were."""
    file = course / "submitted" / "right_0" / LESSON / f"{LESSON}.ipynb"
    before = file.read_bytes()
    file.write_bytes(before + b"\n")
    try:
        assert "right_0" in grade(course)
    finally:
        file.write_bytes(before)


def test_a_grader_that_is_killed(course, expected):
    """Others take over what it was at; no student is left out or counted twice."""
    start_afresh(course)
    running = begin(course, "--jobs", "2")
    wait_for(course, 5)
    graders = filter(is_forkserver, psutil.Process(running.pid).children(recursive=True))
    random.choice(list(graders)).send_signal(signal.SIGKILL)
    running.communicate(timeout=300)
    assert marks(course) == expected


@pytest.mark.nightly
def test_everything_is_killed_and_begun_again(course, expected):
    """What was done is not done again, and the rest is; nothing is left running."""
    start_afresh(course)
    running = begin(course, "--jobs", "2")
    wait_for(course, 4)
    family = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    running.communicate()
    _, alive = psutil.wait_procs(family, timeout=20)
    assert not alive, "graders outlived whoever called them"
    assert list(course.glob(".grading/*")), "it was killed in the middle of its work"
    said = grade(course)
    assert marks(course) == expected and not (course / ".grading").exists()
    known = next(line for line in said.values() if "graded before" in line)
    assert int(known.split()[0]) >= 3, "what had a receipt is not graded again"


@pytest.mark.nightly
def test_ctrl_c_before_anything_is_graded(course, expected):
    """In seconds; it is said what to do. Nothing is left running, and nothing is noted of anybody."""
    start_afresh(course)
    running = begin(course, "--jobs", "2")
    wait_until_it_imports(running)
    assert "Nothing was begun" in press_ctrl_c(running)
    assert not list(course.glob("receipts/*/[!.]*.json"))


@pytest.mark.nightly
def test_ctrl_c(course, expected):
    """It is said how far it was, too. No half mark counts, and the same command goes on from there."""
    start_afresh(course)
    running = begin(course, "--jobs", "2")
    wait_for(course, 3)
    assert f"of {len(submissions())} are done" in press_ctrl_c(running)
    assert not counts_and_is_not_done(course)
    grade(course)
    assert marks(course) == expected


def press_ctrl_c(running):
    """What it says then."""
    family = psutil.Process(running.pid).children(recursive=True)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: all that belongs to the command is told
    assert running.wait(timeout=5) == 130
    _, complaint = running.communicate(timeout=60)
    assert "Traceback" not in complaint
    assert "The same command goes on from there." in complaint
    _, alive = psutil.wait_procs(family, timeout=20)
    assert not alive, "graders outlived whoever called them"
    return complaint


def wait_until_it_imports(running):
    """Which takes some seconds."""
    while not any(map(is_forkserver, psutil.Process(running.pid).children())):
        time.sleep(0.02)
    time.sleep(0.5)


def is_forkserver(process):
    """One that has just ended has no command any more."""
    try:
        return "forkserver" in " ".join(process.cmdline())
    except psutil.Error:
        return False


def is_grader(process):
    """A copy of the forkserver. That one is spared: its copies would go on, and be found no more."""
    with suppress(psutil.Error):
        return is_forkserver(process) and is_forkserver(process.parent())
    return False


def counts_and_is_not_done(root):
    """Who is in the gradebook, and has a receipt that says neither how they were graded nor that it was stopped."""
    noted = {file.stem: json.loads(file.read_text()) for file in root.glob("receipts/*/[!.]*.json")}
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        known = {one.student.id for one in gradebook.assignment_submissions(LESSON)} if noted else set()
    return [student for student in known if not (noted[student]["graded"] or noted[student]["trouble"])]


@pytest.mark.nightly
def test_two_at_once(course, expected):
    """One of them grades; the other is told so, and changes nothing."""
    start_afresh(course)
    both = [begin(course), begin(course)]
    complaints = ["".join(running.communicate(timeout=300)) for running in both]
    assert sum("Somebody else is grading" in complaint for complaint in complaints) == 1, complaints
    assert marks(course) == expected


@pytest.mark.nightly
def test_a_class_of_a_thousand_with_kills(tmp_path_factory, number=1000):
    """Graders are killed all the time, and everything twice; everybody has the points that they deserve."""
    root, kills = tmp_path_factory.mktemp("thousand"), []
    deserved, start = open_crowd(root, number), time.monotonic()
    for until in (0.3 * number, 0.6 * number, number + 1):
        running = begin(root, "--jobs", "2")
        killer = threading.Thread(target=kill_now_and_then, args=(running, root, until, kills))
        killer.start()
        said, complaint = running.communicate()
        killer.join()
        assert "Traceback" not in said + complaint
    print(f"{number} students, {time.monotonic() - start:.0f} seconds, {len(kills)} kills")
    assert f"{number} were graded before" in str(grade(root)) and len(kills) > number / 20
    assert points(f"sqlite:///{root}/gradebook.db") == deserved


def kill_now_and_then(running, root, until, kills):
    """Kill a grader whenever a few more students are graded, and everything once there are so many."""
    few = len(graded(root))
    while running.poll() is None:
        time.sleep(0.5)
        done = len(graded(root))
        if done < few + 10:
            continue
        with suppress(psutil.NoSuchProcess, IndexError):  # it is done, or has just lost all
            graders = [one for one in psutil.Process(running.pid).children(recursive=True) if is_grader(one)]
            end = running if done >= until else random.choice(graders)
            end.kill()
            kills.append(end.pid)
            few = done
