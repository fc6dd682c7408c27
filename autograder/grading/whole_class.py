"""Grade a class on all cores, or on a Dask cluster; trouble with one submission does not stop the others.

Processes here are copies of one that has imported what they need; each ends when whoever asked for it is gone.
"""

import multiprocessing
import os
import shutil
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, InvalidStateError, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import connection, forkserver
from pathlib import Path
from time import monotonic

from click import ClickException
from filelock import FileLock, Timeout

from ..catalogue import LESSONS, lacking
from ..intake.bounds import do
from ..intake.fit import MEANWHILE
from ..intake.students import find_students
from ..intake.wording import points
from . import NoSandbox
from .sandbox.sources import source_of_workers

LONGEST = 1800  # seconds by the clock; what computes is ended earlier, see `bounds`
PAUSE = 2  # seconds until it is looked again who has been at work for too long, or is forgotten
WHY_KILLED = (
    "the process that tried was ended, several times, from outside (is there memory enough?)"
    " or after five minutes of work"
)
KILLED = f"not graded: {WHY_KILLED}"  # the result of a task that ends every process that takes it on
_one_at_a_time = threading.Lock()  # a worker of a cluster may have many threads; nbgrader wants one

GRADE, SUBMISSIONS = (f"autograder.grading.grade:{name}" for name in ("grade", "submissions"))
BORROW = "autograder.grading.sandbox.sources:LENT.update"
FEWEST_FILES = 256  # pipes and sockets among them
TOO_FEW_FILES = (
    f"A process may open {{}} files here, and grading needs {FEWEST_FILES}: say `ulimit -n {FEWEST_FILES}` before"
)
NOTHING_SHARED = "Processes can share nothing here ({}): on Linux they need a folder /dev/shm in which you may write"
FILE = (
    "A cluster needs a gradebook that all its machines reach; {} is a file. "
    'Set c.CourseDirectory.db_url = "postgresql+psycopg://..." in nbgrader_config.py.'
)


@dataclass(frozen=True)
class Submissions:
    """Who handed in a lesson, and as whom they are told; where that was looked for, in words; the folder of the course,
    and its gradebook.
    """

    students: dict
    where: str
    root: str
    db_url: str


@dataclass(frozen=True)
class Graded:
    """What became of one submission.

    trouble: why it was not graded; unchanged: it was graded before, and nothing that its score depends on has changed;
    unjudged: tasks that could not be judged by a fault of ours; remarks: sentences for whoever asked; whom: the
    student, with the name if it is known; told: the same trouble was told when this was tried before.
    """

    lesson: str
    student: str
    score: float = 0.0
    max_score: float = 0.0
    trouble: str = ""
    unchanged: bool = False
    unjudged: tuple = ()
    remarks: tuple = ()
    whom: str = ""
    told: bool = False

    def __str__(self):
        trouble = f"as before, {self.trouble}" if self.told else self.trouble
        return trouble or ", ".join([f"{points(self.score)} of {points(self.max_score)}", *self.remarks])


class CannotGrade(ClickException):
    """Before anything is graded: why, and what to do."""


