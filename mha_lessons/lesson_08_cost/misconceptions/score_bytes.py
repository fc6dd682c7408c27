"""What people get wrong about `score_bytes`."""

from autograder.mistakes import mistake

from ..exercises import score_bytes
from .attention_flops import _in_bits


def forgets_the_batch(batch, heads, tokens, bytes_per_number=4):
    """Your number stays the same however many items the batch has.
    Each item is a separate text with its own maps, and all of them are in memory at the same time.
    Which parameter have you not used?"""
    return score_bytes(1, heads, tokens, bytes_per_number)


def forgets_the_heads(batch, heads, tokens, bytes_per_number=4):
    """Your number stays the same however many heads there are.
    Heads share the features, but not the map: each head has its own score for each pair of tokens.
    How many maps does one text have?"""
    return score_bytes(batch, 1, tokens, bytes_per_number)


def forgets_the_keys(batch, heads, tokens, bytes_per_number=4):
    """In your number, each token has one score for each head.
    A score belongs to a *pair*: a query token and a key token, and every query meets every key.
    How many pairs are there?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens


def doubles_tokens_instead_of_squaring(batch, heads, tokens, bytes_per_number=4):
    """In your number the tokens occur twice, but you add them: 2 · tokens.
    A map is a square, with a row for each query and a column for each key.
    How many fields does a 5 by 5 square have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * 2 / tokens


def counts_numbers_in_place_of_bytes(batch, heads, tokens, bytes_per_number=4):
    """Your number counts scores, not the bytes that they take.
    A number in `float32` takes four bytes, in `float16` two.
    Which parameter have you not used?"""
    return score_bytes(batch, heads, tokens, 1)


def counts_bits(batch, heads, tokens, bytes_per_number=4):
    """Your number is 8 times too large: it is in bits.
    `float32` is named after its 32 bits, and a byte is 8 of them.
    Which unit does `bytes_per_number` have?"""
    return 8 * score_bytes(batch, heads, tokens, bytes_per_number)


def takes_bytes_for_bits(batch, heads, tokens, bytes_per_number=4):
    """You divide by 8.
    That would be right if `bytes_per_number` were in bits, but it is in bytes.
    Use it as it is."""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 8


@mistake(size=(2, 4, 8, 16, 32))
def assumes_the_size_of_a_number(batch, heads, tokens, bytes_per_number=4, *, size):
    """Your result is right only where a number takes {size:g} bytes: it stays the same where it takes more or less.
    There are several floating-point types, and `bytes_per_number` says how large one number is.
    Where does your product use that parameter?"""
    return score_bytes(batch, heads, tokens, size)


@mistake(default=(1, 2, 8, 32))
def takes_another_default(batch, heads, tokens, bytes_per_number=None, *, default):
    """Where the caller gives no size for a number, your function uses {default:g} bytes.
    The stub says what to assume then: a default is part of a function.
    Compare your first line with the stub's."""
    return score_bytes(batch, heads, tokens, bytes_per_number or default)


@mistake(unit=(1e3, 1e6, 1e9), whole=(False,))
@mistake(unit=(1e6,), whole=(True,))
def counts_in_decimal_units(batch, heads, tokens, bytes_per_number=4, *, unit, whole):
    """Your number comes in units of {unit:,.0f} bytes.
    KB, MB and GB are easier to read, but this function should return plain bytes.
    Where does your code divide?"""
    units = score_bytes(batch, heads, tokens, bytes_per_number) / unit
    return units // 1 if whole else units


@mistake(power=(10, 20, 30))
def counts_in_binary_units(batch, heads, tokens, bytes_per_number=4, *, power):
    """Your number comes in units of 2 to the power of {power:g} bytes.
    Such units, in steps of 1024, are easier to read, but this function should return plain bytes.
    Where does your code divide?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 2**power


def shares_the_map_among_the_heads(batch, heads, tokens, bytes_per_number=4):
    """In your number more heads need *less* memory: you divide by the heads.
    Heads share the features, model_size / heads each. A score has no features left: it has summed over them.
    How large is the map of one head?"""
    return score_bytes(batch, 1, tokens, bytes_per_number) / heads


def squares_the_heads(batch, heads, tokens, bytes_per_number=4):
    """Your number contains the heads twice.
    Heads do not meet in the scores; each makes its own map of tokens by tokens.
    With twice the heads, how many times the maps?"""
    return score_bytes(batch, heads**2, tokens, bytes_per_number)


def squares_the_batch(batch, heads, tokens, bytes_per_number=4):
    """Your number contains the batch twice.
    The texts of a batch do not meet; each has its own maps.
    With twice the texts, how many times the maps?"""
    return score_bytes(batch**2, heads, tokens, bytes_per_number)


def cubes_the_tokens_of_a_map(batch, heads, tokens, bytes_per_number=4):
    """Your number contains the tokens three times.
    A map has two sides, queries and keys, and both are tokens.
    Which third side did you count?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * tokens


