"""What should come out, and what an answer gave: side by side, with the first difference marked."""

from dataclasses import dataclass

import numpy as np

from ..shapes import named_axes, shape_in_words, singular
from .boxes import box
from .grids import HEIGHT, grid, written
from .picture import Figure, Scale
from .svg import HATCHED, corner, frame, rectangle

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
    wrong = _differing(expected, got)
    view, hidden = View.around(first, wrong.shape), _laid_over(hatched, wrong.shape)
    marks = Marks(view.place(first), view.of(wrong), view.of(hidden), why)
    parts = view.of(expected), view.of(got)
    digits = next((d for d in _digits(expected, got) if written(expected[first], d) != written(got[first], d)), 6)
    look = dict(scale=Scale(*parts), digits=digits, **view.labels(axes))
    drawn = [grid(p, title=t, over=m, **look) for p, t, m in zip(parts, TITLES, (marks.on_expected, marks.on_yours))]
    place, shape = _place_in_words(first, axes), shape_in_words(expected.shape, axes)
    alts = [
        f"A table of numbers, {title}, {shape}; at {place} it holds {written(array[first], digits)}."
        for title, array in zip(TITLES, (expected, got))
    ]
    return Figure(tuple(d.picture(alt) for d, alt in zip(drawn, alts)), marks.caption(place))


def _digits(*arrays):
    """Yield numbers of digits after the point, fewest first: none for whole numbers and for True and False."""
    fewest = 0 if all((array == np.round(array)).all() for array in arrays) else 2
    return range(fewest, 6)


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


@dataclass(frozen=True)
class Marks:
    """What is drawn over the numbers: the first difference, the other ones, and what is hatched, with the reason."""

    first: tuple
    wrong: np.ndarray
    hidden: np.ndarray
    why: str

    def on_expected(self, place, width):
        hatch = rectangle(1, 1, width - 2, HEIGHT - 2, HATCHED) if self.hidden[place] else ""
        ring = frame(width, HEIGHT) if place == self.first else ""
        return hatch + ring

    def on_yours(self, place, width):
        return (corner(width) if self.wrong[place] else "") + self.on_expected(place, width)

    def caption(self, place):
        others = " Corners: other differences." if self.wrong.sum() > 1 else ""
        hatched = f" Hatched: {self.why}." if self.hidden.any() else ""
        return f"Ringed: the first difference, {place}.{others}{hatched}"


def _laid_over(hatched, shape):
    """Return where numbers of this shape are hatched; nowhere if it does not fit them."""
    try:
        return np.broadcast_to(False if hatched is None else hatched, shape)
    except ValueError:
        return np.zeros(shape, bool)
