"""Turn what a student handed in into a notebook that can be graded, or into a sentence that says why there is none.

What a learner wrote is never changed, and nothing of it is left out silently: every repair is told in a sentence.
"""

import io
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from nbformat import NotebookNode

from ...catalogue import EXERCISES
from ..bounds import MOST_BYTES, MOST_MEMORY, Refused, bounded_memory, is_junk, unpacked
from ..wording import cut, listed
from .matched_cells import Released, answers, mend_cells
from .shape import parsed, shaped

TIME = "timestamp.txt"  # as nbgrader calls it
OF_NBGRADER = (TIME, "submission_secret.txt")  # what its exchange lays beside a submission
ASK_WHICH = "ask which of them counts"
NAMED = re.compile(rb'"(?:grade_)?id": *"(?:check_)?(\w+)"|\bcheck\((\w+)=')  # in a file: marks, ids, and checks
MOST_NOTEBOOKS = 20  # each as large as one may be: half a minute, and 1 GiB of memory


@dataclass(frozen=True)
class Triage:
    """What was found in a submission, or in one file of it.

    notebook: what to grade, or None; mended: what was done to it; trouble: why it cannot be graded.
    name: of the file; answers: (task, what is written where its answer belongs).
    """

    name: str = ""
    notebook: NotebookNode | None = None
    mended: tuple = ()
    trouble: str = ""
    answers: tuple = ()


def triage(folder, released):
    """Look at a folder with what was handed in, and return a Triage. released: the file that learners got."""
    try:
        with bounded_memory():
            return _chosen(_found_in(folder), _read(released))
    except Refused as unfit:
        trouble = str(unfit)
    except MemoryError:
        trouble = f"to read it takes more than {MOST_MEMORY // 2**30} GiB of memory: ask for it without outputs"
    except Exception as error:  # a stranger's file may raise anything, and must not stop the others
        trouble = f"it could not be read ({type(error).__name__}: {str(error)[:80]!r})"
    return Triage(trouble=trouble)


def lesson_of(folder):
    """Return the lesson that most cells of what was handed in belong to; raise Refused if there is none."""
    files = _notebooks(_found_in(folder))
    names = (name.decode() for file in files for names in NAMED.findall(file.data) for name in names if name)
    lessons = Counter(EXERCISES[name].lesson for name in names if name in EXERCISES)
    if not lessons:
        for file in files:  # one that is no notebook is told as that
            shaped(parsed(file.data, []), [])
        raise Refused("it holds no cell of any lesson of this course")
    return lessons.most_common(1)[0][0]


_read = cache(Released)  # once for a whole class


class Found(NamedTuple):
    """A file that was handed in, with its path from the submission's folder on, or on into a zip, as its name."""

    name: str
    data: bytes


def _found_in(folder):
    """Return all files of a folder, without what systems and nbgrader leave there; raise Refused if there are none.

    The folder is a copy of ours: nothing in it is too large, and whoever made it took no links.
    """
    files = sorted(file for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink())
    found, left = [], MOST_BYTES
    for file in files:
        name = file.relative_to(folder)
        if not is_junk(name) and file.name not in OF_NBGRADER:
            inside = _unpacked(Found(name.as_posix(), file.read_bytes()), left)
            left -= sum(len(each.data) for each in inside)
            found += inside
    if not found:
        raise Refused("nothing was handed in")
    return found


def _unpacked(found, left):
    """Return what a zip holds, or else the file itself; raise Refused beyond `left` bytes. A zip in a zip stays one."""
    if not found.data.startswith(b"PK\x03\x04"):
        return [found]
    try:
        return [Found(f"{found.name}/{path}", data) for path, data in unpacked(io.BytesIO(found.data), left)]
    except Refused as refused:
        raise Refused(f"{found.name}: {refused}") from None


def _notebooks(found):
    """Return the files that may be notebooks: by name, even one that a browser changed, or by what they hold."""

    def may_be_one(file):
        name = PurePosixPath(file.name).name.lower()
        return ".ipynb" in name or (name.endswith((".json", ".txt")) and b'"cells"' in file.data)

    files = list(filter(may_be_one, found))
    if not files:
        names = listed(cut(file.name) for file in found)
        raise Refused(f"there is no notebook among what was handed in ({names}): ask for the .ipynb file")
    return files


def _chosen(found, released):
    """Return the Triage of the file to grade; raise Refused if there is none, or it cannot be told which one counts."""
    files = _notebooks(found)
    if len(files) > MOST_NOTEBOOKS:
        raise Refused(f"there are {len(files):,} notebooks, and the most is {MOST_NOTEBOOKS}: {ASK_WHICH}")
    candidates = [_candidate(file, released) for file in files]
    fit = [each for each in candidates if not each.trouble]
    if not fit:
        raise Refused("; ".join(f"{cut(each.name)}: {each.trouble}" for each in candidates[:4]))
    best = _best(fit, released)
    mended = [*best.mended]
    if released.lesson not in best.name:
        mended.append(f"{cut(best.name)} has the name {released.lesson}.ipynb now.")
    if rest := [cut(file.name) for file in found if file.name != best.name]:
        mended.append(f"Beside it lay {listed(rest)}: not graded, and kept in received/.")
    return replace(best, mended=tuple(mended))


def _candidate(file, released):
    mended = []
    try:
        notebook = shaped(parsed(file.data, mended), mended)
        mend_cells(notebook, released, mended)
    except Refused as unfit:
        return Triage(file.name, trouble=str(unfit))
    return Triage(file.name, notebook, tuple(mended), answers=tuple(answers(notebook.cells, released).items()))


def _best(fit, released):
    """Return the candidate with answers; if several differ, the one with the lesson's name, or raise Refused."""
    written = [each for each in fit if each.answers] or fit
    named = [each for each in written if PurePosixPath(each.name).name == f"{released.lesson}.ipynb"]
    if len({each.answers for each in written}) == 1:
        return (named or written)[0]
    if len(named) != 1:
        raise Refused(f"{listed(cut(each.name) for each in written)} hold different answers: {ASK_WHICH}")
    return named[0]
