"""What usually helps against an error, where NumPy, torch or Python does not say it."""

import re

from ..own_errors import line_of
from ..verdict import error_line
from .calls import CALLS
from .dialects import DIALECTS
from .indices import INDICES
from .kinds import IS_ASKED_FOR_ONE_ANSWER, KINDS, asking_in
from .names import nearest_name, on_a_name
from .sizes import SIZES, two_shapes

TABLES = (DIALECTS, CALLS, KINDS, INDICES, SIZES)  # each: a pattern in the error's line -> what helps against it


def advice_on(error: BaseException):
    """Return a sentence or two that are true of the error, or "" if nothing says more than its own words."""
    if isinstance(error, RecursionError):
        return "It calls itself, and never reaches an end."
    if isinstance(error, NameError):
        return on_a_name(error)
    said = error_line(error)
    if re.search(IS_ASKED_FOR_ONE_ANSWER, said) and asking_in(line_of(error)):
        return asking_in(line_of(error))
    found = ((re.search(pattern, said), words) for table in TABLES for pattern, words in table.items())
    advice = next((match.expand(words) for match, words in found if match), "")
    return f"{advice} {two_shapes(said)}".strip() or nearest_name(said)
