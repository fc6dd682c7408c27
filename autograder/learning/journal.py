"""What a learner did, remembered in one file on this computer: one JSON line for each change.

`mha lab` begins it beside the lessons, and every notebook below finds it there, in JupyterLab or in another program.

Lines are only ever added, each in one piece.
So two notebooks can write at once, and a line that got damaged is lost alone.
"""

import json
import os
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from platformdirs import user_data_path

from ..catalogue import LESSONS
from ..environment import SOLUTIONS, in_a_notebook

NAME = "progress.jsonl"
BEGINNING = b'{"when":'  # of every line, so that we take no other program's file for ours

_unwritten = []  # entries that no file could take: they last as long as this kernel


def begin(folder):
    """Keep the journal in this folder from now on, for all lessons in it."""
    with suppress(OSError):
        (folder / NAME).touch()


def place():
    """Find the file that changes go to: the nearest one above the lesson, else the user's own."""
    chosen = os.environ.get("MHA_PROGRESS")
    return Path(chosen) if chosen else next(filter(_is_journal, _above()), _of_the_user())


def places():
    """Find all files that are read: older ones, which may lie beside notebooks, and last the one that changes go to."""
    if os.environ.get("MHA_PROGRESS"):
        return [place()]
    beside = sorted(_lessons().glob(f"lesson_*/{NAME}"))
    older = filter(_is_journal, [_of_the_user(), *beside, _here() / NAME])
    return [*dict.fromkeys(file for file in older if file != place()), place()]


def _above():
    """List where a journal may lie: not beside a lesson's notebook, or each lesson would have its own."""
    return [folder / NAME for folder in (_lessons(), *_lessons().parents)]


def _lessons():
    """Find the folder with all lessons, seen from one of them; for a notebook elsewhere the folder that it is in."""
    return _here().parent if _here().name in LESSONS else _here()


def _here():
    try:
        return Path.cwd()
    except OSError:  # somebody has deleted it
        return Path.home()


def _of_the_user():
    return user_data_path("multi_head_attention", appauthor=False) / NAME


def _is_journal(file):
    """Tell whether a file is there, and empty or begun by us, if only by half a line."""
    try:
        with open(file, "rb") as opened:
            first_line = opened.read(20).strip().split(b"\n")[0]
        return BEGINNING.startswith(first_line[: len(BEGINNING)])
    except OSError:
        return False


def entries():
    """Return all entries, oldest first."""
    lines = [line for file in places() for line in _lines(file)]
    return [*filter(None, map(_entry, lines)), *_unwritten]


def _lines(file):
    try:
        return file.read_bytes().split(b"\n")
    except OSError:
        return []


def _entry(line):
    """Return what a line says, or None if it is empty or damaged."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    sound = isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("what", "task"))
    return entry if sound else None


def note(what, task="", **more):
    """Remember that a task was "tried", is "done", had a "hint", or its "solution" was read: each once."""
    entry, known = dict(what=what, task=task, **more), entries()
    settled = [entry, {**entry, "what": "done"}] if what == "tried" else [entry]
    if not any(thing.items() <= other.items() for thing in settled for other in known):
        _add(entry)


def tasks(what):
    """Return the names of all tasks of which this was noted."""
    return {entry["task"] for entry in entries() if entry["what"] == what}


def hide(hidden):
    """Note whether progress is hidden; the last note counts."""
    if is_hidden() != hidden:
        _add(dict(what="hidden" if hidden else "shown", task=""))


def is_hidden():
    words = [entry["what"] for entry in entries() if entry["what"] in ("hidden", "shown")]
    return words[-1:] == ["hidden"]


def start_anew():
    """Begin an empty journal. Returns where the old ones are kept: mostly one, and none if there was nothing."""
    _unwritten.clear()
    main, written = place(), [file for file in places() if file.exists() and file.stat().st_size and _may_write()]
    kept = [file.rename(_unused_name(file)) for file in written]
    if main in written:
        main.touch()
    return kept


def _unused_name(file):
    """Return the file's name with today's date, and a number if that name is taken."""
    dated = f"{file.stem}_{datetime.now():%Y-%m-%d}"
    names = (file.with_name(f"{dated}{number}{file.suffix}") for number in chain([""], map("_{}".format, count(2))))
    return next(name for name in names if not os.path.lexists(name))


def _add(entry):
    if not _written(entry):
        _unwritten.append(entry)


def _written(entry):
    """Write a line, and say whether that worked. The line break comes first, and ends a line that was cut off."""
    line = "\n" + json.dumps(dict(when=f"{datetime.now():%Y-%m-%dT%H:%M:%S}", **entry))
    try:
        if not _may_write():
            return False
        if place() == _of_the_user():
            place().parent.mkdir(parents=True, exist_ok=True)
        with open(place(), "ab", buffering=0) as file:
            return file.write(line.encode()) == len(line)
    except OSError:
        return False


def _may_write():
    """Say whether this is a learner's own notebook: not one that nbgrader runs, and not one of the solutions."""
    graded = os.environ.get("NBGRADER_EXECUTION") or os.environ.get("NBGRADER_VALIDATING")
    return in_a_notebook() and not graded and SOLUTIONS not in _here().parents
