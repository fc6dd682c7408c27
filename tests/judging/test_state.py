"""Layers and functions that keep something of an earlier call, and those that keep what they may."""

from functools import lru_cache

import pytest
import torch
from test_bad_classes import Layer
from test_bad_classes import Right as Head
from torch import nn

from autograder import judge
from mha_ref import masked_attention, masked_softmax
from mha_ref.layer import MultiHeadAttention


class Decoder(nn.Module):
    """A DecoderLayer that is right."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.own, self.other = (MultiHeadAttention(model_size, heads, dropout=dropout) for _ in range(2))
        self.self_attention, self.cross_attention = self.own, self.other
        del self.own, self.other
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


BASES = {"AttentionHead": Head, "MultiHeadAttention": Layer, "DecoderLayer": Decoder}
INPUTS = {
    "AttentionHead": ("x", "mask"),
    "MultiHeadAttention": ("query", "key", "value", "mask"),
    "DecoderLayer": ("x", "memory", "self_mask", "memory_mask"),
}
EACH_INPUT = [(name, place) for name in INPUTS for place in range(len(INPUTS[name]))]
REMEMBERING = "takes_equal_shapes_for_equal_numbers", "remembers_an_earlier_call"
WITH_DROPOUT = ["MultiHeadAttention", "DecoderLayer"]


def wrapped(name, before=None, after=None, **body):
    """The right class of this name, with something done to its inputs before `forward`, or to itself after it."""
    base = BASES[name]

    def forward(self, *inputs, **options):
        named = dict(zip(INPUTS[name], inputs)) | options
        named = before(self, named) if before else named
        out = base.forward(self, **named)
        if after:
            after(self, named)
        return out

    return type(name, (base,), {"forward": forward} | body)


def named_of(verdict):
    return verdict.misconception and verdict.misconception.name


@pytest.mark.parametrize("name", BASES)
def test_the_base_is_right(name):
    """Or the others would show nothing."""
    verdict = judge(wrapped(name), name)
    assert verdict.right, verdict.message


@pytest.mark.parametrize(("name", "place"), EACH_INPUT)
@pytest.mark.parametrize("kept", ["in self", "in a dict of the layer"])
def test_an_input_kept_while_its_shape_stays_is_found(name, place, kept):
    """Whichever it is: a text, its memory, its mask."""
    which = INPUTS[name][place]

    def before(self, named):
        x = named.get(which)
        if x is None:
            return named
        if kept == "in self":
            if getattr(self, "kept", None) is None or self.kept.shape != x.shape:
                self.kept = x
            return named | {which: self.kept}
        return named | {which: vars(self).setdefault("all_kept", {}).setdefault(x.shape, x)}

    assert named_of(judge(wrapped(name, before), name)) in REMEMBERING


@pytest.mark.parametrize(("name", "place"), EACH_INPUT)
def test_an_input_kept_by_the_class_is_found(name, place):
    """Every layer of the class reads it, so that its results are wrong at once."""
    which, cache = INPUTS[name][place], {}

    def before(self, named):
        x = named.get(which)
        return named if x is None else named | {which: cache.setdefault(x.shape, x)}

    assert not judge(wrapped(name, before), name).right


@pytest.mark.parametrize("name", BASES)
def test_a_mask_kept_with_its_text_is_found(name):
    """Looked up by the numbers of the first input alone: another mask for the same text is not seen."""
    first, mask = INPUTS[name][0], INPUTS[name][-1]

    def before(self, named):
        known = vars(self).setdefault("known", {})
        key = tuple(named[first].flatten().tolist())
        return named | {mask: known.setdefault((key, named.get(mask) is None), named.get(mask))}

    assert named_of(judge(wrapped(name, before), name)) == "takes_equal_shapes_for_equal_numbers"


def registers(self, named):
    self.register_buffer("last", named[next(iter(named))].mean(dim=-1))


def makes_a_parameter(self, named):
    self.scale = nn.Parameter(torch.ones(1))


def decays(self, named):
    for parameter in self.parameters():
        parameter.data.mul_(0.999)


def counts_in_a_buffer(self, named):
    self.register_buffer("calls", getattr(self, "calls", torch.zeros(())) + 1)


def converts(self, named):
    self.double()


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("after", [registers, counts_in_a_buffer])
def test_what_a_call_leaves_in_the_state_dict_is_found(name, after):
    """Its names and its numbers: only training changes these."""
    assert named_of(judge(wrapped(name, after=after), name)) == "changes_what_it_saves"


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("after", [makes_a_parameter, decays, converts])
def test_weights_that_a_call_changes_are_found(name, after):
    """A new one, another number, another type: whichever symptom is seen first."""
    assert not judge(wrapped(name, after=after), name).right


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("how", ["eval", "train", "flag"])
def test_a_mode_that_forward_changes_is_found(name, when, how):
    """In either direction, and in whichever way it is written."""

    def switch(self, named):
        getattr(self, how)() if how != "flag" else setattr(self, "training", False)
        return named

    assert named_of(judge(wrapped(name, **{when: switch}), name)) == "changes_its_mode"


def without_dropouts(self, p=0.0):
    for part in self.modules():
        if hasattr(part, "p"):
            part.p = p


def ends_dropout(self, mode=True):
    if not mode:
        without_dropouts(self)
    return nn.Module.train(self, mode)


def ends_dropout_in_eval(self):
    without_dropouts(self)
    return nn.Module.eval(self)


@pytest.mark.parametrize("name", WITH_DROPOUT)
def test_dropout_that_ends_with_the_first_evaluation_is_found(name):
    """Set to 0 for good by `eval`: the training that goes on drops nothing."""
    verdict = judge(wrapped(name, eval=ends_dropout_in_eval), name)
    assert named_of(verdict) == "stops_dropping_after_evaluation"


@pytest.mark.parametrize("name", WITH_DROPOUT)
def test_dropout_that_ends_in_train_is_found(name):
    """The judge itself begins with `train(False)`, so that it may see nothing drop at all."""
    assert named_of(judge(wrapped(name, train=ends_dropout), name)) in (
        "stops_dropping_after_evaluation",
        "never_drops",
    )


@pytest.mark.parametrize("name", WITH_DROPOUT)
@pytest.mark.parametrize("p", [0, 0.1])
def test_dropout_that_a_call_in_evaluation_changes_is_found(name, p):
    """Nothing happens before `forward` runs in evaluation mode: train, evaluate, train again."""

    def before(self, named):
        self.training or without_dropouts(self, p)
        return named

    assert named_of(judge(wrapped(name, before=before), name)) == "stops_dropping_after_evaluation"


@pytest.mark.parametrize("name", WITH_DROPOUT)
def test_dropout_that_ends_after_some_calls_is_found(name):
    """The first epochs are not the whole of training."""

    def before(self, named):
        self.calls = getattr(self, "calls", 0) + self.training
        self.calls > 4 and without_dropouts(self)
        return named

    assert named_of(judge(wrapped(name, before=before), name)) == "stops_dropping_after_a_call"


@pytest.mark.parametrize("name", WITH_DROPOUT)
def test_weights_that_dropout_changes_for_good_are_found(name):
    """What falls in training is missing in evaluation."""

    def before(self, named):
        if self.training and any(getattr(part, "p", 0) for part in self.modules()):
            for parameter in self.parameters():
                parameter.data.mul_(0.99)
        return named

    assert named_of(judge(wrapped(name, before=before), name)) == "computes_otherwise_in_evaluation"


class OwnDice(nn.Module):
    """Dropout by a generator of its own, which nobody else can seed."""

    def __init__(self, p):
        super().__init__()
        self.share, self.dice = p, torch.Generator().manual_seed(5)

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand(x.shape, generator=self.dice) >= self.share) / (1 - self.share)


def test_dice_of_one_s_own_are_right():
    """Which random numbers are drawn is free: they need not come from torch's own generator."""

    class DecoderLayer(Decoder):
        def __init__(self, model_size, heads, hidden_size, dropout=0.0):
            super().__init__(model_size, heads, hidden_size, dropout)
            self.dropout = OwnDice(dropout)

    assert judge(DecoderLayer, "DecoderLayer").right


