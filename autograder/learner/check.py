"""Answer a learner who calls check, hint or solution, and find out which exercise is meant."""

import os
import re
import sys
from collections import Counter, defaultdict
from dataclasses import replace

from ..catalogue import EXERCISES
from ..course import UnknownExercise, installed
from ..exercise import TestWriting
from ..judging.judge import judge
from ..judging.questions import perhaps_computed
from ..judging.repairs import line_to_change
from ..question import NUMBERS, Question, as_asked, numbers_here
from . import journal
from .card import Card, Code, Mark, verdict_card
from .cell_errors import checked, stale
from .own_parts import keep
from .own_work import judge_with_own_parts, not_own

OFFER = "This was the last hint. To read our solution, run this in a cell of your own:"
WRITE = "Write it in the cell above, and run that cell; then run this one again."
REREAD = "Progress says that you read it. Write it again from memory, in your own way, and it is yours."

OTHER_NUMBERS = (
    f"Does your notebook ask for others? Then delete `{NUMBERS}`, if it is there, and start the course again with "
    "`make lab` or `mha lab`: it brings the file back from your kit."
)

_found = {}  # task -> the misconception that its last check found, if there are hints against it
_given = defaultdict(Counter)  # task -> misconception, or "" for the task itself -> how many of its hints were given


def check(answer=None, /, **named):
    """Judge an answer, `check(softmax)` or `check(score_shape=score_shape)`, and show what was found.

    Returns the points: a number, for nbgrader, that a notebook shows as a card.
    While nbgrader validates, an answer that is not right raises, because that is what Validate lists;
    a review is not listed, nor what another lesson asks again.
    """
    name, answer = _name_and_answer(answer, named)
    if name is None:
        return Card("hint", "Which answer?", _ask_for_a_name("check"))
    task = as_asked(EXERCISES[name])
    verdict = not_own(answer, task) or judge_with_own_parts(answer, task)
    wrong = [name for name in EXERCISES if checked.get(name) is False]
    verdict = perhaps_computed(doubted(verdict, answer, task), task, wrong)
    _remember(task, verdict)
    card = verdict_card(verdict, task)
    text = f"{WRITE} {card.text}" if verdict.reason == "unwritten" else card.text
    more = keep(task, answer) if verdict.right else ""
    if not verdict.right and verdict.example and not verdict.misconception:  # no hint is about this mistake
        more = line_to_change(answer, task)
    # What is stale is said first: the card is about another version than the one in the cell.
    card = replace(card, text="\n\n".join(filter(None, (stale(name), text.strip(), more))))
    is_marked = task.points and journal.lesson_here() in ("", task.lesson)  # another lesson asks again without marks
    if not verdict.right and is_marked and os.environ.get("NBGRADER_VALIDATING"):
        raise NotYet(card)
    if not journal.in_a_notebook():  # where nothing else would show it
        print(card)
    return Mark(verdict.score * task.points, card)


class NotYet(Exception):
    """What Validate lists: the card in plain text, without a traceback."""

    def _render_traceback_(self):
        return str(self).splitlines()


def _name_and_answer(answer, named):
    """Return the task's name, given by keyword or as text, or that of the answer or of a variable that holds it.

    Where nothing is given, it is None. To be called by what the learner calls: the variables are the learner's.
    """
    if answer is None and not named:
        return None, None
    if len(named) > 1 or (named and answer is not None):
        raise TypeError("one at a time: check(softmax) or check(score_shape=score_shape)")
    if named:
        return next(iter(named.items()))
    variables = sys._getframe(2).f_globals
    if isinstance(answer, str):
        return answer, variables.get(answer, ...)
    name = getattr(answer, "__name__", None)
    if callable(answer) and name not in EXERCISES:
        name = next((n for n, value in variables.items() if value is answer and n in EXERCISES), name)
    if name is None:
        given = "An answer of dots" if answer is ... else repr(answer)
        raise UnknownExercise(f'{given} does not say which question is meant: write hint("name") or check(name=name)')
    return name, answer


def _remember(task, verdict):
    """Remember what a check found. The same mistake goes on with its next hint; another one begins with its first."""
    checked.pop(task.name, None)
    checked[task.name] = verdict.right  # which is the last one now
    hints = getattr(verdict.misconception, "hints", ())
    # Of a test, the mistake is that of a version which the test has missed.
    _found[task.name] = mistake = verdict.misconception if hints and not isinstance(task, TestWriting) else None
    if mistake:
        for other in _given[task.name].keys() - {"", mistake.name}:
            del _given[task.name][other]
    if verdict.reason != "unwritten":
        journal.note("done" if verdict.right else "tried", task.name)


