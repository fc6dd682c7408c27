"""The number that inputs are drawn from in grading."""

import stat

import numpy as np
import pytest
from helpers import FUNCTIONS

from autograder import EXERCISES
from autograder.intake.own_numbers import derived, seed_of


def of_whole_numbers(name):
    """Real numbers, which are drawn anew, are never the same twice."""
    given = (np.asarray(x) for case in EXERCISES[name].cases() for x in case.inputs.values())
    return all(x.dtype.kind in "biu" for x in given if x.dtype != object)


def test_it_is_made_once_and_kept(tmp_path):
    """Grading again is grading with the same inputs; nobody else on this machine can read the number."""
    db_url = f"sqlite:///{tmp_path}/gradebook.db"
    assert seed_of(db_url) == seed_of(db_url)
    assert stat.S_IMODE((tmp_path / "grading_seed.txt").stat().st_mode) == 0o600


def test_students_and_tasks_have_their_own():
    """What a feedback page shows of one student's inputs helps nobody else."""
    seeds = {derived(derived(1, student), task) for student in ("ada", "bo") for task in ("softmax", "weighted_mean")}
    assert len(seeds) == 4
    assert derived(1, "ada") == derived(1, "ada")


@pytest.mark.parametrize("name", list(filter(of_whole_numbers, FUNCTIONS)))
def test_no_table_of_answers_knows_the_next_student(name):
    """Whoever has seen the inputs of 60 others has not seen all of one's own."""
    known = {inputs for student in range(60) for inputs in inputs_of(name, student)}
    strangers = [set(inputs_of(name, student)) - known for student in (1001, 1002, 1003)]
    assert all(strangers), f"the inputs of {name} repeat: draw one from more numbers"


def inputs_of(name, seed):
    return [repr(sorted(case.inputs.items())) for case in EXERCISES[name].cases(seed)]


def test_a_file_without_a_number(tmp_path):
    """It is said which one, and what to do."""
    (tmp_path / "grading_seed.txt").write_text("hello\n")
    with pytest.raises(ValueError, match=r"grading_seed.txt should begin with a number. Take it away"):
        seed_of(f"sqlite:///{tmp_path}/gradebook.db")
