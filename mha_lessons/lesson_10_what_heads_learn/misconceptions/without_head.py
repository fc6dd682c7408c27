"""What people get wrong about `without_head`: which rows of the output matrix belong to the head."""

import numpy as np
from array_api_compat import array_namespace

from autograder.mistakes import mistake
from mha_ref import merge_heads, mix_heads


def _without_rows(results, w_output, rows):
    """Mix with zeros in these rows of the matrix."""
    xp = array_namespace(w_output)
    return mix_heads(merge_heads(results), xp.where(xp.asarray(rows)[:, None], 0.0, w_output))


def _in_steps(results, head):
    """Say which rows are the head's if the heads took them in turn."""
    heads, size = results.shape[1], results.shape[-1]
    return np.arange(heads * size) % heads == head


def empties_columns_of_the_matrix(results, w_output, head):
    """Some columns of your output are zero: columns were emptied, of `w_output` or of the output itself.
    Rows of `w_output` belong to the heads; each column is fed by all of them.
    Where is a head still by itself, and along which axis of the matrix does its block lie?"""
    xp = array_namespace(w_output)
    size = results.shape[-1]
    columns = xp.asarray(np.arange(w_output.shape[-1]) // size == head)
    return mix_heads(merge_heads(results), xp.where(columns, 0.0, w_output))


def empties_a_single_row(results, w_output, head):
    """You emptied one row of `w_output`, the one whose number is `head`.
    A head has a block of rows, as many as it has columns.
    Where does the block of this head begin, and where does it end?"""
    return _without_rows(results, w_output, np.arange(w_output.shape[0]) == head)


def empties_every_so_many_rows(results, w_output, head):
    """You emptied rows at equal steps, with one step for each round of heads.
    The rows of a head lie together: those of head 0 first, then those of head 1.
    Is the number of heads your step? Or does a reshape put the head size before the heads?"""
    return _without_rows(results, w_output, _in_steps(results, head))


def measures_blocks_by_the_number_of_heads(results, w_output, head):
    """You emptied a block of rows that is as long as there are heads.
    A block has a row for each column of the head.
    Which of the sizes in the shape of `results` is that?"""
    return _without_rows(results, w_output, np.arange(w_output.shape[0]) // results.shape[1] == head)


def begins_the_block_at_the_head(results, w_output, head):
    """Your block of empty rows is as long as a head, but it begins at the row whose number is `head`.
    Head 1 begins where head 0 ends.
    How many rows lie before the block of this head?"""
    rows = np.arange(w_output.shape[0])
    return _without_rows(results, w_output, (rows >= head) & (rows < head + results.shape[-1]))


def closes_the_gap_of_the_missing_head(results, w_output, head):
    """The heads behind the missing one meet the rows of their neighbour: you took the first rows of `w_output`, as many
    as there are columns left.
    Each head has rows of its own, whichever other heads are there.
    Which rows should go when the head goes?"""
    xp = array_namespace(results)
    others = xp.concat([results[:, :head], results[:, head + 1 :]], axis=1)
    rows = others.shape[1] * others.shape[-1]
    return mix_heads(merge_heads(others), w_output[:rows])


@mistake(cut=("model_size, heads, head_size", "model_size, head_size, heads"))
def cuts_the_matrix_from_its_last_axis(results, w_output, head, *, cut):
    """Your reshape cuts `w_output` as if it were ({cut}), so your zeros lie in rows of several heads.
    A reshape reads row by row, so what you name first is made from the rows.
    Which axis of `w_output` holds the heads, one block after the other?"""
    xp, (_, heads, _, size) = array_namespace(w_output), results.shape
    places = np.arange(heads * size * w_output.shape[1]).reshape(heads * size, -1)  # in the order of memory
    taken = (places // size if cut.endswith("head_size") else places) % heads == head
    return mix_heads(merge_heads(results), xp.where(xp.asarray(taken), 0.0, w_output))


@mistake(rows=("some at equal steps", "those from `head` on", "the first ones"))
def takes_away_what_other_rows_made(results, w_output, head, *, rows):
    """What you take away is not what this head contributes: its results meet other rows of `w_output`, {rows}.
    The rows of a head lie together, and those of head 0 come first.
    Where do the rows of this head begin, and where do they end?"""
    first = head if rows == "those from `head` on" else 0
    in_a_block = first + np.arange(results.shape[-1])
    theirs = np.flatnonzero(_in_steps(results, head)) if rows == "some at equal steps" else in_a_block
    return (
        mix_heads(merge_heads(results), w_output)
        - results[:, head] @ w_output[array_namespace(w_output).asarray(theirs)]
    )
