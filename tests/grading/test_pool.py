"""Several processes at work on many tasks."""

import os
import re
import signal
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from helpers import at_night

from autograder.grading import whole_class
from autograder.grading.processes import KILLED, results
from autograder.intake import bounds

HERE = "tests.grading.test_pool"


def double(number):
    return 2 * number


def killed_once(folder, number):
    """As somebody in trouble ends processes: at once, and without a word."""
    marker = Path(folder, str(number))
    if number == 3 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def origin_killed_once(folder, number):
    """Not this process is killed, but the one that all are copies of."""
    marker = Path(folder, "killed")
    if not marker.exists():
        marker.touch()
        os.kill(os.getppid(), signal.SIGKILL)
    return number


def always_killed(number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def hurry():
    bounds.MOST_WORK = 1


def never_done(number):
    """In C, where no other thread of Python has its turn, and no handler of a signal."""
    return re.fullmatch("(a|a)*b", "a" * 60) if number == 3 else number


def takes_all_memory(number):
    return bytearray(5 * 2**30) if number == 3 else number


def slow_after_the_first(number):
    time.sleep(60 * number)
    return number


@pytest.mark.parametrize("size", [1, 2])
def test_all_is_done(size):
    """Each task once, however many processes there are."""
    found = list(results(f"{HERE}:double", [(n,) for n in range(5)], size))
    assert sorted(found) == [((n,), 2 * n) for n in range(5)]


def test_nothing_to_do():
    """No task needs no process."""
    assert list(results(f"{HERE}:double", [], 2)) == []


def test_what_was_killed_is_begun_again(tmp_path):
    """And nothing is missing, and nothing there twice."""
    tasks = [(str(tmp_path), n) for n in range(8)]
    assert sorted(result for _, result in results(f"{HERE}:killed_once", tasks, 2)) == list(range(8))


@pytest.mark.parametrize("attempt", [0, *at_night(range(1, 5))])
@pytest.mark.slow
def test_what_all_are_copies_of_is_killed(tmp_path, attempt):
    """Also while further copies are made: all is done, as before."""
    tasks = [(str(tmp_path), n) for n in range(30)]
    assert sorted(result for _, result in results(f"{HERE}:origin_killed_once", tasks, 6)) == list(range(30))


def test_what_all_are_copies_of_is_killed_while_it_imports(monkeypatch):
    """Another one begins; it was taken for Ctrl-C."""
    start, times = ForkServerProcess.start, []

    def interrupted(process):
        times.append(process)
        if len(times) == 1:
            raise EOFError
        start(process)

    monkeypatch.setattr(ForkServerProcess, "start", interrupted)
    assert dict(results(f"{HERE}:double", [(1,), (2,)], 2)) == {(1,): 2, (2,): 4}


def test_whoever_looks_who_handed_in_is_killed(monkeypatch):
    """Then nobody is known, and it is said why."""
    monkeypatch.setattr(whole_class, "results", lambda *_: [(("a lesson", True), KILLED)])
    with pytest.raises(whole_class.CannotGrade, match="Nobody is graded: the process that tried"):
        whole_class.ClassOfStudents("lesson_00_start_here", trust_submissions=True)


@pytest.mark.parametrize("size", [1, 2])
def test_a_task_that_kills_whoever_does_it(size):
    """It is told; all others are done."""
    found = dict(results(f"{HERE}:always_killed", [(n,) for n in range(8)], size))
    assert found == {(n,): n for n in range(8)} | {(3,): KILLED}


@pytest.mark.nightly
def test_a_task_that_is_never_done():
    """It is told as well: after a while each process that takes it on is ended."""
    found = dict(results(f"{HERE}:never_done", [(n,) for n in range(5)], 2, (f"{HERE}:hurry",)))
    assert found == {(n,): n for n in range(5)} | {(3,): KILLED}


def test_a_task_that_takes_all_memory():
    """It has none of it, and hears that."""
    with pytest.raises(MemoryError):
        list(results(f"{HERE}:takes_all_memory", [(3,)], 1))


def test_whoever_stops_waits_for_nobody():
    """What is at work then is ended; a minute would be too long for somebody who pressed Ctrl-C."""
    found = results(f"{HERE}:slow_after_the_first", [(n,) for n in range(4)], 2)
    assert next(found) == ((0,), 0)
    start = time.monotonic()
    found.close()
    assert time.monotonic() - start < 5
