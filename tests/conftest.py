"""For all tests: one thread each, since small tensors only wait for more, and tests run side by side.

And what they check is nobody's progress.
"""

import os
import tempfile
from pathlib import Path

import pytest
from warm_kernels import warm_kernels

collect_ignore = ["toy_course"]  # another course, which tests/test_toy_course.py runs in a process of its own
os.environ.setdefault("OMP_NUM_THREADS", "1")
_folder = tempfile.TemporaryDirectory()
os.environ["MHA_PROGRESS"] = str(Path(_folder.name) / "progress.jsonl")


def pytest_collection_modifyitems(items):
    """Begin with the suite of the toy course, one test of half a minute: at its end all others would wait for it."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/test_toy_course.py"))


@pytest.fixture(scope="session")
def copied_kernels(tmp_path_factory):
    """Variables with which Jupyter's kernels are copies of one process, which has imported what they will."""
    with warm_kernels(tmp_path_factory.mktemp("warm")) as variables:
        yield variables


@pytest.fixture
def quick_kernels(copied_kernels, monkeypatch):
    """Kernels of this test are such copies."""
    for name, value in copied_kernels.items():
        monkeypatch.setenv(name, value)
