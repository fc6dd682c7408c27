"""Do tasks on all cores, or on a Dask cluster; one that kills the process which takes it on stops no other.

Processes here are copies of one that has imported what they need; each ends when whoever asked for it is gone.
"""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import as_completed
from multiprocessing import connection, forkserver
from time import monotonic

from ..intake.bounds import do

LONGEST = 1800  # seconds by the clock; what computes is ended earlier, see `bounds`
PAUSE = 2  # seconds until it is looked again who has been at work for too long
WHY_KILLED = (
    "the process that tried was ended, several times, from outside (is there memory enough?),"
    " or after five minutes of work or half an hour by the clock"
)
KILLED = f"not graded: {WHY_KILLED}"  # the result of a task that ends every process that takes it on
_one_at_a_time = threading.Lock()  # a worker of a cluster may have many threads; nbgrader wants one


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results(work, tasks, size, first=None):
    """Yield (task, what `work` makes of it) as they are done. What was killed is begun again after all others.

    work: a function, "module:name", which is not imported here; tasks: distinct tuples of its arguments.
    first: a function and its arguments, which each process calls when it begins.
    """
    left = list(tasks)
    for most in (size, size, 1, 1):  # in the end alone: memory may be too short for several
        done = set()
        for task, result in _round(work, left, most, first):
            done.add(task)
            yield task, result
        left = [task for task in left if task not in done]
    yield from ((task, KILLED) for task in left)


def _round(work, tasks, size, first):
    """Begin each task once, and yield (task, result) for those whose process was not killed."""
    left, busy, idle = list(tasks), {}, []  # busy: where a result will come from -> (process, task, since when)
    origin = _copies_of_one_that_knows(work) if tasks else None
    try:
        while left or busy:
            while left and len(busy) < size:
                task = left.pop(0)
                try:
                    process, pipe = idle.pop() if idle else _begun(origin, first)
                    pipe.send((work, task))
                except (OSError, EOFError):  # it was killed, or what it would be a copy of
                    continue
                busy[pipe] = process, task, monotonic()
            for pipe in connection.wait(busy, PAUSE):
                process, task, _ = busy.pop(pipe)
                try:
                    result, error = pipe.recv()
                except (OSError, EOFError):  # it was killed
                    continue
                idle.append((process, pipe))
                if error:
                    raise error
                yield task, result
            for process, _, since in busy.values():
                if monotonic() - since > LONGEST:
                    process.kill()
    finally:
        for process in [*(process for process, _ in idle), *(process for process, *_ in busy.values())]:
            process.kill()


def _begun(origin, first):
    """Begin a process, and return it with our end of a pipe to it."""
    ours, theirs = multiprocessing.Pipe()
    with theirs:
        process = origin.Process(target=_serve, args=(theirs, first))
        process.start()
    return process, ours


def _serve(pipe, first):
    """Do one task after the other, until whoever asked is gone."""
    asked = multiprocessing.parent_process().sentinel
    threading.Thread(target=lambda: connection.wait([asked]) and os._exit(1), daemon=True).start()
    if first:
        do(*first)
    while True:
        work, task = pipe.recv()
        try:
            reply = do(work, *task), None
        except Exception as error:
            reply = None, error
        pipe.send(reply)


def _copies_of_one_that_knows(work):
    """Return how processes begin: as copies of one that imported everything, where the system can do that.

    None of them hears Ctrl-C: whoever asked for them does.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.partition(":")[0]])
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    forkserver.ensure_running()
    signal.signal(signal.SIGINT, heard)
    return context


def results_of_cluster(work, tasks, address, folder):
    """Yield what `results` would. A cluster gives what a lost machine was at to another one.

    Its workers share the course's folder, and a gradebook that is a server: SQLite's file would be torn there.
    address: the scheduler's, "tcp://..."; folder: of the course, the same on all machines.
    """
    from distributed import Client, KilledWorker  # here: only who has a cluster has it

    with Client(address) as client:
        executor = client.get_executor(pure=False, retries=3)
        futures = {executor.submit(_do_there, folder, work, *task): task for task in tasks}
        for future in as_completed(futures):
            was_killed = isinstance(future.exception(), KilledWorker)
            yield futures[future], KILLED if was_killed else future.result()


def _do_there(folder, work, *task):
    """Do a task in a worker of the cluster, in the course's folder, where nbgrader finds its settings."""
    with _one_at_a_time:
        os.chdir(folder)
        return do(work, *task)
