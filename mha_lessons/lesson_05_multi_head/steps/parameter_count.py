"""What people get wrong about `parameter_count`, and what helps them."""

from autograder.exercise import Refused

from ..exercises import parameter_count


def _columns(model_size, heads, head_size, value_size):
    sizes = (model_size // heads if size is None else size for size in (head_size, value_size))
    return tuple(heads * size for size in sizes)


def _weights(model_size, heads, head_size, value_size):
    return 2 * model_size * sum(_columns(model_size, heads, head_size, value_size))


@parameter_count.misconception
def forgets_the_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count is the same with biases and without, and it holds none.
    A projection with a bias learns one number more for each number that comes out of it.
    What has to be added where `bias` is True?"""
    return parameter_count(model_size, heads, False, head_size, value_size)


@parameter_count.misconception
def always_counts_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count holds biases, also where `bias` is False.
    Many models leave them out, so the caller may choose.
    Which line should run only if there are any?"""
    return parameter_count(model_size, heads, True, head_size, value_size)


@parameter_count.misconception
def turns_the_bias_round(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count holds biases where `bias` is False, and none where it is True.
    `bias` says whether the projections have them, and then they are learned, too.
    Look at the condition."""
    return parameter_count(model_size, heads, not bias, head_size, value_size)


@parameter_count.misconception(squares=(3, 4))
def counts_squares_of_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """Your count is {squares} times the square of the model size, whatever else is given.
    A square stands for one matrix from the model size to the model size, without a bias.
    Sizes of heads and biases can change the count. Write down for each projection what goes in and comes out."""
    return squares * model_size**2


@parameter_count.misconception(squares=(3, 4))
def counts_squares_and_their_biases(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """You count {squares} square matrices, each with a bias as long as the model size.
    That fits as long as all heads together are exactly as wide as the model.
    With sizes of their own the matrices are no longer square. Which sides has each of them?"""
    return squares * (model_size**2 + (model_size if bias else 0))


@parameter_count.misconception
def counts_four_square_matrices_with_true_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """The four matrices are counted as squares of the model size.
    They are square only if all heads together are as wide as the model.
    How many columns do the matrices for queries, keys and values have, and how many rows the output matrix?"""
    weights = 4 * model_size**2
    return (
        weights
        + parameter_count(model_size, heads, bias, head_size, value_size)
        - _weights(model_size, heads, head_size, value_size)
    )


@parameter_count.misconception(forgotten=("query", "value", "output"))
def forgets_a_projection(model_size, heads, bias=True, head_size=None, value_size=None, *, forgotten):
    """Your count lacks one of the four projections, as large as that of the {forgotten}, bias and all.
    (Query and key have projections of the same size, so those two cannot be told apart by counting.)
    Go through query, key, value and output: is each of them in your sum?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    lost = {"query": (keys, keys), "value": (values, values), "output": (values, model_size)}[forgotten]
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * lost[0] - bias * lost[1]


@parameter_count.misconception(kept=("query", "value", "output"))
def counts_one_projection_only(model_size, heads, bias=True, head_size=None, value_size=None, *, kept):
    """Your count is that of one projection, the one of the {kept}.
    There are four, and all of them are learned.
    If your code has all four, look at how they come together: `=` replaces what was there, `+=` adds to it."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    into, out_of = {"query": (model_size, keys), "value": (model_size, values), "output": (values, model_size)}[kept]
    return into * out_of + (out_of if bias else 0)


@parameter_count.misconception
def counts_only_the_output_bias_of_the_output(model_size, heads, bias=True, head_size=None, value_size=None):
    """The matrix of the output projection is missing in your count, or that of the values, which is as large.
    The output matrix mixes the heads: a row for each number that they hand over, a column for each of the model.
    How many entries is that, and have you counted them for both?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * values


@parameter_count.misconception
def counts_only_the_bias_of_the_queries_or_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """The matrix of the queries is missing in your count, or that of the keys; its bias is there.
    (The two have the same size, so counting cannot tell which.)
    There are four projections, and each has a matrix. Which of them have you not counted?"""
    keys, _ = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * keys


@parameter_count.misconception(forgotten=("query", "value", "output"))
def forgets_a_bias(model_size, heads, bias=True, head_size=None, value_size=None, *, forgotten):
    """One of the biases is missing in your count, as long as that of the {forgotten}.
    (The biases of query and key have the same length, so these two cannot be told apart by counting.)
    Each of the four projections has a bias, as long as what comes out of it."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    lost = {"query": keys, "value": values, "output": model_size}[forgotten]
    return parameter_count(model_size, heads, bias, head_size, value_size) - (lost if bias else 0)


@parameter_count.misconception
def always_gives_the_output_a_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """Without biases your count still holds one, as long as the model size: that of the output projection.
    `bias` speaks of all four projections.
    Does it reach the fourth?"""
    extra = 0 if bias else model_size
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception
def counts_a_single_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """Only one bias is in your count, as long as the model size.
    Each of the four projections has a bias of its own.
    How long is each, if a bias holds one number for each number that comes out?"""
    return _weights(model_size, heads, head_size, value_size) + (model_size if bias else 0)


@parameter_count.misconception(numbers=(1, 4))
def counts_a_bias_as_one_number(model_size, heads, bias=True, head_size=None, value_size=None, *, numbers):
    """The biases add only {numbers} to your count.
    A bias is no single number: it is a vector, with one number for each number that comes out of the projection.
    How many come out of each of the four?"""
    return _weights(model_size, heads, head_size, value_size) + (numbers if bias else 0)


@parameter_count.misconception(biases=(3, 4))
def makes_all_biases_of_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None, *, biases):
    """You count {biases} biases, each as long as the model size.
    A bias is as long as what comes *out* of its projection.
    For queries, keys and values that is the width of all heads together, which need not be the model size."""
    return _weights(model_size, heads, head_size, value_size) + (biases * model_size if bias else 0)


@parameter_count.misconception
def makes_the_output_bias_as_wide_as_the_heads(model_size, heads, bias=True, head_size=None, value_size=None):
    """The bias of the output has as many numbers in your count as all values together.
    That is what goes *into* the output projection. A bias has one number for each number that comes out.
    How wide is the output of the layer?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    extra = values - model_size if bias else 0
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception
def counts_keys_as_wide_as_values(model_size, heads, bias=True, head_size=None, value_size=None):
    """One of queries and keys is counted with `value_size` instead of `head_size`, bias and all.
    Queries meet keys in a dot product, so these two always have the same size.
    `value_size` belongs to two projections: values, and the output."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count + (values - keys) * (model_size + (1 if bias else 0))


@parameter_count.misconception
def counts_biases_by_what_goes_in(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your biases are as long as what goes *into* each projection.
    A bias is added to the result, so it has one number for each number that comes out.
    Which is that for queries, keys and values, and which for the output?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return _weights(model_size, heads, head_size, value_size) + (3 * model_size + values if bias else 0)


@parameter_count.misconception
def counts_the_biases_of_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The biases of queries, keys and values are counted for one head only.
    Every head has a bias for each of its three projections.
    How long are they for all heads together?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    biases = (2 * keys + values) // heads + model_size
    return _weights(model_size, heads, head_size, value_size) + (biases if bias else 0)


@parameter_count.misconception
def makes_the_biases_of_every_head_as_long_as_the_model(model_size, heads, bias=True, head_size=None, value_size=None):
    """Every head has three biases in your count, each as long as the model size.
    A bias has one number for each number that comes out, and of one head come only its own few columns.
    How many numbers are in the query of one head, and how many in its value?"""
    return _weights(model_size, heads, head_size, value_size) + ((3 * heads + 1) * model_size if bias else 0)


@parameter_count.misconception
def gives_every_head_an_output_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """The bias of the output is counted once for each head.
    The output projection comes after the heads were put side by side, so there is one for all of them.
    Its bias is as long as the model size, once."""
    extra = (heads - 1) * model_size if bias else 0
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception(factor=(2, 4, 8))
def multiplies_the_whole_count(model_size, heads, bias=True, head_size=None, value_size=None, *, factor):
    """Your whole count has a factor of {factor:g} too much.
    It fits a count of bytes, of layers, or of something that was added up once more than it should.
    This function counts numbers, in one layer. Which factor stands for no side of a matrix?"""
    return factor * parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(squares=(2, 3, 8, 12))
def counts_the_feed_forward_network(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """Your count holds {squares:g} square matrices of the model size beside the four projections.
    Such matrices belong to other parts of a model, a feed-forward network say, which follows attention.
    Count what this layer learns: queries, keys, values and the output."""
    return parameter_count(model_size, heads, bias, head_size, value_size) + squares * model_size**2


@parameter_count.misconception(vectors=(2, 4))
def counts_the_layer_norm(model_size, heads, bias=True, head_size=None, value_size=None, *, vectors):
    """Your count holds {vectors:g} vectors of the model size too many, with biases and without.
    So long are the parameters of a layer norm, for example, which stands beside attention and not in it.
    Count four projections, and nothing else."""
    return parameter_count(model_size, heads, bias, head_size, value_size) + vectors * model_size


@parameter_count.misconception
def gives_every_head_the_whole_width(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your heads are each as wide as the whole model, so more heads mean a larger count.
    Unless another size is given, the heads make that width together: each makes model_size / heads columns.
    What is the default of a size that is None?"""
    head_size, value_size = (model_size if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception
def counts_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count is that of one head, with an output matrix that takes in one head.
    The layer has several, side by side, and the output matrix takes in all of them.
    Where does the number of heads come into your sum?"""
    head_size, value_size = (model_size // heads if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, 1, bias, head_size, value_size)


@parameter_count.misconception
def counts_one_head_and_the_whole_output(model_size, heads, bias=True, head_size=None, value_size=None):
    """Queries, keys and values are counted for one head only, the output projection for all of them.
    Every head has three matrices of its own.
    Where does the number of heads come into your sum?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    weights = model_size * (2 * keys + values) // heads + model_size * values
    return weights + ((2 * keys + values) // heads + model_size if bias else 0)


@parameter_count.misconception
def output_takes_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix takes in the values of one head.
    The results of all heads lie side by side when they reach it.
    How many numbers are that for one token?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count - model_size * (values - values // heads)


@parameter_count.misconception
def counts_everything_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your whole sum is multiplied by the number of heads, and the heads were in it before.
    If the projections already hold the columns of all heads, they need no further factor.
    And there is one output projection, not one for each head."""
    return heads * parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception
def counts_the_output_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The output matrix is counted once for each head.
    It stands after the heads, takes in all their results at once, and there is only one.
    Which part of your sum belongs inside the factor for the heads, and which outside?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + (heads - 1) * model_size * values


@parameter_count.misconception
def counts_the_output_and_its_bias_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The output projection, matrix and bias, is counted once for each head.
    It stands after the heads, takes in all their results at once, and there is only one.
    Which part of your sum belongs inside the factor for the heads, and which outside?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    output = model_size * values + (model_size if bias else 0)
    return parameter_count(model_size, heads, bias, head_size, value_size) + (heads - 1) * output


@parameter_count.misconception
def cuts_the_input_before_projecting(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the matrices of a head have only model_size / heads rows, as if the input were cut into pieces.
    It is not cut: every head reads the whole token, and makes few numbers of many with its own matrices.
    How many numbers go into each head?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count - (model_size - model_size // heads) * (2 * keys + values)


@parameter_count.misconception
def counts_square_head_matrices(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the matrices of a head are square, with head_size or value_size on both sides.
    A head makes few numbers out of many: the whole token goes in, and the size of a head comes out.
    What is the other side of these matrices?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    weights = (2 * keys**2 + values**2) // heads + model_size * values
    return weights + (2 * keys + values + model_size if bias else 0)


@parameter_count.misconception
def ignores_the_head_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`head_size` has no influence on your count.
    A caller may give the queries and keys a size of their own; only None means model_size / heads.
    Is the default used even where a size was given?"""
    return parameter_count(model_size, heads, bias, None, value_size)


@parameter_count.misconception
def ignores_the_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`value_size` has no influence on your count.
    A caller may give the values a size of their own; only None means model_size / heads.
    Two of the four projections depend on it. Which?"""
    return parameter_count(model_size, heads, bias, head_size, None)


@parameter_count.misconception
def values_default_to_the_head_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where only `head_size` is given, your values get the same size.
    Each of the two sizes has its default by itself: model_size / heads.
    What happens in your code when `value_size` is None and `head_size` is not?"""
    return parameter_count(model_size, heads, bias, head_size, head_size if value_size is None else value_size)


@parameter_count.misconception
def keys_default_to_the_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where only `value_size` is given, your queries and keys get the same size.
    Each of the two sizes has its default by itself: model_size / heads.
    What happens in your code when `head_size` is None and `value_size` is not?"""
    return parameter_count(model_size, heads, bias, value_size if head_size is None else head_size, value_size)


@parameter_count.misconception
def has_defaults_only_if_both_sizes_are_missing(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your sizes get their default only if both are None; if one of them is given, the other stays None.
    Then your code counts with None, and stops.
    Ask the question for each of the two sizes by itself."""
    if (head_size is None) != (value_size is None):
        raise TypeError
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception
def uses_the_head_size_for_everything(model_size, heads, bias=True, head_size=None, value_size=None):
    """All four projections are made of `head_size` in your count.
    Queries and keys meet in a dot product, so these two share a size; values may be longer or shorter.
    Which two projections depend on `value_size`?"""
    return parameter_count(model_size, heads, bias, head_size, head_size)


@parameter_count.misconception
def uses_the_value_size_for_everything(model_size, heads, bias=True, head_size=None, value_size=None):
    """All four projections are made of `value_size` in your count.
    Queries and keys meet in a dot product, so these two share a size, `head_size`.
    Which two projections depend on it?"""
    return parameter_count(model_size, heads, bias, value_size, value_size)


@parameter_count.misconception
def swaps_head_and_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`head_size` and `value_size` have changed places in your count.
    `head_size` is for queries and keys, `value_size` is for values and for what the output takes in.
    With biases, the two sizes do not count alike."""
    return parameter_count(model_size, heads, bias, value_size, head_size)


@parameter_count.misconception
def output_takes_the_width_of_the_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix has a row for each column of the keys.
    What the heads hand over is a mixture of *values*; keys only decide on the weights.
    Which size is that, times how many heads?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + model_size * (keys - values)


@parameter_count.misconception
def output_takes_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix is square, model size by model size.
    It gives back the model size, that is right.
    But what it takes in are the values of all heads side by side. Is that always as wide as the model?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + model_size * (model_size - values)


@parameter_count.misconception
def output_stays_as_wide_as_the_heads(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output projection gives back as many numbers as the heads hand over.
    It has to lead back to the model size, so that the result can stand where `x` stood.
    What are the two sides of its matrix, and how long is its bias?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count + (values - model_size) * (values + (1 if bias else 0))


@parameter_count.misconception
def values_are_as_wide_as_the_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your projection of the values is as wide as that of the keys.
    The values have a size of their own, `value_size`.
    What goes into the output matrix must come out of the values' projection."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    extra = (keys - values) * (model_size + (1 if bias else 0))
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception
def takes_the_sizes_of_all_heads_together(model_size, heads, bias=True, head_size=None, value_size=None):
    """You read `head_size` and `value_size` as the width of all heads together.
    They are the sizes of *one* head, and there are several, side by side.
    Where does the number of heads come in when a size is given?"""
    keys, values = (model_size if size is None else size for size in (head_size, value_size))
    return 2 * model_size * (keys + values) + (2 * keys + values + model_size if bias else 0)


@parameter_count.misconception(on="indivisible")
def rounds_the_head_size_down(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your code cuts off the rest and counts on.
    Then the heads together are narrower than the model, and nobody is told.
    Where you divide, ask first whether anything is left over, and refuse with a ValueError if so."""
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def rounds_the_head_size_up(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your code rounds up and counts on.
    Then the heads together are wider than the model, and nobody is told.
    Where you divide, ask first whether anything is left over, and refuse with a ValueError if so."""
    share = -(-model_size // heads)
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def counts_parts_of_columns(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your heads get a broken number of columns.
    No tensor has three and a third columns, so there is nothing to count.
    Where you divide, ask first whether anything is left over, and refuse with a ValueError if so."""
    share = model_size / heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible", sizes=("head_size", "value_size"))
def refuses_for_one_size_only(model_size, heads, bias=True, head_size=None, value_size=None, *, sizes):
    """Where the heads do not divide the model size, your code refuses only if `{sizes}` is None.
    The default of the other size is model_size / heads, too, and may be needed while the first is given.
    Ask the question for each of the two."""
    if (head_size if sizes == "head_size" else value_size) is None:
        return parameter_count(model_size, heads, bias, head_size, value_size)
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def refuses_only_if_both_sizes_are_missing(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your code refuses only if both sizes are None.
    One None is enough: that size would be model_size / heads, and this is no whole number.
    Ask the question for each of the two sizes by itself."""
    if head_size is None and value_size is None:
        return parameter_count(model_size, heads, bias, head_size, value_size)
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def refuses_where_nothing_is_divided(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your code refuses heads that do not divide the model size, also where both sizes are given.
    Then nothing has to be divided, because the output matrix leads back to the model size from any width.
    Ask the question only where a size is None."""
    if model_size % heads:
        raise Refused
    return parameter_count(model_size, heads, bias, head_size, value_size)


parameter_count.hints_for(
    "forgets_the_biases",
    "always_counts_biases",
    "turns_the_bias_round",
    "always_gives_the_output_a_bias",
    hints=(
        "The count has two parts. "
        "The matrices are always there; the biases are there or not, and `bias` says which. "
        "So the same sizes have two right answers. "
        "The one with biases is larger, by as many numbers as come out of the four projections together.",
        "Call your function twice with the same sizes, with `bias=True` and with `bias=False`, and subtract. "
        "For a model size of 8 and 2 heads the difference should be 32: four projections, and 8 numbers come out of "
        "each. "
        "A difference of 0 says that `bias` is not asked, a negative one that the answer is turned round.",
        "Make two sums, one of the matrices, one of the biases. "
        "The second joins the first only if `bias` is true: with an `if`, or multiplied by `bias`, since True counts "
        "as 1 and False as 0. "
        "The matrices stand outside of this condition.",
    ),
)

parameter_count.hints_for(
    "counts_squares_of_the_model_size",
    "counts_squares_and_their_biases",
    "counts_four_square_matrices_with_true_biases",
    hints=(
        "A square matrix is the special case: all heads together are as wide as the model. "
        "It is so common that it looks like a law. "
        "Here a caller may choose other widths, and then each matrix is a rectangle, with two sides that have to be "
        "found one by one.",
        "Make a small table with four lines: query, key, value, output. "
        "In each, write how many numbers go in and how many come out. "
        "You will need the model size, the number of heads, `head_size` and `value_size`. "
        "Which of these names are missing in the part of your sum that counts the matrices?",
        "For each line of the table, multiply what goes in by what comes out. "
        "Where biases are wanted, add what comes out once more. "
        "From the first three come the columns of all heads together, and from the fourth comes the model size. "
        "The sum of the four lines is the count.",
    ),
)

parameter_count.hints_for(
    "forgets_a_projection",
    "counts_one_projection_only",
    "counts_only_the_bias_of_the_queries_or_keys",
    "counts_only_the_output_bias_of_the_output",
    hints=(
        "Follow one token through the layer, and count the matrices that it meets. "
        "Three make its query, its key and its value. "
        "Then the heads attend, and that needs no parameters at all. "
        "One more matrix leads back to the model. "
        "None of these four can stand in for another, even where two have the same size.",
        "Write your sum as four lines, each with the name of a projection beside it, and in each line the matrix and "
        "then the bias. "
        "Compare this with what your code adds up. "
        "Which line is missing, or holds only a bias? "
        "A factor of 2 for queries and keys stands for two lines.",
        "The matrices of queries and keys have model_size rows, and a column for each number in the keys of all "
        "heads. "
        "That of the values is like them, with the values of all heads. "
        "The matrix of the output has a row for each number in the values of all heads, and model_size columns. "
        "Each has its bias.",
    ),
)

parameter_count.hints_for(
    "forgets_a_bias",
    "counts_a_single_bias",
    "counts_a_bias_as_one_number",
    "makes_all_biases_of_the_model_size",
    "makes_the_output_bias_as_wide_as_the_heads",
    "counts_biases_by_what_goes_in",
    "counts_the_biases_of_one_head",
    "makes_the_biases_of_every_head_as_long_as_the_model",
    "gives_every_head_an_output_bias",
    hints=(
        "Think of a bias as one more row of its matrix. "
        "It is as long as the other rows, however many these are. "
        "So the four biases belong to the four matrices one by one, and each takes its length from one side of its "
        "matrix, the side of what comes out. "
        "The other side plays no part in it.",
        "Count the biases alone. "
        "Your function does it for you: the answer with `bias=True` minus the answer with `bias=False`. "
        "Choose 12 for the model size, 3 heads, 5 for `head_size` and 7 for `value_size`. "
        "The four biases have 15, 15, 21 and 12 numbers, 63 together. "
        "What do you get, and which of the four explains the difference?",
        "Queries and keys: the columns of all heads' keys, each. "
        "Values: the columns of all heads' values. "
        "Output: model_size, once, however many heads there are. "
        "These four lengths are added up. "
        "If you count head by head, the first three belong inside that count, and the fourth outside.",
    ),
)

parameter_count.hints_for(
    "counts_one_head",
    "counts_one_head_and_the_whole_output",
    "output_takes_one_head",
    "takes_the_sizes_of_all_heads_together",
    hints=(
        "What is said of one head is never the side of a matrix that serves all heads. "
        "Between the two stands the number of heads. "
        "It comes in wherever heads lie side by side: in the queries, in the keys, in the values, and in what the "
        "output matrix takes in. "
        "That makes four places.",
        "Keep `head_size` and `value_size` at fixed numbers, leave the biases out, and double the number of heads. "
        "All four matrices should double, and so the count, too. "
        "Which part of your sum has not doubled? "
        "That is the part that holds one head where all of them should be.",
        "Make two numbers first: the columns of all heads' keys, and the columns of all heads' values. "
        "Each is the size of one head times the number of heads, whether this size was given or is model_size / heads. "
        "Then build all four projections out of these two and the model size.",
    ),
)

parameter_count.hints_for(
    "counts_everything_for_every_head",
    "counts_the_output_for_every_head",
    "counts_the_output_and_its_bias_for_every_head",
    hints=(
        "There are two ways to count several heads, and both are right. "
        "One head at a time: small matrices, times the number of heads. "
        "All heads at once: wide matrices, and no factor. "
        "If a part of the sum begins in one way and goes on in the other, its heads are counted twice.",
        "Give `head_size` and `value_size` fixed numbers, leave the biases out, and double the number of heads. "
        "The count should double, and yours grows by more. "
        "So some part of it is multiplied by the number of heads twice. "
        "Look for a factor, or a loop over heads, around something that is already as wide as all heads together.",
        "Decide for one of two ways. "
        "Either count for one head: its three projections, and its own rows of the output matrix, and multiply by the "
        "number of heads. "
        "Or count the matrices of all heads together, and multiply by nothing more. "
        "In both ways, the bias of the output is added once, at the end.",
    ),
)

parameter_count.hints_for(
    "multiplies_the_whole_count",
    "counts_the_feed_forward_network",
    "counts_the_layer_norm",
    hints=(
        "A model is a pile of parts, and many texts give one number for the pile. "
        "Attention is one part of it, with four projections that learn. "
        "Other parts stand before and behind, and each is counted by itself. "
        "Numbers are counted here, and not the bytes that they take.",
        "Call your function for a model size of 1, with one head and without biases. "
        "There are four matrices with one number each, so 4 should come out. "
        "What do you get, and which line made the rest? "
        "Look for a number of your own in the code, such as a 2, a 4 or an 8, and ask what it stands for.",
        "Write four terms, one for each projection, and a name beside each: query, key, value, output. "
        "Add them up once. "
        "What has none of the four names goes out, and so does a factor that stands in front of the whole sum.",
    ),
)

parameter_count.hints_for(
    "cuts_the_input_before_projecting",
    "counts_square_head_matrices",
    hints=(
        "The matrix of a head is tall and narrow: a row for each number of the token, and a few columns. "
        "Heads divide what comes out between them, and never what goes in. "
        "So the long side is the same for every head, whatever its own size may be.",
        "Count a single matrix: that of the queries of one head, for a model size of 12, 3 heads and a `head_size` of "
        "5. "
        "The token brings 12 numbers, and 5 come out, so there are 60 entries. "
        "How many does your code count for it, and which of the two sides is another than you thought?",
        "In the three projections of a head, one side is the whole model_size and the other is the size of the head. "
        "The output matrix is the only one with another side: a row for each number that all heads hand over, and "
        "again model_size, for what comes out.",
    ),
)

parameter_count.hints_for(
    "ignores_the_head_size",
    "ignores_the_value_size",
    "values_default_to_the_head_size",
    "keys_default_to_the_value_size",
    "has_defaults_only_if_both_sizes_are_missing",
    "gives_every_head_the_whole_width",
    hints=(
        "Two sizes come in, and each is a number or None. "
        "A number is taken as it is. "
        "None has one meaning, model_size divided by the number of heads. "
        "What happens to one of them does not depend on the other. "
        "So there are four cases, and each of them has an answer of its own.",
        "Print both sizes after your lines for the defaults, with a model size of 12 and 3 heads. "
        "Hand over None and None, then 5 and None, then None and 7, then 5 and 7. "
        "You should see 4 and 4, 5 and 4, 4 and 7, 5 and 7. "
        "Which of the eight numbers differ?",
        "Write two lines of the same pattern, one for each size: if it is None, it becomes the default, and if it "
        "is not, it stays. "
        "The default is made of model_size and heads alone. "
        "From there on use these two results, and no longer what came in.",
    ),
)

parameter_count.hints_for(
    "counts_keys_as_wide_as_values",
    "uses_the_head_size_for_everything",
    "uses_the_value_size_for_everything",
    "swaps_head_and_value_size",
    "output_takes_the_width_of_the_keys",
    "values_are_as_wide_as_the_keys",
    hints=(
        "Follow a value through the layer. "
        "It is made in one width, mixed without a change of width, and handed to the output matrix. "
        "Queries and keys are gone by then: scores are all that is left of them. "
        "So there are two pairs, queries and keys, values and what they go into, and nothing ties one pair to the "
        "other.",
        "Let one size grow by 1 and leave the other. "
        "Without biases, `head_size` should add 2 · heads · model_size, and `value_size` as much. "
        "With biases, `head_size` should add 2 · heads more than that, and `value_size` only heads more. "
        "Where your numbers are others, some projection is made of the wrong size.",
        "Give two widths a name: that of all heads' keys, and that of all heads' values. "
        "Queries and keys come out in the first width, values in the second, and the second is also what goes into "
        "the output. "
        "So each of the two names is the side of two matrices. "
        "The biases of queries, keys and values follow the same widths.",
    ),
)

parameter_count.hints_for(
    "output_takes_the_model_size",
    "output_stays_as_wide_as_the_heads",
    hints=(
        "The output matrix is a bridge between two widths. "
        "On one side stand the heads, with all their values side by side. "
        "On the other side stands the model. "
        "The two widths are often the same number, and then nobody sees which is which. "
        "But they are two ideas, and each has its own side of the matrix.",
        "Take a model size of 12, 3 heads and a `value_size` of 7. "
        "The heads hand over 21 numbers for each token, and the layer gives back 12. "
        "Which two sides has the matrix that does this, and how long is its bias? "
        "Compare with the two sides that your code multiplies.",
        "One side is the values of all heads, heads times `value_size`. "
        "The other is model_size, since the result goes where `x` came from. "
        "The bias belongs to what comes out, so it is as long as the second side. "
        "If both of your sides have one name, that is the line to change.",
    ),
)

parameter_count.hints_for(
    "rounds_the_head_size_down",
    "rounds_the_head_size_up",
    "counts_parts_of_columns",
    "refuses_for_one_size_only",
    "refuses_only_if_both_sizes_are_missing",
    "refuses_where_nothing_is_divided",
    hints=(
        "Only a size of None makes a division necessary, for then the width of the model is split evenly. "
        "And that works only if nothing is left over. "
        "So an error needs two facts together: at least one size is None, and the heads do not divide the model size.",
        "Take a model size of 14 and 4 heads. "
        "Call with the two sizes None and None, then 5 and None, then None and 5, then 5 and 5. "
        "The first three should stop with an error, and the last should give a number. "
        "Which of the four goes another way in your code, and which line lets it?",
        "Ask before you divide. "
        "One condition joins two questions: is either of the sizes None, and does the remainder of model_size by "
        "heads differ from 0? "
        "Where both are so, raise a ValueError. "
        "After this line model_size / heads is a whole number wherever it is used.",
    ),
)
