"""What people get wrong about `parameter_count`."""

from autograder.mistakes import Refused, mistake

from ..exercises import parameter_count


def _columns(model_size, heads, head_size, value_size):
    sizes = (model_size // heads if size is None else size for size in (head_size, value_size))
    return tuple(heads * size for size in sizes)


def _weights(model_size, heads, head_size, value_size):
    return 2 * model_size * sum(_columns(model_size, heads, head_size, value_size))


def forgets_the_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count is the same with biases and without: it never includes them.
    A projection with a bias learns one more number for each number that comes out of it.
    What has to be added where `bias` is True?"""
    return parameter_count(model_size, heads, False, head_size, value_size)


def always_counts_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count includes biases even where `bias` is False.
    Many models leave them out, so the caller chooses.
    Which line should run only if there are biases?"""
    return parameter_count(model_size, heads, True, head_size, value_size)


def output_takes_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix is square, model size by model size.
    The side that comes out is right.
    But what goes in are the values of all heads side by side. Are they always as wide as the model?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + model_size * (model_size - values)


def uses_the_head_size_for_everything(model_size, heads, bias=True, head_size=None, value_size=None):
    """All four projections are made of `head_size` in your count.
    Queries and keys meet in a dot product, so these two share a size; values may be longer or shorter.
    Which two projections depend on `value_size`?"""
    return parameter_count(model_size, heads, bias, head_size, head_size)


def counts_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count is that of one head, with an output matrix that takes in one head.
    The layer has several, side by side, and the output matrix takes in all of them.
    Where does the number of heads come into your sum?"""
    head_size, value_size = (model_size // heads if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, 1, bias, head_size, value_size)


def counts_square_head_matrices(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the matrices of a head are square, with head_size or value_size on both sides.
    A head makes few numbers out of many: the whole token goes in, and the size of a head comes out.
    What is the other side of these matrices?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    weights = (2 * keys**2 + values**2) // heads + model_size * values
    return weights + (2 * keys + values + model_size if bias else 0)


@mistake(squares=(3, 4))
def counts_squares_and_their_biases(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """You count {squares} square matrices, each with a bias as long as the model size.
    That fits as long as all heads together are exactly as wide as the model.
    With other sizes, the matrices are not square. Which two sides does each of them have?"""
    return squares * (model_size**2 + (model_size if bias else 0))


@mistake(forgotten=("query", "value", "output"))
def forgets_a_projection(model_size, heads, bias=True, head_size=None, value_size=None, *, forgotten):
    """Your count lacks one of the four projections, as large as that of the {forgotten}, bias and all.
    (Query and key have projections of the same size, so a count cannot tell them apart.)
    Go through query, key, value and output: is each of them in your sum?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    lost = {"query": (keys, keys), "value": (values, values), "output": (values, model_size)}[forgotten]
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * lost[0] - bias * lost[1]


def counts_the_biases_of_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The biases of queries, keys and values are counted for one head only.
    Every head has a bias for each of its three projections.
    How long are they for all heads together?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    biases = (2 * keys + values) // heads + model_size
    return _weights(model_size, heads, head_size, value_size) + (biases if bias else 0)


def turns_the_bias_round(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count includes biases where `bias` is False, and none where it is True.
    `bias` says whether the projections have them, and then they are learned, too.
    Look at the condition."""
    return parameter_count(model_size, heads, not bias, head_size, value_size)


@mistake(squares=(3, 4))
def counts_squares_of_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """Your count is {squares} times the square of the model size, whatever else is given.
    Each square is one matrix from the model size to the model size, without a bias.
    Head sizes and biases change the count. Write down what goes in and what comes out of each projection."""
    return squares * model_size**2


def counts_squares_and_one_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """You count four square matrices, and one bias as long as the model size.
    Each of the four projections has a bias of its own, as long as what comes out of it.
    And with other sizes the matrices are not square. Which two sides does each of them have?"""
    return 4 * model_size**2 + (model_size if bias else 0)


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


@mistake(kept=("query", "value", "output"))
def counts_one_projection_only(model_size, heads, bias=True, head_size=None, value_size=None, *, kept):
    """Your count is that of one projection, the one of the {kept}.
    There are four, and the layer learns all of them.
    If your code has all four, look at how they come together: `=` replaces what was there, `+=` adds to it."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    into, out_of = {"query": (model_size, keys), "value": (model_size, values), "output": (values, model_size)}[kept]
    return into * out_of + (out_of if bias else 0)


def counts_only_the_output_bias_of_the_output(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count lacks the matrix of the output projection, or that of the values, which is just as large.
    The output matrix mixes the heads: it has a row for each number that they pass on, and model_size columns.
    How many entries is that, and have you counted them for both?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * values


def counts_only_the_bias_of_the_queries_or_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count lacks the matrix of the queries, or that of the keys; its bias is included.
    (The two have the same size, so a count cannot tell which.)
    There are four projections, and each has a matrix. Which of them have you not counted?"""
    keys, _ = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * keys


@mistake(forgotten=("query", "value", "output"))
def forgets_a_bias(model_size, heads, bias=True, head_size=None, value_size=None, *, forgotten):
    """Your count lacks one of the biases, as long as that of the {forgotten}.
    (The biases of query and key have the same length, so a count cannot tell them apart.)
    Each of the four projections has a bias, as long as what comes out of it."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    lost = {"query": keys, "value": values, "output": model_size}[forgotten]
    return parameter_count(model_size, heads, bias, head_size, value_size) - (lost if bias else 0)


def always_gives_the_output_a_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """Without biases your count still includes one, as long as the model size: that of the output projection.
    `bias` is about all four projections.
    Does it reach the fourth?"""
    extra = 0 if bias else model_size
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


def counts_a_single_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count includes only one bias, as long as the model size.
    Each of the four projections has a bias of its own.
    How long is each, if a bias holds one number for each number that comes out?"""
    return _weights(model_size, heads, head_size, value_size) + (model_size if bias else 0)


@mistake(numbers=(1, 3, 4))
def counts_a_bias_as_one_number(model_size, heads, bias=True, head_size=None, value_size=None, *, numbers):
    """The biases add only {numbers} to your count.
    A bias is not a single number but a vector, with one number for each number that comes out of the projection.
    How many come out of each of the four?"""
    return _weights(model_size, heads, head_size, value_size) + (numbers if bias else 0)


@mistake(biases=(3, 4))
def makes_all_biases_of_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None, *, biases):
    """You count {biases} biases, each as long as the model size.
    A bias is as long as what comes *out* of its projection.
    For queries, keys and values that is the width of all heads together, which need not be the model size."""
    return _weights(model_size, heads, head_size, value_size) + (biases * model_size if bias else 0)


def makes_the_output_bias_as_wide_as_the_heads(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the bias of the output is as long as all values together.
    That is what goes *into* the output projection. A bias has one number per output.
    How wide is the output of the layer?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    extra = values - model_size if bias else 0
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


def counts_keys_as_wide_as_values(model_size, heads, bias=True, head_size=None, value_size=None):
    """Either the queries or the keys are counted with `value_size` instead of `head_size`, bias and all.
    Queries meet keys in a dot product, so these two always have the same size.
    `value_size` belongs to two projections: the values and the output."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count + (values - keys) * (model_size + (1 if bias else 0))


def counts_biases_by_what_goes_in(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your biases are as long as what goes *into* each projection.
    A bias is added to the result, so it has one number per output.
    How many come out for queries, keys and values, and how many for the output?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return _weights(model_size, heads, head_size, value_size) + (3 * model_size + values if bias else 0)


def makes_the_biases_of_every_head_as_long_as_the_model(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count every head has three biases, each as long as the model size.
    A bias has one number for each number that comes out, and only a few columns come out of one head.
    How many numbers does the query of one head have, and how many its value?"""
    return _weights(model_size, heads, head_size, value_size) + ((3 * heads + 1) * model_size if bias else 0)


def gives_every_head_an_output_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """The bias of the output is counted once for each head.
    The output projection comes after the heads have been put side by side, so there is one for all of them.
    It has one bias, as long as the model size."""
    extra = (heads - 1) * model_size if bias else 0
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@mistake(factor=(2, 4, 8))
def multiplies_the_whole_count(model_size, heads, bias=True, head_size=None, value_size=None, *, factor):
    """Your whole count is {factor:g} times too large.
    It fits a count of bytes or of layers, or something was added up more than once.
    This function counts numbers, in one layer. Which of your factors is not a side of a matrix?"""
    return factor * parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(squares=(2, 3, 8, 12))
def counts_the_feed_forward_network(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """Your count includes {squares:g} square matrices of the model size besides the four projections.
    Such matrices belong to other parts of a model, such as the feed-forward network that follows attention.
    Count what this layer learns: queries, keys, values and the output."""
    return parameter_count(model_size, heads, bias, head_size, value_size) + squares * model_size**2


@mistake(vectors=(2, 4))
def counts_the_layer_norm(model_size, heads, bias=True, head_size=None, value_size=None, *, vectors):
    """Your count includes {vectors:g} vectors too many, each as long as the model size, with biases and without.
    The parameters of a layer norm have this length, for example, but a layer norm is not part of attention.
    Count four projections, and nothing else."""
    return parameter_count(model_size, heads, bias, head_size, value_size) + vectors * model_size


def gives_every_head_the_whole_width(model_size, heads, bias=True, head_size=None, value_size=None):
    """Each of your heads is as wide as the whole model, so more heads mean a larger count.
    Unless another size is given, all heads together have that width: each makes model_size / heads columns.
    What is the default of a size that is None?"""
    head_size, value_size = (model_size if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(
    matrices=("three matrices", "four matrices", "three matrices, beside the one of the output,"),
    biases=("no biases", "a bias for each", "four biases in all"),
)
def gives_every_head_squares_of_the_model_size(
    model_size, heads, bias=True, head_size=None, value_size=None, *, matrices, biases
):
    """You count {matrices} for every head, with the model size on both sides.
    A head reads the whole token and makes few numbers of it: model_size / heads, unless a size is given.
    Which two sides has a matrix of one head?"""
    squares = heads * (4 if matrices == "four matrices" else 3) + ("output" in matrices)
    vectors = {"no biases": 0, "a bias for each": squares, "four biases in all": 4}[biases]
    return squares * model_size**2 + (vectors * model_size if bias else 0)


def counts_one_head_and_the_whole_output(model_size, heads, bias=True, head_size=None, value_size=None):
    """You counted queries, keys and values for one head only, but the output projection for all heads.
    Every head has three matrices of its own.
    Where does the number of heads come into your sum?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    weights = model_size * (2 * keys + values) // heads + model_size * values
    return weights + ((2 * keys + values) // heads + model_size if bias else 0)


def output_takes_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix takes in the values of one head.
    When they reach it, the results of all heads lie side by side.
    How many numbers does one token then have?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count - model_size * (values - values // heads)


def counts_everything_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your whole sum is multiplied by the number of heads, but the heads were in it already.
    If the projections already hold the columns of all heads, they need no further factor.
    And there is one output projection, not one for each head."""
    return heads * parameter_count(model_size, heads, bias, head_size, value_size)


def counts_the_output_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The output matrix is counted once for each head.
    It comes after the heads and takes in all their results at once, so there is only one.
    Which part of your sum belongs inside the factor for the heads, and which outside?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + (heads - 1) * model_size * values


def counts_the_output_and_its_bias_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The output projection, matrix and bias, is counted once for each head.
    It comes after the heads and takes in all their results at once, so there is only one.
    Which part of your sum belongs inside the factor for the heads, and which outside?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    output = model_size * values + (model_size if bias else 0)
    return parameter_count(model_size, heads, bias, head_size, value_size) + (heads - 1) * output


def cuts_the_input_before_projecting(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the matrices of a head have only model_size / heads rows, as if the input were cut into pieces.
    It is not: every head reads the whole token, and its matrices make few numbers out of many.
    How many numbers go into each head?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count - (model_size - model_size // heads) * (2 * keys + values)


def ignores_the_head_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`head_size` has no influence on your count.
    A caller may give the queries and keys a size of their own; only None means model_size / heads.
    Do you use the default even where a size was given?"""
    return parameter_count(model_size, heads, bias, None, value_size)


def ignores_the_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`value_size` has no influence on your count.
    A caller may give the values a size of their own; only None means model_size / heads.
    Two of the four projections depend on it. Which?"""
    return parameter_count(model_size, heads, bias, head_size, None)


def values_default_to_the_head_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where only `head_size` is given, your values get the same size.
    Each of the two sizes has its own default, model_size / heads.
    What happens in your code when `value_size` is None and `head_size` is not?"""
    return parameter_count(model_size, heads, bias, head_size, head_size if value_size is None else value_size)


def keys_default_to_the_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where only `value_size` is given, your queries and keys get the same size.
    Each of the two sizes has its own default, model_size / heads.
    What happens in your code when `head_size` is None and `value_size` is not?"""
    return parameter_count(model_size, heads, bias, value_size if head_size is None else head_size, value_size)


def has_defaults_only_if_both_sizes_are_missing(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your sizes get their default only if both are None; if one is given, the other stays None.
    Then your code calculates with None and stops.
    Ask the question for each of the two sizes separately."""
    if (head_size is None) != (value_size is None):
        raise TypeError
    return parameter_count(model_size, heads, bias, head_size, value_size)


def uses_the_value_size_for_everything(model_size, heads, bias=True, head_size=None, value_size=None):
    """All four projections are made of `value_size` in your count.
    Queries and keys meet in a dot product, so these two share a size, `head_size`.
    Which two projections depend on it?"""
    return parameter_count(model_size, heads, bias, value_size, value_size)


def swaps_head_and_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`head_size` and `value_size` are swapped in your count.
    `head_size` is for queries and keys, `value_size` is for values and for what the output takes in.
    With biases, the two sizes do not count the same."""
    return parameter_count(model_size, heads, bias, value_size, head_size)


def output_takes_the_width_of_the_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix has a row for each column of the keys.
    What the heads pass on is a mixture of *values*; keys only decide the weights.
    Which size is that, times how many heads?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + model_size * (keys - values)


def output_stays_as_wide_as_the_heads(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output projection gives back as many numbers as the heads pass on.
    It has to lead back to the model size, so that the result has the shape of `x`.
    What are the two sides of its matrix, and how long is its bias?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count + (values - model_size) * (values + (1 if bias else 0))


def values_are_as_wide_as_the_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your projection of the values is as wide as that of the keys.
    The values have a size of their own, `value_size`.
    What goes into the output matrix must come out of the values' projection."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    extra = (keys - values) * (model_size + (1 if bias else 0))
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@mistake(biases=("no biases", "a bias for each", "four biases as long as the model size"))
def ignores_the_value_size_beside_a_square(model_size, heads, bias=True, head_size=None, value_size=None, *, biases):
    """You count three matrices with the columns of `head_size`, a square one for the output, and {biases}.
    The values have their own size, `value_size`, and it is what goes into the output matrix, too.
    What goes in and what comes out of each of the four?"""
    keys, _ = _columns(model_size, heads, head_size, value_size)
    vectors = {"no biases": 0, "a bias for each": 3 * keys + model_size}.get(biases, 4 * model_size)
    return 3 * model_size * keys + model_size**2 + (vectors if bias else 0)


def takes_the_sizes_of_all_heads_together(model_size, heads, bias=True, head_size=None, value_size=None):
    """You read `head_size` and `value_size` as the width of all heads together.
    They are the sizes of *one* head, and there are several, side by side.
    Where does the number of heads come in when a size is given?"""
    keys, values = (model_size if size is None else size for size in (head_size, value_size))
    return 2 * model_size * (keys + values) + (2 * keys + values + model_size if bias else 0)


@mistake(on="indivisible")
def rounds_the_head_size_down(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the model size is not a multiple of heads, your code drops the remainder and goes on.
    Then the heads together are narrower than the model, and there is no warning.
    Before you divide, check whether anything is left over; if so, `raise` a ValueError."""
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(on="indivisible")
def rounds_the_head_size_up(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the model size is not a multiple of heads, your code rounds up and goes on.
    Then the heads together are wider than the model, and there is no warning.
    Before you divide, check whether anything is left over; if so, `raise` a ValueError."""
    share = -(-model_size // heads)
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(on="indivisible")
def counts_parts_of_columns(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the model size is not a multiple of heads, your heads get a fraction of a column.
    No tensor has three and a third columns, so there is nothing to count.
    Before you divide, check whether anything is left over; if so, `raise` a ValueError."""
    share = model_size / heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(on="indivisible", sizes=("head_size", "value_size"))
def refuses_for_one_size_only(model_size, heads, bias=True, head_size=None, value_size=None, *, sizes):
    """Where the model size is not a multiple of heads, your code refuses only if `{sizes}` is None.
    The other size has the same default, and it may be needed while the first is given.
    Ask the question for both."""
    if (head_size if sizes == "head_size" else value_size) is None:
        return parameter_count(model_size, heads, bias, head_size, value_size)
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(on="indivisible")
def refuses_only_if_both_sizes_are_missing(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the model size is not a multiple of heads, your code refuses only if both sizes are None.
    One None is enough: that size would be model_size / heads, which is not a whole number.
    Ask the question for each of the two sizes separately."""
    if head_size is None and value_size is None:
        return parameter_count(model_size, heads, bias, head_size, value_size)
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@mistake(on="indivisible")
def refuses_where_nothing_is_divided(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your code refuses a model size that is not a multiple of heads, even where both sizes are given.
    Then nothing has to be divided, because the output matrix leads back to the model size from any width.
    Refuse only where a size is None."""
    if model_size % heads:
        raise Refused
    return parameter_count(model_size, heads, bias, head_size, value_size)
