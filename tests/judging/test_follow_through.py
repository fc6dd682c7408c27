"""A mistake costs once: what calls a wrong function of one's own is judged with a right one in its place."""

from contextlib import suppress
from textwrap import dedent

import numpy as np
import pytest
from helpers import ROOT, solved

from autograder import check, judge
from autograder.catalogue import EXERCISES, LESSONS, lacking
from autograder.exercise import Exercise
from autograder.grading.examiner import Examination
from autograder.grading.sandbox.sources import source_of_workers
from autograder.judging.follow_through import GIVEN
from autograder.judging.questions import perhaps_computed

pytestmark = pytest.mark.xdist_group("examination")
SECOND, SIXTH, NINTH = "lesson_02_scaled_dot_product", "lesson_06_batched_multi_head", "lesson_09_language_model"
NEEDS = "import numpy as np\nfrom functools import partial\nfrom mha_ref import softmax\n"
UNSCALED = "def attention_scores(query, key):\n    return query @ np.swapaxes(key, -1, -2)\n"
SENTENCE = "Right, given a right `attention_scores`; yours is not right yet."
WAYS = {
    "by its name": "def attention_weights(query, key):\n    return softmax(attention_scores(query, key))",
    "by keywords": "def attention_weights(query, key):\n    return softmax(attention_scores(key=key, query=query))",
    "by another name": """
        scores_of = attention_scores
        def attention_weights(query, key):
            return softmax(scores_of(query, key))
    """,
    "as a default": """
        def attention_weights(query, key, scores_of=attention_scores):
            return softmax(scores_of(query, key))
    """,
    "in a lambda": "attention_weights = lambda query, key: softmax(attention_scores(query, key))",
    "in a function inside": """
        def attention_weights(query, key):
            def weights():
                return softmax(attention_scores(query, key))
            return weights()
    """,
    "in a helper": """
        def helper(query, key):
            return attention_scores(query, key)
        def attention_weights(query, key):
            return softmax(helper(query, key))
    """,
    "from a file beside the notebook": """
        with open("my_scores.py", "w") as file:
            file.write("import numpy as np\\ndef attention_scores(q, k):\\n    return q @ np.swapaxes(k, -1, -2)")
        from my_scores import attention_scores
        def attention_weights(query, key):
            return softmax(attention_scores(query, key))
    """,
    "where it closes over a variable": """
        def made(scale):
            def attention_scores(query, key):
                return scale * query @ np.swapaxes(key, -1, -2)
            return attention_scores
        attention_scores = made(1)
        def attention_weights(query, key):
            return softmax(attention_scores(query, key))
    """,
    "as no function": """
        attention_scores = partial(attention_scores)
        def attention_weights(query, key):
            return softmax(attention_scores(query, key))
    """,
}
WRONG_PARTS = {
    "not written": "def attention_scores(query, key):\n    raise NotImplementedError",
    "with a typing mistake": "def attention_scores(query, key)\n    return key",
    "missing": "",
    "named otherwise": "def scores(query):\n    return query",
    "endless": "def attention_scores(query, key):\n    while True:\n        pass",
    "another type": "attention_scores = np.ones(3)",
}


@pytest.fixture
def graded():
    """Return what grades cells of a lesson: exercise -> verdict as data, in the order of the names."""

    def grade(lesson, names, *cells, seed=1):
        with Examination(source_of_workers(True, lacking(lesson)), lesson, seed, 6, 2) as examination:
            for cell in cells:
                examination.run(dedent(cell))
            return {name: examination.check(name)[0].metadata["verdict"] for name in names}

    return grade


def in_a_notebook(*cells):
    """Run cells, as far as they can be read, and return their variables."""
    variables = {"__name__": "notebook"}
    for cell in cells:
        with suppress(SyntaxError):
            exec(dedent(cell), variables)
    return variables


