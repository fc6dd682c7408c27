"""Right answers to lesson 05 (round 18)."""

from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads = w_query.shape[0]
    rows = w_output.chunk(heads, dim=0)
    total = 0
    for i in range(heads):
        total = total + attention_head(x, w_query[i], w_key[i], w_value[i], mask) @ rows[i]
    return total


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size):
        standard, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("model_size / heads is not a whole number")
        head_size = standard if head_size is None else head_size
        value_size = standard if value_size is None else value_size
    projections = [
        (model_size, heads * head_size),
        (model_size, heads * head_size),
        (model_size, heads * value_size),
        (heads * value_size, model_size),
    ]
    return sum((inputs + int(bias)) * outputs for inputs, outputs in projections)


WHY = {
    "multi_head_by_loop__1": "Right: no concatenation; each head's result meets its own rows of w_output, and the products are added up.",
    "parameter_count__1": 'Right: a sum over the four projections as pairs of (in, out).',
}
