"""Work through the tasks of a class: in processes here, or on a Dask cluster, whatever becomes of one of them.

Processes here are copies of one that has imported what they need; each ends when whoever asked for it is gone.
"""

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection, forkserver

from pebble import ProcessExpired, ProcessPool

from ...intake.bounded import do

LONGEST = 1800  # seconds by the clock; what computes is ended earlier, see `bounded`
PAUSE = 0.2  # seconds until it is known that the process is gone that all are copies of
KILLED = object()  # the result of a task that ends every process that takes it on
WHY_KILLED = (
    "the process that tried was ended, several times, from outside (is there memory enough?)"
    " or after five minutes of work"
)
_one_at_a_time = threading.Lock()  # a worker of a cluster may have many threads; nbgrader wants one


def results(work, tasks, size, first=None, at_work=None):
    """Yield (task, what `work` makes of it) as they are done. What was killed is begun again after all others.

    work: a function, "module:name", which is not imported here; tasks: distinct tuples of its arguments.
    first: a function and its arguments, which each process calls when it begins.
    at_work: a dictionary, kept meanwhile: a task that a process is at -> when that began, the oldest first.
    """
    left = list(tasks)
    for most in (size, size, 1, 1):  # in the end alone: memory may be too short for several
        done = set()
        for task, result in _round(work, left, most, first, {} if at_work is None else at_work):
            done.add(task)
            yield task, result
        left = [task for task in left if task not in done]
    yield from ((task, KILLED) for task in left)


def _round(work, tasks, size, first, at_work):
    """Begin each task once, and yield (task, result) for those whose process was not killed."""
    pool = ProcessPool(size, 0, _prepare, (first,), _copies_of_one_that_knows(work)) if tasks else None
    left, begun = list(tasks), {}
    try:
        while left or begun:
            with suppress(BrokenProcessPool, RuntimeError):
                while left and len(begun) < size:
                    begun[pool.schedule(do, (work, *left[0]), timeout=LONGEST)] = left[0]
                    at_work[left.pop(0)] = time.monotonic()
            for future in wait(begun, PAUSE, FIRST_COMPLETED).done:
                task = begun.pop(future)
                del at_work[task]
                if not isinstance(future.exception(), (ProcessExpired, BrokenProcessPool, TimeoutError)):
                    yield task, future.result()
            if not pool.active:
                time.sleep(PAUSE)
                break
    finally:
        at_work.clear()
        if pool:
            pool.stop()  # what is at work ends at once
            pool.join()


def _copies_of_one_that_knows(work):
    """Return how processes begin: as copies of one that imported everything, where the system can do that.

    None of them hears Ctrl-C: whoever asked for them does, and may while that one still imports.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.partition(":")[0]])
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    forkserver.ensure_running()
    signal.signal(signal.SIGINT, heard)
    nothing = context.Process()
    nothing.start()  # which returns when all is imported
    nothing.join()
    return context


def _prepare(first):
    """Prepare a process, which ends when whoever asked is gone."""
    asked = multiprocessing.parent_process().sentinel
    threading.Thread(target=lambda: connection.wait([asked]) and os._exit(1), daemon=True).start()
    if first:
        do(*first)


def results_of_cluster(work, tasks, address, folder):
    """Yield what `results` would. A cluster gives what a lost machine was at to another one.

    Its workers share the course's folder, and a gradebook that is a server: SQLite's file would be torn there.
    address: the scheduler's, "tcp://..."; folder: of the course, the same on all machines.
    """
    from distributed import Client  # here: only who has a cluster has it

    with Client(address) as client:
        executor = client.get_executor(pure=False, retries=3)
        futures = {executor.submit(_do_there, folder, work, *task): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], KILLED if future.exception() else future.result()


def _do_there(folder, work, *task):
    """Do a task in a worker of the cluster, in the course's folder, where nbgrader finds its settings."""
    with _one_at_a_time:
        os.chdir(folder)
        return do(work, *task)