@pytest.mark.parametrize("name", WITH_DROPOUT)
def test_dropout_that_ends_with_the_first_call_is_found(name):
    """Without any change of mode."""
    wrong = wrapped(name, after=lambda self, named: without_dropouts(self))
    assert named_of(judge(wrong, name)) == "stops_dropping_after_a_call"


@pytest.mark.parametrize("name", WITH_DROPOUT)
def test_an_eval_that_does_nothing_is_found(name):
    """What drops after `eval()` drops in evaluation."""
    assert named_of(judge(wrapped(name, eval=lambda self: self), name)) == "drops_in_evaluation"


@pytest.mark.parametrize("name", BASES)
def test_a_mean_that_training_moves_is_found(name):
    """After calls in train mode the same text gets another result."""

    def before(self, named):
        x = named[INPUTS[name][0]]
        if self.training:
            self.mean = getattr(self, "mean", 0) + 0.1 * x.abs().mean()
        return named | {INPUTS[name][0]: x - getattr(self, "mean", 0)}

    assert not judge(wrapped(name, before), name).right


def plots(self, named):
    self.last = next(iter(named.values()))
    self.calls = getattr(self, "calls", 0) + 1


def keeps_a_hidden_buffer(self, named):
    self.register_buffer("last", next(iter(named.values())), persistent=False)


def recalls_by_numbers(self, named):
    known = vars(self).setdefault("known", {})
    for name, x in named.items():
        if isinstance(x, torch.Tensor):
            known.setdefault((name, x.dtype, x.shape, tuple(x.flatten().tolist())), x)
    return named


def causal_by_size(self, named):
    size = next(iter(named.values())).shape[-2]
    if not hasattr(self, "causal") or len(self.causal) < size:
        self.register_buffer("causal", torch.ones(size, size, dtype=torch.bool).tril(), persistent=False)
    return named


