"""The number that inputs are drawn from in grading."""

import stat

import pytest

from autograder.grading.seed import derived, seed_of


def test_it_is_made_once_and_kept(tmp_path):
    """Grading again is grading with the same inputs; nobody else on this machine can read the number."""
    db_url = f"sqlite:///{tmp_path}/gradebook.db"
    assert seed_of(db_url) == seed_of(db_url)
    assert stat.S_IMODE((tmp_path / "grading_seed.txt").stat().st_mode) == 0o600


def test_students_and_tasks_have_their_own():
    """What a feedback page shows of one student's inputs helps nobody else."""
    seeds = {derived(derived(1, student), task) for student in ("ada", "bo") for task in ("softmax", "log_softmax")}
    assert len(seeds) == 4
    assert derived(1, "ada") == derived(1, "ada")


def test_a_file_without_a_number(tmp_path):
    """It is said which one, and what to do."""
    (tmp_path / "grading_seed.txt").write_text("hello\n")
    with pytest.raises(ValueError, match=r"grading_seed.txt should begin with a number. Take it away"):
        seed_of(f"sqlite:///{tmp_path}/gradebook.db")
