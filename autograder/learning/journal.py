"""What a learner did, remembered in one file on this computer: one JSON line for each change.

Lines are only ever added, each in one piece.
So two notebooks can write at once, and a line that got damaged is lost alone.
"""

import json
import os
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from ..environment import SOLUTIONS, in_a_notebook

_unwritten = []  # entries that no file could take: they last as long as this kernel


def place():
    """`mha lab` says where; else it is next to the notebook."""
    return Path(os.environ.get("MHA_PROGRESS") or "progress.jsonl")


def entries():
    """All that is known, oldest first."""
    try:
        lines = place().read_bytes().split(b"\n")
    except OSError:
        lines = []
    return [*filter(None, map(_entry, lines)), *_unwritten]


def _entry(line):
    """What a line says; None if it is empty or damaged."""
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
    """The names of all tasks of which that was noted."""
    return {entry["task"] for entry in entries() if entry["what"] == what}


def hide(hidden):
    """Whether progress is shown is a matter of the last word, so it is noted each time."""
    if is_hidden() != hidden:
        _add(dict(what="hidden" if hidden else "shown", task=""))


def is_hidden():
    words = [entry["what"] for entry in entries() if entry["what"] in ("hidden", "shown")]
    return words[-1:] == ["hidden"]


def start_anew():
    """Begin an empty journal. Returns where the old one is kept, or None if there was none."""
    _unwritten.clear()
    if not (_may_write() and place().exists()):
        return None
    dated = f"{place().stem}_{datetime.now():%Y-%m-%d}"
    names = (place().with_name(f"{dated}{number}.jsonl") for number in chain([""], map("_{}".format, count(2))))
    return place().rename(next(name for name in names if not name.exists()))


def _add(entry):
    if not _written(entry):
        _unwritten.append(entry)


def _written(entry):
    """Whether it could be. The line break comes first: so a line that was cut off ends there."""
    line = "\n" + json.dumps(dict(when=f"{datetime.now():%Y-%m-%dT%H:%M:%S}", **entry))
    try:
        if not _may_write():
            return False
        with open(place(), "ab", buffering=0) as file:
            return file.write(line.encode()) == len(line)
    except OSError:
        return False


def _may_write():
    """In a learner's own notebook: not while nbgrader runs it, and not in that of the solutions."""
    graded = os.environ.get("NBGRADER_EXECUTION") or os.environ.get("NBGRADER_VALIDATING")
    return in_a_notebook() and not graded and SOLUTIONS not in Path.cwd().parents
