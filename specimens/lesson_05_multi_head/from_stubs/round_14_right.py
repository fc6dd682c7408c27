"""Right answers to lesson 05 (round 14)."""


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size):
        size, rest = divmod(model_size, heads)
        if rest:
            raise ArithmeticError(f"{model_size} columns do not go into {heads} heads")
        head_size = size if head_size is None else head_size
        value_size = size if value_size is None else value_size
    shapes = [(model_size, heads * head_size)] * 2 + [(model_size, heads * value_size), (heads * value_size, model_size)]
    return sum((inputs + bool(bias)) * outputs for inputs, outputs in shapes)


WHY = {
    "parameter_count__1": "It lists the four (in, out) shapes and adds them up.",
}
