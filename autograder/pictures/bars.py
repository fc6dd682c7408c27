"""Bars with their numbers on them."""

from .grids import as_numbers
from .picture import GROUPS, INK
from .svg import HATCHED, Drawing, below, beside, element, moved, rectangle, width_of, words

WIDTH, ROOM, GAP = 40, 140, 14  # of a bar; for the highest one and the lowest; between those of two labels
LINE = 18  # the height of a number or a label


def bars(groups, labels, alt, y="", title="", top=None):
    """Draw bars beside each other: {group: heights}, one height for each label. `top`: the value of the full height."""
    heights = {group: as_numbers(values) for group, values in groups.items()}
    highest = top or max(0.0, *(float(values.max()) for values in heights.values())) or 1.0
    lowest = min(0.0, *(float(values.min()) for values in heights.values()))
    scale = ROOM / (highest - lowest)
    columns = zip(labels, zip(*heights.values()))
    floor = ROOM + LINE * (2 if lowest < 0 else 1)  # the numbers of bars that hang down are below them
    drawn = [_one_label(label, numbers, scale, LINE + scale * highest, floor) for label, numbers in columns]
    names = [_name(group, n) for n, group in enumerate(heights)] if len(heights) > 1 else []
    said = [_line(title, font_weight="bold")] if title else []
    said += [beside(_line(y, font_style="italic"), *names)]
    return below(*said, beside(*drawn, gap=GAP), gap=4).picture(alt)


def _one_label(label, numbers, scale, ground, floor):
    """Draw the bars of one label on their ground, and its name below them."""
    width = max(WIDTH * len(numbers), width_of(label))
    left = (width - WIDTH * len(numbers)) / 2
    drawn = [moved(_bar(number, scale, n), left + WIDTH * n, ground) for n, number in enumerate(numbers)]
    line = element("path", d=f"M0 {ground:.1f}H{width:.1f}", stroke=INK)
    return Drawing((*drawn, line, words(width / 2, floor + LINE, label)), width, floor + LINE + 6)


def _bar(number, scale, group):
    """Draw a bar up or down from the ground, with its number at the end."""
    height = scale * abs(number)
    start, end = (-height, -height - 5) if number >= 0 else (0, height + 14)
    return _box(3, start, WIDTH - 6, height, group) + words(WIDTH / 2, end, _short(number))


def _box(x, y, width, height, group):
    """Draw the box of a bar. Every second group is hatched, so that colours need not be told apart."""
    look = dict(stroke=INK, stroke_opacity=0.6)
    hatch = rectangle(x, y, width, height, HATCHED) if group % 2 else ""
    return rectangle(x, y, width, height, GROUPS[group], **look) + hatch


def _name(group, number):
    text = words(20, 13, group, anchor="start")
    return Drawing((_box(0, 2, 14, 14, number), text), 20 + width_of(group), 18)


def _line(text, **look):
    return Drawing((words(0, 13, text, anchor="start", **look),), width_of(text), 18)


def _short(number):
    """Write a number with two digits after the point, as long as they say something."""
    whole = float(number).is_integer() or abs(number) >= 100
    return f"{number:.0f}" if whole else f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"
