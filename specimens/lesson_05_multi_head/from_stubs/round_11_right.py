"""Right answers to lesson 05 (round 11)."""

from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_value.shape
    blocks = w_output.unflatten(0, (heads, size))
    return sum(attention_head(x, *matrices, mask) @ block for *matrices, block in zip(w_query, w_key, w_value, blocks))


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    from fractions import Fraction

    sizes = [Fraction(model_size, heads) if size is None else Fraction(size) for size in (head_size, value_size)]
    if any(size.denominator > 1 for size in sizes):
        raise ArithmeticError("heads must divide the model size")
    outputs = [heads * sizes[0], heads * sizes[0], heads * sizes[1], model_size]
    inputs = [model_size] * 3 + [heads * sizes[1]]
    return sum(o * (i + bool(bias)) for i, o in zip(inputs, outputs))


WHY = {
    "multi_head_by_loop__1": "Each head's result times its block of rows of w_output, summed: nothing is put side by side.",
    "parameter_count__1": "Fractions, which show by their denominator that a size is not whole; another kind of error.",
}
