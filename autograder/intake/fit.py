"""Make submissions fit for grading: keep them as they came, and mend our copy, or what goes into submitted/."""

import hashlib
import json
import os
import shutil
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from . import archives
from .course_folder import released_notebook, submitted_folder
from .numbers_of_students import own_numbers, whose_numbers
from .owners import copied
from .receipts import note, receipt
from .taking import copy_folder, folder_is_there, place_of, strangeness
from .triage import triage
from .triage.finding import OF_NBGRADER


def received_folder(root, lesson, student, number=""):
    return Path(root) / "received" / lesson / student / str(number)


def numbers(root, lesson, student):
    """Return the numbers of what was received so far, in order."""
    folder = received_folder(root, lesson, student)
    return sorted(int(place.name) for place in folder.glob("[0-9]*") if place.name.isdigit())


def keep(pieces, root, lesson, student):
    """Copy what came, and return its number: the one that it has already, if the same came before.

    pieces: (name, a function that copies it) for each file. A submission that is refused leaves nothing behind.
    """
    home = received_folder(root, lesson, student)
    home.mkdir(parents=True, exist_ok=True)
    coming = home / ".coming"
    shutil.rmtree(coming, ignore_errors=True)  # left by a run that was killed
    try:
        coming.mkdir()
        _copy_all(pieces, coming)
        same = [n for n in numbers(root, lesson, student) if found(home / str(n)) == found(coming)]
        return same[-1] if same else _under_next_number(coming, root, lesson, student)
    finally:
        shutil.rmtree(coming, ignore_errors=True)


def found(folder):
    """Return the name, fingerprint and size of each file in a folder."""
    files = sorted(file for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink())
    return [
        {"file": file.relative_to(folder).as_posix(), "sha256": fingerprint(file), "bytes": file.stat().st_size}
        for file in files
    ]


def fingerprint(file):
    """Return the SHA-256 digest of a file; "" if there is no such file."""
    if not Path(file).is_file():
        return ""
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _copy_all(pieces, folder):
    left = archives.MOST_BYTES
    for name, copy in pieces:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "xb") as file:
            left -= copy(file, left)


def _under_next_number(coming, root, lesson, student):
    number = max(numbers(root, lesson, student), default=0) + 1
    os.rename(coming, received_folder(root, lesson, student, number))
    return number


def made_fit(lesson, student, coursedir, copy):
    """Mend our copy of what lies in submitted/, if need be, and return why it cannot be graded; "" if it can.

    Whoever put it there, nbgrader's exchange or an instructor: it stays as it is, and received/ keeps it, too.
    """
    strange = strangeness(copy, archives.MOST_BYTES, archives.MOST_PARTS)
    if strange:
        return strange
    unfit = _taken_in(lesson, student, coursedir, copy)
    _spell_names(copy)
    return unfit


def _taken_in(lesson, student, coursedir, copy):
    noted = receipt(coursedir.root, lesson, student)
    if is_new(noted, copy, lesson):
        return _take_in(lesson, student, coursedir, copy)
    if noted.get("mended_for_grading") or fingerprint(copy / f"{lesson}.ipynb") != noted.get("submitted"):
        return noted.get("unfit") or mended(lesson, coursedir, copy)
    return noted.get("unfit", "")


def mended(lesson, coursedir, copy):
    """Mend a copy without noting anything, and return why it cannot be graded; "" if it can."""
    looked = triage(copy, released_notebook(coursedir, lesson))
    _mend(copy / f"{lesson}.ipynb", looked.notebook)
    return looked.trouble


def _take_in(lesson, student, coursedir, copy):
    """Keep what came, note what it is, mend the copy, and return why it cannot be graded; "" if it can."""
    root, file = coursedir.root, copy / f"{lesson}.ipynb"
    number = keep(_pieces(copy), root, lesson, student)
    looked, about = _looked_at(lesson, student, coursedir, number, file)
    about |= dict(source="submitted/", submitted=fingerprint(file), replaced=None)
    note(root, lesson, student, **about, mended_for_grading=_mend(file, looked.notebook) or None)
    return about["unfit"]


def _mend(file, notebook):
    """Write the mended notebook to the file if the file says something else, and return whether it did."""
    mend = notebook is not None and not _says_the_same(file, notebook)
    if mend:
        _write(notebook, file)
    return mend


def _says_the_same(file, notebook):
    try:
        return json.loads(file.read_bytes()) == notebook
    except (OSError, ValueError, RecursionError):
        return False