def doubted(verdict, answer, task):
    """Say on the card that an answer judged for the common numbers may be right for a learner's own."""
    variants = getattr(task, "variants", None)
    if verdict.right or verdict.reason == "unwritten" or not variants or task is not variants.common:
        return verdict
    known, why = numbers_here(), ""
    if known is None or task.name in known:
        why = f"In `{NUMBERS}`, beside this notebook, your numbers cannot be read."
    elif not verdict.misconception and any(judge(answer, variants.with_numbers(fit)).right for fit in variants.fit):
        why = "That would be right for other numbers."
    told = f"{why} Your answer was judged for `{task.numbers_in_words}`. {OTHER_NUMBERS}\n\n{verdict.message}"
    return replace(verdict, message=told) if why else verdict


def hint(answer=None, /, **named):
    """Show the hints for an exercise, one more each time: the concept, the place, the line; never the answer.

    After a check that named a mistake, they are about that mistake.
    Without an argument they are for what was tried last.
    """
    name = _name_and_answer(answer, named)[0] or _tried_last()
    if name is None:
        return Card("hint", "For which exercise?", _ask_for_a_name("hint"))
    about, hints = _topic(as_asked(EXERCISES[name]))
    number = _given[name][about] = min(_given[name][about] + 1, len(hints))
    journal.note("hint", name, about=about, number=number)
    title = f"Hint {number} of {len(hints)} for {name}{about and ': for what the last check found'}"
    text = "\n\n".join(f"*Hint {n}.* {hints[n - 1]}" for n in range(1, number + 1)) if number > 1 else hints[0]
    offer = (OFFER, Code(f'solution("{name}", anyway=True)'))
    return Card("hint", title, text, blocks=(offer,) if number == len(hints) else ())


def _tried_last():
    """Return the task that was checked last and is not right yet, in this notebook or else in the journal, or None."""
    if checked:
        name, right = [*checked.items()][-1]
        return None if right else name
    done = journal.tasks("done")
    tried = [entry["task"] for entry in journal.entries() if entry["what"] == "tried" and entry["task"] in EXERCISES]
    return next((name for name in reversed(tried) if name not in done), None)


def _ask_for_a_name(tool):
    """Ask for a name, for example that of a task still to do, if there is one in the lesson of the last check."""
    last = [*checked][-1] if checked else None
    to_do = [name for name, task in EXERCISES.items() if last and task.lesson == EXERCISES[last].lesson]
    example = next((name for name in to_do if not checked.get(name)), next(iter(EXERCISES)))
    right = f"Your last answer, `{last}`, is right. " if last and checked[last] else ""
    return f'{right}Name it in quotes, for example `{tool}("{example}")`.'


def _topic(task):
    """Return the mistake that the last check found with its hints, or else "" with the task's own hints."""
    mistake = _found.get(task.name)
    return (mistake.name, mistake.hints) if mistake else ("", task.hints)


def solution(answer=None, /, *, anyway=False, **named):
    """Show our solution of an exercise that you have passed; `anyway=True` shows it before, too.

    Without an argument it is that of what was checked last.
    """
    name = _name_and_answer(answer, named)[0] or next(reversed(checked), _tried_last())
    if name is None:
        return Card("hint", "Of which exercise?", _ask_for_a_name("solution"))
    task, passed = as_asked(EXERCISES[name]), name in journal.tasks("done")
    if not (passed or anyway):
        return _not_yet(task)
    code = _code_of(task)
    if code is None:
        return Card("waiting", f"The solution of {name} is not here", "It is in the folder `solutions/` of the course.")
    text = task.hints[-1] if isinstance(task, Question) and task.hints else "One way of several: yours may differ."
    if not passed:
        journal.note("solution", name)
        text = f"{text}\n\n{REREAD}"
    return Card("hint", f"Our solution of {name}", text, blocks=(("Ours", Code(code)),))


def _not_yet(task):
    """Say how far the learner is, and how to see the solution all the same."""
    state = "not right yet" if task.name in journal.tasks("tried") else "not tried yet"
    about, hints = _topic(task)
    left = len(hints) - _given[task.name][about]
    number = "1 hint is" if left == 1 else f"{left} hints are"
    more = f'{number} left: `hint("{task.name}")` gives the next one.\n\n' if left else ""
    text = f'{more}Would you rather read our solution now? `solution("{task.name}", anyway=True)` shows it.'
    return Card("waiting", f"○ {task.name} is {state}", text)


def _code_of(task):
    """Return the answer to a question, or our cell without docstrings and marks; None where it is not at hand."""
    if isinstance(task, Question):
        value = task.answer.item() if hasattr(task.answer, "item") else task.answer
        return f"{task.name} = {value!r}"
    if cell := re.search(rf'^# %% exercise="{task.name}"\n(.*?)(?=\n# %%|\Z)', lesson_text(task.lesson), re.S | re.M):
        without_docstrings = re.sub(r'\n *""".*?"""\n(\n(?= ))?', "\n", cell[1], flags=re.S)
        without_marks = re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", without_docstrings)
        return re.sub(r"^\w+ = \.\.\..*\n", "", without_marks).strip()


def lesson_text(lesson):
    """Return the text that a lesson is made from, or "" where the solutions are not at hand."""
    file = installed().text(lesson)
    return file.read_text(encoding="utf-8") if file.exists() else ""
