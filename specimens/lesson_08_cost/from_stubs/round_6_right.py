def _product(left, right):
    (a, b), (b_again, c) = left, right
    assert b == b_again
    return 2.0 * a * b * c


def attention_flops__1(tokens, model_size):
    n, d = tokens, model_size
    steps = [((n, d), (d, d))] * 4 + [((n, d), (d, n)), ((n, n), (n, d))]
    return sum(_product(*step) for step in steps)


WHY = {
    "attention_flops__1": "A list of the shapes of all six products, each counted as a float by a helper.",
}
