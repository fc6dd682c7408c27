"""`mha doctor` says what protects this machine, and what gets the rest."""

import shutil
import sys

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.grading.sandbox import doctor, selection


def told():
    return CliRunner().invoke(main, ["doctor"])


def test_all_is_well():
    """Where a sandbox can be had, everything is green, and what is not promised stands there too."""
    trouble = selection.why_no_sandbox()
    if trouble:
        pytest.skip(f"there is no sandbox here: {trouble}")
    result = told()
    assert result.exit_code == 0
    assert "NO" not in result.output.split("\n\n")[0]
    assert "Not promised" in result.output


def test_bubblewrap_is_missing(monkeypatch):
    """One line says so, and gives the command that gets it; grading needs --trust-submissions."""
    if sys.platform != "linux":
        pytest.skip("elsewhere Linux itself is missing")
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, *a, **k: None if name == "bwrap" else real(name, *a, **k))
    result = told()
    assert result.exit_code == 1
    assert "NO   bubblewrap" in result.output
    assert "bubblewrap" in result.output.split("->")[1]
    assert "--trust-submissions" in result.output


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_elsewhere(monkeypatch, system):
    """Without Linux it points to a Linux."""
    monkeypatch.setattr(sys, "platform", system)
    result = told()
    assert result.exit_code == 1
    assert "NO   Linux" in result.output
    assert "WSL2" in result.output and "container" in result.output


@pytest.mark.parametrize("name", doctor.SWITCHES)
def test_a_switch_of_the_kernel(tmp_path, name):
    """If one forbids user namespaces, it is the one that we name; if none does, we look at containers."""
    forbidding, remedy = doctor.SWITCHES[name]
    assert "container" in doctor.why_forbidden(tmp_path)
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text(f"{forbidding}\n")
    assert doctor.why_forbidden(tmp_path) == remedy
    (tmp_path / name).write_text("7\n")
    assert "container" in doctor.why_forbidden(tmp_path)


def test_root_is_told(monkeypatch):
    """That an ordinary user is better still."""
    finding = doctor.Finding("a sandbox", True, "made one")
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    assert "You are root" in doctor.promise([finding])
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    assert "You are root" not in doctor.promise([finding])
