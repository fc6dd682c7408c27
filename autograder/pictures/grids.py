"""Matrices as grids of coloured cells with the numbers written in: alone, side by side, and right beside wrong."""

import numpy as np

from ..judging.results import to_array
from ..shapes import named_axes, shape_in_words, singular
from .boxes import box
from .picture import HATCHED, MARK, Drawing, Figure, Scale, beside, cell, element, frame, rectangle, width_of, words

HEIGHT = 28  # of a cell
MOST = 5  # rows, and columns, of an array that is compared: two of them, and a few sentences, beside each other
TITLES = "what should come out", "what your code gave"


def heatmap(values, alt, title="", rows="queries", columns="keys", row_labels=None, column_labels=None, digits=2):
    """Draw the numbers of a matrix as colours, with the numbers written in."""
    return heatmaps({title: values}, alt, rows, columns, row_labels, column_labels, digits)


def heatmaps(matrices, alt, rows="queries", columns="keys", row_labels=None, column_labels=None, digits=2):
    """Draw several matrices side by side on one scale: {title: matrix}."""
    matrices = {title: as_numbers(values) for title, values in matrices.items()}
    scale = Scale(*matrices.values())
    drawn = (grid(m, scale, title, rows, columns, row_labels, column_labels, digits) for title, m in matrices.items())
    return beside(*drawn).picture(alt)


def as_numbers(values):
    """Return the numbers of an array or a tensor, wherever it lies and with or without gradients."""
    return np.asarray(to_array(values), dtype=float)


def grid(values, scale, title="", rows="", columns="", row_labels=None, column_labels=None, digits=2, over=None):
    """Draw a matrix with its title, the words of its axes, and labels; over(place, width) draws on top of a cell."""
    row_labels, column_labels = (
        [str(label) for label in (given or range(length))]
        for given, length in zip((row_labels, column_labels), values.shape)
    )
    width = max(cell_width(values, digits), *(width_of(label) + 12 for label in column_labels))
    inside = cells(values, scale, width, digits, over)
    left = max(width_of(label) for label in row_labels) + 8 + (18 if rows else 0)
    top = (20 if title else 0) + (16 if columns else 0) + 18
    right, bottom = left + inside.width, max(top + inside.height, width_of(rows))
    middle = bottom - max(inside.height, width_of(rows)) / 2  # long words beside few rows begin above them
    elements = [inside.moved(left, top)]
    step = inside.width / len(column_labels)
    elements += [words(left + step * (n + 0.5), top - 6, name) for n, name in enumerate(column_labels)]
    elements += [words(left - 6, top + HEIGHT * (n + 0.5) + 4, name, anchor="end") for n, name in enumerate(row_labels)]
    turned = {"transform": f"rotate(-90 12 {middle:.1f})", "font_style": "italic"}
    widest = max(right, left + width_of(title, 13), width_of(columns))
    fits = width_of(columns) <= inside.width  # or else it begins where the title does, if there is room
    place = {"x": (left + right) / 2} if fits else {"x": min(left, widest - width_of(columns)), "anchor": "start"}
    elements += [
        words(left, 13, title, 13, anchor="start", font_weight="bold"),
        words(y=top - 22, text=columns, font_style="italic", **place),
        words(12, middle, rows, **turned),
    ]
    return Drawing(tuple(elements), widest, bottom)


def cells(values, scale, width, digits=2, over=None):
    """Draw the coloured boxes alone."""
    drawn = []
    for row, column in np.ndindex(values.shape):
        number, marks = values[row, column], over((row, column), width) if over else ""
        place = width * column, HEIGHT * row
        drawn.append(cell(*place, width, HEIGHT, written(number, digits), scale(number), marks))
    return Drawing(tuple(drawn), width * values.shape[1], HEIGHT * values.shape[0])


def cell_width(values, digits=2):
    """Return the width that the longest of the numbers needs."""
    return max(34, *(width_of(written(number, digits)) + 6 for number in values.flat))


def written(number, digits=2):
    if isinstance(number, np.bool_):
        return str(number)
    if np.isnan(number):
        return "nan"
    text = f"{number:.{digits}f}" if np.isfinite(number) else str(number).replace("inf", "∞")
    return text.replace("-", "−")


def comparison(expected, got, axes=(), hatched=None, why=""):
    """Draw two grids of numbers if the shapes agree, else two boxes; return None where there is nothing to draw.

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


def agree(expected, got):
    """Say whether two arrays of one kind and one shape hold the same numbers up to rounding."""
    alike = _is_drawable(expected) and _is_drawable(got) and expected.shape == got.shape
    return alike and expected.dtype.kind == got.dtype.kind and not _differing(expected, got).any()


def _differing(expected, got):
    return ~np.isclose(expected.astype(float), got.astype(float), rtol=1e-6, atol=1e-6)


def _is_drawable(value):
    return isinstance(value, np.ndarray) and value.ndim > 0 and value.size > 0 and value.dtype.kind in "fiub"


def _grids(expected, got, first, axes, hatched, why):
    """Draw of both arrays the matrix with the first difference, and of that what fits around it."""
    rows, columns = map(_around, (0, *first)[-2:], (1, *got.shape)[-2:])
    ringed = (0, *first)[-2] - rows.start, first[-1] - columns.start

    def part(array):
        return np.atleast_2d(array[first[:-2]])[np.ix_(rows, columns)]

    wrong, hidden = part(_differing(expected, got)), part(_laid_over(hatched, got.shape))

    def marks(place, width):
        """Draw what is over a number: a hatch, and a ring around the first difference."""
        hatch = rectangle(1, 1, width - 2, HEIGHT - 2, HATCHED) if hidden[place] else ""
        return hatch + (frame(width, HEIGHT) if place == ringed else "")

    def marks_on_yours(place, width):
        """Draw a corner over what differs, too."""
        corner = element("path", d=f"M{width - 11} 1H{width - 1}V11Z", fill=MARK)
        return (corner if wrong[place] else "") + marks(place, width)

    digits = _digits_that_tell_apart(expected, got, first)
    look = dict(scale=Scale(part(expected), part(got)), digits=digits) | _labels(rows, columns, first[:-2], axes)
    place, shape = _place_in_words(first, axes), shape_in_words(expected.shape, axes)
    pictures = []
    for title, array, over in zip(TITLES, (expected, got), (marks, marks_on_yours)):
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