class Class:
    """The submissions of a lesson, or of all lessons (None), by all students or by some, ready to be graded.

    again: grade also what has not changed since it was graded.
    """

    def __init__(self, lesson=None, students=(), trust_submissions=False, again=False):
        lessons = [lesson] if lesson else LESSONS
        if files_allowed() < FEWEST_FILES:
            raise CannotGrade(TOO_FEW_FILES.format(files_allowed()))
        try:  # what workers come from gets warm while we look at who handed in
            sources = {lacks: source_of_workers(trust_submissions, lacks) for lacks in set(map(lacking, lessons))}
        except NoSandbox as trouble:
            raise CannotGrade(str(trouble)) from None
        self.lent = BORROW, sources
        asked = [(name, trust_submissions) for name in lessons]
        found = [(name, there) for (name, _), there in results(SUBMISSIONS, asked, 1)]
        if any(there is KILLED for _, there in found):
            raise CannotGrade(f"Nobody is graded: {WHY_KILLED}")
        self.whom = {student: told for _, there in found for student, told in there.students.items()}
        students = set(find_students(students, self.whom))
        if not students <= self.whom.keys() or not self.whom:
            who, where = ", ".join(sorted(students - self.whom.keys())) or "anybody", found[0][1].where
            raise CannotGrade(f"No submission of {lesson or 'any lesson'} by {who}: {where} is where it should be")
        everybody = [(name, student) for name, there in found for student in there.students]
        self.tasks = [(*one, trust_submissions, again) for one in everybody if not students or one[1] in students]
        self.everybody = [self.whom[student] for _, student, *_ in self.tasks]
        self.at_work = {}
        self.root, self.db_url = found[0][1].root, found[0][1].db_url

    def grade(self, jobs=None, scheduler=None):
        """Yield a Graded for each submission, as they are done. What was done stays done, whenever this is stopped.

        jobs: processes on this machine, by default one for each core; scheduler: of a Dask cluster, in their place.
        """
        with self.alone():
            for (lesson, student, *_), graded in self._results(jobs, scheduler):
                done = Graded(lesson, student, trouble=KILLED) if graded is KILLED else graded
                yield replace(done, whom=self.whom[student])

    @contextmanager
    def alone(self):
        """Yield the folder for what is needed meanwhile, without what a killed run left; only one at a time is here."""
        lock, place = FileLock(Path(self.root, ".grading.lock")), Path(self.root, MEANWHILE)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise CannotGrade(f"Somebody else is grading in {self.root}: wait until that is done.") from None
        with lock:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(0o700)
            try:
                yield place
            finally:
                shutil.rmtree(place, ignore_errors=True)

    def longest(self):
        """Return whose submission has been at work for the longest time, and its seconds; None if there is none."""
        for (_, student, *_), since in list(self.at_work.items())[:1]:
            return self.whom[student], monotonic() - since

    def _results(self, jobs, scheduler):
        if scheduler is None:
            return results(GRADE, self.tasks, jobs or cores(), self.lent, self.at_work)
        if self.db_url.startswith("sqlite"):
            raise CannotGrade(FILE.format(self.db_url))
        return results_of_cluster(GRADE, self.tasks, scheduler, self.root)


def files_allowed():
    """Return how many files this process may have open; without a limit, as on Windows, as many as it needs."""
    try:
        import resource
    except ImportError:
        return FEWEST_FILES
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FEWEST_FILES if most == resource.RLIM_INFINITY else most


def cores():
    """Return the number of CPU cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    """Begin each task once, and yield (task, result) for those whose process was not killed.

    Each process has a pool of its own: in a common one, somebody killed may hold what all others wait for.
    """
    left, begun = list(tasks), {}
    origin = _copies_of_one_that_knows(work) if tasks else None
    idle = [_pool(origin, first) for _ in tasks[:size]]
    try:
        while left or begun:
            while left and idle:
                pool, task = idle.pop(), left.pop(0)
                at_work[task] = monotonic()
                begun[_begin(pool, work, task)] = task, pool
            if not (done := wait(begun, PAUSE, FIRST_COMPLETED).done):
                done = _lost(begun)
            for future in done:
                task, pool = begun.pop(future)
                del at_work[task]
                killed = isinstance(future.exception(), BrokenProcessPool)
                idle.append(_pool(origin, first) if killed else pool)
                if not killed:
                    yield task, future.result()
            for task, pool in begun.values():
                if monotonic() - at_work[task] > LONGEST:
                    _end(pool)
    finally:
        at_work.clear()
        for pool in [*idle, *(pool for _, pool in begun.values())]:
            _end(pool)


def _pool(origin, first):
    try:
        return ProcessPoolExecutor(1, origin, _prepare, (first,))
    except OSError as error:
        raise CannotGrade(NOTHING_SHARED.format(error.strerror)) from None


def _begin(pool, work, task):
    """Return a future: a broken one if the process could not begin, as when what it would copy was killed."""
    try:
        return pool.submit(do, work, *task)
    except (BrokenProcessPool, OSError, EOFError) as error:
        future = Future()
        future.set_exception(BrokenProcessPool(str(error)))
        return future


def _lost(begun):
    """Break, and return, the futures that a broken pool has forgotten: it may break while a task is handed to it."""
    lost = [future for future, (_, pool) in begun.items() if pool._broken and not future.done()]
    for future in lost:
        with suppress(InvalidStateError):  # its pool has remembered it meanwhile
            future.set_exception(BrokenProcessPool())
    return lost


def _end(pool):
    """End what is at work at once; Python 3.14 has `kill_workers` for it."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False)


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
    with suppress(OSError, EOFError):  # somebody killed it: who asks for a copy begins another one
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
