"""Classes that are no answer: each gets a sentence that says what to do, and none stops the check."""

from importlib import import_module

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder import EXERCISES, judge
from autograder.exercise import ModuleExercise
from autograder.judging.behaviour import behaviour_hash
from mha_ref import masked_attention, masked_weights, merge_heads, split_heads
from mha_ref.layer import AttentionHead as Ours
from mha_ref.layer import MultiHeadAttention


class Right(nn.Module):
    """An AttentionHead that is right: the others are made from it."""

    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


class NoModule:
    def __init__(self, model_size, head_size):
        self.size = head_size

    def forward(self, x, mask=None):
        return x


class Misspelled(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()

    def foward(self, x, mask=None):
        return x


class OneUnderscore(nn.Module):
    def _init_(self, model_size, head_size):
        super().__init__()

    def forward(self, x, mask=None):
        return x


class NoSuper(Right):
    def __init__(self, model_size, head_size):
        self.query = nn.Linear(model_size, head_size)


class OtherParameters(Right):
    def __init__(self, size):
        super().__init__(size, size)


class NeverEnds(Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        while self.training:
            pass


class Leaves(Right):
    def __init__(self, model_size, head_size):
        raise SystemExit


class ForwardIsNone(Right):
    forward = None


class KeepsThemInAList(Right):
    def __init__(self, model_size, head_size):
        nn.Module.__init__(self)
        self.layers = [nn.Linear(model_size, head_size, bias=False) for _ in range(3)]

    def forward(self, x, mask=None):
        return masked_attention(*(layer(x) for layer in self.layers), mask)


class ForgetsSelf(Right):
    def __init__(self, model_size, head_size):
        nn.Module.__init__(self)
        query = nn.Linear(model_size, head_size, bias=False)  # noqa: F841


class OtherNames(Right):
    def __init__(self, model_size, head_size):
        nn.Module.__init__(self)
        self.alpha, self.beta, self.gamma = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))


