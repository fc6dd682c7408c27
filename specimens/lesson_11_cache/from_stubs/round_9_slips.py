"""Wrong answers to lesson 11 (round 9)."""
import torch
from mha_ref import causal_attention, masked_attention


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key])
        value = torch.cat([past_value, value])
    return causal_attention(query, key, value), key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    numbers = 2 * layers * tokens * kv_heads * head_size * batch
    print(numbers * bytes_per_number)


def grouped_query_attention__1(query, key, value, mask=None):
    group = query.shape[1] / key.shape[1]
    key = key.repeat_interleave(group, dim=1)
    value = value.repeat_interleave(group, dim=1)
    return masked_attention(query, key, value, mask)


TRUTH = {
    "attend_with_cache__1": "torch.cat without dim joins along axis 0: right without axes in front and in the first call, but with axes in front the second call stops with RuntimeError: Sizes of tensors must match except in dimension 0, or, when past and new have the same size, with a mismatch of the doubled batch (The size of tensor a (2) must match the size of tensor b (4)).",
    "cache_bytes__1": "The number is printed and not returned: the result is None, for every input.",
    "grouped_query_attention__1": "/ gives a float, // is needed: TypeError: repeat_interleave() received an invalid combination of arguments - got (float, dim=int), for every input, also for as many key-value heads as heads.",
}
