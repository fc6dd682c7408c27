"""Examine a submission in the place of nbgrader's Execute: its cells run in a worker, and its answers are judged here.

Everything else of nbgrader stays as it is: it reads scores off what check cells show.
"""

import json
import re
import textwrap
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from time import monotonic, process_time

from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Integer

from ..catalogue import EXERCISES, lacking
from ..exercise import TestWriting
from ..intake.own_numbers import derived, own_numbers, seed_of
from ..judging.behaviour import behaviour_hash
from ..judging.errors import error_line
from ..judging.explain import too_slow
from ..judging.follow_through import follow_through
from ..judging.judge import forget, judge
from ..judging.questions import perhaps_computed
from ..judging.source import handle_of
from ..judging.time_limits import TooSlow, alarms, time_limit
from ..judging.verdict import ENDS, Verdict
from ..learner.card import Mark, verdict_card
from ..learner.cell_errors import found_instead
from ..learner.own_work import forbidden, not_own
from ..question import Question
from . import NoSandbox
from .cells import NO_MORE, Cells, and_then, once_more
from .outputs import UNJUDGED, error, in_data, shown
from .port.remote import Ended
from .sandbox.sources import source_of_workers

LONGEST_CARD, LONGEST_MESSAGE, LONGEST_ERROR = 500_000, 2000, 200  # characters; of honest answers a tenth of that
MOST_SECONDS = 60  # for one answer, and for the others that it calls


class Examination(AbstractContextManager):
    """What cells show, and what answers are worth.

    zygote: makes workers; seed: of the inputs; seconds: for a cell, and for one call of an answer;
    numbers: question -> the learner's own ones, where they have some.
    """

    def __init__(self, zygote, lesson, seed, seconds, seconds_of_call, numbers=()):
        self.seed, self.numbers = seed, numbers
        self.cells = Cells(zygote, lesson, seconds, seconds_of_call)
        self.found, self.judged = {}, set()  # exercise -> verdict, perhaps of a look before its check; those checked
        self.cell_of = {}  # exercise -> the text of its cell, and the error with which it ended

    def __exit__(self, *_):
        self.cells.to_close.close()
        forget()

    def run(self, code, name=None):
        """Run a cell, that of the answer of this name if it is one, and return its outputs."""
        outputs = self.cells.run(code)
        self.cell_of[name] = code, error_in(outputs)
        return outputs

    def check(self, name):
        """Return the output of a check cell: the points, a card, and the verdict as data."""
        task = EXERCISES[name]
        try:
            if name in self.numbers:
                task = task.variants.with_numbers(self.numbers[name])
            verdict, same_as = self._verdict(task)
            verdict = perhaps_computed(verdict, task, [name for name, found in self.found.items() if not found.right])
            self._note(task, verdict)
            output = _in_sight(task, verdict, same_as)
        except NoSandbox:
            raise  # the learner did nothing wrong: this submission is not graded
        except Exception as stopped:  # nor here, perhaps: whoever graded is told to look
            output = _in_sight(task, Verdict(UNJUDGED, f"{_UNJUDGED} {error_line(stopped)}."))
        self.judged.add(name)
        return [output]

    def _note(self, task, verdict):
        """Note a verdict; what did not end is not called again, and neither is what it waited for."""
        self.found[task.name] = verdict
        if verdict.property == ENDS:
            right = {name for name, found in self.found.items() if found.right}
            self.cells.endless |= {task.name} | (self.cells.remote.stuck - right)

    def _verdict(self, task):
        """Return a verdict, and which wrong answers do the same. A test that has met versions gets no second try."""
        try:
            if isinstance(task, TestWriting):
                return self._judge_soundly(task)
            return once_more(lambda: self._judge_soundly(task, again=True))
        except Ended as ended:
            return Verdict("raised", f"Your code did not come back: {and_then(ended)}", property=ENDS), None
        except TooSlow:
            return too_slow(MOST_SECONDS), None

    def _judge_soundly(self, task, again=False):
        """Judge so that nothing counts that was found before a fault of the worker.

        again: ask once more if the answer did not come back, and most of its time was another program's.
        """
        remote = self.cells.ready_to_judge(task)
        begin, before = monotonic(), process_time() + remote.worked
        found = self._judge_by_name(task, remote)
        if remote.fault:
            raise Ended(remote.fault)
        worked, seconds = process_time() + remote.worked - before, monotonic() - begin
        starved = found[0].property == ENDS and worked < seconds / 2
        return self._judge_soundly(task) if again and starved else found

    def _judge_by_name(self, task, remote):
        reply, left = remote.reply("get", name=task.name), self.cells.time_left()
        if reply.error:
            return Verdict("type", _UNSEEN.format(task.name, error_line(reply.error))), None
        if not reply.found:
            return self._missing(task.name), None
        if left <= 0:
            raise Ended(NO_MORE)
        with time_limit(min(MOST_SECONDS, left)), alarms(False):  # an alarm for what takes long here
            verdict = self._found_in(reply.value, task)
            if verdict.right and isinstance(task, Question):
                lent = (name for name in self.cells.lent_to(task.name) if not self._is_right(name))
                verdicts = (Verdict("raised", _LENT.format(name)) for name in lent)
                return next(verdicts, verdict), None
            named = verdict.right or verdict.misconception or verdict.reason == "unwritten" or verdict.property == ENDS
            return verdict, None if named else behaviour_hash(reply.value, task)  # else one asks who else gave it

    def _missing(self, name):
        code, stopped = self.cell_of.get(name, ("", None))
        if stopped:
            return Verdict("raised", _STOPPED.format(name, stopped))
        if instead := found_instead(name, code):
            return Verdict("raised", f"There is no `{name}`. {instead}")
        return Verdict("unwritten", _MISSING.format(name))

    def _found_in(self, answer, task):
        """Judge an answer, and a wrong one by itself: with the reference in the place of its own wrong parts."""
        # A seed for each notebook: the inputs that one has seen say nothing about those of the next.
        judge_it = partial(judge, answer, task, derived(self.seed, f"{task.name} {self.cells.given.hexdigest()}"))
        if handle_of(answer) is None:
            return judge_it()
        if banned := not_own(answer, task, [forbidden]):
            return banned
        first = judge_it()
        stuck = self.cells.remote.stuck - {task.name} if first.property == ENDS else set()

        def is_right(name):
            return name not in stuck and self._is_right(name)

        return follow_through(first, answer, task, is_right, self.cells.remote.lending, judge_it)

    def _is_right(self, name):
        """Say whether another answer is right by the verdict of its own check, or would be if that came now."""
        if name not in self.judged:  # and it may have been written anew since somebody asked
            verdict, _ = self._judge_by_name(EXERCISES[name], self.cells.remote)
            self._note(EXERCISES[name], verdict)
        return self.found[name].right


