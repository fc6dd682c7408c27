"""What a learner did, remembered in one file on this computer: one JSON line for each change.

Lines are only ever added, each in one piece.
So two notebooks can write at once, and a line that got damaged is lost alone.
"""

import json
import os
from contextlib import suppress
from datetime import date, datetime
from itertools import chain, count, islice
from pathlib import Path

from platformdirs import user_data_path

from ..catalogue import LESSONS
from ..environment import is_graded
from ..outline import outline

NAME = "progress.jsonl"
SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"  # not there where only the packages were installed
BEGINNING = b'{"when":'  # of every line, so that we take no other program's file for ours

_unwritten = []  # entries that no file could take: they last as long as this kernel


def place():
    """Return the file that changes go to."""
    return Path(os.environ.get("MHA_PROGRESS") or user_data_path(outline().id, appauthor=False) / NAME)


def _places():
    """List all files that are read: those in which an older course kept it, and last the one that changes go to."""
    if os.environ.get("MHA_PROGRESS"):
        return [place()]
    lessons = Path.cwd().parent if lesson_here() else Path.cwd()
    above = filter(_is_journal, (folder / NAME for folder in (lessons, *lessons.parents)))
    beside = filter(_is_journal, [*sorted(lessons.glob(f"lesson_*/{NAME}")), Path.cwd() / NAME])
    older = [*beside, *islice(above, 1)]
    return [*dict.fromkeys(file for file in older if file != place()), place()]


def lesson_here():
    """Return the lesson whose notebook this is, or "" where it lies somewhere else."""
    return Path.cwd().name if Path.cwd().name in LESSONS else ""


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
    found = []
    for file in _places():
        with suppress(OSError):
            for line in file.read_bytes().split(b"\n"):
                with suppress(ValueError, RecursionError):  # it is empty, or damaged
                    found.append(json.loads(line))
    found = [entry for entry in found if isinstance(entry, dict)]
    said = ({"what": None, "task": None, "when": "", "lesson": "", **entry} for entry in found)
    sound = [all(isinstance(one[key], str) for key in ("what", "task", "when", "lesson")) for one in said]
    return [entry for entry, is_sound in zip(found, sound) if is_sound] + _unwritten


def note(what, task="", **more):
    """Remember that a task was "tried", is "done", had a "hint", or its "solution" was read: each once."""
    entry, known = dict(what=what, task=task, **more), entries()
    settled = [entry, {**entry, "what": "done"}] if what == "tried" else [entry]
    if not any(thing.items() <= other.items() for thing in settled for other in known):
        write(entry)


def tasks(what):
    """Return the names of all tasks of which this was noted."""
    return {entry["task"] for entry in entries() if entry["what"] == what}


HIDDEN, OURS = ("hidden", "shown"), ("ours", "own")  # choices: is progress hidden, do lessons use the course's versions


def choose(choice, on):
    """Note a choice, on or off; the last note counts."""
    if is_on(choice) != on:
        write(dict(what=choice[0] if on else choice[1], task=""))


def is_on(choice):
    return [entry["what"] for entry in entries() if entry["what"] in choice][-1:] == [choice[0]]


def start_anew():
    """Begin an empty journal. Returns where the old ones are kept: mostly one, and none if there was nothing."""
    _unwritten.clear()
    written = [file for file in _places() if file.exists() and file.stat().st_size and may_write()]
    return [file.rename(dated(file)) for file in written]


def dated(file):
    """Return a file's name with today's date, and a number if that name is taken."""
    stem = f"{file.stem}_{date.today():%Y-%m-%d}"
    names = (file.with_name(f"{stem}{number}{file.suffix}") for number in chain([""], map("_{}".format, count(2))))
    return next(name for name in names if not os.path.lexists(name))


def write(entry, allowed=False):
    """Write a line, or keep what it says. The line break comes first, and ends a line that was cut off.

    allowed: wherever this runs, and not only in a learner's own notebook.
    """
    entry = dict(when=f"{now():%Y-%m-%dT%H:%M:%S}", **entry)
    line = "\n" + json.dumps(entry)
    with suppress(OSError):
        if allowed or may_write():
            if not os.environ.get("MHA_PROGRESS"):
                place().parent.mkdir(parents=True, exist_ok=True)
            with open(place(), "ab", buffering=0) as file:
                if file.write(line.encode()) == len(line):
                    return
    _unwritten.append(entry)


def now():
    return datetime.now()


def in_a_notebook():
    from IPython import get_ipython  # here: a notebook has it already, and others need not wait for it

    return hasattr(get_ipython(), "kernel")


def may_write():
    """Say whether this is a learner's own notebook: not one that nbgrader runs, and not one of the solutions."""
    return in_a_notebook() and not is_graded() and SOLUTIONS not in Path.cwd().parents