class Lazy(Right):
    def __init__(self, model_size, head_size):
        nn.Module.__init__(self)
        self.query, self.key, self.value = (nn.LazyLinear(head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        return super().forward(x + undefined, mask)  # noqa: F821


class WrapsOurs(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head = Ours(model_size, head_size)

    def forward(self, x, mask=None):
        return self.head(x, mask)


class FailsInTraining(Right):
    def forward(self, x, mask=None):
        return super().forward(x, mask) if not self.training else undefined  # noqa: F821


class CutsGradientsBehindAMask(Right):
    def forward(self, x, mask=None):
        out = super().forward(x, mask)
        return out if mask is None else out.detach()


class ForgetsToCall(Right):
    def forward(self, x, mask=None):
        return masked_attention(self.query, self.key, self.value, mask)


class TakesALayerForAMatrix(Right):
    def forward(self, x, mask=None):
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


class MultipliesByALayer(Right):
    def forward(self, x, mask=None):
        return masked_attention(torch.matmul(x, self.query), self.key(x), self.value(x), mask)


class MistypesAnAttribute(Right):
    def forward(self, x, mask=None):
        return super().forward(x, mask) / self.query.out_size


class CallsAParameter(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Parameter(torch.randn(model_size, head_size)) for _ in range(3))

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


class WrapsSizes(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Parameter(model_size, head_size)

    def forward(self, x, mask=None):
        return x @ self.query


class DropsSome(Right):
    def forward(self, x, mask=None):
        return F.dropout(super().forward(x, mask), 0.1, self.training)


BAD = [
    (Right(2, 2), "type", "of type Right"),
    (lambda x, mask=None: x, "type", "should be a class"),
    (NoModule, "type", "class AttentionHead(nn.Module)"),
    (Misspelled, "raised", "no method `forward`"),
    (OneUnderscore, "raised", "no method `__init__`"),
    (NoSuper, "raised", "`super().__init__()` has to come first"),
    (OtherParameters, "raised", "should take (model_size, head_size)"),
    (Leaves, "raised", "SystemExit"),
    (ForwardIsNone, "raised", "no method `forward`"),
    (KeepsThemInAList, "misconception", "where PyTorch does not see them"),
    (ForgetsSelf, "type", "`self.query = ...`"),
    (OtherNames, "type", "Name your projections `query`, `key`, `value`"),
    (Lazy, "type", "it gets them in its first call"),
    (WrapsOurs, "misconception", "Write it"),
    (FailsInTraining, "raised", "in train mode your code stops with NameError"),
    (CutsGradientsBehindAMask, "property", "no gradient reaches"),
    (ForgetsToCall, "raised", "called like a function, as in `self.query(x)`"),
    (TakesALayerForAMatrix, "raised", "called like a function, as in `self.query(x)`"),
    (MultipliesByALayer, "raised", "called like a function, as in `self.query(x)`"),
    (MistypesAnAttribute, "raised", "no attribute 'out_size'."),
    (CallsAParameter, "raised", "multiplied, with `@`"),
    (WrapsSizes, "raised", "`nn.Parameter` wraps a tensor"),
    (DropsSome, "misconception", "sets random numbers to 0"),
]


@pytest.mark.parametrize(("answer", "reason", "sentence"), BAD, ids=[getattr(b[0], "__name__", "object") for b in BAD])
def test_a_bad_class_gets_a_sentence(answer, reason, sentence):
    """Whatever was handed in, the learner reads what to do next."""
    verdict = judge(answer, "AttentionHead")
    assert (verdict.reason, verdict.score) == (reason, 0)
    assert sentence in verdict.message


def test_a_mistyped_attribute_is_not_taken_for_a_forgotten_call():
    """A layer has attributes of its own, and their names may be mistyped."""
    assert "called" not in judge(MistypesAnAttribute, "AttentionHead").message


def attended(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)


def ends_in_numpy(*inputs, **options):
    return attended(*inputs, **options).numpy()


def begins_in_numpy(x, w_query, w_key, w_value, mask=None):
    return attended(*(a.numpy() for a in (x, w_query, w_key, w_value)), mask)


def allows_everything_with_true(x, w_query, w_key, w_value, mask=None):
    return attended(x, w_query, w_key, w_value, True)


def halves_and_doubles_in_place(x, w_query, w_key, w_value, mask=None):
    x /= 2
    x *= 2
    return attended(x, w_query, w_key, w_value, mask)


OF_TORCH = [
    (ends_in_numpy, "Stay with torch"),
    (begins_in_numpy, "Stay with torch"),
    (allows_everything_with_true, "a single True"),
    (halves_and_doubles_in_place, "makes a new tensor"),
]


@pytest.mark.parametrize(("answer", "sentence"), OF_TORCH)
def test_what_torch_says_is_made_plain(answer, sentence):
    """Its own advice to detach would cut the gradients, and its lists of what it would have taken help nobody."""
    message = judge(answer, "attention_head").message
    assert sentence in message
    assert "detach" not in message and "expected one of" not in message


def test_a_class_that_never_ends_is_stopped(monkeypatch):
    """An endless loop in `__init__` costs one limit, here half a second in place of ten, and not the lesson."""
    monkeypatch.setattr(import_module("autograder.judging.judge"), "TIME_LIMIT", 0.5)
    assert judge(NeverEnds, "AttentionHead").property == "finishes"


@pytest.mark.parametrize("name", [n for n, task in EXERCISES.items() if isinstance(task, ModuleExercise)])
def test_a_class_that_holds_nothing_is_not_written_yet(name):
    """As in the untouched lesson, and with `pass` alone."""

    class Stub(nn.Module):
        def __init__(self, *sizes):
            super().__init__()

        def forward(self, x, mask=None):
            """What is to be written."""

    assert judge(Stub, name).reason == "unwritten"
    assert judge(type("Empty", (nn.Module,), {}), name).reason == "unwritten"


def test_gradients_that_are_not_numbers_are_remarked_on():
    """Zeros put in after softmax are right numbers; that training would fail there is said, and costs nothing."""

    class ReplacesNan(Right):
        def forward(self, x, mask=None):
            scores = self.query(x) @ self.key(x).mT / self.query.out_features**0.5
            scores = scores if mask is None else scores + torch.where(mask, 0.0, -torch.inf)
            return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ self.value(x)

    verdict = judge(ReplacesNan, "AttentionHead")
    assert verdict.right and "gradient is not a number" in verdict.message


def test_a_list_of_modules_that_is_called_is_not_unwritten():
    """torch raises the error that stubs raise; the card says what can be called."""

    class CallsAList(Right):
        def __init__(self, model_size, head_size):
            super().__init__(model_size, head_size)
            self.before = nn.ModuleList([nn.Identity()])

        def forward(self, x, mask=None):
            return super().forward(self.before(x), mask)

    verdict = judge(CallsAList, "AttentionHead")
    assert verdict.reason == "raised" and "A list of modules cannot be called" in verdict.message, verdict.message


class Layer(nn.Module):
    """A MultiHeadAttention that is right, with dropout as `drop` says."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads, self.p = heads, dropout
        self.qkv = nn.Linear(model_size, 3 * model_size, bias=bias)
        self.out_proj = nn.Linear(model_size, model_size, bias=bias)

    def drop(self, weights):
        return F.dropout(weights, self.p, self.training)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        biases = self.qkv.bias.chunk(3) if self.qkv.bias is not None else (None, None, None)
        parts = zip((query, key, value), self.qkv.weight.chunk(3), biases)
        query, key, value = (split_heads(F.linear(x, w, b), self.heads) for x, w, b in parts)
        weights = masked_weights(query, key, mask)
        out = self.out_proj(merge_heads(self.drop(weights) @ value))
        return (out, weights) if return_weights else out


DROPS = {
    "drops_in_evaluation": lambda self, w: F.dropout(w, self.p),
    "never_drops": lambda self, w: w,
    "drops_what_it_should_keep": lambda self, w: F.dropout(w, 1 - self.p, self.training) if self.p else w,
    "drops_another_share": lambda self, w: self.twice(self.twice(w)),
    "does_not_make_up_for_what_it_drops": lambda self, w: w * (torch.rand_like(w) > self.p) if self.training else w,
    "drops_in_rows": lambda self, w: w * F.dropout(torch.ones_like(w[:, :1]), self.p, self.training),
    "drops_without_being_asked": lambda self, w: F.dropout(w, 0.1, self.training),
    "drops_something_else_than_weights": lambda self, w: w + self.p * torch.randn_like(w) if self.training else w,
}


@pytest.mark.parametrize("fault", DROPS)
def test_what_dropout_does_is_named(fault):
    """By the share that falls, by what is kept, and by what falls together."""
    twice = {"twice": lambda self, w: F.dropout(w, self.p, self.training)}
    wrong = type("Wrong", (Layer,), {"drop": DROPS[fault]} | twice)
    assert judge(Layer, "MultiHeadAttention").right
    assert judge(wrong, "MultiHeadAttention").misconception.name == fault


class Normed(nn.Module):
    """A Block; `norms` says which of its `made` norms is in front of which part."""

    made, norms, again = 2, (0, 1), 1

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward, self.drop = nn.Sequential(widen, nn.GELU(), narrow), nn.Dropout(dropout)
        self.norm = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(self.made)] * self.again)

    def forward(self, x, mask=None):
        first, second = (self.norm[place] for place in self.norms)
        x = x + self.drop(self.attention(first(x), mask=mask))
        return x + self.drop(self.feed_forward(second(x)))


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        (dict(norms=(0, 0)), ["norm.1.weight", "norm.1.bias"]),
        (dict(norms=(1, 1)), ["norm.0.weight", "norm.0.bias"]),
        (dict(norms=(0, 0), made=1), ["norm.0.weight", "norm.0.bias"]),
        (dict(made=1, again=2), ["norm.0.weight", "norm.1.weight"]),
    ],
)
def test_a_norm_that_does_the_work_of_two_is_called_by_its_name(changes, names):
    """So one need not search for the weight that never learns, or that is there once."""
    assert judge(Normed, "Block").right
    message = judge(type("Wrong", (Normed,), changes), "Block").message
    assert [name for name in names if f"`{name}`" in message] == names


def test_the_report_knows_which_wrong_classes_do_the_same():
    """By what they compute, however they are written: the same mistake twice is one line of the report."""

    class Doubles(Right):
        def forward(self, x, mask=None):
            return 2 * super().forward(x, mask)

    class AddsItToItself(Right):
        def forward(self, x, mask=None):
            result = super().forward(x, mask)
            return result + result

    exercise = EXERCISES["AttentionHead"]
    doubles, adds, right = (behaviour_hash(answer, exercise) for answer in (Doubles, AddsItToItself, Right))
    assert doubles == adds != right


class FreezesAndMakesNaN(Right):
    """Its value weights are frozen; a query that may look at nothing gets zeros, and a gradient of NaN."""

    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.value.requires_grad_(False)

    def forward(self, x, mask=None):
        query, key, value = self.query(x), self.key(x), self.value(x)
        blocked = torch.zeros(()) if mask is None else torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
        scores = query @ key.mT / query.shape[-1] ** 0.5 + blocked
        return torch.softmax(scores, dim=-1).nan_to_num() @ value


def test_a_remark_on_gradients_hides_no_fault():
    """A remark is for a right class alone: frozen weights earn nothing, wherever else there is NaN."""
    verdict = judge(FreezesAndMakesNaN, "AttentionHead")
    assert verdict.score == 0 and verdict.misconception.name == "freezes_its_weights"
