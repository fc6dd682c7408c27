"""`mha try` tells an author what is new and wrong about a step, and nothing else."""

import os
import shutil
import subprocess
import sys

import pytest
from helpers import ROOT

NEW = '''

def hides_the_second_key(lengths, keys):
    """Your mask hides the second key of every sentence.
    Each word may be looked at, and padding is all that is hidden.
    Where does position 1 go?"""
    return {body}
'''
HINTS = """
## hides_the_second_key

A padding mask answers one question for each position: does a word of the sentence stand here, or padding?
A sentence of three words has words at the positions 0, 1 and 2, without a gap between them.
Is there a reason why one of these positions should be treated in another way than its neighbours?

Look at the comparison of positions with lengths, and then at everything that happens to its result afterwards.
The comparison alone gives rows that begin with True and end with False, and change once.
Which later line makes a row change more than once?

Print the mask for one sentence of four words and six keys.
It should be True four times in a row, and then False twice.
Go through your lines one by one, print what each of them gives, and see after which one the second True is gone.
"""
ANOTHER = "padding_mask(lengths, keys) & (np.arange(keys) != 1)"
STEP, WRITTEN = "lesson_03_masks/misconceptions/padding_mask.py", "lesson_03_masks/hints.md"


@pytest.fixture
def lessons(tmp_path):
    """A copy of our lessons that an author may change."""
    return shutil.copytree(ROOT / "mha_lessons", tmp_path / "mha_lessons")


def tried(lessons, name):
    """What `mha try` says of these lessons."""
    command = [sys.executable, "-m", "autograder.cli", "try", name]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(lessons.parent), str(ROOT)])}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=lessons.parent)


def add(file, text):
    file.write_text(file.read_text() + text)


@pytest.mark.nightly
def test_a_new_misconception_without_hints_that_is_an_old_one(lessons):
    """The author reads that hints are missing, and which version it cannot be told from."""
    add(lessons / STEP, NEW.format(body="~padding_mask(lengths, keys)"))
    done = tried(lessons, "padding_mask")
    assert done.returncode == 1 and not done.stderr
    assert "✗ each mistake has three hints" in done.stdout and done.stdout.count("hides_the_second_key` in") == 1
    assert "    1 without hints: write sections `## hides_the_second_key` in hints.md" in done.stdout
    assert "✗ a case tells every two versions apart" in done.stdout
    assert "✓ messages and hints are kind" in done.stdout
    assert "true_marks_padding = hides_the_second_key" in done.stdout


@pytest.mark.nightly
def test_a_new_misconception_with_hints(lessons):
    """Two files are changed, and then one clause has to name it."""
    add(lessons / STEP, NEW.format(body=ANOTHER))
    add(lessons / WRITTEN, HINTS)
    done = tried(lessons, "padding_mask")
    assert "✗" not in done.stdout and done.returncode == 0, done.stdout


def test_a_name_that_does_not_exist(lessons):
    """The nearest one is offered."""
    done = tried(lessons, "paddingmask")
    assert done.returncode == 1 and "'padding_mask'?" in done.stderr and "Traceback" not in done.stderr
