"""Measure the gradients of a function that knows only NumPy."""

from collections.abc import Callable, Sequence

import torch

STEP = 1e-5  # in float64 the error is about its square
MOST_NUMBERS = 2_000  # that are moved: it takes some milliseconds each
DIGITS = 8  # beyond, measuring is not exact
TOO_MANY = "for a test, gradients of at most {:,} numbers are measured, and here are {:,}: try smaller inputs"


def measured(run: Callable, learning: Sequence[torch.Tensor]):
    """Return what run makes of these tensors, a tensor of their type or several, with measured gradients.

    Each number is moved a little, up and down. So a learner's test may ask wrong versions for gradients, too, and gets
    those of what they do. Those of the right one are measured as well, or a test could tell it by them.
    """
    return Measured.apply(run, *learning)


class Measured(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, *learning):
        ctx.run = run
        ctx.save_for_backward(*learning)
        return run(*learning)

    @staticmethod
    def backward(ctx, *directions):
        given = ctx.saved_tensors
        learning = [x.detach().double().clone(memory_format=torch.contiguous_format) for x in given]
        numbers = sum(x.numel() for x in learning)
        if numbers > MOST_NUMBERS:
            raise ValueError(TOO_MANY.format(MOST_NUMBERS, numbers))
        found = [_slopes(lambda: _along(directions, ctx.run(*learning)), x) for x in learning]
        return None, *(slopes.to(x.dtype) for slopes, x in zip(found, given))


def _along(directions, result):
    """Return one number: the result in these directions. What is infinite and not asked about does not count."""
    parts = result if isinstance(result, tuple) else (result,)
    return sum(torch.where(way == 0, 0, part * way).sum() for part, way in zip(parts, directions))


def _slopes(value, x):
    """Measure the slopes of a value that depends on x, which is changed in its place."""
    slopes = torch.empty_like(x)
    for place in range(x.numel()):
        before = x.flatten()[place].item()
        ends = []
        for moved in (before + STEP, before - STEP):
            x.view(-1)[place] = moved
            ends.append(value())
        x.view(-1)[place] = before
        slopes.view(-1)[place] = (ends[0] - ends[1]) / (2 * STEP)
    return slopes.round(decimals=DIGITS)
