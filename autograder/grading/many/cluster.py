"""Grading on many machines: the pool's work on a Dask cluster.

Its workers share the course's folder, and a gradebook that is a server: SQLite's file would be torn on a network disk.
"""

import os
import threading

from distributed import Client, as_completed

from ...intake.bounded import do
from .pool import KILLED, MOST_TRIES

_one_at_a_time = threading.Lock()  # a worker may have many threads; nbgrader wants one


def results(work, tasks, address, folder):
    """Return what the pool would. The cluster gives what a lost machine was at to another one.

    address: the scheduler's, "tcp://..."; folder: of the course, the same on all machines.
    """
    with Client(address) as client:
        futures = {client.submit(_do, folder, work, *task, pure=False, retries=MOST_TRIES): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], KILLED if future.status == "error" else future.result()


def _do(folder, work, *task):
    """Do a task in a worker of the cluster, in the course's folder, where nbgrader finds its settings."""
    with _one_at_a_time:
        os.chdir(folder)
        return do(work, *task)
