"""What a browser's Python lacks, the lessons that run there do without; test_book.py opens the pages themselves."""

import os
import subprocess
import sys

import pytest
from helpers import ROOT


@pytest.mark.slow
def test_lessons_in_numpy_need_no_more_than_a_browser_has():
    """No signals, threads or processes, no torch: right answers are right, and others end and get their cards."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
    command = [sys.executable, ROOT / "tests" / "support" / "as_in_a_browser.py", ROOT]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("checks") == 4 and "sum to 1 over the whole array" in done.stdout
    assert ("did not finish" in done.stdout) == hasattr(sys, "monitoring")
