"""A function that never ends: it costs one limit of time in a whole notebook, and points to nobody else."""

import re
from time import monotonic

import pytest
from helpers import at_night, solved

from autograder.catalogue import EXERCISES, LESSONS, lacking
from autograder.exercise import Exercise, ModuleExercise
from autograder.grading.examiner import Examination, error_in, is_scored, name_checked_by
from autograder.grading.sandbox.sources import source_of_workers

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examination")]
LESSON, LIMIT, LIMIT_OF_CALL = "lesson_02_scaled_dot_product", 30, 5
MOST = 15  # seconds that a loop may cost
FIRST = {
    lesson: next(name for name, task in EXERCISES.items() if task.lesson == lesson and isinstance(task, Exercise))
    for lesson in LESSONS
}


def notebook(lesson):
    """The code cells of a lesson with our answers."""
    return [cell for cell in solved(lesson).cells if cell.cell_type == "code"]


def looping(source, name):
    """The cell of an answer in which the function, or the class' forward, begins with a loop that never ends."""
    function = "forward" if isinstance(EXERCISES[name], ModuleExercise) else name
    head = re.search(rf"^( *)def {function}\(.*?\).*?:\n", source, re.MULTILINE | re.DOTALL)
    loop = f"{head[1]}    while True:\n{head[1]}        pass\n"
    return source[: head.end()] + loop + source[head.end() :]


def examined(lesson, endless=None, seconds=LIMIT):
    """Examine a notebook as grading does: exercise -> verdict, what the other cells show, and seconds for all."""
    verdicts, shown, begin = {}, [], monotonic()
    with Examination(source_of_workers(True, lacking(lesson)), lesson, 1, seconds, LIMIT_OF_CALL) as examination:
        for cell in notebook(lesson):
            name, task = name_checked_by(cell), cell.metadata.get("nbgrader", {}).get("grade_id")
            if name:
                verdicts[name] = examination.check(name)[0].metadata["verdict"]
            elif not is_scored(cell):
                source = looping(cell.source, task) if task and task == endless else cell.source
                shown.append(str(examination.run(source, task)))
    return verdicts, shown, monotonic() - begin


@pytest.mark.parametrize("lesson", [LESSONS[7], *at_night(LESSONS[:7] + LESSONS[8:])])
@pytest.mark.nightly
def test_a_loop_costs_one_limit(lesson):
    """Whatever the lesson, and however many cells and answers call the function; others keep their points."""
    _, _, whole = examined(lesson)
    verdicts, _, seconds = examined(lesson, FIRST[lesson])
    assert seconds - whole < MOST
    assert verdicts[FIRST[lesson]]["property"] == "finishes"
    assert [name for name, verdict in verdicts.items() if verdict["score"] < 1] == [FIRST[lesson]], verdicts


SCORES = """
def attention_scores(query, key):
    products = query @ np.swapaxes(key, -1, -2)
    return products / np.sqrt(query.shape[-1])
"""
WEIGHTS = """
def attention_weights(query, key):
    return softmax(attention_scores(query, key))
"""
FOR_EVER = "def attention_scores(query, key):\n    while True:\n        pass\n"
LOOPS = """
def scaled_dot_product_attention(query, key, value):
    while True:
        attention_scores(query, key)
"""
WAIT_ONCE = "waited or waited.append(1) or time.sleep(60)"
CALL, LARGE = "attention_scores(*np.ones((2, 3, 3)))", "attention_scores(*np.ones((2, 1000, 3)))"


@pytest.fixture
def trial():
    with Examination(source_of_workers(True, lacking(LESSON)), LESSON, 1, 6, 2) as trial:
        trial.run("import time\nimport numpy as np\nfrom mha_ref import softmax")
        yield trial


def verdict_of(trial, name):
    return trial.check(name)[0].metadata["verdict"]


def test_a_cell_that_calls_it_goes_on_with_the_right_one(trial):
    """The first one stops and names the function; those after it are not stopped, and the feedback says why."""
    trial.run(FOR_EVER)
    first, second = (trial.run(f"print('so far')\n{CALL}") for _ in range(2))
    assert first[0].text == second[0].text == "so far\n"
    assert first[1].evalue == "`attention_scores` did not come back within 2 seconds, and was stopped."
    assert "1.73205081" in second[1].data["text/plain"]
    assert second[2].text.startswith("`attention_scores` did not come back before, so")


@pytest.mark.nightly
def test_what_only_a_cell_found_slow_keeps_its_points(trial):
    """On the many numbers of a picture it takes too long; it is judged on a few, and what calls it is right as well."""
    trial.run(SCORES.replace("    products", "    time.sleep(len(query) > 100 and 60)\n    products", 1) + WEIGHTS)
    assert error_in(trial.run(LARGE)).startswith("TooSlow")
    assert error_in(trial.run(CALL)) is None
    assert verdict_of(trial, "attention_scores")["score"] == verdict_of(trial, "attention_weights")["score"] == 1