@pytest.mark.slow
def test_however_a_wrong_function_is_called_what_calls_it_is_right(graded, tmp_path, monkeypatch):
    """In the notebook and in grading; the card names the function that is not right."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for way, code in WAYS.items():
        mark = check(attention_weights=in_a_notebook(NEEDS, UNSCALED, code)["attention_weights"])
        assert mark == 1 and SENTENCE in " ".join(mark.card.text.split()), way
        verdicts = graded(SECOND, ["attention_scores", "attention_weights"], NEEDS, UNSCALED, code)
        assert [found["score"] for found in verdicts.values()] == [0, 1], way
        assert verdicts["attention_weights"]["property"] == GIVEN, way


@pytest.mark.slow
def test_whatever_is_wrong_with_it(graded):
    """Not written, missing, endless, or no function at all."""
    for why, part in WRONG_PARTS.items():
        if why != "endless":  # the notebook waits for ten seconds there
            mark = check(attention_weights=in_a_notebook(NEEDS, part, WAYS["by its name"])["attention_weights"])
            assert mark == 1, why
        verdicts = graded(SECOND, ["attention_scores", "attention_weights"], NEEDS, part, WAYS["by its name"])
        assert [found["score"] for found in verdicts.values()] == [0, 1], why


def test_in_whatever_order_checks_come(graded):
    """The part is judged on its own later, by a worker that has not seen the right one."""
    verdicts = graded(SECOND, ["attention_weights", "attention_scores"], NEEDS, UNSCALED, WAYS["by its name"])
    assert [found["score"] for found in verdicts.values()] == [1, 0]
    assert verdicts["attention_scores"]["misconception"] == "forgets_to_scale"


def test_a_mistake_of_its_own_gets_its_own_card(graded):
    """Softmax along the wrong axis is named, though the scores are wrong, too."""
    wrong = "def attention_weights(query, key):\n    return softmax(attention_scores(query, key), axis=0)"
    mark = check(attention_weights=in_a_notebook(NEEDS, UNSCALED, wrong)["attention_weights"])
    assert mark == 0 and "runs along axis 0" in mark.card.text
    assert "Tried with a right `attention_scores`: yours is not right yet." in mark.card.text
    verdict = graded(SECOND, ["attention_weights"], NEEDS, UNSCALED, wrong)["attention_weights"]
    assert verdict["score"] == 0 and "runs along axis 0" in verdict["message"]


def test_a_copy_of_a_mistake_is_a_mistake():
    """What is written twice is wrong twice."""
    copied = "def attention_weights(query, key):\n    return softmax(query @ np.swapaxes(key, -1, -2))"
    assert check(attention_weights=in_a_notebook(NEEDS, UNSCALED, copied)["attention_weights"]) == 0


def test_what_is_right_together_stays_right():
    """Scores without scale, and weights that scale them: with right scores these would be scaled twice."""
    scales = "def attention_weights(query, key):\n    return softmax(attention_scores(query, key) / 5**0.5)"
    scales = scales.replace("5**0.5", "query.shape[-1] ** 0.5")
    mark = check(attention_weights=in_a_notebook(NEEDS, UNSCALED, scales)["attention_weights"])
    assert mark == 1 and "given" not in mark.card.text


@pytest.mark.slow
def test_what_may_not_be_used_stays_forbidden(graded):
    """A call that does the whole exercise is not excused by a wrong part beside it."""
    parts = "import torch.nn.functional as F\ndef log_sum_exp(scores, axis=-1):\n    return scores.sum(axis)"
    uses = """
        def attention_in_blocks(query, key, value, block, causal=False):
            log_sum_exp(query)
            return F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    """
    name = "attention_in_blocks"
    verdict = graded("lesson_13_blocks", [name], parts, uses)[name]
    assert (verdict["score"], verdict["property"]) == (0, "own_work"), verdict


def test_nothing_later_is_lent(graded):
    """Weights are the output for values of one feature each: with a right attention they would be right unwritten."""
    stub = "def scaled_dot_product_attention(query, key, value):\n    raise NotImplementedError"
    cheat = """
        def attention_weights(query, key):
            keys = key.shape[-2]
            return scaled_dot_product_attention(query, key, np.eye(keys))
    """
    assert check(attention_weights=in_a_notebook(NEEDS, stub, cheat)["attention_weights"]) == 0
    assert graded(SECOND, ["attention_weights"], NEEDS, stub, cheat)["attention_weights"]["score"] == 0


def test_where_ours_cannot_be_called_as_theirs_the_first_card_holds(graded):
    """A learner who added a parameter is not told of an error that their code never raises."""
    part = "def attention_scores(query, key, scale):\n    return query @ np.swapaxes(key, -1, -2) / scale"
    code = "def attention_weights(query, key):\n    return softmax(attention_scores(query, key, 5))"
    mark = check(attention_weights=in_a_notebook(NEEDS, part, code)["attention_weights"])
    assert mark == 0 and "positional" not in mark.card.text
    verdict = graded(SECOND, ["attention_weights"], NEEDS, part, code)["attention_weights"]
    assert verdict["score"] == 0 and "positional" not in verdict["message"]


def test_an_error_in_what_stands_in_is_shown_as_any_other(graded):
    """Where the learner's function closes over a variable, too: its frame can be looked at."""
    part = "def made(n):\n    def attention_scores(*given):\n        return n\n    return attention_scores\n"
    part += "attention_scores = made(1)\ndef attention_weights(query, key):\n    return attention_scores()"
    assert graded(SECOND, ["attention_weights"], NEEDS, part)["attention_weights"]["score"] == 0
    assert check(attention_weights=in_a_notebook(NEEDS, part)["attention_weights"]) == 0


