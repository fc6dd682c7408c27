"""Turn what a student handed in into a notebook that can be graded, or into a sentence that says why there is none.

What a learner wrote is never changed, and nothing of it is left out silently: every repair is told in a sentence.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

import nbformat
from nbformat import NotebookNode

from ..bounded import MOST_MEMORY, bounded_memory
from ..taking import LARGEST
from ..wording import cut, listed
from .finding import Unfit, found_in, parsed
from .matched_cells import answers, mend_cells
from .released import Released
from .shape import MOST_CELLS, shaped

MUCH_OUTPUT = 10 * 2**20
ASK, ASK_WHICH = "ask for the .ipynb file", "ask which of them counts"
MOST_NOTEBOOKS = 20
MOST_TOGETHER = 2 * LARGEST  # bytes of all notebooks, without outputs


@dataclass(frozen=True)
class Candidate:
    """A file as a notebook of the lesson, with what was mended in it, or with the reason why it is none."""

    name: str
    notebook: object = None
    mended: tuple = ()
    trouble: str = ""
    answers: tuple = ()
    cells: int = 0
    size: int = 0


def chosen(found, released, mended):
    """Return the notebook to grade; raise Unfit if there is none, or if it cannot be told which one counts."""
    candidates = _candidates([file for file in found if _may_be_a_notebook(file)], released)
    fit = [each for each in candidates if not each.trouble]
    if not fit:
        raise Unfit(_why_none(candidates, found))
    best = _best(fit, released)
    mended.extend(best.mended)
    if released.lesson not in best.name:
        mended.append(f"{cut(best.name)} has the name {released.lesson}.ipynb now.")
    rest = [cut(file.name) for file in found if file.name != best.name]
    if rest:
        mended.append(f"Beside it lay {listed(rest)}: not graded, and kept in received/.")
    return best.notebook


def _may_be_a_notebook(file):
    """Say whether a file may be a notebook: by its name, even one that a browser changed, or by its content."""
    name = file.base.lower()
    return ".ipynb" in name or (name.endswith((".json", ".txt")) and b'"cells"' in file.data)


def _candidates(files, released):
    """Return a Candidate for each file; raise Unfit if together they hold much more than one may.

    To see what is in them takes time.
    """
    if len(files) > MOST_NOTEBOOKS:
        raise Unfit(f"there are {len(files):,} notebooks, and the most is {MOST_NOTEBOOKS}: {ASK_WHICH}")
    candidates = []
    for file in files:
        candidates.append(_candidate(file, released))
        if sum(each.cells for each in candidates) > MOST_CELLS:
            raise Unfit(f"the notebooks have more than {MOST_CELLS:,} cells together: {ASK_WHICH}")
        if sum(each.size for each in candidates) > MOST_TOGETHER:
            raise Unfit(f"the notebooks have more than {MOST_TOGETHER // 2**20} MiB together: {ASK_WHICH}")
    return candidates


def _candidate(file, released):
    mended, seen = [], {}
    try:
        notebook = shaped(parsed(file.data, mended), mended)
        seen = dict(cells=len(notebook.cells), size=len(nbformat.writes(notebook).encode()))
        mend_cells(notebook, released, mended)
    except Unfit as unfit:
        return Candidate(file.name, trouble=str(unfit), **seen)
    if (more := len(file.data) - seen["size"]) > MUCH_OUTPUT:
        mended.append(f"{more / 2**20:.0f} MB of outputs were left out: all cells are run afresh.")
    found = tuple(answers(notebook.cells, released).items())
    return Candidate(file.name, notebook, tuple(mended), answers=found, **seen)


def _why_none(candidates, found):
    if candidates:
        return "; ".join(f"{cut(each.name)}: {each.trouble}" for each in candidates[:4])
    return f"there is no notebook among what was handed in ({listed(cut(file.name) for file in found)}): {ASK}"


def _best(fit, released):
    """Return the best candidate: one with answers, and of several that differ, the one with the lesson's name.

    Raise Unfit if they differ, and not exactly one of them has that name.
    """
    written = [each for each in fit if each.answers] or fit
    named = [each for each in written if PurePosixPath(each.name).name == f"{released.lesson}.ipynb"]
    if len({each.answers for each in written}) == 1:
        return (named or written)[0]
    if len(named) != 1:
        raise Unfit(f"{listed(cut(each.name) for each in written)} hold different answers: {ASK_WHICH}")
    return named[0]


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
