"""Wrong answers to lesson 05 (round 14)."""

from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_value.shape
    total = 0
    for i in range(heads):
        head = attention_head(x, w_query[i], w_key[i], w_value[i], mask)
        total = total + head @ w_output[:size]
    return total


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        head_size = model_size // heads
    if value_size is None:
        value_size = head_size
    weights = 2 * model_size * heads * head_size + 2 * model_size * heads * value_size
    biases = 2 * heads * head_size + heads * value_size + model_size
    return weights + biases if bias else weights


TRUTH = {
    "multi_head_by_loop__1": "Every head meets the first head_size rows of w_output, not its own rows.",
    "parameter_count__1": "Where value_size is None it takes the given head_size, not model_size / heads.",
}