@mistake(factor=(2, 3, 4))
def stores_several_copies(batch, heads, tokens, bytes_per_number=4, *, factor):
    """Your product is {factor:g} times too large.
    A program may well keep the scores, the weights, and gradients for both. This function counts the scores once, and
    nothing else.
    Which factor in your product is not a size?"""
    return factor * score_bytes(batch, heads, tokens, bytes_per_number)


def stores_half_of_the_map(batch, heads, tokens, bytes_per_number=4):
    """Your product is half of what it should be, as if a causal mask saved one half of each map.
    A mask hides scores, but a blocked score still has its place in the array.
    How many fields does the whole map have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 2


@mistake(diagonal=(1, -1))
def stores_a_triangle(batch, heads, tokens, bytes_per_number=4, *, diagonal):
    """In your number the map is a triangle, with or without the diagonal.
    A causal mask blocks the other half, but the array still has a place for it, so no mask saves anything here.
    How many fields does the whole map have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * (tokens + diagonal) / (2 * tokens)


def leaves_out_the_diagonal(batch, heads, tokens, bytes_per_number=4):
    """In your number, a token does not meet itself: tokens · (tokens - 1) pairs.
    A query also looks at its own key, so there is a score for that, too.
    How many columns does each row have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * (tokens - 1) / tokens


@mistake(sides=(1, 2))
def adds_a_row_to_the_map(batch, heads, tokens, bytes_per_number=4, *, sides):
    """In your number each map is larger than tokens by tokens, by one row or one column, or by both.
    Or something else is stored beside each row, such as its maximum or its sum.
    Rows are queries, columns are keys, and in self-attention both are the tokens.
    Where does the extra one come from?"""
    row = score_bytes(batch, heads, tokens, bytes_per_number) / tokens
    return row * (tokens + 1) if sides == 1 else row * (tokens + 1) ** 2 / tokens


@mistake(bits=(16,))
@mistake(on="huge", bits=(32,))
def measures_in_too_few_bits(batch, heads, tokens, bytes_per_number=4, *, bits):
    """Your number is right as long as it is small.
    A large one does not fit into an integer of {bits:g} bits: its upper bits are lost, without an error.
    Python's own whole numbers have no limit.
    Which line turns the sizes into another kind of number?"""
    return _in_bits(score_bytes(batch, heads, tokens, bytes_per_number), bits)


def adds_in_place_of_multiplying(batch, heads, tokens, bytes_per_number=4):
    """Your number adds up batch, heads and the map.
    Each item of the batch has every head, and each head has a whole map: multiply them.
    How many maps are there with 2 items and 3 heads?"""
    return (batch + heads + tokens**2) * bytes_per_number


@mistake(features=(32, 64, 128))
def gives_scores_features(batch, heads, tokens, bytes_per_number=4, *, features):
    """Your product is {features:g} times too large, as if each score had {features:g} features.
    Queries and keys have features. A score is one number: the dot product has summed over them.
    What is the shape of the scores?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * features


@mistake(form=(0, 1, 2, 3, 4))
def takes_the_caret_for_a_power_of_tokens(batch, heads, tokens, bytes_per_number=4, *, form):
    """Your numbers are those of a formula with `^` in it.
    In Python this operator is not a power: it compares two numbers bit by bit, after all products of the line.
    Look up how Python writes a power, or multiply the number by itself."""
    return (
        batch * heads * tokens ^ 2 * bytes_per_number,
        batch * heads * (tokens ^ 2) * bytes_per_number,
        bytes_per_number * batch * heads * tokens ^ 2,
        tokens ^ 2 * batch * heads * bytes_per_number,
        (batch * heads * tokens ^ 2) * bytes_per_number,
    )[form]


@mistake(features=(32, 64, 128))
def gives_the_bytes_of_keys_and_values(batch, heads, tokens, bytes_per_number=4, *, features):
    """In your number each token has 2 · {features:g} numbers in each head, such as a key and a value.
    A model keeps keys and values while it writes. The scores are something else: one number for every *pair*
    of tokens.
    Where does your product contain the tokens a second time?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens * 2 * features
