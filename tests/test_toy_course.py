"""The engine serves any course: the suite of a small one passes where ours cannot be imported."""

import os
import subprocess
import sys

import pytest
from helpers import ROOT

SUITE = ROOT / "tests" / "toy_course"


@pytest.mark.slow
def test_the_suite_of_the_toy_course():
    """Judging, building, learning, grading, reporting and packing, without a word about attention."""
    paths = os.pathsep.join([str(SUITE), str(ROOT)])
    environment = os.environ | {"AUTOGRADER_COURSE": "toy_lessons:course", "PYTHONPATH": paths}
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull, "--rootdir", SUITE]
    command = [sys.executable, "-m", "pytest", *options, "--confcutdir", SUITE, SUITE]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert "skipped" not in done.stdout
