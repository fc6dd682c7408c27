"""A matrix product, and one of its numbers followed back."""

from .colours import Scale
from .grids import HEIGHT, as_numbers, cell_width, cells
from .svg import Drawing, frame, moved, width_of, words


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
    titles = [_title(name, *array.shape) for name, array in zip(names, (left, right, result))]
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


def _title(name, rows, columns):
    return f"{name}: {rows} × {columns}"
