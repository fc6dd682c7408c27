"""Matrices as grids of coloured cells with the numbers written in, and what is done to them step by step."""

import numpy as np

from ..judging.results import to_array
from ..shapes import counted, singular
from .picture import GROUPS, INK, Drawing, Scale, below, beside, cell, element, frame, moved, width_of, words

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


def steps(tensors, alt, groups=None):
    """Draw arrays below each other, on their way through a few operations: {title: (array, words of its axes)}.

    groups: for each number of the first array the group whose colour it keeps, wherever it goes;
        without it the first array's columns are the groups. Numbers must differ, so that each can be followed.
    """
    arrays = {title: (as_numbers(array), axes.split()) for title, (array, axes) in tensors.items()}
    first = next(iter(arrays.values()))[0]
    groups = np.broadcast_to(np.arange(first.shape[-1]) if groups is None else groups, first.shape)
    colours = {number: GROUPS[int(group) % len(GROUPS)] for number, group in zip(first.flat, groups.flat)}
    drawn = [_sheets(title, array, axes, colours) for title, (array, axes) in arrays.items()]
    between = Drawing((element("path", d="M20 0V22M15 16L20 22L25 16", stroke=INK, fill="none"),), 40, 22)
    return below(*[part for d in drawn for part in (between, d)][1:]).picture(alt)


def _sheets(title, array, axes, colours):
    """Draw each matrix of the last two axes; one more axis lays them side by side, a second one below each other."""
    shape = " × ".join(counted(size, axis) for size, axis in zip(array.shape, axes))
    said = words(0, 13, title, 13, anchor="start", font_weight="bold"), words(0, 30, shape, anchor="start")
    heading = Drawing(said, max(width_of(title, 13), width_of(shape)), 34)
    *outer, inner = (1,) * (3 - array.ndim) + array.shape[:-2]
    array, names = array.reshape(*outer, inner, *np.atleast_2d(array).shape[-2:]), axes[:-2]
    sheets = [[_sheet(array, (*item, n), names, colours) for n in range(inner)] for item in np.ndindex(*outer)]
    return below(heading, *(beside(*row, gap=20) for row in sheets), gap=8)


def _sheet(array, item, axes, colours):
    """Draw one matrix of an array, each number in its colour, as wide as all the others."""
    name = ", ".join(f"{singular(word)} {n}" for word, n in zip(axes, item))
    matrix, digits = array[item], 0 if (array == array.round()).all() else 2
    inside = cells(matrix, colours.get, max(cell_width(array, digits) - 4, width_of(name) / matrix.shape[1]), digits)
    label = [words(0, 12, name, anchor="start", font_style="italic")] if name else []
    top = 18 if name else 0
    return Drawing((*label, inside.moved(0, top)), inside.width, inside.height + top)


def matrix_product(left, right, alt, names=("left", "right", "product"), place=(0, 0), digits=2):
    """Draw two matrices and their product in the corner between them, and mark a row, a column, and where they meet.

    place: the number of the result that is followed back to the row and the column that it is made of.
    """
    left, right = as_numbers(left), as_numbers(right)
    factors, result = Scale(left, right), left @ right
    width = max(cell_width(array, digits) for array in (left, right, result))
    row, column = place
    a, b = cells(left, factors, width, digits), cells(right, factors, width, digits)
    c = cells(result, Scale(result), width, digits)
    titles = ["{}: {} × {}".format(name, *array.shape) for name, array in zip(names, (left, right, result))]
    x, y = max(a.width, width_of(titles[0]), width_of(titles[1])) + 16, b.height + 44
    placed = [
        a.moved(x - 16 - a.width, y),
        b.moved(x, 22),
        c.moved(x, y),
        moved(frame(a.width, HEIGHT), x - 16 - a.width, y + HEIGHT * row),
        moved(frame(width, b.height), x + width * column, 22),
        moved(frame(width, HEIGHT), x + width * column, y + HEIGHT * row),
        words(x - 16, y - 8, titles[0], anchor="end"),
        words(x, 14, titles[1], anchor="start"),
        words(x, y - 8, titles[2], anchor="start"),
    ]
    return Drawing(tuple(placed), x + max(c.width, width_of(titles[1])), y + c.height).picture(alt)
