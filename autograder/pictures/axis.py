"""One axis of a plot: where a number lies on it, and which numbers are written along it."""

from dataclasses import dataclass

import numpy as np

ROUND = (1, 2, 5, 10)
MARGIN = 0.04  # of the length, before the first number and behind the last
ALIKE, LARGEST = 1e-9, 1e300  # numbers that differ by such a share; beyond it, no number is drawn
MOST_DECADES = 7  # that are all written
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """From one number to another, over so many pixels; with `log` each step multiplies by the same factor."""

    first: float
    last: float
    length: float
    log: bool = False

    @classmethod
    def over(cls, numbers, length, log=False):
        """Return the axis that holds all of these numbers that can be drawn, with a margin."""
        drawn = _scaled(np.asarray(numbers, dtype=float), log)
        drawn = drawn[np.isfinite(drawn)]
        low, high = (drawn.min(), drawn.max()) if drawn.size else (0.0, 1.0)
        largest = max(abs(low), abs(high))
        margin = MARGIN * (high - low) if high - low > ALIKE * largest else 0.1 * largest or 0.5
        return cls(low - margin, high + margin, length, log)

    def place(self, numbers):
        """Return the pixels from the start of the axis; nan for what cannot be drawn."""
        places = (_scaled(np.asarray(numbers, dtype=float), self.log) - self.first) / (self.last - self.first)
        return np.where(np.isfinite(places), places * self.length, np.nan)

    def ticks(self):
        """Return a few round numbers inside the axis, each with what is written beside it."""
        return self._powers() if self.log and self.last - self.first >= 2 else self._even()

    def _powers(self):
        exponents = range(int(np.ceil(self.first)), int(np.floor(self.last)) + 1)
        every = 1 + len(exponents) // MOST_DECADES
        return [(10.0**n, _power(n)) for n in exponents[::every]]

    def _even(self):
        first, last = (10**self.first, 10**self.last) if self.log else (self.first, self.last)
        step = _round_step((last - first) / 6)
        numbers = step * np.arange(np.ceil(first / step), np.floor(last / step) + 1)
        return [(number, _written(number)) for number in numbers.tolist()]


def _scaled(numbers, log):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(numbers) if log else np.where(abs(numbers) < LARGEST, numbers, np.nan)


def _round_step(about):
    """Return 1, 2 or 5 times a power of ten, the next one above."""
    power = 10.0 ** np.floor(np.log10(about))
    return next(factor * power for factor in ROUND if factor * power >= about * 0.999)


def _power(n):
    return _written(10.0**n) if -3 <= n <= 4 else f"10{str(n).translate(SUPERSCRIPT)}"


def _written(number):
    return f"{round(number, 10) + 0.0:,g}".replace("-", "−")  # -0.0 + 0.0 is 0.0