def trains_as_it_should(self, mode=True):
    self.times_trained = getattr(self, "times_trained", 0) + mode
    return nn.Module.train(self, mode)


def trains_silently(self, mode=True):
    nn.Module.train(self, mode)


RIGHT = {
    "a plain attribute to look at": dict(after=plots),
    "a buffer that is not saved": dict(after=keeps_a_hidden_buffer),
    "a cache by numbers": dict(before=recalls_by_numbers),
    "a causal mask by size": dict(before=causal_by_size),
    "a train of its own": dict(train=trains_as_it_should),
    "a train that returns nothing": dict(train=trains_silently),
}


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("kept", RIGHT)
def test_what_may_be_kept_is_kept(name, kept):
    """No result depends on it, and nothing of it is saved."""
    verdict = judge(wrapped(name, **RIGHT[kept]), name)
    assert verdict.right, verdict.message


@pytest.mark.parametrize("name", BASES)
def test_a_buffer_of_the_constructor_is_right(name):
    """Saved or not: calls read it, and leave it as it was."""

    def __init__(self, *sizes, **options):
        BASES[name].__init__(self, *sizes, **options)
        self.register_buffer("saved", torch.arange(3.0))
        self.register_buffer("unsaved", torch.tensor(float("nan")), persistent=False)
        self.register_buffer("empty", torch.full((2,), float("nan")))

    verdict = judge(wrapped(name, __init__=__init__), name)
    assert verdict.right, verdict.message


kept_masks = {}


def with_a_global_dict(x, w_query, w_key, w_value, mask=None):
    if mask is not None:
        mask = kept_masks.setdefault(mask.shape, mask)
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)


def with_a_default(x, w_query, w_key, w_value, mask=None, *, known={}):  # noqa: B006
    x = known.setdefault(x.shape, x)
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)


def with_an_attribute(x, w_query, w_key, w_value, mask=None):
    key = with_an_attribute.keys.setdefault(x.shape, x @ w_key)
    return masked_attention(x @ w_query, key, x @ w_value, mask)


with_an_attribute.keys = {}


class Shaped:
    """A tensor that counts as equal to all of its shape."""

    def __init__(self, x):
        self.x = x

    def __hash__(self):
        return hash(self.x.shape)

    def __eq__(self, other):
        return self.x.shape == other.x.shape


@lru_cache
def weights_of(query, key, mask):
    return masked_softmax(query.x @ key.x.mT / query.x.shape[-1] ** 0.5, mask and mask.x)


def with_an_lru_cache(x, w_query, w_key, w_value, mask=None):
    return weights_of(Shaped(x @ w_query), Shaped(x @ w_key), None if mask is None else Shaped(mask)) @ x @ w_value


def make_attention():
    values = {}

    def attend(x, w_query, w_key, w_value, mask=None):
        value = values.setdefault(x.shape, x @ w_value)
        return masked_attention(x @ w_query, x @ w_key, value, mask)

    return attend


KEPT = [with_a_global_dict, with_a_default, with_an_attribute, with_an_lru_cache, make_attention()]


@pytest.mark.parametrize("answer", KEPT, ids=lambda f: f.__name__)
def test_a_function_that_remembers_by_shape_is_found(answer):
    """Wherever it keeps what it remembers."""
    assert not judge(answer, "attention_head").right


def shown(query, key, value, mask=None):
    mask = mask if mask is None else shown.masks.setdefault(mask.shape, mask)
    return masked_attention(query, key, value, mask)


def with_its_keys(query, key, value, mask=None):
    return masked_attention(query, with_its_keys.seen.setdefault(key.shape, key), value, mask)


shown.masks, with_its_keys.seen = {}, {}


@pytest.mark.parametrize("answer", [shown, with_its_keys])
def test_a_function_that_keeps_an_input_is_rejected(answer):
    """Its result is right for an input of an earlier call."""
    assert judge(answer, "masked_attention", library="torch").reason == "property"


@lru_cache
def causal(size):
    return torch.ones(size, size, dtype=torch.bool).tril()


def with_a_pure_cache(x, w_query, w_key, w_value, mask=None):
    open_ones = causal(x.shape[-2]) | True
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, open_ones if mask is None else open_ones & mask)


def remembering(x, w_query, w_key, w_value, mask=None, *, known={}):  # noqa: B006
    inputs = (x, w_query, w_key, w_value) + (() if mask is None else (mask,))
    key = tuple((i.shape, i.dtype, tuple(i.flatten().tolist())) for i in inputs)
    if torch.is_grad_enabled() and x.requires_grad:
        return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)
    if key not in known:
        known[key] = masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)
    return known[key]


@pytest.mark.parametrize("answer", [with_a_pure_cache, remembering])
def test_a_function_with_a_true_cache_is_right(answer):
    """By sizes, of what depends on sizes alone; by numbers, of what depends on these."""
    verdict = judge(answer, "attention_head")
    assert verdict.right, verdict.message
