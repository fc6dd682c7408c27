"""`mha grade --scheduler`: a Dask cluster of two workers, and PostgreSQL as the gradebook."""

import signal
import subprocess
import sys
import time

import psutil
import pytest
from classroom import CONFIG, Submission, open_course
from crowd import LESSON, graded, open_crowd, points
from servers import dask_cluster, postgresql

from autograder.grading.processes import KILLED, results_of_cluster

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("cluster")]


def begin(root, *options):
    command = [sys.executable, "-m", "autograder.cli", "grade", LESSON, "--trust-submissions", *options]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def grade(root, *options):
    said, _ = begin(root, *options).communicate(timeout=3600)
    return said


def wait_for(root, number):
    until = time.monotonic() + 1800
    while len(graded(root)) < number:
        assert time.monotonic() < until, f"{number} submissions should be graded by now"
        time.sleep(0.05)


def test_a_worker_and_the_gradebook_are_killed(tmp_path_factory, number=300):
    """The next run grades whom the first one could not, and nobody else; everybody has the points they deserve."""
    root, folder = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("postgresql")
    with postgresql(folder) as (gradebook, kill_gradebook), dask_cluster(2) as (scheduler, workers):
        deserved = open_crowd(root, number, f"c.CourseDirectory.db_url = {gradebook!r}\n")
        running = begin(root, "--scheduler", scheduler)
        wait_for(root, number // 6)
        at_work = [p for p in psutil.Process(workers.pid).children(recursive=True) if "spawn" in " ".join(p.cmdline())]
        at_work[0].send_signal(signal.SIGKILL)
        wait_for(root, number // 3)
        kill_gradebook()
        said, _ = running.communicate(timeout=3600)
        known = graded(root)
        assert "Traceback" not in said and number // 3 <= len(known)
        again = grade(root, "--scheduler", scheduler) + grade(root)
        assert points(gradebook) == deserved, said + again
        assert f"{len(known)} were graded before" in again and f"{number} were graded before" in again


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
    running = begin(tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    complaint, _ = running.communicate(timeout=120)
    assert running.returncode == 1 and "db_url" in complaint
