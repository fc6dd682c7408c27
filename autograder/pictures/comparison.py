"""What should come out and what an answer gave, beside each other: two grids of numbers, or two boxes for shapes."""

from functools import partial

import numpy as np

from ..judging.results import TOLERANCES, tolerance_of
from ..shapes import named_axes, shape_in_words, singular
from .diagrams import box
from .grids import HEIGHT, grid, written
from .picture import HATCHED, MARK, Figure, Scale, element, frame, rectangle

MOST = 5  # rows, and columns, of an array that is compared: two of them, and a few sentences, beside each other
TITLES = "what should come out", "what your code gave"


def comparison(expected, got, axes=(), hatched=None, why=""):
    """Draw two grids of numbers if the shapes are the same, else two boxes; return None where there is nothing to draw.

    axes: the words of the axes of what should come out.
    hatched: True where numbers are hatched, if its shape fits; why: the reason, for the caption.
    """
    if not (_is_drawable(expected) and _is_drawable(got)):
        return None
    if expected.shape != got.shape:
        return Figure((box(TITLES[0], expected.shape, axes), box(TITLES[1], got.shape)))
    first = first_difference(expected, got)
    return _grids(expected, got, first, named_axes(axes, expected.ndim), hatched, why) if first else None


def first_difference(expected, got):
    """Return the index of the first number that differs by more than rounding, or None."""
    if not (_is_drawable(expected) and _is_drawable(got) and expected.shape == got.shape):
        return None
    places = np.argwhere(_differing(expected, got))
    return tuple(int(i) for i in places[0]) if len(places) else None


def same_numbers(expected, got):
    """Say whether two arrays of one kind and one shape hold the same numbers up to rounding."""
    alike = _is_drawable(expected) and _is_drawable(got) and expected.shape == got.shape
    return alike and expected.dtype.kind == got.dtype.kind and not _differing(expected, got).any()


def _differing(expected, got):
    """Say of each number whether it differs by more than the judge lets pass."""
    tolerance = max(tolerance_of(expected), min(tolerance_of(got), TOLERANCES[4]))
    return ~np.isclose(got.astype(float), expected.astype(float), rtol=tolerance, atol=tolerance)


def _is_drawable(value):
    return isinstance(value, np.ndarray) and value.ndim > 0 and value.size > 0 and value.dtype.kind in "fiub"


def _grids(expected, got, first, axes, hatched, why):
    """Draw of both arrays the matrix with the first difference, and of that what fits around it."""
    rows, columns = map(_around, (0, *first)[-2:], (1, *got.shape)[-2:])
    ringed = (0, *first)[-2] - rows.start, first[-1] - columns.start

    def part(array):
        return np.atleast_2d(array[first[:-2]])[np.ix_(rows, columns)]

    wrong, hidden = part(_differing(expected, got)), part(_laid_over(hatched, got.shape))

    def marks(place, width, corners):
        """Draw what is over a number: a hatch, a ring around the first difference, and corners over all of them."""
        corner = element("path", d=f"M{width - 11} 1H{width - 1}V11Z", fill=MARK) if corners[place] else ""
        hatch = rectangle(1, 1, width - 2, HEIGHT - 2, HATCHED) if hidden[place] else ""
        return corner + hatch + (frame(width, HEIGHT) if place == ringed else "")

    digits = _digits_that_tell_apart(expected, got, first)
    look = dict(scale=Scale(part(expected), part(got)), digits=digits) | _labels(rows, columns, first[:-2], axes)
    place, shape = _place_in_words(first, axes), shape_in_words(expected.shape, axes)
    pictures = []
    for title, array, corners in zip(TITLES, (expected, got), (np.zeros_like(wrong), wrong)):
        over = partial(marks, corners=corners)
        alt = f"A table of numbers, {title}, {shape}; at {place} it holds {written(array[first], digits)}."
        pictures.append(grid(part(array), title=title, over=over, **look).picture(alt))
    caption = f"Ringed: the first difference, {place}."
    caption += " Corners: other differences." if wrong.sum() > 1 else ""
    caption += f" Hatched: {why}." if hidden.any() else ""
    return Figure(tuple(pictures), caption)


def _around(place, length):
    start = max(0, min(place - MOST // 2, length - MOST))
    return range(start, min(start + MOST, length))


def _laid_over(hatched, shape):
    """Return where numbers of this shape are hatched; nowhere if it does not fit them."""
    try:
        return np.broadcast_to(False if hatched is None else hatched, shape)
    except ValueError:
        return np.zeros(shape, bool)


def _digits_that_tell_apart(expected, got, first):
    """Return how many digits after the point to write: 2, or none of whole numbers, and more for a small difference."""
    fewest = 0 if all((array == np.round(array)).all() for array in (expected, got)) else 2
    return next((d for d in range(fewest, 6) if written(expected[first], d) != written(got[first], d)), 6)


def _labels(rows, columns, item, axes):
    """Return the words of the two axes, with the item they belong to, and the numbers along them."""
    *outer, of_rows, of_columns = ("", "", *axes)[-max(2, len(axes)) :]
    said = _place_in_words(item, outer) if outer else ""
    return dict(
        rows=of_rows.replace("_", " "),
        columns=of_columns.replace("_", " ") + (f" ({said})" if said else ""),
        row_labels=list(rows) if of_rows or len(axes) != 1 else [""],
        column_labels=list(columns),
    )


def _place_in_words(place, axes):
    if not axes and len(place) != 2:
        return f"index {list(place)}"
    named = zip(axes or ("row", "column"), place)
    words = (("column" if axis.endswith("size") else axis, number) for axis, number in named)
    return ", ".join(f"{singular(axis)} {number}" for axis, number in words if not axis.isdigit())