def finish_collecting(lesson, student, coursedir):
    """Put the notebook into submitted/ if the program was killed between writing the receipt and the notebook."""
    noted = receipt(coursedir.root, lesson, student)
    if noted.get("replaced") is not None:
        put_in_place(lesson, student, coursedir, noted["received"])


def _spell_names(folder):
    """Rename notebooks whose names are no valid text: nbgrader looks them up in the gradebook, which refuses them."""
    for file in folder.glob("[!.]*.ipynb"):
        target = folder / os.fsencode(file.name).decode(errors="backslashreplace")
        if not target.exists():
            file.rename(target)


def is_new(noted, folder, lesson):
    """Say whether submitted/, or our copy of it, holds something that we did not put there."""
    there = _of_students(found(folder))
    if not noted or not there:
        return bool(there)
    ours = {noted.get("submitted"), noted.get("replaced")} - {None, ""}
    return fingerprint(folder / f"{lesson}.ipynb") not in ours and there != _of_students(noted.get("found", ()))


def _of_students(files):
    """Return the files without those that nbgrader's exchange lays beside a submission."""
    return [file for file in files if file["file"] not in OF_NBGRADER]


def keep_submitted(lesson, student, coursedir):
    """Keep what others have put into submitted/, before something takes its place."""
    with TemporaryDirectory() as place:
        copy = Path(place, "copy")
        base, inner = place_of(coursedir, lesson, student)
        if not folder_is_there(base, inner):
            return
        copy_folder(base, inner, copy)
        if is_new(receipt(coursedir.root, lesson, student), copy, lesson):
            keep(_pieces(copy), coursedir.root, lesson, student)


def _pieces(copy):
    """Return (name, a function that copies it) for each file in a folder that is ours."""
    files = sorted(file for file in copy.rglob("*") if file.is_file())
    return [(file.relative_to(copy).as_posix(), partial(copied, file)) for file in files]


def put_in_place(lesson, student, coursedir, number, refused=(), **noted):
    """Look at what was received under this number, and put it into submitted/; return why it is unfit, or "".

    The receipt is written first, with what the notebook replaces, so that a kill in between is noticed.
    """
    folder_is_there(*place_of(coursedir, lesson, student))  # raises Strange for a link: it may be to a classmate's
    root, target = coursedir.root, submitted_folder(coursedir, lesson, student) / f"{lesson}.ipynb"
    looked, about = _looked_at(lesson, student, coursedir, number, target)
    about["mended"] += refused
    as_it_came = not looked.mended and fingerprint(target) in {file["sha256"] for file in about["found"]}
    mend = (as_it_came and not _says_the_same(target, looked.notebook)) or None
    with _ready(None if as_it_came else looked.notebook, target) as ready:
        about |= dict(submitted=fingerprint(ready or target), replaced=fingerprint(target), mended_for_grading=mend)
        note(root, lesson, student, **about, **noted)
        if ready:
            os.replace(ready, target)
    note(root, lesson, student, replaced=None)
    return about["unfit"]


def _looked_at(lesson, student, coursedir, number, target):
    """Look at what was received under a number; return what triage makes of it, and what the receipt says about it."""
    folder = received_folder(coursedir.root, lesson, student, number)
    looked = triage(folder, released_notebook(coursedir, lesson))
    about = dict(found=found(folder), received=str(number), mended=[*looked.mended])
    about["unfit"] = _with_what_came_before(looked.trouble, target, about["found"])
    handed_out = own_numbers(coursedir.db_url, lesson)
    theirs = looked.notebook and whose_numbers(looked.notebook, lesson, student, handed_out)
    about |= dict(empty=looked.empty or None, numbers_of=theirs)
    return looked, about | _news(receipt(coursedir.root, lesson, student), about)


def _news(before, about):
    """Return what changes in the receipt: a new submission is not graded yet.

    An old one keeps what grading said about it, except for its trouble, if that is another one now.
    """
    if before.get("received") != about["received"]:
        return {"trouble": about["unfit"], "graded": {}}
    return {} if before.get("unfit") == about["unfit"] else {"trouble": about["unfit"]}


def _with_what_came_before(trouble, target, found):
    if trouble and fingerprint(target) not in ("", *(file["sha256"] for file in found)):
        return f"{trouble}; submitted/ still holds what came before"
    return trouble


@contextmanager
def _ready(notebook, target):
    """Yield a file beside the target that holds the notebook; None if there is no notebook.

    The folder is made in any case.
    An empty folder says that what was handed in cannot be graded, and grading reports that.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f".{target.name}.new")
    if notebook is None:
        yield None
        return
    try:
        _write(notebook, new)
        yield new
    finally:
        new.unlink(missing_ok=True)


def _write(notebook, file):
    file.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
