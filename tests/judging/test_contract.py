"""What docs/contract.md calls accepted is accepted, and what it calls too much is rejected."""

import re
import warnings
from decimal import Decimal
from functools import wraps

import numpy as np
import pytest
import torch
from helpers import ROOT

import mha_ref.layer
from autograder import EXERCISES, judge
from autograder.judging.answer import what_should_come_out
from autograder.outline import outline
from mha_ref import (
    alibi_bias,
    attention_flops,
    attention_scores,
    causal_mask,
    encoder_decoder_masks,
    padding_mask,
    softmax,
    split_heads,
    weighted_mean,
)

PAGE = " ".join((ROOT / "docs" / "contract.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("anything", [0.0, 1e9, -np.inf, np.nan])
def test_what_an_exercise_leaves_unjudged_may_be_anything(anything):
    """The future of a bias, which a causal mask hides; its other numbers count as ever."""

    def alibi(heads, queries, keys, past=0.0):
        return np.where(causal_mask(queries, keys), alibi_bias(heads, queries, keys) + past, anything)

    assert judge(alibi, "alibi_bias").right
    assert not judge(lambda heads, queries, keys: alibi(heads, queries, keys, past=0.1), "alibi_bias").right


def adds_a_hundred_millionth(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-8)


def adds_a_hundred_thousandth(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-5)


def answers_in_single_precision(scores, axis=-1):
    return softmax(scores, axis).astype(np.float32)


def answers_in_half_precision(scores, axis=-1):
    return softmax(scores, axis).astype(np.float16)


def answers_in_bfloat16(x, heads):
    return split_heads(x, heads).bfloat16()


def answers_in_torch(tokens, model_size):
    return torch.tensor(attention_flops(tokens, model_size))


def calls_its_inputs_otherwise(w, v):
    return weighted_mean(w, v)


def takes_more_if_asked(weights, values, check=False):
    return weighted_mean(weights, values)


def prints_and_warns(weights, values):
    print("so far")
    warnings.warn("so good", stacklevel=2)
    return weighted_mean(weights, values)


def filled_with(fill, query, key, value):
    scores = attention_scores(query, key)
    return softmax(np.where(causal_mask(*scores.shape[-2:]), scores, fill)) @ value


def fills_with_a_billion(query, key, value):
    return filled_with(-1e9, query, key, value)


def fills_with_ten_thousand(query, key, value):
    return filled_with(-1e4, query, key, value)


def fills_with_a_billion_and_clears(scores, mask):
    return softmax(np.where(mask, scores, -1e9)) * mask.any(axis=-1, keepdims=True)


def fills_with_the_smallest_number_and_stops(scores, mask):
    return softmax(np.where(mask, scores, np.finfo(scores.dtype).min))


def fills_with_the_smallest_number_and_clears(scores, mask):
    return fills_with_the_smallest_number_and_stops(scores, mask) * mask.any(axis=-1, keepdims=True)


def refuses_by_assert(lengths, keys):
    assert max(lengths) <= keys
    return padding_mask(lengths, keys)


def refuses_by_accident(lengths, keys):
    if max(lengths) > keys:
        raise NameError("keys")
    return padding_mask(lengths, keys)


def gives_a_list_of_masks(source_lengths, target_lengths, sources, targets):
    return list(encoder_decoder_masks(source_lengths, target_lengths, sources, targets))


def counts_in_decimals(tokens, model_size):
    return Decimal(attention_flops(tokens, model_size))


def counts_in_an_array(tokens, model_size):
    return np.array([attention_flops(tokens, model_size)])


def gives_a_view(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def gives_what_numpy_cannot_read(x, heads):
    return torch.complex(gives_a_view(x, heads), -gives_a_view(x, heads)).conj().imag


class HasDefaultsForItsSizes(mha_ref.layer.MultiHeadAttention):
    def __init__(self, model_size=512, heads=8, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return super().forward(query, key, value, mask, return_weights)


ACCEPTED = [
    ("softmax", adds_a_hundred_millionth, "A difference below a millionth never counts"),
    ("softmax", answers_in_single_precision, "A float32 answer to float64 inputs is fine"),
    ("attention_flops", answers_in_torch, "A tensor where an array is wanted"),
    ("weighted_mean", calls_its_inputs_otherwise, "Other names for required inputs"),
    ("weighted_mean", takes_more_if_asked, "Further parameters, if they have defaults"),
    ("weighted_mean", prints_and_warns, "Printing and warnings"),
    ("causal_attention", fills_with_a_billion, "A large negative number in place of minus infinity"),
    ("masked_softmax", fills_with_a_billion_and_clears, "-1e6 or lower, such as -1e9"),
    ("masked_softmax", fills_with_the_smallest_number_and_clears, "the smallest number of the type"),
    ("padding_mask", refuses_by_assert, "Any type of error that refuses"),
    ("encoder_decoder_masks", gives_a_list_of_masks, "A list of results in place of a tuple"),
    ("attention_flops", counts_in_decimals, "Any kind of number"),
    ("attention_flops", counts_in_an_array, "an array that holds one number"),
    ("split_heads", gives_a_view, "Any layout in memory"),
    ("split_heads", gives_what_numpy_cannot_read, "Any layout in memory"),
    ("MultiHeadAttention", HasDefaultsForItsSizes, "Nothing else is demanded"),
]
REJECTED = [
    ("softmax", adds_a_hundred_thousandth, "A difference below a millionth never counts"),
    ("softmax", answers_in_half_precision, "An answer in float16"),
    ("split_heads", answers_in_bfloat16, "An answer in float16 or bfloat16"),
    ("causal_attention", fills_with_ten_thousand, "-1e5, or nearer to zero"),
    ("masked_softmax", fills_with_the_smallest_number_and_stops, "a query whose keys are all blocked gets zeros"),
    ("padding_mask", refuses_by_accident, "`NameError`, `TypeError`, `AttributeError`"),
]


@pytest.mark.parametrize(("name", "answer", "said"), ACCEPTED, ids=lambda x: getattr(x, "__name__", None))
def test_what_the_page_accepts_is_accepted(name, answer, said):
    """Other styles, on purpose."""
    verdict = judge(answer, name)
    assert said in PAGE
    assert verdict.right, verdict.message


@pytest.mark.parametrize("setting", [lambda: torch.device("meta"), torch.inference_mode, torch.no_grad])
def test_what_a_cell_has_set_in_torch_costs_nothing(setting):
    """A default device, or a mode without gradients, is the notebook's, and not the answer's."""
    with setting():
        assert judge(gives_a_view, "split_heads").right


@pytest.mark.parametrize(("name", "answer", "said"), REJECTED, ids=lambda x: getattr(x, "__name__", None))
def test_the_page_says_where_it_ends(name, answer, said):
    """One step further is too much."""
    assert said in PAGE
    assert not judge(answer, name).right


def test_the_page_knows_the_files_that_it_points_to():
    """Every file of this project that the page names exists."""
    named = re.findall(r"`((?:tests|autograder|mha_lessons)/[\w./*]+)`", PAGE)
    assert named and [name for name in named if not list(ROOT.glob(name))] == []


def test_the_page_names_all_that_an_exercise_forbids():
    """Whoever reads on a card that a function is not allowed finds it in the table."""
    tasks = [task for task in EXERCISES.values() if getattr(task, "forbids", ())]
    by_autograd = [task.name for task in tasks if "autograd" in task.forbids]
    forbidden = {name for task in tasks if task.name not in by_autograd for name in task.forbids}
    assert forbidden and [name for name in sorted(forbidden) if f"`{name}`" not in PAGE.replace("`nn.", "`")] == []
    assert {EXERCISES[name].lesson for name in by_autograd} == {"lesson_14_gradients"}
    assert "autograd in lesson 14" in PAGE and "`not_before_torch`" in PAGE and outline().not_before_torch


def test_the_page_gives_the_figures_of_the_judge():
    """Tolerances, and time."""
    from autograder.judging.results import TOLERANCES
    from autograder.judging.time_limits import TIME_LIMIT

    assert TOLERANCES == {2: 2e-2, 4: 1e-4, 8: 1e-6} and TIME_LIMIT == 10
    for figure in ("0.000001", "0.0001", "0.02", "10 seconds"):
        assert figure in PAGE


def test_an_error_of_the_reference_that_refuses_nothing_is_not_kept(monkeypatch):
    """A machine without room says nothing of answers: the next judgement computes anew what should come out."""

    @wraps(weighted_mean)
    def without_room(**inputs):
        raise MemoryError

    what_should_come_out.cache_clear()
    monkeypatch.setattr(EXERCISES["weighted_mean"], "reference", without_room)
    with pytest.raises(MemoryError):
        judge(weighted_mean, "weighted_mean")
    monkeypatch.undo()
    assert judge(weighted_mean, "weighted_mean").right
