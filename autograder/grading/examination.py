"""One submission: its cells run in a worker, its answers are judged here.

A worker that does not come back is ended, and a new one runs the cells again that ran well before: so an answer that
hangs, or ends its process, costs its own points only.
"""

import json
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from time import monotonic

from ..catalogue import EXERCISES, LESSONS
from ..exercise import Exercise, TestWriting
from ..judging.alike import alike
from ..judging.diagnosis import too_slow
from ..judging.handle import handle_of
from ..judging.judge import forget, judge
from ..judging.outcome import TooSlow, time_limit, without_alarms
from ..judging.verdict import Verdict, error_line
from ..learning.mark import Mark
from ..learning.own_work import forbidden, unready_part
from ..learning.verdict_card import verdict_card
from . import NoSandbox
from .outputs import error, safe_outputs, shown, text
from .seed import derived
from .stand_ins.remote import GONE, Ended, Remote
from .verdicts import UNJUDGED, in_data
from .wire.packing import TooMuch

MOST_WORKERS = 20  # for one submission
MOST_TIME = 300.0  # seconds after which no cell is begun, and no worker; and as many again for all else
MOST_SHOWN = 20 * 2**20  # characters that all cells of a notebook show
A_TAG = 100  # a tag takes a page as long as so many characters
LONGEST_CARD, LONGEST_MESSAGE = 500_000, 2000  # characters; those of honest answers have a tenth of that
MOST_SECONDS = 60  # for one answer, and for the others that it calls
AGAIN = "The cells that ran well before are run once more without it, and what comes below is judged all the same."
NO_MORE = "cells and answers of this notebook took too long, or did not come back too often, so this one was not run"


class Examination:
    """What cells show, and what answers are worth.

    zygote: makes workers; seed: of the inputs; seconds: for a cell, and for one call of an answer;
    numbers: question -> the learner's own ones, where they have some.
    """

    def __init__(self, zygote, lesson, seed, seconds, seconds_of_call, numbers=()):
        self.zygote, self.lesson, self.seed, self.numbers = zygote, lesson, seed, numbers
        self.seconds, self.seconds_of_call = seconds, seconds_of_call
        self.cells, self.workers, self.doors, self.remote = [], 0, ExitStack(), None
        self.judged, self.stopped = set(), {}  # stopped: exercise -> the error with which its cell ended
        self.end, self.shown = monotonic() + MOST_TIME, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.doors.close()
        forget()

    def run(self, code):
        """The outputs of a cell."""
        try:
            if monotonic() > self.end:
                raise Ended(NO_MORE)
            reply = once_more(lambda: self._worker().reply("run", self.seconds, code=code))
            outputs = self._bounded(safe_outputs(reply))
        except Ended as ended:
            return [error("Ended", f"This cell was stopped: {_and_then(str(ended))}")]
        except TooMuch:
            return [error("TooLong", f"This cell was not run: it has {len(code):,} characters.")]
        if reply.get("slow"):
            return [*outputs, error("TooSlow", f"This cell was stopped after {self.seconds} seconds.")]
        self.cells.append(code)
        return outputs

    def _bounded(self, outputs):
        """These, while there is room: whoever grades has all of a notebook in memory."""
        written = json.dumps(outputs)
        self.shown += len(written) + A_TAG * written.count("<")
        return outputs if self.shown <= MOST_SHOWN else [text(LEFT_OUT)]

    def check(self, name):
        """The output of a check cell: the points, a card, and the verdict as data."""
        task = EXERCISES[name]
        try:
            task = self._as_asked(task)
            output = _in_sight(task, *self._verdict(task))
        except NoSandbox:
            raise  # the learner did nothing wrong: this submission is not graded
        except Exception as stopped:  # nor here, perhaps: whoever graded is told to look
            output = _in_sight(task, Verdict(UNJUDGED, f"{_UNJUDGED} {error_line(stopped)}."))
        self._forget(task)
        return [output]

    def _as_asked(self, task):
        """In the notebook that the learner got."""
        return task.variants.with_numbers(self.numbers[task.name]) if task.name in self.numbers else task

    def _forget(self, task):
        """A worker that was given the right version of an exercise, for a test, does not answer that exercise later."""
        self.judged.add(task.name)
        if isinstance(task, TestWriting) and task.exercise.name not in self.judged and self.remote:
            self.remote.end("it has seen the right version")

    def _verdict(self, task):
        """And which wrong answers do the same. A test that has met versions gets no second try, with what it noted."""
        attempt = partial(self._soundly_judged, task)
        try:
            return attempt() if isinstance(task, TestWriting) else once_more(attempt)
        except Ended as ended:
            return _never_came_back(str(ended)), None
        except TooSlow:
            return too_slow(MOST_SECONDS), None

    def _soundly_judged(self, task):
        """After a fault of the worker's nothing counts that was found before."""
        remote = self._worker()
        found = self._judged(task, remote)
        if remote.fault:
            raise Ended(remote.fault)
        return found

    def _judged(self, task, remote):
        reply = remote.reply("get", name=task.name)
        if reply["error"]:
            return Verdict("type", _UNSEEN.format(task.name, error_line(reply["error"]))), None
        if reply["found"] is not True:
            return self._missing(task.name), None
        answer = reply["value"]
        left = self.end + MOST_TIME - monotonic()
        if left <= 0:
            raise Ended(NO_MORE)
        with time_limit(min(MOST_SECONDS, left)), without_alarms():  # an alarm for what takes long here
            verdict = self._found_in(answer, task)
            return verdict, alike(answer, task) if _is_unexplained(verdict) else None

    def _missing(self, name):
        if self.stopped.get(name):
            return Verdict("raised", _STOPPED.format(name, self.stopped[name]))
        return Verdict("unwritten", _MISSING.format(name))

    def _found_in(self, answer, task):
        seed = self._seed_of(task)
        if handle_of(answer) is None:
            return judge(answer, task, seed)
        verdict = forbidden(answer, task) or judge(answer, task, seed)
        return verdict if verdict.right else unready_part(answer, task) or verdict

    def _seed_of(self, task):
        """Of a test another one for each notebook: it may have learned from an earlier one when versions come."""
        return derived(self.seed, f"{task.name} {self.cells}" if isinstance(task, TestWriting) else task.name)

    def _worker(self):
        """The one that there is, or a new one, which runs again what ran well."""
        while self.remote is None or self.remote.fault:
            if self.workers == MOST_WORKERS or (self.workers and monotonic() > self.end):
                raise Ended(NO_MORE)
            self._begin()
        return self.remote

    def _begin(self):
        self.doors.close()
        self.workers += 1
        worker = self.doors.enter_context(self.zygote.worker(self.lesson))
        self.remote = Remote(worker, self.seconds_of_call)
        self.remote.reply("begin", taught=taught_before(self.lesson), seed=0)
        for code in list(self.cells):
            if monotonic() > self.end + MOST_TIME:
                self.remote.end(NO_MORE)
            self._run_again(code)

    def _run_again(self, code):
        """What ends this worker too is left out from now on."""
        try:
            if not self.remote.reply("run", self.seconds, code=code).get("slow"):
                return
        except TooSlow:
            pass
        self.cells.remove(code)


