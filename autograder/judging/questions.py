"""Judge the answer to a question, and make a function of lines that were put in order."""

import linecache
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from ..catalogue import EXERCISES
from ..course import Task
from ..mistakes import Mistake
from ..plain_values import agree, form_of, plain
from ..question import Question
from .follow_through import is_lendable
from .verdict import RIGHT, Verdict, in_short

NEAR = 0.15  # of a number: as far off as one that was read or counted a little wrong
LONGEST = 200  # characters of an answer that are repeated
EXACT = 1e-6  # a question with a smaller tolerance asks for a count


def judge_question(answer: Any, question: Question) -> Verdict:
    """Return a Verdict on a question's answer: right, not answered yet, of another kind, a known slip, or wrong."""
    if answer is ... or answer is None:
        further = "" if question.points else " It is not marked: you may skip it."
        message = f"{question.name} is not answered yet: write your answer in place of the dots.{further}"
        return Verdict("unwritten", message)
    given, right = plain(answer), plain(question.answer)
    if agree(given, right, question.tolerance):
        return RIGHT
    for wrong, message in question.wrong.items():
        if agree(given, plain(wrong), question.tolerance):
            slip = Mistake(question.name_of(wrong), message, question.course)
            return Verdict("misconception", message, misconception=slip)
    if form_of(given) != form_of(right):
        return Verdict("type", f"This question wants {_in_words(right)}; yours is {_cut(_in_words(given))}.")
    letters = sorted(x for x in (question.answer, *question.wrong) if isinstance(x, str) and len(x) == 1)  # to choose
    if question.answer in letters and given not in letters:
        return Verdict("values", f'"{_cut(answer)}" is none of the choices. Give one of them: {", ".join(letters)}.')
    if question.has_own_numbers and agree(given, plain(question.variants.common.answer), question.tolerance):
        message = (
            f"{_cut(answer)} is right for the numbers of the common notebook. Yours are `{question.numbers_in_words}`. "
            "Do the lines just above say something else? Then open the notebook of your own kit."
        )
        return Verdict("values", message)
    again = f'Read the lines just above again, or run hint("{question.name}").'
    return Verdict("values", f"It is not {_cut(answer)}{_though(given, right, question.tolerance)}. {again}")


def perhaps_computed(verdict: Verdict, task: Task, wrong: Sequence[str]):
    """Say on the card of a wrong number that it may come from a function which is not right; it costs twice then.

    wrong: names of exercises that are not right.
    """
    if not isinstance(task, Question) or isinstance(task.answer, (bool, str)):
        return verdict
    if verdict.right or verdict.misconception or verdict.reason in ("unwritten", "raised"):
        return verdict
    parts = [EXERCISES[name] for name in wrong if is_lendable(EXERCISES[name], task.lesson)]
    if task.tolerance <= EXACT:  # nobody counts with a function of arrays
        parts = [p for p in parts if all(isinstance(number, int) for number in p.cases(None)[0].inputs.values())]
    earlier = [f"`{part.name}`" for part in parts]
    if not earlier:
        return verdict
    doubt = f"Did you compute it with {' or '.join(earlier)}? Fix that first: it is not right yet."
    return replace(verdict, message=f"{verdict.message}\n\n{doubt}")


def _though(given, right, tolerance):
    """Say that a number is near, or how many parts of an answer are right; nothing if none is."""
    if isinstance(right, tuple):
        count = sum(agree(g, r, tolerance) for g, r in zip(given, right))
        return f", though {count} of the {len(right)} {'is' if count == 1 else 'are'} right" if count else ""
    if form_of(right) == "number" and math.isclose(given, right, rel_tol=NEAR):
        return ", though that is near"
    return ""


def _cut(answer):
    text = in_short(answer)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _shape_in_words(value):
    """Write the shape of an answer as (..., (..., ...)), and kinds that are no numbers by name."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_shape_in_words, value))}{',' if len(value) == 1 else ''})"
    return {"number": "...", "str": '"..."', "bool": "True or False"}.get(form_of(value), "?")


def _in_words(value):
    if isinstance(value, tuple):
        return f"an answer of the form {_shape_in_words(value)}"
    words = {"number": "a number", "str": "a text in quotes", "bool": "True or False"}
    return words.get(form_of(value), f"something of type {type(value).__name__}")


def function_of(answer, task):
    """Return the function that the letters make, or a Verdict that says why they make none."""
    if answer is ... or answer is None:
        return Verdict("unwritten", f"{task.name} is not answered yet: write letters in place of the dots.")
    if not isinstance(answer, (str, list, tuple)) or not all(isinstance(letter, str) for letter in answer):
        some = " ".join([*task.lines][:3])  # in an order that gives nothing away
        return Verdict("type", f'Write the letters in quotes, in your order: `{task.name} = "{some}"`, say.')
    letters = re.findall(r"\w", " ".join(answer).lower())
    return _unusable(letters, task) or _compiled(letters, task)


def _unusable(letters, task):
    unknown = next((letter for letter in letters if letter not in task.lines), None)
    twice = next((letter for letter in letters if letters.count(letter) > 1), None)
    if unknown:
        return Verdict("type", f"There is no line `{unknown}`. The lines have the letters {', '.join(task.lines)}.")
    if twice:
        return Verdict("type", f"You took line `{twice}` more than once. Each line may be taken once, or left out.")
    if not any(task.lines[letter].strip().startswith("return") for letter in letters):
        return Verdict("type", "Your lines give nothing back: `return` is missing. Which line has it?")


def _too_early(letters, task):
    """Return a Verdict if a line uses what another line makes, and no such line is above it."""
    made_by = {letter: re.match(r"\s*(\w+) = ", line) for letter, line in task.lines.items()}
    made_by = {letter: match[1] for letter, match in made_by.items() if match}
    ready = set()
    for letter in letters:
        line = task.lines[letter].strip()
        used = re.findall(r"(?<!\.)\b\w+", line.split(" = ", 1)[-1])
        missing = next((name for name in used if name in made_by.values() and name not in ready), None)
        if missing:
            later = any(made_by.get(other) == missing for other in letters)
            idea = "runs before the one that makes it" if later else "none of your lines makes it"
            advice = f"A line above it must make `{missing}` first. Which one?"
            return Verdict("raised", f"Line `{letter}` uses `{missing}`, and {idea}. {advice}")
        if line.startswith("return"):
            return None  # the lines below never run
        ready.add(made_by.get(letter))


def _compiled(letters, task):
    code, file = task.code(letters), f"<{task.name}: {' '.join(letters)}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)  # its run can be told line by line
    reference, modules = import_module(task.exercise.course.reference), {"np": "numpy", "torch": "torch"}
    variables = {n: import_module(modules[n]) if n in modules else getattr(reference, n) for n in task.names}
    try:
        exec(compile(code, file, "exec"), variables)
    except SyntaxError as error:  # of indentation, too
        place = min(max(error.lineno - 2, 0), len(letters) - 1)  # the first line is the one with `def`
        message = (
            f"Python cannot read your lines in this order. At line `{letters[place]}` it says: {error.msg}. A line "
            "that ends in a colon needs a line below that is further in, and only there a line may be further in."
        )
        return Verdict("raised", message)
    return _too_early(letters, task) or variables[task.exercise.name]