def _in_sight(task, verdict, same_as=None):
    """Return what a check cell shows, or only the beginning where its card would fill the page."""
    mark = Mark(verdict.score * task.points, verdict_card(verdict, task))
    output = shown(repr(mark), mark._repr_html_(), verdict=in_data(verdict, task, same_as))
    if len(json.dumps(output)) <= LONGEST_CARD:
        return output
    return _in_sight(task, replace(verdict, message=f"{verdict.message[:LONGEST_MESSAGE]} ...", example=None))


_UNJUDGED = "This answer could not be judged, and has no points so far. Whoever graded it can see why:"
_UNSEEN = "`{}` cannot be looked at ({}). An answer is a number, a few letters, a function or a class."
_MISSING = "There is no `{}`. Its cell is missing, or it stopped with an error."
_LENT = "`{0}` did not come back, so the course's own version computed this answer. Make your `{0}` come back first."
_STOPPED = "There is no `{}`: its cell stopped with {}."


class Examiner(NbGraderPreprocessor):
    """Runs the cells of one submission, one after the other."""

    timeout = Integer(30, help="Seconds for a cell.").tag(config=True)
    timeout_of_call = Integer(5, help="Seconds for one call of what a learner wrote.").tag(config=True)
    trust_submissions = Bool(False, help="Grade even where there is no sandbox.").tag(config=True)

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        seed = derived(seed_of(about["db_url"]), about["student"])
        numbers = own_numbers(about["db_url"], about["assignment"]).get(about["student"], {})
        self.examine(nb, about["notebook"], seed, numbers)
        return nb, resources

    def examine(self, notebook, lesson, seed, numbers=()):
        """Put into the cells of a notebook what they show; see Examination for seed and numbers."""
        zygote = self.source_of_workers(lacking(lesson))
        with Examination(zygote, lesson, seed, self.timeout, self.timeout_of_call, numbers) as examination:
            cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
            for number, cell in enumerate(cells, start=1):
                self._examine(cell, number, examination)

    def source_of_workers(self, without):
        if "torch" not in without:
            import torch  # noqa: F401  (here: on a busy machine it takes longer than an answer may, and no answer should pay)
        return source_of_workers(self.trust_submissions, without)

    def _examine(self, cell, number, examination):
        """Examine a cell. What nbgrader reads a score from is never run: code that runs can show what it likes."""
        name = name_checked_by(cell)
        if name:
            cell.outputs = examination.check(name)
        elif is_scored(cell):
            cell.outputs = [error("NoCheck", NO_CHECK)]
        else:
            cell.outputs = examination.run(cell.source, cell.metadata.get("nbgrader", {}).get("grade_id"))
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def name_checked_by(cell):
    """Return the task of a check cell, or None for any other cell. Only the last line of its text counts.

    An answer may end in the same line: its cell has the name of the task alone, and is run.
    """
    mark = str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
    name = mark.removeprefix("check_")
    ours = name != mark and name in EXERCISES and cell.source.rstrip().endswith(f"check({name}={name})")
    return name if ours else None


def error_in(outputs):
    """Return the error with which a cell stopped, in a line that names no file, or None if it came to its end."""
    last = next((f"{o.ename}: {o.evalue}" for o in outputs if o.output_type == "error"), None)
    return last and textwrap.shorten(re.sub("<ipython-input[^>]*>, ", "", last), LONGEST_ERROR)


def is_scored(cell):
    """Say whether nbgrader looks for a score in what a cell shows; an answer that a person marks has none."""
    return is_grade(cell) and not is_solution(cell)


NO_CHECK = "This cell is scored, and is no check of the course: such a cell cannot be judged from outside a sandbox."