def test_functions_are_themselves_again():
    """After a check, a wrong function is as wrong as before."""
    variables = in_a_notebook(NEEDS, UNSCALED, WAYS["by its name"])
    check(attention_weights=variables["attention_weights"])
    assert variables["attention_scores"](np.full((1, 4), 3.0), np.ones((1, 4))) == 12


def test_a_question_computed_with_it_asks_about_it(graded):
    """A number costs twice, so its card asks where it comes from."""
    verdicts = graded(SECOND, ["attention_scores", "score_variance"], NEEDS, UNSCALED, "score_variance = 17.5")
    assert "Did you compute it with `attention_scores`?" in verdicts["score_variance"]["message"]


def test_a_count_is_not_blamed_on_attention():
    """Nobody counts parameters with a function of arrays; one that is given numbers may be at fault."""
    task, wrong = EXERCISES["parameters_of_512"], ["multi_head_by_loop", "parameter_count"]
    said = perhaps_computed(judge((1, 2, 3), task), task, wrong).message
    assert "Did you compute it with `parameter_count`?" in said


CUTS_THE_SENTENCE = "def split_heads(x, heads):\n    return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)"


def test_a_class_that_calls_a_wrong_function(graded):
    """The reshape that cuts the sentence costs once, and the layer's gradients flow, over the wire as well."""
    names = ["split_heads", "merge_heads", "multi_head_attention", "MultiHeadAttention"]
    cells = solved(SIXTH).cells
    ours = {cell.metadata.get("nbgrader", {}).get("grade_id", n): cell.source for n, cell in enumerate(cells)}
    helper = next(source for source in ours.values() if "def masked_weights" in source)
    parts = ["import torch\nfrom torch import nn\nfrom mha_ref import *", CUTS_THE_SENTENCE, helper]
    verdicts = graded(SIXTH, names, *parts, *(ours[name] for name in names[1:]))
    assert [found["score"] for found in verdicts.values()] == [0, 1, 1, 1], verdicts
    assert verdicts["MultiHeadAttention"]["property"] == GIVEN


def test_gradients_flow_through_a_right_part(graded):
    """The loss of lesson 09 with a maximum of all rows in `log_softmax`, which shows on some inputs alone."""
    part = """
        import torch
        def log_softmax(scores, axis=-1):
            scores = scores - scores.max()
            return scores - scores.exp().sum(axis, keepdim=True).log()
    """
    loss = """
        def next_token_loss(model, tokens):
            logs = log_softmax(model(tokens[:, :-1]))
            return -logs.gather(-1, tokens[:, 1:, None]).mean()
    """
    verdicts = [graded(NINTH, ["log_softmax", "next_token_loss"], part, loss, seed=seed) for seed in range(4)]
    assert [[found["score"] for found in one.values()] for one in verdicts] == [[0, 1]] * 4


def test_exercises_are_declared_in_the_order_of_the_text():
    """What comes before an exercise is what may be lent to it."""
    for lesson in LESSONS:
        text = (ROOT / "mha_lessons" / lesson / "text" / "lesson.py").read_text(encoding="utf-8")
        names = [name for name, task in EXERCISES.items() if task.lesson == lesson and isinstance(task, Exercise)]
        assert sorted(names, key=lambda name: text.index(f'exercise="{name}"')) == names, lesson
