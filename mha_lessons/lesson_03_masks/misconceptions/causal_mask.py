"""What people get wrong about `causal_mask`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import causal_mask


def true_means_blocked(queries, keys):
    """Allowed and blocked are swapped.
    Here True means "may look": the past and the token itself are True, the future is False.
    If your triangle marks what to hide, invert it; if it does not, look at the line that uses it."""
    return ~causal_mask(queries, keys)


def starts_at_the_top_left(queries, keys):
    """In your code the first query lines up with the first key.
    With as many queries as keys there is no difference; with fewer, the last query misses the newest keys.
    The last query should line up with the last key: by how many columns must the diagonal move?"""
    return np.tri(queries, keys, dtype=bool)


def does_not_see_itself(queries, keys):
    """No query sees the key at its own position.
    A token may look at itself: it is not in its own future, and the first token has nothing else to look at.
    Is your comparison strict where it should let equal positions through?"""
    return np.tri(queries, keys, keys - queries - 1, dtype=bool)


def sees_one_token_ahead(queries, keys):
    """Your diagonal is one column too far to the right.
    It lets each query see the token right after it, which is the one that a model should predict.
    Check its offset, and whether you count from 0 or from 1."""
    return np.tri(queries, keys, keys - queries + 1, dtype=bool)


def sees_one_token_ahead_from_the_top_left(queries, keys):
    """Each query sees the key that comes right after its own number, as if the diagonal began one column too far to the
    right.
    Besides, your first query lines up with the first key, but the last query should line up with the last key.
    Write down the position of each query first, then compare."""
    return np.tri(queries, keys, 1, dtype=bool)


def shifts_the_diagonal_the_wrong_way(queries, keys):
    """With more keys than queries your triangle moves to the left, and the first queries see nothing.
    The last query lines up with the last key, so the extra keys come before every query.
    Try 1 query and 3 keys on paper: which sign must the shift have?"""
    return np.tri(queries, keys, queries - keys, dtype=bool)


def looks_into_the_future(queries, keys):
    """Queries see themselves and the future, and the past is hidden: this is the upper triangle.
    Rows are queries and columns are keys, so the past is to the left of the diagonal.
    Which way round do you compare the two positions?"""
    return np.arange(keys) >= np.arange(queries)[:, None] + (keys - queries)


def looks_into_the_future_from_the_top_left(queries, keys):
    """Queries see themselves and what comes after them: this is the upper triangle, starting at the first key.
    Rows are queries and columns are keys, so the past is to the left of the diagonal.
    Take the other triangle, then let the last query line up with the last key."""
    return np.triu(np.ones((queries, keys), bool))


def blocked_above_the_diagonal_from_the_top_left(queries, keys):
    """Your mask is True where a query must not look: above the diagonal.
    Here True means "may look".
    Besides, your diagonal begins at the first key; the last query should line up with the last key, which matters when
    there are more keys than queries."""
    return np.triu(np.ones((queries, keys), bool), k=1)


def sees_only_the_past_from_the_top_left(queries, keys):
    """No query sees the key with its own number, and your first query lines up with the first key.
    A token may look at itself, and the last query should line up with the last key.
    Write down the position of each query first, then compare."""
    return np.tri(queries, keys, -1, dtype=bool)


def sees_only_itself(queries, keys):
    """Each query sees only one key, the one at its own position.
    Everything before that position is the past, and a query may look at the past.
    Which comparison picks a position and all positions before it?"""
    return np.arange(keys) == np.arange(queries)[:, None] + (keys - queries)


def sees_only_itself_from_the_top_left(queries, keys):
    """Each query sees only one key, the one with its own number.
    Everything before a query's position is the past, and it may look at the past; besides, the last query should
    line up with the last key.
    Which comparison picks a position and all positions before it?"""
    return np.eye(queries, keys, dtype=bool)


def allows_everything(queries, keys):
    """Every query may look at every key, the future included.
    A causal mask hides the keys after the query's own position.
    Where does your code compare a key's position with a query's?"""
    return np.ones((queries, keys), bool)


def swaps_rows_and_columns(queries, keys):
    """Your mask has a row for each key and a column for each query, as if the two sizes were swapped.
    Scores have queries as rows and keys as columns, and a mask has their shape.
    Check the order of the sizes."""
    return causal_mask(keys, queries)


def hands_the_sizes_over_in_exchanged_order(queries, keys):
    """Your mask has a row for each key and a column for each query: its two sizes are swapped.
    Scores have queries as rows and keys as columns, and a mask has their shape.
    Change the order of the sizes, rows first, and leave the shift as it is: its sign is right."""
    return np.tri(keys, queries, keys - queries, dtype=bool)


def transposes_the_causal_mask(queries, keys):
    """Rows and columns of the mask are swapped, so the triangle is on the other side of the diagonal.
    Row i says what query i may look at, key by key.
    Which of the two positions did you write as a column, and is there a transpose too many?"""
    return causal_mask(queries, keys).T


def turns_a_table_of_exchanged_sizes(queries, keys):
    """Your mask has the right shape, but the first query sees every key, the future included.
    Rows and columns are swapped in your comparison: by a transpose, or because two names are swapped.
    Rows are queries. Which of your two counters or arrays belongs to the rows, and which one must not be larger?"""
    return np.tri(keys, queries, keys - queries, dtype=bool).T


def is_square_of_queries(queries, keys):
    """Your mask has as many columns as rows: both sizes come from the number of queries.
    There can be more keys than queries, when earlier tokens are kept.
    The columns are keys; how many are there?"""
    return causal_mask(queries, queries)


def is_square_of_keys(queries, keys):
    """Your mask has as many rows as columns: both sizes come from the number of keys.
    There can be fewer queries than keys, when earlier tokens are kept.
    The rows are queries; how many are there?"""
    return causal_mask(keys, keys)


@mistake(number=(1.0, 1))
def holds_ones_and_zeros(queries, keys, *, number):
    """Your mask holds the numbers 1 and 0, not True and False.
    In this course a mask is boolean: `~`, `&` and indexing do something else with numbers.
    A comparison gives True and False by itself; makers of arrays take a dtype."""
    return causal_mask(queries, keys) * number


@mistake(fill=(-np.inf, -1e9))
def holds_numbers_to_add(queries, keys, *, fill):
    """Your mask holds 0 and {fill:g}, to be added to scores.
    Some libraries want that; here a mask is boolean, and True means "may look".
    The masked softmax decides later what to put in for a blocked key."""
    return np.where(causal_mask(queries, keys), 0.0, fill)


def has_axes_for_batch_and_heads(queries, keys):
    """Your mask has the shape (1, 1, queries, keys).
    Broadcasting adds axes in front by itself, so the two in front are not needed.
    This exercise asks for two axes."""
    return causal_mask(queries, keys)[None, None]


def has_an_axis_for_the_batch(queries, keys):
    """Your mask has the shape (1, queries, keys).
    Broadcasting adds axes in front by itself, so the one in front is not needed.
    This exercise asks for two axes."""
    return causal_mask(queries, keys)[None]


def hides_the_oldest_keys(queries, keys):
    """Where there are more keys than queries, the oldest keys are hidden from every query.
    They come before all queries, so they are in the past of every query.
    Which part of your rows did you leave at False, and how many keys does the first query have before it?"""
    return causal_mask(queries, keys) & (np.arange(keys) >= keys - queries)


def puts_the_oldest_keys_last(queries, keys):
    """Where there are more keys than queries, your triangle comes first, and every query sees the keys after it.
    But the last query lines up with the last key, so the triangle belongs at the end.
    The extra keys are the oldest. On which side of the triangle should they be?"""
    return np.tri(queries, keys, dtype=bool) | (np.arange(keys) >= queries)


@mistake(turned=("rows", "columns"))
def turns_the_order_round(queries, keys, *, turned):
    """Your triangle is right, but its {turned} are in the opposite order.
    Row 0 belongs to the first query, which sees the least; column 0 belongs to the first key, which all may see.
    Is something reversed, by `[::-1]`, by a flip, or by counting from the back?"""
    mask = causal_mask(queries, keys)
    return mask[::-1] if turned == "rows" else mask[:, ::-1]


@mistake(which=("first", "last"))
def leaves_a_row_empty(queries, keys, *, which):
    """The row of the {which} query is empty.
    Every query that lines up with a key sees at least that key, and the last one sees them all.
    If a loop goes over the queries, with which number does it begin, and with which does it end?"""
    mask = causal_mask(queries, keys)
    mask[0 if which == "first" else -1] = False
    return mask


@mistake(on="more_queries")
def never_shifts_to_the_left(queries, keys):
    """With more queries than keys, your first query lines up with the first key, and the last queries are beyond the
    keys.
    The last query lines up with the last key here too, so the first ones come before every key and see nothing.
    Is there something in your code that keeps the shift from going below 0?"""
    return np.tri(queries, keys, max(0, keys - queries), dtype=bool)


@mistake(on="more_queries")
def shifts_to_the_right_only(queries, keys):
    """With more queries than keys, your diagonal moves to the right, as if there were more keys than queries.
    The last query lines up with the last key here too, so the first ones come before every key and see nothing.
    Does your shift keep its sign when it is below 0?"""
    return np.tri(queries, keys, abs(keys - queries), dtype=bool)


@mistake(on="more_queries")
def ends_a_slice_below_zero(queries, keys):
    """With more queries than keys, some of your first rows hold True, though these queries come before all keys.
    Their position is below 0, and so is the end of a slice that stops there. A negative end counts from the back.
    Which end lets a slice hold nothing at all, and how do you keep yours from falling below it?"""
    mask = np.zeros((queries, keys), dtype=bool)
    for query in range(queries):
        mask[query, : keys - queries + query + 1] = True
    return mask


@mistake(on="more_queries")
def stops_with_more_queries_than_keys(queries, keys):
    """Where there are more queries than keys, your code stops with an error.
    There is such a mask: the first queries come before all keys, and their rows contain no True.
    If you build rows from numbers of True and False, look at those numbers for the first row. Can one be below 0?"""
    if queries > keys:
        raise ValueError
    return causal_mask(queries, keys)


@mistake(on="more_queries")
def shows_the_first_key_to_everybody(queries, keys):
    """With more queries than keys, your first queries see the first key, though they come before it.
    Their position is below 0, and that is not a mistake: there is nothing in their past, so their rows are empty.
    Does something keep the positions from going below 0?"""
    return causal_mask(queries, keys) | (np.arange(keys) == 0)


@mistake(on="more_queries")
def shows_everything_to_early_queries(queries, keys):
    """With more queries than keys, your first queries see all keys, though they come before them.
    For them a row without any True is right, and attention gives such a query zeros.
    Does your code fill rows that are empty?"""
    mask = causal_mask(queries, keys)
    return mask | ~mask.any(axis=-1, keepdims=True)


@mistake(on="long", kind=("int8", "uint8"), narrow=("queries", "keys", "both"))
def keeps_places_in_one_byte(queries, keys, *, kind, narrow):
    """With many keys your rows are wrong: somewhere your code stores positions in one byte, as `{kind}`.
    Such a number ends at 127 or 255; anything larger silently starts again at the other end.
    Sentences can be longer than that. Which line chooses the type?"""
    rows, columns = np.arange(queries) + keys - queries, np.arange(keys)
    rows = rows if narrow == "keys" else rows.astype(kind)
    columns = columns if narrow == "queries" else columns.astype(kind)
    return columns <= rows[:, None]
