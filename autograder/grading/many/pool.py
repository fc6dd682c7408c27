"""A pool of processes that works through many tasks, whatever becomes of one of them.

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

from ...intake.bounded import do

MOST_TRIES = 3  # of a task that runs alone
PAUSE = 0.2  # seconds until it is known that the process is gone that all are copies of
KILLED = object()  # the result of a task that ends every process that takes it on
WHY_KILLED = (
    "the process that tried was ended, several times, from outside (is there memory enough?)"
    " or after five minutes of work"
)
_say = None  # in a process: where it says what it begins


class AtWork:
    """The tasks that processes are at, and since when."""

    def __init__(self):
        self._since, self._over, self._lock = {}, set(), threading.Lock()

    def ear(self, context):
        """Return the end of a pipe into which processes say what they begin, in few bytes at once, which never mix."""
        heard, said = context.Pipe(duplex=False)
        with self._lock:
            self._since.clear()
        threading.Thread(target=self._listen, args=(heard,), daemon=True).start()
        return said

    def _listen(self, heard):
        """Listen until all other ends of the pipe are closed."""
        with heard, suppress(EOFError, OSError):
            while True:
                task = heard.recv()
                with self._lock:
                    if task not in self._over:
                        self._since[task] = time.monotonic()

    def ended(self, task):
        with self._lock:
            self._over.add(task)
            self._since.pop(task, None)

    def longest(self):
        """Return the task that has been at work for the longest time, and its seconds; None if there is none."""
        with self._lock:
            task = min(self._since, key=self._since.get, default=None)
            return task and (task, time.monotonic() - self._since[task])


def results(work, tasks, size, first=None, at_work=None):
    """Yield (task, what `work` makes of it) as they are done. A task whose process was killed is begun again.

    work: a function, "module:name", which is not imported here; tasks: distinct tuples of its arguments.
    first: a function and its arguments, which each process calls when it begins.
    at_work: an AtWork that is told, meanwhile, which of them a process is at.
    """
    left, tries, at_work = list(tasks), 0, at_work or AtWork()
    while left:
        done = set()
        for task, result in _round(work, left[:1] if tries else left, size, first, at_work):
            done.add(task)
            yield task, result
        tries = 0 if done else tries + 1
        if tries > MOST_TRIES:
            yield left.pop(0), KILLED
            tries = 0
        left = _suspects_last([task for task in left if task not in done], size) if done else left


def _round(work, tasks, size, first, at_work):
    """Work until all is done, a process is killed, or we are stopped; then the others end at once."""
    context, done = _context(work), 0
    ours, theirs = context.Pipe()
    first = theirs, at_work.ear(context), first
    with ours, theirs, first[1], ProcessPoolExecutor(min(size, len(tasks)), context, _prepare, first) as pool:
        try:
            futures = _handed_over(pool, work, tasks)
            for future in as_completed(futures):
                if not isinstance(future.exception(), BrokenProcessPool):
                    at_work.ended(futures[future])
                    done += 1
                    yield futures[future], future.result()
        finally:
            if done < len(tasks):
                ours.close()  # or the pool might wait for one that it began while it was ending them
            pool.shutdown(cancel_futures=True)


def _handed_over(pool, work, tasks):
    """Return Future -> task; only the first ones, if a process is killed meanwhile."""
    futures = {}
    with suppress(BrokenProcessPool, EOFError, OSError):
        for task in tasks:
            futures[pool.submit(_begun, work, task)] = task
    if not futures:
        time.sleep(PAUSE)
    return futures


def _begun(work, task):
    """Do a task in a process, and first say that it begins."""
    with suppress(OSError):  # whoever asked is gone
        _say.send(task)
    return do(work, *task)


def _suspects_last(tasks, size):
    """Put tasks that were at work when a process was killed last: if one of them is the reason, the others are done."""
    return tasks[size + 1 :] + tasks[: size + 1]


def _context(work):
    """Return how processes begin: as copies of one that imported everything, where the system can do that."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.grading.many.ignore_sigint", work.partition(":")[0]])
    return context


def _prepare(asked, say, first):
    """Prepare a process, which ends when whoever asked has closed `asked` or is gone."""
    from . import ignore_sigint  # noqa: F401  (here: whoever asked does hear)

    global _say
    _say = say
    if first:
        do(*first)

    ends = [multiprocessing.parent_process().sentinel, asked]
    threading.Thread(target=lambda: wait(ends) and os._exit(1), daemon=True).start()