def test_what_was_stopped_below_its_definition_keeps_its_points(trial):
    """Its own cell was stopped, and another one went on with the course's version: what was written is judged."""
    slow = SCORES.replace("    products", "    time.sleep(len(query) > 100 and 60)\n    products", 1)
    assert error_in(trial.run(slow + LARGE, "attention_scores")).startswith("TooSlow")
    assert "did not come back before" in str(trial.run(f"{CALL}\nafter = 1"))
    assert verdict_of(trial, "attention_scores")["score"] == 1
    assert error_in(trial.run("after")) is None


def test_what_a_busy_machine_has_slowed_is_asked_again(trial):
    """It waited and did not compute, and the second time it ends."""
    trial.run("waited = []\n" + SCORES.replace("    products", f"    {WAIT_ONCE}\n    products", 1))
    assert verdict_of(trial, "attention_scores")["score"] == 1
    assert trial.cells.remote.worked < 1


@pytest.mark.nightly
def test_what_a_loop_calls_is_innocent(trial):
    """A right function that a loop calls again and again, helper or exercise, keeps its points, and is called again."""
    trial.run(SCORES.replace("np.sqrt(", "helper(") + "def helper(x):\n    return np.sqrt(x)\n")
    trial.run(LOOPS + WEIGHTS)
    assert error_in(trial.run("scaled_dot_product_attention(*np.ones((3, 2, 2)))")).startswith("TooSlow: `scaled")
    assert verdict_of(trial, "scaled_dot_product_attention")["property"] == "finishes"
    assert verdict_of(trial, "attention_scores")["score"] == verdict_of(trial, "attention_weights")["score"] == 1


@pytest.mark.nightly
def test_who_is_judged_before_the_one_that_loops(trial):
    """The loop costs its own points alone, in whatever order they come."""
    trial.run(FOR_EVER + WEIGHTS)
    caller, endless = verdict_of(trial, "attention_weights"), verdict_of(trial, "attention_scores")
    assert caller["score"] == 1 and "given a right `attention_scores`" in caller["message"]
    assert (endless["score"], endless["property"]) == (0, "finishes")


RIGHT = "attention_scores(np.array([[2., 1, 0, 2]]), np.array([[1., 3, 5, 0]]))"  # [[2.5]]


@pytest.mark.parametrize("ways", [f"scaled_score = {RIGHT}[0, 0]", f"scores = {RIGHT}\nscaled_score = scores.item()"])
def test_a_number_that_the_right_one_computed(trial, ways):
    """It is not theirs: in the learner's own notebook this cell would not have come back."""
    trial.run(FOR_EVER + CALL)
    assert error_in(trial.run(ways)) is None
    found = verdict_of(trial, "scaled_score")
    assert found["score"] == 0 and "so the course's own version computed this answer" in found["message"]


def test_a_number_beside_one_that_the_right_one_computed(trial):
    """It is theirs; and so is one that was computed with what was only slow in a cell."""
    trial.run(FOR_EVER + CALL)
    trial.run(f"{RIGHT}\nscaled_score = 2.5")
    assert verdict_of(trial, "scaled_score")["score"] == 1
    trial.run(SCORES.replace("    products", "    time.sleep(len(query) > 100 and 60)\n    products", 1))
    trial.run(LARGE)
    trial.run(f"scaled_score = {RIGHT}[0, 0]")
    assert verdict_of(trial, "scaled_score")["score"] == 1


@pytest.mark.nightly
def test_one_that_loops_only_when_it_is_judged_wins_nothing(trial):
    """Its points are lost; what calls it is right with a right one."""
    trial.run(
        "import sys\n"
        + SCORES.replace("    products", "    while not called():\n        pass\n    products", 1)
        + WEIGHTS
    )
    trial.run("def called():\n    return sys._getframe(2).f_code.co_name == 'attention_weights'")
    assert verdict_of(trial, "attention_scores")["property"] == "finishes"
    assert verdict_of(trial, "attention_weights")["property"] == "given_right_parts"


@pytest.mark.nightly
def test_one_that_is_written_anew_is_called(trial):
    """It is another function, and what is written with it is right."""
    trial.run(FOR_EVER)
    assert verdict_of(trial, "attention_scores")["property"] == "finishes"
    trial.run(SCORES + WEIGHTS)
    assert error_in(trial.run(CALL)) is None
    assert verdict_of(trial, "attention_weights")["score"] == 1


@pytest.mark.nightly
def test_a_loop_in_c(trial):
    """No alarm stops that, so the worker ends; in the next one it is not called again either."""
    trial.run("import itertools\ndef attention_scores(query, key):\n    return all(itertools.repeat(True))\n")
    trial.run(WEIGHTS)
    assert verdict_of(trial, "attention_scores")["property"] == "finishes"
    begin = monotonic()
    assert error_in(trial.run(CALL)) is None
    assert verdict_of(trial, "attention_weights")["property"] == "given_right_parts"
    assert monotonic() - begin < 5
