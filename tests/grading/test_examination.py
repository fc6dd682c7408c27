"""How long a notebook may take, and how much it may show, however many cells it has."""

import subprocess
import sys
from time import monotonic, sleep

import pytest
from helpers import our_answers

from autograder.catalogue import lacking
from autograder.grading import cells, examiner
from autograder.grading.cells import LEFT_OUT, NO_MORE
from autograder.grading.examiner import Examination
from autograder.grading.port import remote
from autograder.grading.sandbox.sources import workers
from autograder.grading.workers.shell import MOST_CHARACTERS
from autograder.judging import judge as judging
from autograder.judging.verdict import Verdict

# A picture of one place.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examination")]
LESSON = "lesson_00_start_here"


@pytest.fixture(scope="module")
def source():
    with workers(trust_submissions=True, without=lacking(LESSON)) as source:
        yield source


@pytest.fixture
def trial(source):
    with Examination(source, LESSON, 1, 5, 5) as trial:
        trial.run("import os, time")
        yield trial


def test_cells_that_sleep(trial):
    """Each within its limit; after the time of the notebook no further one is run, and answers are judged still."""
    trial.cells.end = monotonic() + 1
    said = [str(trial.run("time.sleep(0.8)")) for _ in range(20)]
    assert sum(NO_MORE not in one for one in said) <= 3 and monotonic() < trial.cells.end + 3
    assert "did not come back" not in str(trial.check("weighted_mean"))


@pytest.mark.nightly
def test_cells_that_sleep_the_second_time(trial, monkeypatch):
    """When a worker ended, and a new one runs them again."""
    for _ in range(10):
        trial.run(f"time.sleep(1 if time.monotonic() > {monotonic() + 2} else 0)")
    trial.run("time.sleep(2)")
    trial.run("os._exit(0)")
    monkeypatch.setattr(cells, "MOST_TIME", 1.0)
    begin = trial.cells.end = monotonic()
    trial.cells.end += 1
    trial.check("weighted_mean")
    assert monotonic() < begin + 6


def test_a_cell_that_ends_the_worker_the_second_time(trial):
    """It alone is left out, and what was defined below it is there."""
    trial.run(f"os._exit(0) if time.monotonic() > {monotonic() + 1} else None")
    trial.run("weight_ratio = 4")
    sleep(1)
    trial.run("os._exit(0)")
    assert "is missing" not in str(trial.check("weight_ratio")) and trial.cells.ran[-1] == "weight_ratio = 4"


def test_a_cell_that_prints_much(trial):
    """Line after line, in less time than a cell has; what there is no room for is left out, and that is said once."""
    (said,) = trial.run("for n in range(400_000): print(n)")
    assert said.text.startswith("0\n1\n2\n") and said.text.count("the rest is left out") == 1
    assert len(said.text) < MOST_CHARACTERS + 100


def test_many_cells_that_show_much(trial, monkeypatch):
    """What there is no room for is left out, and that is said."""
    monkeypatch.setattr(cells, "MOST_SHOWN", 1000)
    said = [trial.run("print('x' * 400)")[0].text for _ in range(4)]
    assert said[0].startswith("xxx") and said[-1] == LEFT_OUT


def test_hundreds_of_pictures(trial):
    """Each is small, and a browser draws all: a notebook has room for a hundred."""
    show = "from IPython.display import display\nfor _ in range({}): display({{'image/png': '{}'}}, raw=True)"
    few, many = (trial.run(show.format(number, DOT)) for number in (20, 200))
    assert [output.data["image/png"] for output in few] == [DOT] * 20
    assert [output.text for output in many] == [LEFT_OUT]


def test_a_cell_that_is_no_python(trial):
    """Its line is said, and no file, which nobody has."""
    trial.run("# e\nweight_ratio = = 2", "weight_ratio")
    said = trial.check("weight_ratio")[0].metadata["verdict"]["message"]
    assert said == "There is no `weight_ratio`: its cell stopped with SyntaxError: invalid syntax (line 2)."


@pytest.mark.parametrize("answer", ["[0] * 200_000", "'x' * 5_000_000", "eval('[' * 60 + ']' * 60)"])
def test_answers_that_do_not_fit(trial, answer):
    """Another kind of thing than was asked for; nobody needs to look at it."""
    trial.run(f"weight_ratio = {answer}")
    (output,) = trial.check("weight_ratio")
    assert output.metadata["verdict"]["reason"] == "type" and "cannot be looked at" in output.data["text/html"]


def test_a_function_whose_result_does_not_fit(trial):
    """The card says that, and not that something else went wrong."""
    trial.run("def weighted_mean(values, weights): return [0.5] * 200_000")
    assert "too much, or too deep, to be handed over" in str(trial.check("weighted_mean"))


