"""Grading in one of several processes: what each would make ready for itself is ready before they part."""

import array_api_compat.numpy  # noqa: F401
from nbformat.validator import get_validator

from .. import examiner  # noqa: F401
from ..sandbox import selection
from .grade import grade, submissions  # noqa: F401

get_validator()


def borrow(sources):
    """Use these sources of workers (lacks -> source), lent by whoever asks us to grade."""
    selection.LENT.update(sources)
