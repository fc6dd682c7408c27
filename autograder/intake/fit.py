"""Make submissions fit for grading: keep them as they came, and mend our copy, or what goes into submitted/."""

import hashlib
import os
import shutil
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbgrader.utils import parse_utc

from .bounds import MOST_BYTES, Refused, copy_folder, folder_is_there
from .course_folder import note, place_of, receipt, released_notebook, submitted_folder
from .own_numbers import own_numbers, whose_numbers
from .triage import OF_NBGRADER, TIME, triage
from .whole_files import MEANWHILE, whole

LONGEST_TIME, A_TIME = 100, "2026-03-12 23:59:00 UTC"


def received_folder(root, lesson, student, number=""):
    return Path(root) / "received" / lesson / student / str(number)


def numbers(root, lesson, student):
    """Return the numbers of what was received so far, in order."""
    folder = received_folder(root, lesson, student)
    return sorted(int(place.name) for place in folder.glob("[0-9]*") if place.name.isdigit())


def keep(fill, root, lesson, student, is_news=lambda folder: True):
    """Keep what fill(folder) copies, if is_news(folder), and return its number; an old one if the same came before."""
    home = received_folder(root, lesson, student)
    coming = home / ".coming"
    shutil.rmtree(coming, ignore_errors=True)  # left by a run that was killed
    try:
        fill(coming)
        before = numbers(root, lesson, student)
        same = [number for number in before if found(home / str(number)) == found(coming)]
        if not same and is_news(coming):
            same = [max(before, default=0) + 1]
            os.rename(coming, home / str(same[0]))
        return max(same, default=None)
    finally:
        shutil.rmtree(coming, ignore_errors=True)


def copy_pieces(pieces, folder):
    """Copy all files of a submission. pieces: (name, a function that copies it) for each."""
    folder.mkdir(parents=True)
    left = MOST_BYTES
    for name, copy in pieces:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "xb") as file:
            left -= copy(file, left)


def found(folder):
    """Return the name, SHA-256 and size of each file in a folder, without hidden ones, such as a kill leaves half."""
    files = sorted(file for file in Path(folder).rglob("[!.]*") if file.is_file() and not file.is_symlink())
    return [
        {"file": file.relative_to(folder).as_posix(), "sha256": sha256_of(file), "bytes": file.stat().st_size}
        for file in files
    ]


def sha256_of(file):
    """Return the SHA-256 digest of a file; "" if there is no such file."""
    if not Path(file).is_file():
        return ""
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextmanager
def our_copy(coursedir, lesson, student, to_try=False):
    """Let nbgrader find a mended notebook of ours in the place of a submission; yield why it cannot be graded, or "".

    The submission itself is opened once, and never changed. to_try: note nothing of it in the course.
    """
    base, inner = place_of(coursedir, lesson, student)
    meanwhile = Path(coursedir.root, MEANWHILE)
    meanwhile.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=meanwhile) as place:
        came, fit = Path(place, "came"), Path(place, "fit", inner)
        fit.mkdir(parents=True)
        try:
            before = {} if to_try else receipt(coursedir.root, lesson, student)
            if before.get("replaced") is not None:  # a kill came between writing the receipt and the notebook
                put_in_place(lesson, student, coursedir, before["received"])
            copy_folder(base, inner, came)
            noted = "" if to_try else noted_as_unfit(lesson, student, coursedir, came)
            unfit = strange_time(came) or noted or mended(lesson, coursedir, came, fit)
        except Refused as refused:
            unfit = str(refused)
        real, coursedir.submitted_directory = coursedir.submitted_directory, str(Path(place, "fit"))
        try:
            yield unfit.replace(str(came), str(Path(base, inner)))
        finally:
            coursedir.submitted_directory = real


def strange_time(folder):
    """Return what is wrong with the time beside a submission, at which nbgrader would stop; "" if nothing is."""
    file = folder / TIME
    try:
        if file.exists():
            with file.open(encoding="utf-8") as opened:
                told = opened.read(LONGEST_TIME + 1).strip()
            _ = parse_utc(told) if told else None
    except Exception:  # the file may hold anything
        return f"{file} holds no time that can be read: write one into it, such as {A_TIME}, or take it away"
    return ""


