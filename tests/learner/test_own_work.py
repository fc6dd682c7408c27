"""What an answer may use: check says the same as grading does, before submission."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.special
import torch
import torch.nn.functional as F
from helpers import ROOT, answers_from_stubs, functions_of, loaded
from torch.nn.functional import multi_head_attention_forward as everything

from autograder import EXERCISES, check, judge
from autograder.learner import own_work
from autograder.learner.own_work import forbidden, ready_made

READY_MADE = ROOT / "tests" / "support" / "ready_made.py"
MADE = {n: x for n, x in vars(loaded(READY_MADE, "ready_made")).items() if "__" in n.strip("_")}
YOURSELF = "This exercise asks you to write it yourself"
rows = partial(torch.softmax, dim=-1)


def imports_it(scores, axis=-1):
    from jax import nn

    return nn.softmax(scores, axis)


def imports_it_from_below(scores, axis=-1):
    import keras.ops as ops

    return ops.softmax(scores, axis)


def in_a_function_inside(scores, axis=-1):
    return np.stack([(lambda row: helps(row, -1))(row) for row in scores])


def helps(scores, axis):
    return scipy.special.softmax(scores, axis)


def by_what_was_made_before(scores, axis=-1):
    return rows(torch.tensor(scores))


class Softmax:
    def __call__(self, scores, axis=-1):
        return F.softmax(torch.tensor(scores), axis)


HIDDEN = {
    imports_it: "jax",
    imports_it_from_below: "keras",
    in_a_function_inside: "scipy",
    by_what_was_made_before: "torch",
    lambda scores, axis=-1: Softmax()(scores, axis): "torch",
    torch.softmax: "torch",
    scipy.special.softmax: "scipy",
    partial(F.softmax, _stacklevel=3): "torch",
}


@pytest.mark.parametrize("name", MADE)
def test_what_torch_has_ready_is_not_written(name):
    """The numbers are right, and the lesson asks to write it."""
    exercise = name.partition("__")[0]
    assert judge(MADE[name], exercise).right
    mark = check(**{exercise: MADE[name]})
    assert mark == 0 and YOURSELF in mark.card.text


@pytest.mark.parametrize("answer", HIDDEN)
def test_it_is_found_wherever_the_code_names_it(answer):
    """In parts, in functions inside of functions, and where it is imported."""
    mark = check(softmax=answer)
    assert mark == 0 and f"Your code uses {HIDDEN[answer]}. {YOURSELF}" in mark.card.text


def test_right_answers_in_other_styles_may_be_written_so():
    """What is accepted on purpose stays accepted, fused attention from lesson 04 on among it."""
    right = functions_of("right")
    assert [name for name in right if is_refused(right[name], EXERCISES[name.partition("__")[0]])] == []


def is_refused(answer, task):
    return ready_made(answer, task) or forbidden(answer, task)


def test_right_answers_from_stubs_use_nothing_that_does_all_of_it():
    """Those written from the stubs alone."""
    answers = answers_from_stubs("right")
    exercises = {name: EXERCISES[name.partition("/")[2].partition("__")[0]] for name in answers}
    assert [name for name in answers if forbidden(answers[name], exercises[name])] == []


class WithTheFunctionOfTorch(torch.nn.Module):
    def forward(self, query, key, value, mask=None):
        return F.multi_head_attention_forward(query, key, value)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("multi_head_attention", lambda *inputs, **options: F.multi_head_attention_forward(*inputs, **options)),
        ("multi_head_attention", lambda *inputs, **options: everything(*inputs, **options)),
        ("cross_attention", lambda x, memory, *others: torch.nn.MultiheadAttention(8, 2)(x, memory, memory)[0]),
        ("multi_head_by_loop", everything),
        ("MultiHeadAttention", WithTheFunctionOfTorch),
    ],
)
def test_all_heads_in_one_call_is_not_written(name, answer):
    """Torch has the whole exercise as one function, and as one class."""
    mark = check(**{name: answer})
    assert mark == 0 and YOURSELF in mark.card.text


def test_fused_attention_may_be_used_once_torch_is_there():
    """From lesson 04 on it is a step that one has written oneself."""

    def attention_head(x, w_query, w_key, w_value, mask=None):
        return F.scaled_dot_product_attention(x @ w_query, x @ w_key, x @ w_value, mask)

    assert not forbidden(attention_head, EXERCISES["attention_head"])
    assert not ready_made(attention_head, EXERCISES["attention_head"])


def test_tensors_where_no_folder_says_which_lesson_it_is(monkeypatch, tmp_path):
    """In Colab, too, lesson 04 asks for softmax once more: a notebook that has imported torch writes it in torch."""

    def softmax(scores, axis=-1):
        shares = torch.exp(scores - scores.amax(axis, keepdim=True))
        return shares / shares.sum(axis, keepdim=True)

    monkeypatch.chdir(tmp_path)
    assert YOURSELF in ready_made(softmax, EXERCISES["softmax"])
    monkeypatch.setattr(own_work, "get_ipython", lambda: SimpleNamespace(user_ns={"torch": torch}))
    assert ready_made(softmax, EXERCISES["softmax"]) is None
    assert own_work.judge_with_own_parts(softmax, EXERCISES["softmax"]).right


def test_an_answer_to_a_question_is_no_code():
    """A number that torch has made is a number."""
    assert not ready_made(torch.tensor(2.0), EXERCISES["weight_ratio"])
