"""From received/ to submitted/: the mended notebook goes where nbgrader looks for it, and the receipt says so."""

import os
from contextlib import contextmanager
from functools import partial

import nbformat

from ...grading.own_numbers import own_numbers, whose_numbers
from ...grading.strange_files import strangeness
from .. import archives
from ..course import released_notebook, submitted_folder
from ..receipts import note, receipt
from ..triage import triage
from .received import fingerprint, found, keep, received_folder
from .sources import copied


def made_fit(lesson, student, coursedir):
    """Before a submission is graded: "", or why it cannot be. What lies in submitted/ is mended if need be.

    Whoever put it there, nbgrader's exchange or an instructor by hand: it is kept in received/ first, as it came.
    """
    folder = submitted_folder(coursedir, lesson, student)
    strange = strangeness(folder, archives.MOST_BYTES, archives.MOST_PARTS) if folder.exists() else ""
    if strange:
        return strange
    unfit = _put_in_place_if_need_be(lesson, student, coursedir)
    _spell_names(folder)
    return unfit


def _put_in_place_if_need_be(lesson, student, coursedir):
    noted = receipt(coursedir.root, lesson, student)
    if is_new(lesson, student, coursedir):
        number = keep_submitted(lesson, student, coursedir)
        return put_in_place(lesson, student, coursedir, number, source="submitted/")
    if noted.get("replaced") is not None:  # a kill came between the receipt and the notebook
        return put_in_place(lesson, student, coursedir, noted["received"])
    return noted.get("unfit", "")


def _spell_names(folder):
    """Of notebooks that lie beside it: nbgrader looks for each in the gradebook, where half a letter cannot stand."""
    for file in folder.glob("[!.]*.ipynb"):
        target = folder / os.fsencode(file.name).decode(errors="backslashreplace")
        if not target.exists():
            file.rename(target)


def is_new(lesson, student, coursedir):
    """Whether there is something in submitted/ that we did not put there."""
    noted = receipt(coursedir.root, lesson, student)
    folder = submitted_folder(coursedir, lesson, student)
    if not noted:
        return any(file.is_file() for file in folder.rglob("*"))
    return fingerprint(folder / f"{lesson}.ipynb") not in ("", noted.get("submitted"), noted.get("replaced"))


def keep_submitted(lesson, student, coursedir):
    """Its number in received/."""
    folder = submitted_folder(coursedir, lesson, student)
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    pieces = [(file.relative_to(folder).as_posix(), partial(copied, file)) for file in files]
    return keep(pieces, coursedir.root, lesson, student)


def put_in_place(lesson, student, coursedir, number, refused=(), **noted):
    """Look at what was received under this number, and put it into submitted/. Returns why not, or "".

    The receipt comes first, with what the notebook replaces: so a kill in between is seen.
    """
    root, folder = coursedir.root, received_folder(coursedir.root, lesson, student, number)
    looked = triage(folder, released_notebook(coursedir, lesson))
    target = submitted_folder(coursedir, lesson, student) / f"{lesson}.ipynb"
    about = dict(found=found(folder), received=str(number), mended=[*looked.mended, *refused])
    about["unfit"] = _with_what_came_before(looked.trouble, target, about["found"])
    about |= dict(empty=looked.empty or None, numbers_of=_numbers_of(looked.notebook, lesson, student, coursedir))
    about |= _news(receipt(root, lesson, student), about)
    as_it_came = not looked.mended and fingerprint(target) in {file["sha256"] for file in about["found"]}
    with _ready(None if as_it_came else looked.notebook, target) as ready:
        after = fingerprint(ready or target)
        note(root, lesson, student, **about, **noted, submitted=after, replaced=fingerprint(target))
        if ready:
            os.replace(ready, target)
    note(root, lesson, student, replaced=None)
    return about["unfit"]


def _numbers_of(notebook, lesson, student, coursedir):
    """Who else has the numbers that it asks with; None where there is nothing to tell."""
    return notebook and whose_numbers(notebook, lesson, student, own_numbers(coursedir.db_url, lesson))


def _news(before, about):
    """A new submission is not graded yet; of an old one it stays what grading said of it."""
    if before.get("received") != about["received"]:
        return {"trouble": about["unfit"], "graded": {}}
    return {} if before.get("unfit") == about["unfit"] else {"trouble": about["unfit"]}


def _with_what_came_before(trouble, target, found):
    if trouble and fingerprint(target) not in ("", *(file["sha256"] for file in found)):
        return f"{trouble}; submitted/ still holds what came before"
    return trouble


@contextmanager
def _ready(notebook, target):
    """A file beside the target that holds the notebook; None if there is none. The folder is made in any case.

    An empty folder says that somebody handed in what cannot be graded, and grading tells so.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f".{target.name}.new")
    if notebook is None:
        yield None
        return
    try:
        new.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        yield new
    finally:
        new.unlink(missing_ok=True)
