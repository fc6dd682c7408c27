"""All that learners are told: hints, messages about mistakes, sentences of the judge, the text of the lessons."""

import ast
import inspect

import jupytext
from helpers import ROOT

from autograder import EXERCISES
from autograder.course import installed
from autograder.exercise import ModuleExercise

CLASSES = [task.inspection for task in EXERCISES.values() if isinstance(task, ModuleExercise)]
FAULTS = {fault.__name__: inspect.getdoc(fault) for inspection in CLASSES for fault in inspection.all_faults}
MISFITS = tuple(dict.fromkeys(name for inspection in CLASSES for name in inspection.misfits))
HINTS = {name: installed().hints[name] for name in (*FAULTS, *MISFITS)}


def mistakes():
    """Every mistake that has a name: the name, its message, its hints."""
    for step in installed().steps.values():
        yield from ((m.name, m.message, m.hints) for m in step.own_mistakes)
    yield from ((name, message, HINTS.get(name, ())) for name, message in FAULTS.items())


def sets_of_hints():
    """Hints that are given one after the other -> whose they are."""
    after_a_check = {hints: name for name, _, hints in mistakes() if hints} | {HINTS[name]: name for name in MISFITS}
    return after_a_check | {task.hints: name for name, task in EXERCISES.items() if task.hints}


def slips():
    """Wrong answers to questions: the question, what is said of one, and the question's hints."""
    for name, task in EXERCISES.items():
        yield from ((name, message, task.hints) for message in getattr(task, "wrong", {}).values())


def about(step):
    """What is said where a step goes wrong: messages, hints, and the properties of an exercise."""
    task = EXERCISES.get(step, installed().steps[step])
    own = [text for m in installed().steps[step].own_mistakes for text in (m.message, *m.hints)]
    return [*own, *getattr(task, "hints", ()), *map(inspect.getdoc, getattr(task, "properties", ()))]


def sentences_of_the_judge():
    """All texts in the code that judges, in that which shows what was found, and in the properties."""
    files = [file for folder in ("judging", "learner") for file in (ROOT / "autograder" / folder).rglob("*.py")]
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in files)
    texts = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and " " in text.strip()]


def prose_of(lesson):
    """The lesson's text, cell by cell."""
    notebook = jupytext.read(installed().text(lesson), fmt="py:percent")
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