def noted_as_unfit(lesson, student, coursedir, came):
    """Return why a submission cannot be graded, as it was noted; what is new in it is kept and noted before."""
    noted, file = receipt(coursedir.root, lesson, student), came / f"{lesson}.ipynb"
    if is_new(noted, came, lesson):
        number = keep(partial(shutil.copytree, came), coursedir.root, lesson, student)
        noted = _looked_at(lesson, student, coursedir, number, file)[1]
        note(coursedir.root, lesson, student, **noted, source="submitted/", submitted=sha256_of(file), replaced=None)
    return noted.get("unfit", "")


def mended(lesson, coursedir, came, fit):
    """Put a mended notebook into the folder `fit`, and what is there for nbgrader; return why there is none, or ""."""
    looked = triage(came, released_notebook(coursedir, lesson))
    if looked.notebook:
        (fit / f"{lesson}.ipynb").write_text(nbformat.writes(looked.notebook) + "\n", encoding="utf-8")
    for name in OF_NBGRADER:
        if (came / name).exists():
            shutil.copy(came / name, fit)
    return looked.trouble


def is_new(noted, folder, lesson):
    """Say whether submitted/, or our copy of it, holds something that we did not put there."""
    files = found(folder), noted.get("found", ())
    there, before = ([file for file in each if file["file"] not in OF_NBGRADER] for each in files)
    if not noted or not there:
        return bool(there)
    ours = {noted.get("submitted"), noted.get("replaced")} - {None, ""}
    return sha256_of(folder / f"{lesson}.ipynb") not in ours and there != before


def keep_submitted(lesson, student, coursedir):
    """Keep what others have put into submitted/, before something takes its place."""
    base, inner = place_of(coursedir, lesson, student)
    if folder_is_there(base, inner):
        noted, fill = receipt(coursedir.root, lesson, student), partial(copy_folder, base, inner)
        keep(fill, coursedir.root, lesson, student, lambda copy: is_new(noted, copy, lesson))


def put_in_place(lesson, student, coursedir, number, refused=(), **noted):
    """Mend what was received under this number, and put it into submitted/; return (why it is unfit, what was mended).

    The receipt is written first, with what the notebook replaces, so that a kill in between is noticed.
    An empty folder says that what was handed in cannot be graded, and grading reports that.
    """
    folder_is_there(*place_of(coursedir, lesson, student))  # raises Refused for a link: it may be to a classmate's
    root, target = coursedir.root, submitted_folder(coursedir, lesson, student) / f"{lesson}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    notebook, about = _looked_at(lesson, student, coursedir, number, target)
    about |= noted | {"mended": [*about["mended"], *refused]}
    if notebook:
        with whole(target) as new:
            new.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
            note(root, lesson, student, **about, submitted=sha256_of(new), replaced=sha256_of(target))
    note(root, lesson, student, **about, submitted=sha256_of(target), replaced=None)
    return about["unfit"], about["mended"]


def _looked_at(lesson, student, coursedir, number, target):
    """Return the notebook to grade of what was received under a number, and what the receipt says about it."""
    folder, before = received_folder(coursedir.root, lesson, student, number), receipt(coursedir.root, lesson, student)
    looked, files = triage(folder, released_notebook(coursedir, lesson)), found(folder)
    unfit, handed_out = looked.trouble, own_numbers(coursedir.db_url, lesson)
    if unfit and sha256_of(target) not in ("", *(file["sha256"] for file in files)):
        unfit += "; submitted/ still holds what came before"
    about = dict(found=files, received=str(number), mended=[*looked.mended], unfit=unfit, empty=None, numbers_of=None)
    if looked.notebook:
        about["empty"] = not looked.answers or None
        about["numbers_of"] = whose_numbers(looked.notebook, lesson, student, handed_out)
    if before.get("received") != str(number):
        return looked.notebook, about | {"trouble": unfit, "graded": {}}  # a new one is not graded yet
    return looked.notebook, about if before.get("unfit") == unfit else about | {"trouble": unfit}
