"""Turn what a student handed in into a notebook that can be graded, or into a sentence that says why there is none.

What a learner wrote is never changed, and nothing of it is left out silently: every repair is told in a sentence.
"""

from dataclasses import dataclass
from functools import cache

from nbformat import NotebookNode

from ..bounded import MOST_MEMORY, bounded_memory
from .answers import answers
from .candidates import chosen
from .finding import found_in
from .released import Released
from .text import Unfit

TOO_MUCH = f"to read it takes more than {MOST_MEMORY // 2**30} GiB of memory: ask for it without outputs"


@dataclass(frozen=True)
class Triage:
    """What was found in a submission.

    notebook: what to grade, or None; mended: what was done to it; trouble: why it cannot be graded.
    empty: whether nothing is written where answers belong.
    """

    notebook: NotebookNode | None
    mended: tuple = ()
    trouble: str = ""
    empty: bool = False


def triage(folder, released):
    """Look at a folder with what was handed in, and return a Triage.

    released: the file of the notebook that learners got.
    """
    mended = []
    try:
        with bounded_memory():
            notebook = chosen(found_in(folder, mended), _read(released), mended)
            empty = not answers(notebook.cells, _read(released))
    except Unfit as unfit:
        return Triage(None, tuple(mended), str(unfit))
    except MemoryError:
        return Triage(None, tuple(mended), TOO_MUCH)
    except Exception as error:  # a stranger's file may raise anything, and must not stop the others
        return Triage(None, tuple(mended), f"it could not be read ({type(error).__name__}: {str(error)[:80]!r})")
    return Triage(notebook, tuple(mended), empty=empty)


@cache  # read once for a whole class
def _read(released):
    return Released(released)
