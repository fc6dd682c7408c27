"""Answers that break one clause of a docstring, and little else: lesson_08_cost.toml says which."""

from mha_ref import attention_flops


def attention_flops__wants_two_tokens(tokens, model_size):
    assert tokens > 1
    return attention_flops(tokens, model_size)


def attention_flops__adds_the_biases(tokens, model_size):
    return attention_flops(tokens, model_size) + 4 * tokens * model_size


def test_attention_flops__calls_it_with_tokens_only(attention_flops):
    assert attention_flops(1) == 12


def test_attention_flops__returns_its_finding(attention_flops):
    return attention_flops(1, 1) == 12


def test_attention_flops__wants_an_int(attention_flops):
    assert isinstance(attention_flops(2, 5), int) and attention_flops(2, 5) == 480
