"""The lessons in NumPy, where Python lacks what it lacks in a browser: all right answers, a wrong one, an endless one.

    python tests/support/as_in_a_browser.py REPOSITORY

test_live_lessons.py runs it.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path

ABSENT = "_multiprocessing", "resource", "torch", "matplotlib"
LACKING = {os: ("fork", "posix_spawn"), signal: ("alarm", "setitimer"), time: ("thread_time",)}


class WhatIsThere(PathFinder):
    @classmethod
    def find_spec(cls, name, *places):
        return None if name in ABSENT else super().find_spec(name, *places)


def cannot(*_, **__):
    raise RuntimeError("a browser has neither threads nor processes")


def take_away():
    sys.meta_path[sys.meta_path.index(PathFinder)] = WhatIsThere
    for module, names in LACKING.items():
        for name in filter(partial(hasattr, module), names):
            delattr(module, name)
    threading.Thread.start = subprocess.Popen.__init__ = cannot


take_away()

from core_alone import IN_NUMPY, run_solved  # noqa: E402
from IPython.core.history import HistoryManager  # noqa: E402

from autograder import check, hint, progress  # noqa: E402

HistoryManager.enabled.default_value = False  # it starts a thread; in Pyodide's kernel, it is off, too


def try_lesson(lesson):
    shown = run_solved(lesson, Path(sys.argv[1]))
    cards = [thing.card.title for thing in shown if hasattr(thing, "card")]
    assert cards and all(title.startswith("✓") for title in cards), cards
    print(f"{lesson}: {len(cards)} checks")


def try_wrong_answer():
    def softmax(scores, axis=-1):
        import numpy as np

        return np.exp(scores) / np.exp(scores).sum()

    mark = check(softmax=softmax)
    assert not mark and hint("softmax")._repr_html_() and progress()._repr_html_()
    print(mark.card.text)


def try_endless_answer():
    def weighted_mean(values, weights):
        while True:
            pass

    sys.modules["autograder.judging.judge"].TIME_LIMIT = 1
    print(check(weighted_mean=weighted_mean).card.text)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MHA_PROGRESS"] = str(Path(folder, "progress.jsonl"))
        for each in IN_NUMPY:
            try_lesson(each)
        try_wrong_answer()
        if hasattr(sys, "monitoring"):
            try_endless_answer()
