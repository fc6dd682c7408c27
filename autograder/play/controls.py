"""What a reader of a lesson can set: a value on a slider, or a mask that is painted by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Slider:
    """Goes through values one by one; `words` says one of them in words."""

    values: Sequence
    start: object
    words: Callable = str

    @property
    def stills(self):
        """Return stills of the two ends, and of the start between them."""
        return {self.words(value): value for value in (self.values[0], self.start, self.values[-1])}


@dataclass(frozen=True)
class MaskGrid:
    """A mask to paint by hand, a button for each query and key. `patterns`: masks by name, the first is the start."""

    queries: Sequence
    keys: Sequence
    patterns: Mapping

    @property
    def start(self):
        return next(iter(self.patterns.values()))

    @property
    def stills(self):
        return self.patterns


def in_words(name):
    """Return a control's name as people write it: feature_size as "feature size"."""
    return name.replace("_", " ")
