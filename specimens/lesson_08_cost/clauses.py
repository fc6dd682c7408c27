"""Answers that break one clause of a docstring, and little else: lesson_08_cost.toml says which."""

from mha_ref import attention_flops


def attention_flops__wants_two_tokens(tokens, model_size):
    assert tokens > 1
    return attention_flops(tokens, model_size)


def attention_flops__adds_the_biases(tokens, model_size):
    return attention_flops(tokens, model_size) + 4 * tokens * model_size
