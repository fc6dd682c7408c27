"""Several processes at work on many tasks, whatever becomes of one of them.

All are copies of one process that has imported what they need; each ends when whoever asked for it is gone.
"""

import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import wait

from .bounded import do

MOST_TRIES = 3  # of a task with nobody beside it
PAUSE = 0.2  # seconds until it is known that the process is gone that all are copies of
KILLED = object()  # the result of a task that ends every process that takes it on
WHY_KILLED = (
    "the process that tried was ended, several times, from outside (is there memory enough?)"
    " or after five minutes of work"
)


def results(work, tasks, size, first=None):
    """(task, what `work` makes of it) as they are done. What a process was at when it was killed is begun again.

    work: a function, "module:name", which is not imported here; tasks: distinct tuples of its arguments.
    first: a function and its arguments, which each process calls when it begins.
    """
    left, tries = list(tasks), 0
    while left:
        done = set()
        for task, result in _round(work, left[:1] if tries else left, size, first):
            done.add(task)
            yield task, result
        tries = 0 if done else tries + 1
        if tries > MOST_TRIES:
            yield left.pop(0), KILLED
            tries = 0
        left = _suspects_last([task for task in left if task not in done], size) if done else left


def _round(work, tasks, size, first):
    """Until all is done, a process is killed, or we are stopped: then the others end, at once."""
    context, done = _context(work), 0
    ours, theirs = context.Pipe()
    with ours, theirs, ProcessPoolExecutor(min(size, len(tasks)), context, _prepare, (theirs, first)) as pool:
        try:
            futures = _handed_over(pool, work, tasks)
            for future in as_completed(futures):
                if not isinstance(future.exception(), BrokenProcessPool):
                    done += 1
                    yield futures[future], future.result()
        finally:
            if done < len(tasks):
                ours.close()  # or the pool might wait for one that it began while it was ending them
            pool.shutdown(cancel_futures=True)


def _handed_over(pool, work, tasks):
    """Future -> task; only the first ones, if meanwhile a process is killed, or the one that all are copies of."""
    futures = {}
    with suppress(BrokenProcessPool, EOFError, OSError):
        for task in tasks:
            futures[pool.submit(do, work, *task)] = task
    if not futures:
        time.sleep(PAUSE)
    return futures


def _suspects_last(tasks, size):
    """Those in hand when it happened come last: if one of them is the reason, the others are done before."""
    return tasks[size + 1 :] + tasks[: size + 1]


def _context(work):
    """Where there can be such a process (not on Windows) it imports everything once."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.grading.many.deaf", "autograder.fast_start", work.partition(":")[0]])
    return context


def _prepare(asked, first):
    """In each process: when whoever asked has closed `asked`, or is gone, nobody needs us."""
    from . import deaf  # noqa: F401  (here: whoever asked does hear)

    if first:
        do(*first)

    ends = [multiprocessing.parent_process().sentinel, asked]
    threading.Thread(target=lambda: wait(ends) and os._exit(1), daemon=True).start()
