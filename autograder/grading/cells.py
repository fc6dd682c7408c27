"""Run the cells of one submission in a worker.

A worker that does not come back is ended, and a new one runs the cells again that ran well before: so an answer that
hangs, or ends its process, costs its own points only.
"""

import ast
import hashlib
import json
from contextlib import ExitStack, suppress
from time import monotonic

from ..catalogue import EXERCISES
from ..exercise import Exercise, TestWriting
from ..judging.follow_through import Lent, is_lendable
from ..judging.time_limits import TooSlow
from .outputs import error, safe_outputs, text
from .port.frames import TooMuch
from .port.remote import GONE, Ended, Remote

MOST_WORKERS = 20  # for one submission
MOST_TIME = 300.0  # seconds after which no cell is begun, and no worker; and as many again for all else
MOST_SHOWN = 20 * 2**20  # characters that all cells of a notebook show
A_TAG, A_PICTURE = 100, 200_000  # a tag, or a picture, takes a page as long as so many characters
AGAIN = "The cells that ran well before are run again without it, and what comes below is judged all the same."
NO_MORE = "cells and answers of this notebook took too long, or did not come back too often, so this one was not run"
LEFT_OUT = "... this notebook has shown too much: what this cell shows is left out ..."
INSTEAD = "`{}` did not come back before, so this cell called the course's own version instead."


class Cells:
    """The cells of one notebook, run in workers: where a worker is lost, the next one runs again what ran well.

    zygote: makes workers; seconds: for a cell, and for one call of what it wrote.
    `ran`: the code of cells that ran well, or until a function was stopped; `given`: a digest of all that came.
    """

    def __init__(self, zygote, lesson, seconds, seconds_of_call):
        self.zygote, self.lesson = zygote, lesson
        self.seconds, self.seconds_of_call = seconds, seconds_of_call
        self.ran, self.given, self.shown = [], hashlib.sha256(), 0
        self.workers, self.to_close, self.remote, self.halted_there = 0, ExitStack(), None, set()
        self.functions = [name for name, task in EXERCISES.items() if task.lesson == lesson]
        self.endless, self.suspected = set(), set()  # functions that did not come back: when judged, and in a cell
        self.halted = set()  # those of them that are not called now
        self.judging = set()  # what is judged now, and what it tests
        self.lent = set()  # those of which a cell called the reference
        self.end = monotonic() + MOST_TIME

    def run(self, code):
        """Run a cell, and return its outputs."""
        self.given.update(repr(code).encode(errors="backslashreplace"))
        try:
            if monotonic() > self.end:
                raise Ended(NO_MORE)
            self.halted, self.judging = self.endless | self.suspected, set()
            reply, instead = once_more(lambda: self._reply_to(code, self.worker()))
            self.suspected |= {reply.stuck} - {""}
            self.lent |= set(instead)
            outputs = self._bounded([*safe_outputs(reply), *(text(INSTEAD.format(name)) for name in instead)])
        except Ended as ended:
            return [error("Ended", f"This cell was stopped: {and_then(ended)}")]
        except TooMuch:
            return [error("TooLong", f"This cell was not run: it has {len(code):,} characters.")]
        if reply.slow:
            self.ran += [code] if reply.stuck else []  # above the call that was stopped it may have defined something
            return [*outputs, error("TooSlow", f"This cell was stopped after {self.seconds} seconds.")]
        self.ran.append(code)
        return outputs

    def _reply_to(self, code, remote):
        """Return what came of a cell, in which one call of an answer has as long as when it is judged, and lent parts.

        Where a function is not called again, the cell goes on with the reference, and says so.
        """
        patience = min(self.seconds, self.seconds_of_call)
        tasks = map(EXERCISES.get, sorted(self.halted - self.judging))
        lent = {task.name: Lent(task) for task in tasks if is_lendable(task, self.lesson)}
        with remote.lending(lent):
            reply = remote.reply("run", self.seconds, code=code, patience=patience, names=self.functions)
        return reply, [name for name in lent if lent[name].called]

    def _bounded(self, outputs):
        """Return these outputs while there is room: all of a notebook is in memory while it is graded."""
        written = json.dumps(outputs)
        self.shown += len(written) + A_TAG * written.count("<") + A_PICTURE * written.count("image/")
        return outputs if self.shown <= MOST_SHOWN else [text(LEFT_OUT)]

    def worker(self):
        """Return the present worker, or a new one, which runs again what ran well and does not call what is halted."""
        while self.remote is None or self.remote.fault:
            if self.workers == MOST_WORKERS or (self.workers and monotonic() > self.end):
                raise Ended(NO_MORE)
            self._begin()
        if self.halted_there != self.halted:
            self._halt()
        return self.remote

    def _halt(self):
        self.remote.reply("halt", names=sorted(self.halted))
        self.halted_there = set(self.halted)

    def ready_to_judge(self, task):
        """Return a worker in which what was only slow in a cell gets its chance.

        If this one has seen the right version of what is judged, or tested, it may have a table of it: all begin anew.
        """
        tested = {task.exercise.name} if isinstance(task, TestWriting) else set()
        self.judging = {task.name} | tested
        if self.remote and self.judging & self.remote.seen:
            self.remote.end("it has seen the right version")
        self.halted = set(self.endless)
        self.worker().stuck.clear()
        self.remote.seen |= tested
        return self.remote

    def _begin(self):
        """Begin with a new worker, in which the cells run again; one that ends it as well is left out from now on."""
        self.to_close.close()
        self.workers += 1
        self.remote = Remote(self.to_close.enter_context(self.zygote.worker()), self.seconds_of_call)
        self.remote.reply("begin", taught=taught_before(self.lesson))
        self.halted_there, number = set(), 0
        while number < len(self.ran):
            if self.time_left() <= 0:
                self.remote.end(NO_MORE)
            try:
                slow = self._reply_to(self.ran[number], self.remote)[0].slow
            except TooSlow:
                slow = True
            if slow:
                del self.ran[number]
            number += not slow
            if self.remote.fault:  # those below have not been tried
                return
            if self.halted:  # as soon as they are defined
                self._halt()

    def lent_to(self, variable):
        """Return the functions with whose reference a variable was computed."""
        return sorted(self.lent & names_behind(variable, self.ran)) if self.lent else []

    def time_left(self):
        return self.end + MOST_TIME - monotonic()


def once_more(attempt):
    """Try again in a new worker if the first one is gone: it may have been killed where memory is short."""
    try:
        return attempt()
    except Ended as ended:
        if str(ended) != GONE:
            raise
    return attempt()


def and_then(ended):
    """Say why a worker ended, and what became of the other cells."""
    return f"{ended}." if str(ended) == NO_MORE else f"{ended}. {AGAIN}"


def names_behind(variable, cells):
    """Return the names that a variable was made of, as far as the text of these cells shows it."""
    behind, wanted = set(), {variable}
    for statement in (statement for cell in reversed(cells) for statement in reversed(_statements(cell))):
        names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        made = {node.id for node in names if isinstance(node.ctx, ast.Store)} | {getattr(statement, "name", "")}
        if made & wanted:
            read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            behind |= read
            wanted = read | (wanted if isinstance(statement, ast.AugAssign) else wanted - made)
    return behind


def _statements(cell):
    """Return a cell's statements; none if it has magics, or a stranger's jokes."""
    with suppress(SyntaxError, ValueError, MemoryError, RecursionError):
        return ast.parse(cell).body
    return []


def taught_before(lesson):
    """Return the names of exercises of earlier lessons, which a lesson may use."""
    return [name for name, task in EXERCISES.items() if isinstance(task, Exercise) and task.lesson < lesson]
