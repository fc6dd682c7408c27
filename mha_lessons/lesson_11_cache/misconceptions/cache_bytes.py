"""What people get wrong about `cache_bytes`."""

from operator import floordiv, truediv

from autograder.mistakes import mistake

from ..exercises import cache_bytes

SIZES = ("layers", "tokens", "kv_heads", "head_size", "batch")


def keeps_the_keys_alone(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number is half of what it should be.
    For each token a key is kept, and something else with it.
    What does attention take the weighted mean of?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number) / 2


def keeps_the_queries_too(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number is half as large again as it should be, as if queries were kept, too.
    A query is used once, by its own token. No later token needs it.
    How many things are kept for each token?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number) * 3 / 2


def forgets_the_layers(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number stays the same, however many layers there are.
    Each layer makes keys and values of its own from each token.
    Which parameter have you not used?"""
    return cache_bytes(1, tokens, kv_heads, head_size, batch, bytes_per_number)


def forgets_the_length_of_the_text(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number stays the same, however long the text is.
    The cache grows by one key and one value with every token.
    Which parameter have you not used?"""
    return cache_bytes(layers, 1, kv_heads, head_size, batch, bytes_per_number)


def forgets_the_heads_that_are_kept(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number stays the same, however many key-value heads there are.
    Each of these heads keeps numbers of its own.
    Which parameter have you not used?"""
    return cache_bytes(layers, tokens, 1, head_size, batch, bytes_per_number)


def forgets_the_size_of_a_head(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number stays the same, however large a head is.
    A key is not a single number: it has as many as a head has features.
    Which parameter have you not used?"""
    return cache_bytes(layers, tokens, kv_heads, 1, batch, bytes_per_number)


def keeps_one_text_alone(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number stays the same, however many texts are written at a time.
    Each text has its own tokens, and so it has its own cache.
    Which parameter have you not used?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, 1, bytes_per_number)


def counts_numbers_that_are_kept(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your result counts numbers, not the bytes that they take.
    In half precision a number takes two bytes, in float32 four.
    Which parameter have you not used?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, 1)


def squares_the_tokens_of_a_cache(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """In your result the tokens are squared, as they are in a pattern of weights.
    The cache holds what each token offers, not what each pair of tokens makes of it.
    If the text is twice as long, how many times as many keys are there?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number) * tokens


@mistake(size=(2, 4, 8))
def assumes_how_large_a_kept_number_is(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2, *, size):
    """Your result is right where a number takes {size:g} bytes, and stays the same where it takes more or less.
    The caller says with `bytes_per_number` how large one number is; where the caller does not, it is 2.
    Where does that parameter enter your product?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, size)


@mistake(default=(1, 4, 8))
def takes_another_size_by_default(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=None, *, default):
    """Where the caller does not say how large a number is, your function takes {default:g} bytes.
    The stub says what to assume then: a default is part of what a function promises.
    Compare your first line with the stub's."""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number or default)


def counts_the_cache_in_bits(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number is too large by a factor of 8: it is in bits.
    A byte has 8 of them, and `bytes_per_number` is already in bytes.
    Which factor belongs to none of the sizes?"""
    return 8 * cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number)


@mistake(unit=(1e6, 1e9, 2**20, 2**30))
def gives_the_cache_in_larger_units(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2, *, unit):
    """Your number is in units of {unit:,.0f} bytes.
    Such units are good for reading, but this function should return plain bytes.
    Where does your code divide?"""
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number) / unit


def adds_keys_to_a_map(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Your number counts the patterns of weights as well: a part of it grows with the square of the tokens.
    Weights are made afresh for each new token, and thrown away.
    What does a later token need from an earlier one?"""
    maps = layers * batch * kv_heads * tokens**2 * bytes_per_number
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number) + maps


@mistake(first=(1, 0))
def adds_up_the_caches_of_all_steps(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2, *, first):
    """Your number adds up the caches of all steps, as if each step kept a copy of its own.
    There is one cache: a step adds a key and a value, and the rest stays.
    How often does the first token's key lie in memory at the end?"""
    lengths = tokens * (tokens - 1) // 2 + first * tokens
    return cache_bytes(layers, 1, kv_heads, head_size, batch, bytes_per_number) * lengths


@mistake(divided=(truediv, floordiv))
def takes_the_bytes_of_a_number_for_bits(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2, *, divided):
    """Your number is too small by a factor of 8: something was converted from bits to bytes.
    But what comes in is in bytes already.
    In which unit is `bytes_per_number`?"""
    return divided(cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number), 8)
