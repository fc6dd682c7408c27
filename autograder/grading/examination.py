"""Examine one submission: its cells run in a worker, and its answers are judged here."""

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from ..catalogue import EXERCISES
from ..exercise import TestWriting
from ..intake.numbers_of_students import derived
from ..judging.behaviour_hash import alike
from ..judging.diagnosis import too_slow
from ..judging.follow_through import follow_through, perhaps_computed
from ..judging.judge import forget, judge
from ..judging.overlooked import found_instead
from ..judging.source import handle_of
from ..judging.time_limits import TooSlow, time_limit, without_alarms
from ..judging.verdict import ENDS, Verdict, error_line
from ..learner.card import Mark
from ..learner.own_work import forbidden
from ..learner.verdict_card import verdict_card
from . import NoSandbox
from .cells import NO_MORE, Cells, and_then, once_more
from .outputs import shown
from .port.remote import Ended
from .verdicts import UNJUDGED, in_data

LONGEST_CARD, LONGEST_MESSAGE = 500_000, 2000  # characters; those of honest answers have a tenth of that
MOST_SECONDS = 60  # for one answer, and for the others that it calls


class Examination:
    """What cells show, and what answers are worth.

    zygote: makes workers; seed: of the inputs; seconds: for a cell, and for one call of an answer;
    numbers: question -> the learner's own ones, where they have some.
    """

    def __init__(self, zygote, lesson, seed, seconds, seconds_of_call, numbers=()):
        self.seed, self.numbers = seed, numbers
        self.cells = Cells(zygote, lesson, seconds, seconds_of_call)
        self.judged, self.right = set(), set()
        self.found, self.lent = {}, set()  # exercise -> verdict; those whose reference ran in the worker
        self.stopped, self.sources = {}, {}  # exercise -> the error with which its cell ended; the cell's text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cells.close()
        forget()

    def run(self, code):
        """Run a cell, and return its outputs."""
        return self.cells.run(code)

    def check(self, name):
        """Return the output of a check cell: the points, a card, and the verdict as data."""
        task = EXERCISES[name]
        try:
            task = self._as_asked(task)
            verdict, same_as = self._verdict(task)
            wrong = [name for name, found in self.found.items() if not found.right]
            verdict = perhaps_computed(verdict, task, wrong)
            self._note(task, verdict)
            output = _in_sight(task, verdict, same_as)
        except NoSandbox:
            raise  # the learner did nothing wrong: this submission is not graded
        except Exception as stopped:  # nor here, perhaps: whoever graded is told to look
            output = _in_sight(task, Verdict(UNJUDGED, f"{_UNJUDGED} {error_line(stopped)}."))
        self._forget(task)
        return [output]

    def _as_asked(self, task):
        """Return a task as the notebook that the learner got asks it."""
        return task.variants.with_numbers(self.numbers[task.name]) if task.name in self.numbers else task

    def _note(self, task, verdict):
        self.found[task.name] = verdict
        if verdict.right:
            self.right.add(task.name)
        elif verdict.property == ENDS:
            self.cells.did_not_end(task.name, self.right)

    def _forget(self, task):
        """Leave a worker that was given the right version of what is not judged yet: it must not answer that later."""
        self.judged.add(task.name)
        seen = self.lent | ({task.exercise.name} if isinstance(task, TestWriting) else set())
        if seen - self.judged:
            self.cells.leave_worker("it has seen the right version")
        self.lent = set()

    def _verdict(self, task):
        """Return a verdict, and which wrong answers do the same. A test that has met versions gets no second try."""
        attempt = partial(self._soundly_judged, task)
        try:
            return attempt() if isinstance(task, TestWriting) else once_more(attempt)
        except Ended as ended:
            return _never_came_back(ended), None
        except TooSlow:
            return too_slow(MOST_SECONDS), None

    def _soundly_judged(self, task):
        """Judge so that nothing counts that was found before a fault of the worker."""
        remote = self.cells.judging()
        found = self._judged(task, remote)
        if remote.fault:
            raise Ended(remote.fault)
        return found

    def _judged(self, task, remote):
        reply = remote.reply("get", name=task.name)
        if reply.error:
            return Verdict("type", _UNSEEN.format(task.name, error_line(reply.error))), None
        if not reply.found:
            return self._missing(task.name), None
        answer = reply.value
        left = self.cells.time_left()
        if left <= 0:
            raise Ended(NO_MORE)
        with time_limit(min(MOST_SECONDS, left)), without_alarms():  # an alarm for what takes long here
            verdict = self._found_in(answer, task)
            return verdict, alike(answer, task) if _is_unexplained(verdict) else None

    def _missing(self, name):
        stopped = self.stopped.get(name)
        if stopped:
            return Verdict("raised", _STOPPED.format(name, stopped))
        instead = found_instead(name, self.sources.get(name, ""))
        return Verdict("raised", f"There is no `{name}`. {instead}") if instead else _not_written(name)

    def _found_in(self, answer, task):
        """Judge an answer, and a wrong one by itself: with the reference in the place of its own wrong parts."""
        judge_it = partial(judge, answer, task, self._seed_of(task))
        if handle_of(answer) is None:
            return judge_it()
        banned = forbidden(answer, task)
        if banned:
            return banned
        first = judge_it()
        stuck = self.cells.remote.stuck - {task.name} if first.property == ENDS else set()

        def is_right(name):
            return name not in stuck and self._is_right(name)

        return follow_through(first, answer, task, is_right, self._lending, judge_it)

    def _is_right(self, name):
        """Say whether another answer is right by the verdict of its own check, or would be if that came now."""
        if name not in self.judged:  # and it may have been written anew since somebody asked
            verdict, _ = self._judged(EXERCISES[name], self.cells.remote)
            self._note(EXERCISES[name], verdict)
        return self.found[name].right

    @contextmanager
    def _lending(self, lent):
        self.lent |= set(lent)
        with self.cells.remote.lending(lent):
            yield

    def _seed_of(self, task):
        """Return a seed for each notebook: the inputs that one has seen say nothing about those of the next."""
        return derived(self.seed, f"{task.name} {self.cells.given.hexdigest()}")


def _in_sight(task, verdict, same_as=None):
    """Return what a check cell shows, or only the beginning where its card would fill the page."""
    mark = Mark(verdict.score * task.points, verdict_card(verdict, task))
    output = shown(repr(mark), mark._repr_html_(), verdict=in_data(verdict, task, same_as))
    if len(json.dumps(output)) <= LONGEST_CARD:
        return output
    return _in_sight(task, replace(verdict, message=f"{verdict.message[:LONGEST_MESSAGE]} ...", example=None))


def _is_unexplained(verdict):
    """Say whether one wants to know who else gave this answer."""
    named = verdict.right or verdict.misconception
    return not (named or verdict.reason == "unwritten" or verdict.property == ENDS)


def _not_written(name):
    return Verdict("unwritten", _MISSING.format(name))


def _never_came_back(ended):
    return Verdict("raised", f"Your code did not come back: {and_then(ended)}", property=ENDS)


_UNJUDGED = "This answer could not be judged, and has no points so far. Whoever graded it can see why:"
_UNSEEN = "`{}` cannot be looked at ({}). An answer is a number, a few letters, a function or a class."
_MISSING = "There is no `{}`. Its cell is missing, or it stopped with an error."
_STOPPED = "There is no `{}`: its cell stopped with {}."
