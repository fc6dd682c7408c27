"""after: what comes once an answer is written."""

from dataclasses import replace
from traceback import walk_tb

from ..judging.source import is_stub
from ..judging.verdict import error_line
from ..pictures.picture import Picture
from .card import Card
from .cell_errors import RUN_ABOVE

still_wrong = set()  # names of the tasks whose last check found something


def after(answer, draw):
    """Show what `draw()` returns once the answer is written; until then, say that it comes."""
    name = answer.__name__
    if is_stub(answer):
        return Card("waiting", f"○ This comes once {name} is written", "Then run this cell again.")
    try:
        return _described(draw(), name)
    except Exception as error:
        if isinstance(error, NameError) and not _is_in(answer, error):
            return Card("waiting", "○ A cell above has not run yet", f"{error_line(error)}. {RUN_ABOVE}")
        return Card("waiting", f"○ This comes once {name} is right", f"For now: {error_line(error)}")


def _is_in(answer, error):
    """Tell whether a name is missing inside the answer itself: then no cell above would help."""
    last = [frame for frame, _ in walk_tb(error.__traceback__)][-1]
    return isinstance(error, UnboundLocalError) or last.f_code is getattr(answer, "__code__", None)


def _described(shown, name):
    """Return the picture with words that fit: its own describe a right answer, and mislead beside a wrong one."""
    if name in still_wrong and isinstance(shown, Picture):
        return replace(shown, alt=f"Once {name} is right: {shown.alt}")
    return shown
