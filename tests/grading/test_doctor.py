"""`mha doctor` says what protects this machine, and where to read how to get the rest."""

import shutil
import sys

import pytest
from click.testing import CliRunner
from helpers import needs_sandbox

from autograder.cli import main


def told():
    return CliRunner().invoke(main, ["doctor"])


def test_all_is_well():
    """Where a sandbox can be had, it says so, and where to read what is promised."""
    needs_sandbox()
    result = told()
    assert result.exit_code == 0 and "docs/grading.md" in result.output


def test_bubblewrap_is_missing(monkeypatch):
    """It says so, and grading needs --trust-submissions."""
    if sys.platform != "linux":
        pytest.skip("elsewhere Linux itself is missing")
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, *a, **k: None if name == "bwrap" else real(name, *a, **k))
    result = told()
    assert result.exit_code == 1
    assert "bubblewrap is not installed" in result.output and "--trust-submissions" in result.output


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_elsewhere(monkeypatch, system):
    """Without Linux it says that, and the page that it names has ways to a Linux."""
    monkeypatch.setattr(sys, "platform", system)
    result = told()
    assert result.exit_code == 1
    assert "needs Linux" in result.output and "What a sandbox needs" in result.output