def _in_sight(task, verdict, same_as=None):
    """What a check cell shows; where its card would fill the page, the beginning of what it says."""
    mark = Mark(verdict.score * task.points, verdict_card(verdict, task))
    output = shown(repr(mark), mark._repr_html_(), verdict=in_data(verdict, task, same_as))
    if len(json.dumps(output)) <= LONGEST_CARD:
        return output
    return _in_sight(task, replace(verdict, message=f"{verdict.message[:LONGEST_MESSAGE]} ...", example=None))


def once_more(attempt):
    """In a new worker, if the first one is gone: somebody else may have killed it, where memory is short say."""
    try:
        return attempt()
    except Ended as ended:
        if str(ended) != GONE:
            raise
    return attempt()


def _is_unexplained(verdict):
    """An answer of which one wants to know who else gave it."""
    named = verdict.right or verdict.misconception
    return not (named or verdict.reason == "unwritten" or verdict.property == "finishes")


def _never_came_back(why):
    return Verdict("raised", f"Your code did not come back: {_and_then(why)}", property="finishes")


def _and_then(why):
    """What became of the other cells."""
    return f"{why}." if why == NO_MORE else f"{why}. {AGAIN}"


LEFT_OUT = "... this notebook has shown too much: what this cell shows is left out ..."
_UNJUDGED = "This answer could not be judged, and has no points so far. Whoever graded it can see why:"
_UNSEEN = "`{}` cannot be looked at ({}). An answer is a number, a few letters, a function or a class."
_MISSING = "There is no `{}`. Its cell is missing, or it stopped with an error."
_STOPPED = "There is no `{}`: its cell stopped with {}."


def taught_before(lesson):
    """The names of exercises of earlier lessons, which a lesson may use."""
    earlier = LESSONS[: LESSONS.index(lesson)]
    return [name for name, task in EXERCISES.items() if isinstance(task, Exercise) and task.lesson in earlier]
