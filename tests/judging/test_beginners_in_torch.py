"""What beginners write in the lessons with torch: each card has the sentence that helps, and that is true."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder import judge
from mha_ref import attention_scores, masked_attention, masked_weights, merge_heads, split_heads


def copies_a_tensor(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x.copy() @ w_query, x @ w_key, x @ w_value, mask)


def forgets_that_max_is_a_pair(x, w_query, w_key, w_value, mask=None):
    scores = attention_scores(x @ w_query, x @ w_key)
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True) @ (x @ w_value)


def takes_maths_exp(x, w_query, w_key, w_value, mask=None):
    powers = math.exp(attention_scores(x @ w_query, x @ w_key))
    return powers @ (x @ w_value)


def goes_to_a_gpu(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x.cuda() @ w_query, x @ w_key, x @ w_value, mask)


def makes_a_tensor_on_a_gpu(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x @ w_query + torch.zeros(1, device="cuda"), x @ w_key, x @ w_value, mask)


def takes_torchs_root_of_a_number(x, w_query, w_key, w_value, mask=None):
    scores = x @ w_query @ (x @ w_key).mT / torch.sqrt(w_key.shape[-1])
    return torch.softmax(scores, dim=-1) @ (x @ w_value)


def forgets_the_dimension(x, w_query, w_key, w_value, mask=None):
    return torch.softmax(attention_scores(x @ w_query, x @ w_key)) @ (x @ w_value)


def loses_the_mask(x, w_query, w_key, w_value, mask=None):
    scores = attention_scores(x @ w_query, x @ w_key)
    if mask is not None:
        scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ (x @ w_value)


def makes_whole_numbers(x, w_query, w_key, w_value, mask=None):
    scores = attention_scores(x @ w_query, x @ w_key).long()
    return torch.softmax(scores, dim=-1) @ (x @ w_value)


def multiplies_from_the_left(results, w_output, head):
    others = torch.arange(results.shape[1]) != head
    return w_output @ merge_heads(results * others[:, None, None])


def joins_tensors_as_numbers(x, w_query, w_key, w_value, w_output, mask=None):
    heads = [masked_attention(x @ q, x @ k, x @ v, mask) for q, k, v in zip(w_query, w_key, w_value)]
    return torch.tensor(heads) @ w_output


def joins_without_a_list(x, w_query, w_key, w_value, w_output, mask=None):
    first, second = (masked_attention(x @ q, x @ k, x @ v, mask) for q, k, v in zip(w_query[:2], w_key, w_value))
    return torch.cat(first, second) @ w_output


def divides_a_size(x, heads):
    return x.view(*x.shape[:-1], heads, x.shape[-1] / heads).transpose(-2, -3)


def transposes_all_axes(x, heads):
    parts = x.reshape(*x.shape[:-1], heads, -1)
    return parts.transpose(0, 2, 1, 3)


def transposes_nothing(x, heads):
    return x.reshape(*x.shape[:-1], heads, -1).transpose()


def loses_the_transpose(x, heads):
    parts = x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads)
    parts.transpose(-3, -2)
    return parts


def permutes_two(x, heads):
    return x.reshape(*x.shape[:-1], heads, -1).permute(1, 0)


def views_after_a_transpose(x):
    return x.transpose(-3, -2).view(*x.shape[:-3], x.shape[-2], -1)


def calls_the_shape(x):
    return x.transpose(-3, -2).reshape(*x.shape()[:-3], x.shape[-2], -1)


def forgets_to_call_size(x):
    heads, tokens, features = x.size[-3:]
    return x.transpose(-3, -2).reshape(tokens, heads * features)


def returns_not(mask, convention):
    return not mask


class Layer(nn.Module):
    """A MultiHeadAttention that is right: the others are made from it."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (split_heads(x, self.heads) for x in (self.query(query), self.key(key), self.value(value)))
        weights = masked_weights(query, key, mask)
        out = self.output(merge_heads(self.dropout(weights) @ value))
        return (out, weights) if return_weights else out


