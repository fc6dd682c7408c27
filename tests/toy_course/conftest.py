"""The toy course is the installed one here, and sitecustomize.py sees to it that ours cannot be imported.

This suite runs in a process of its own: see tests/test_toy_course.py.
"""

import os

import pytest

from autograder.build import build
from autograder.catalogue import LESSONS


@pytest.fixture(scope="session", autouse=True)
def progress(tmp_path_factory):
    """What these tests check is nobody's progress."""
    os.environ["MHA_PROGRESS"] = str(tmp_path_factory.mktemp("progress") / "progress.jsonl")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The root of a course whose notebooks were just made."""
    root = tmp_path_factory.mktemp("toy")
    assert {file.stem for file in build(root)} == set(LESSONS)
    return root