def test_what_takes_long_here(trial, monkeypatch):
    """Not in the worker, which is told how long it may take: the judge itself is stopped."""
    monkeypatch.setattr(examiner, "MOST_SECONDS", 0.5)
    monkeypatch.setattr(examiner, "judge", lambda *_: sleep(60))
    begin = monotonic()
    trial.run("def weighted_mean(values, weights): return 1")
    assert "a loop that never ends" in str(trial.check("weighted_mean")) and monotonic() < begin + 10


def test_cards_that_would_fill_the_page(trial, monkeypatch):
    """The beginning of what they say is left, and the points."""
    monkeypatch.setattr(examiner, "judge", lambda *_: Verdict("type", "& " * 10**6, score=0.5))
    trial.run("def weighted_mean(values, weights): return 1")
    (output,) = trial.check("weighted_mean")
    assert len(str(output)) < 50_000 and output.metadata["verdict"]["score"] == 0.5


def test_a_cell_that_is_too_long_to_be_sent(trial):
    """It is not run, and that is said; those below are run, with what stands above."""
    (said,) = trial.run(f"x = '{'a' * 5_000_000}'")
    assert said.ename == "TooLong" and trial.run("print(os.sep)")[0].text == "/\n"


def test_an_answer_that_never_ends_and_one_that_calls_it(source):
    """The first is told of its loop, in the time that a call has; the second of its own mistake."""
    begin = monotonic()
    with Examination(source, "lesson_02_scaled_dot_product", 1, 5, 2) as trial:
        trial.run("def attention_scores(query, key):\n    while True:\n        pass")
        trial.run("def attention_weights(query, key):\n    return attention_scores(query, key)")
        (endless,), (caller,) = trial.check("attention_scores"), trial.check("attention_weights")
    assert endless.metadata["verdict"]["property"] == "finishes"
    assert caller.metadata["verdict"]["message"].startswith("Your weights are the scores themselves")
    assert monotonic() - begin < 20


def test_a_worker_that_somebody_else_kills(trial, monkeypatch):
    """As a system does whose memory is short: neither a cell nor an answer pays for it."""
    trial.run("def weighted_mean(weights, values):\n    return weights @ values")
    trial.cells.remote.worker.kill()
    assert "Error" not in str(trial.run("x = weighted_mean")) and trial.cells.ran[-1] == "x = weighted_mean"
    killed = []

    def judge(*asked):
        killed or killed.append(trial.cells.remote.worker.kill())
        return judging.judge(*asked)

    monkeypatch.setattr(examiner, "judge", judge)
    assert "'score': 1.0" in str(trial.check("weighted_mean")) and killed


BUSY = """
import sys, time
from importlib import import_module

class Busy:
    def find_spec(self, name, *_):
        if name == "torch":
            time.sleep(2)

sys.meta_path.insert(0, Busy())
from autograder.grading.examiner import Examination
from autograder.grading.port import remote
from autograder.grading.examiner import Examiner
from autograder.judging import judge as judging
from autograder.judging.verdict import Verdict
from autograder.catalogue import lacking
import_module("autograder.judging.judge").TIME_LIMIT = 1
lesson, answer = sys.argv[1:]
with Examination(Examiner(trust_submissions=True).source_of_workers(lacking(lesson)), lesson, 1, 20, 20) as trial:
    trial.run(answer)
    print(trial.check("attention_head"))
"""


@pytest.mark.nightly
def test_on_a_busy_machine_no_answer_pays_for_what_is_imported():
    """The first answer of a lesson in torch is as right as those after it, though the judge imports torch for it."""
    lesson = "lesson_04_single_head"
    answer = f"import torch\nfrom mha_ref import masked_attention\n{our_answers(lesson)['attention_head']}"
    done = subprocess.run([sys.executable, "-c", BUSY, lesson, answer], capture_output=True, text=True, timeout=120)
    assert "'score': 1.0" in done.stdout, done.stdout + done.stderr


def test_answers_when_it_is_much_too_late(trial):
    """Cells have their time, and a new worker as much again; answers that are nearly too slow come on top of both."""
    trial.run("def weighted_mean(weights, values):\n    time.sleep(4)\n    return weights @ values")
    begin = monotonic()
    trial.cells.end = begin - cells.MOST_TIME
    trial.check("weighted_mean")
    assert monotonic() < begin + 3


