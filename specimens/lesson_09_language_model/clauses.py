"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

import torch
import torch.nn.functional as F

from mha_ref import generate, next_token_loss, sample


def _softmax(scores, axis=-1):
    powers = torch.exp(scores - scores.amax(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def log_softmax__counts_axes_from_the_front_only(scores, axis=-1):
    axis = scores.ndim - 1 if axis < 0 else axis
    shifted = scores - scores.amax(axis=axis, keepdims=True)
    return shifted - torch.log(torch.exp(shifted).sum(axis=axis, keepdims=True))


def softmax_with_temperature__takes_whole_temperatures_only(scores, temperature, axis=-1):
    return _softmax(scores / max(int(temperature), 1), axis)


def softmax_with_temperature__stops_at_a_high_temperature(scores, temperature, axis=-1):
    assert temperature < 100
    return _softmax(scores / temperature, axis)


def next_token_loss__judges_the_first_row_alone(model, tokens):
    return next_token_loss(model, tokens[:1])


def next_token_loss__leaves_out_repeated_tokens(model, tokens):
    logits, right = model(tokens[:, :-1]), tokens[:, 1:]
    fresh = right != tokens[:, :-1]
    return F.cross_entropy(logits[fresh], right[fresh])


def next_token_loss__wants_several_rows(model, tokens):
    assert len(tokens) > 1
    return next_token_loss(model, tokens)


def next_token_loss__takes_the_logarithm_of_softmax(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return -torch.take_along_dim(weights, tokens[:, 1:, None], dim=-1).log().mean()


def next_token_loss__item(model, tokens):
    return next_token_loss(model, tokens).item()


def sample__draws_by_itself(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    return torch.multinomial((logits / temperature).softmax(dim=-1), 1)[:, 0]


def sample__wants_several_rows(logits, temperature, uniform):
    assert len(logits) > 1
    return sample(logits, temperature, uniform)


def sample__divides_by_zero(logits, temperature, uniform):
    ends = (logits / temperature).softmax(dim=-1).cumsum(dim=-1)
    return (ends > uniform[:, None]).int().argmax(dim=-1)


def sample__answers_in_floats(logits, temperature, uniform):
    return sample(logits, temperature, uniform).double()


def generate__wants_several_rows(model, tokens, steps, context, choose):
    assert len(tokens) > 1
    return generate(model, tokens, steps, context, choose)


def generate__writes_text_after_text(model, tokens, steps, context, choose):
    return torch.cat([generate(model, text[None], steps, context, choose) for text in tokens])


def generate__answers_in_floats(model, tokens, steps, context, choose):
    return generate(model, tokens, steps, context, choose).double()
