"""Matrices as grids of coloured cells with the numbers written in."""

import numpy as np

from ..judging.results import to_array
from .picture import INK, Scale, ink_on
from .svg import Drawing, beside, moved, rectangle, width_of, words

HEIGHT = 28  # of a cell


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
    return _framed(inside, title, rows, columns, row_labels, column_labels)


def cells(values, scale, width, digits=2, over=None):
    """Draw the coloured boxes alone."""
    drawn = []
    for row, column in np.ndindex(values.shape):
        number = values[row, column]
        box = cell(written(number, digits), scale(number), width) + (over((row, column), width) if over else "")
        drawn.append(moved(box, width * column, HEIGHT * row))
    return Drawing(tuple(drawn), width * values.shape[1], HEIGHT * values.shape[0])


def cell_width(values, digits=2):
    """Return the width that the longest of the numbers needs."""
    return max(34, *(width_of(written(number, digits)) + 6 for number in values.flat))


def cell(text, fill, width):
    """Draw a box with a text in it, dashed and without colour for what is no number."""
    dashed = {} if fill else {"stroke_dasharray": "3 2"}
    box = rectangle(0.5, 0.5, round(width) - 1, HEIGHT - 1, fill or "none", stroke=INK, stroke_opacity=0.35, **dashed)
    return box + words(width / 2, HEIGHT / 2 + 4, text, fill=ink_on(fill) if fill else INK)


def _framed(inside, title, rows, columns, row_labels, column_labels):
    """Draw the cells with everything around them."""
    left = max(width_of(label) for label in row_labels) + 8 + (18 if rows else 0)
    top = (20 if title else 0) + (16 if columns else 0) + 18
    right = left + inside.width
    elements = [inside.moved(left, top)]
    step, middle = inside.width / len(column_labels), top + inside.height / 2
    elements += [words(left + step * (n + 0.5), top - 6, label) for n, label in enumerate(column_labels)]
    elements += [
        words(left - 6, top + HEIGHT * (n + 0.5) + 4, label, anchor="end") for n, label in enumerate(row_labels)
    ]
    elements.append(words(left, 13, title, 13, anchor="start", font_weight="bold"))
    elements.append(words((left + right) / 2, top - 22, columns, font_style="italic"))
    turned = {"transform": f"rotate(-90 12 {middle:.1f})", "font_style": "italic"}
    elements.append(words(12, middle, rows, **turned))
    return Drawing(tuple(elements), max(right, left + width_of(title, 13)), top + inside.height)


def written(number, digits=2):
    if isinstance(number, np.bool_):
        return str(number)
    if np.isnan(number):
        return "nan"
    text = f"{number:.{digits}f}" if np.isfinite(number) else str(number).replace("inf", "∞")
    return text.replace("-", "−")
