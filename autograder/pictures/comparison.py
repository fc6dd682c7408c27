"""What should come out, and what an answer gave: side by side, with the first difference marked."""

from dataclasses import dataclass

import numpy as np

from ..shapes import named_axes, shape_in_words, singular
from .boxes import box
from .grids import HEIGHT, grid, written
from .picture import Figure, Scale
from .svg import HATCHED, MARK, element, frame, rectangle

MOST_ROWS, MOST_COLUMNS = 5, 5  # two of them, and a few sentences, beside each other
TITLES = "what should come out", "what your code gave"


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
    view = View.around(first, got.shape)
    parts, wrong = (view.of(expected), view.of(got)), view.of(_differing(expected, got))
    hidden = view.of(_laid_over(hatched, got.shape))
    fewest = 0 if all((array == np.round(array)).all() for array in (expected, got)) else 2  # after the point
    digits = next((d for d in range(fewest, 6) if written(expected[first], d) != written(got[first], d)), 6)
    look = dict(scale=Scale(*parts), digits=digits, **view.labels(axes))

    def marks(place, width):
        """Draw what is over a number: a hatch, and a ring around the first difference."""
        hatch = rectangle(1, 1, width - 2, HEIGHT - 2, HATCHED) if hidden[place] else ""
        return hatch + (frame(width, HEIGHT) if place == view.place(first) else "")

    def marks_on_yours(place, width):
        """Draw a corner over what differs, too."""
        corner = element("path", d=f"M{width - 11} 1H{width - 1}V11Z", fill=MARK)
        return (corner if wrong[place] else "") + marks(place, width)

    drawn = [grid(p, title=t, over=m, **look) for p, t, m in zip(parts, TITLES, (marks, marks_on_yours))]
    place, shape = _place_in_words(first, axes), shape_in_words(expected.shape, axes)
    alts = [
        f"A table of numbers, {title}, {shape}; at {place} it holds {written(array[first], digits)}."
        for title, array in zip(TITLES, (expected, got))
    ]
    caption = f"Ringed: the first difference, {place}."
    caption += " Corners: other differences." if wrong.sum() > 1 else ""
    caption += f" Hatched: {why}." if hidden.any() else ""
    return Figure(tuple(d.picture(alt) for d, alt in zip(drawn, alts)), caption)


def _laid_over(hatched, shape):
    """Return where numbers of this shape are hatched; nowhere if it does not fit them."""
    try:
        return np.broadcast_to(False if hatched is None else hatched, shape)
    except ValueError:
        return np.zeros(shape, bool)


def _place_in_words(place, axes):
    if not axes and len(place) != 2:
        return f"index {list(place)}"
    named = zip(axes or ("row", "column"), place)
    words = (("column" if axis.endswith("size") else axis, number) for axis, number in named)
    return ", ".join(f"{singular(axis)} {number}" for axis, number in words if not axis.isdigit())


@dataclass(frozen=True)
class View:
    """The part of an array that is shown: one matrix of it, and of that what fits around one place."""

    item: tuple
    rows: range
    columns: range

    @classmethod
    def around(cls, place, shape):
        (row, column), (height, width) = (0, *place)[-2:], (1, *shape)[-2:]
        return cls(place[:-2], _around(row, height, MOST_ROWS), _around(column, width, MOST_COLUMNS))

    def of(self, array):
        matrix = np.atleast_2d(array[self.item])
        return matrix[self.rows.start : self.rows.stop, self.columns.start : self.columns.stop]

    def labels(self, axes):
        """Return the words of the two axes, with the item they belong to, and the numbers along them."""
        *outer, rows, columns = ("", "", *axes)[-max(2, len(axes)) :]
        item = _place_in_words(self.item, outer) if outer else ""
        return dict(
            rows=rows.replace("_", " "),
            columns=columns.replace("_", " ") + (f" ({item})" if item else ""),
            row_labels=list(self.rows) if rows or len(axes) != 1 else [""],
            column_labels=list(self.columns),
        )

    def place(self, index):
        """Return where an index of the whole array lies in this part."""
        row, column = (0, *index)[-2:]
        return row - self.rows.start, column - self.columns.start


def _around(place, length, most):
    start = max(0, min(place - most // 2, length - most))
    return range(start, min(start + most, length))