class ForgetsThatKeyMayBeNone(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        keys = self.key(key)
        return super().forward(query + 0 * keys.sum(), key, value, mask, return_weights)


class AsksNoneForItsShape(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        keys = key.shape[-2]
        return super().forward(query + 0 * keys, key, value, mask, return_weights)


class ForgetsSelf(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        parts = split_heads(query, heads)  # noqa: F821
        return super().forward(query, key, value, mask, return_weights) + 0 * parts.sum()


class ForgetsSelfOfALayer(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return output(query)  # noqa: F821


class NeverMakesIt(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return self.norm(query)


NeverMakesIt.__name__ = "MultiHeadAttention"  # as in a lesson: Python names it in the error


class ForgetsSuper(Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        self.heads = heads

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return query


class GivesOneSize(Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        nn.Module.__init__(self)
        self.query = nn.Linear(model_size)


class DividesASize(Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        nn.Module.__init__(self)
        self.query = nn.Linear(model_size, model_size / heads)


class GivesASizeTooFew(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        narrow = self.query(query[..., :-1])
        return super().forward(query, key, value, mask, return_weights) + narrow


class HasAMethodWithoutSelf(Layer):
    def split(x):
        return x

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return super().forward(self.split(query), key, value, mask, return_weights)


class TakesAPairForATensor(Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        out = super().forward(query, key, value, mask, return_weights=True)
        return F.relu(out)


def joins_without_brackets(queries, keys, window):
    own = torch.arange(keys - queries, keys)[:, None]
    places = torch.arange(keys)
    return places <= own & places > own - window


def keeps_the_longer_text_nowhere(model, tokens, steps, context, choose):
    for _ in range(steps):
        newest = choose(model(tokens[:, -context:])[:, -1])
        torch.cat([tokens, newest[:, None]], dim=1)
    return tokens


def hands_over_the_mask_too_early(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x @ w_query, x @ w_key, mask if mask is not None else x[..., :0, :], x @ w_value)


def gives_softmax_the_tokens_for_its_axis(x, w_query, w_key, w_value, mask=None):
    return torch.softmax(attention_scores(x @ w_query, x @ w_key), dim=x) @ (x @ w_value)


def multiplies_a_number_as_a_matrix(x, w_query, w_key, w_value, mask=None):
    return torch.softmax(x @ w_query @ (x @ w_key).mT @ 0.5, dim=-1) @ (x @ w_value)


def multiplies_a_dictionary(x, w_query, w_key, w_value, mask=None):
    return masked_attention({"x": x} @ w_query, x @ w_key, x @ w_value, mask)


def takes_the_library_for_an_array(x, w_query, w_key, w_value, mask=None):
    return masked_attention(torch @ w_query, x @ w_key, x @ w_value, mask)


def gives_the_kind_twice(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x.to(x.dtype, dtype=x.dtype) @ w_query, x @ w_key, x @ w_value, mask)


def counts_the_wrong_way(x, w_query, w_key, w_value, mask=None):
    return x[torch.arange(0, -3, 2)] @ w_value


SLIPS = [
    (gives_softmax_the_tokens_for_its_axis, "attention_head", "`dim` is the axis"),
    (multiplies_a_number_as_a_matrix, "attention_head", "A number is multiplied by `*`"),
    (multiplies_a_dictionary, "attention_head", "a dictionary or a text where an array belongs"),
    (takes_the_library_for_an_array, "attention_head", "a library where one of its functions"),
    (gives_the_kind_twice, "attention_head", "The kind of number is given twice"),
    (counts_the_wrong_way, "attention_head", "Have start and end changed places?"),
    (hands_over_the_mask_too_early, "attention_head", "inside of `masked_attention`. Compare your line with what"),
    (joins_without_brackets, "window_mask", "put each comparison in brackets"),
    (keeps_the_longer_text_nowhere, "generate", "makes a new value that nothing keeps"),
    (copies_a_tensor, "attention_head", "it has no `copy`; use `clone`"),
    (forgets_that_max_is_a_pair, "attention_head", "gives a pair"),
    *((answer, "attention_head", "torch finds no GPU here") for answer in (goes_to_a_gpu, makes_a_tensor_on_a_gpu)),
    (takes_maths_exp, "attention_head", "`math` and `float` take one number"),
    (takes_torchs_root_of_a_number, "attention_head", "this is a plain number"),
    (forgets_the_dimension, "attention_head", "must be told along which axis"),
    (loses_the_mask, "attention_head", "`scores.masked_fill(~mask, -torch.inf)` makes a new value that nothing keeps"),
    (makes_whole_numbers, "attention_head", "got integers or booleans"),
    (multiplies_from_the_left, "without_head", "in the right order? Here a has 4 columns, and b has 3 rows"),
    (joins_tensors_as_numbers, "multi_head_by_loop", "`torch.stack` tensors"),
    (joins_without_a_list, "multi_head_by_loop", "handed over as one list"),
    (divides_a_size, "split_heads", "`6 // 2` is 3"),
    (transposes_all_axes, "split_heads", "`permute` takes the new order of all"),
    (transposes_nothing, "split_heads", "wants to know which"),
    (loses_the_transpose, "split_heads", "`parts.transpose(-3, -2)` makes a new value"),
    (permutes_two, "split_heads", "`permute` wants the new order of all axes"),
    (views_after_a_transpose, "merge_heads", "`view` can only read them as they are stored"),
    (calls_the_shape, "merge_heads", "`x.shape` is one"),
    (forgets_to_call_size, "merge_heads", "Of a tensor, `size` is a function"),
    (returns_not, "to_allowed", "`~` turns each True and False round"),
    (ForgetsThatKeyMayBeNone, "MultiHeadAttention", "where there is no key, the query is taken for it"),
    (AsksNoneForItsShape, "MultiHeadAttention", "This call leaves out `key`"),
    (ForgetsSelf, "MultiHeadAttention", "The layer keeps it as `self.heads`"),
    (ForgetsSelfOfALayer, "MultiHeadAttention", "The layer keeps it as `self.output`"),
    (NeverMakesIt, "MultiHeadAttention", "Which line of `__init__` makes `self.norm`"),
    (ForgetsSuper, "MultiHeadAttention", "super().__init__()"),
    (GivesOneSize, "MultiHeadAttention", "wants two sizes"),
    (DividesASize, "MultiHeadAttention", "`6 // 2` is 3"),
    (GivesASizeTooFew, "MultiHeadAttention", "An `nn.Linear(n, m)` is such a b"),
    (HasAMethodWithoutSelf, "MultiHeadAttention", "Does `split` begin with `self`?"),
    (TakesAPairForATensor, "MultiHeadAttention", "Here is a tuple"),
]


@pytest.mark.parametrize(("answer", "exercise", "sentence"), SLIPS, ids=[slip[0].__name__ for slip in SLIPS])
def test_a_slip_gets_a_sentence_that_helps(answer, exercise, sentence):
    """More than torch's own words."""
    verdict = judge(answer, exercise)
    assert not verdict.right and sentence in verdict.message, verdict.message


def test_the_layer_is_right():
    """The one that the others are made from."""
    assert judge(Layer, "MultiHeadAttention").right