NOTES_INPUTS = """
seen = {}
def key(*inputs):
    return tuple((np.ascontiguousarray(x).tobytes(), x.shape, str(x.dtype)) for x in inputs)
def causal_attention(*inputs):
    seen.setdefault(key(*inputs), [np.array(x) for x in inputs])
    return np.zeros(1)
"""
ASKS_THE_RIGHT_VERSION = """
def test_causal_attention(attention):
    global table
    table = {asked: np.asarray(attention(*inputs)) for asked, inputs in seen.items()}
    raise AssertionError
"""
KNOWS_THE_ANSWERS = """
table = pickle.loads(base64.b64decode({!r}))
def causal_attention(*inputs):
    return table[tuple((np.ascontiguousarray(x).tobytes(), x.shape, str(x.dtype)) for x in inputs)].copy()
"""


@pytest.mark.nightly
def test_what_one_notebook_has_seen_does_not_help_the_next(source):
    """Somebody has the right version answer all that was asked, reads it in the feedback, and hands it in."""

    def examined(*cells):
        with Examination(source, "lesson_03_masks", 1, 5, 5) as trial:
            trial.run("import base64, pickle\nimport numpy as np")
            verdicts = [trial.check(cell) if cell.isidentifier() else trial.run(cell) for cell in cells]
            return verdicts[-1][0]

    first = NOTES_INPUTS, "causal_attention", ASKS_THE_RIGHT_VERSION, "test_causal_attention"
    told = examined(*first, "print(base64.b64encode(pickle.dumps(table)).decode())").text.strip()
    assert len(told) > 10_000
    verdict = examined(KNOWS_THE_ANSWERS.format(told), "causal_attention").metadata["verdict"]
    assert verdict["score"] == 0 and "KeyError" in verdict["message"]


NOTES_ALL = """
import numpy as np
given, met = [np.random.default_rng(0).normal(size=(n, 3)) for n in (4, 6, 6)], []
def test_causal_attention(attention):
    met.append(attention(*given).round(6).tobytes())
"""
BY_HEART = """
known = met[7]  # the first that comes again: it does as the right one does
def test_causal_attention(attention):
    assert attention(*given).round(6).tobytes() == known
"""
ENDLESS = """
def causal_attention(query, key, value):
    while True:
        pass
"""
ASKS_THE_COURSES = """
import numpy as np
given = [np.random.default_rng(0).normal(size=(n, 3)) for n in (4, 6, 6)]
known = causal_attention(*given)
def test_causal_attention(attention):
    assert np.allclose(attention(*given), known)
"""


@pytest.mark.parametrize(
    "cells",
    [
        ("causal_attention", NOTES_ALL, "test_causal_attention", BY_HEART),
        (ENDLESS, "causal_attention", ASKS_THE_COURSES),
    ],
    ids=["a second check", "the course's version in a cell"],
)
def test_a_test_is_not_judged_where_the_right_version_was_noted(source, cells):
    """It would know by heart what is right. So a new worker judges it, where the cells run again without that."""
    with Examination(source, "lesson_03_masks", 1, 5, 2) as trial:
        for cell in cells:
            trial.check(cell) if cell.isidentifier() else trial.run(cell)
        assert trial.cells.workers == 1
        (output,) = trial.check("test_causal_attention")
        assert trial.cells.workers == 2 and output.metadata["verdict"]["score"] == 0


ASKS_WITHOUT_END = """
import numpy as np
def test_causal_attention(attention):
    while True:
        attention(*[np.ones(({0}, {0}))] * 3)
"""


@pytest.mark.parametrize(
    "size, why", [(2, "it did not stop when its time was over"), (400, "it sent more than the 20 MiB")]
)
def test_a_test_that_asks_without_end(source, size, why, monkeypatch):
    """Its author reads that it takes too long, or sends too much, and is not taken for a forger."""
    monkeypatch.setattr(remote, "MOST_IN_ARRAYS", 20 * 2**20)
    with Examination(source, "lesson_03_masks", 1, 5, 2) as trial:
        trial.run(ASKS_WITHOUT_END.format(size))
        assert why in str(trial.check("test_causal_attention"))


RIGHT = """attended(*inputs)
def attended(query, key, value):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    queries, keys = scores.shape[-2:]
    scores = np.where(np.tri(queries, keys, keys - queries, dtype=bool), scores, -np.inf)
    top = scores.max(-1, keepdims=True, initial=-1e300)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0))
    sums = weights.sum(-1, keepdims=True)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), 0) @ value
"""


def test_the_same_notebook_is_asked_the_same_again(source):
    """Other than one in which a letter differs. Those that nobody knows come where an answer is right on the others."""

    def inputs(more=""):
        with Examination(source, "lesson_03_masks", 1, 5, 5) as trial:
            trial.run(f"import numpy as np{NOTES_INPUTS.replace('np.zeros(1)', RIGHT)}{more}")
            trial.check("causal_attention")
            return trial.run("print(sorted(map(repr, seen)))")[0].text

    assert inputs() == inputs() != inputs("# x")
