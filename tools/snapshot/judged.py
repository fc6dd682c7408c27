"""Verdicts, cards, and what `check` says."""

import os
from contextlib import redirect_stdout
from io import StringIO
from tempfile import TemporaryDirectory

import torch
from helpers import answers_from_stubs
from judgement import right_answers, wrong_answers

from autograder import EXERCISES, check, hint, judge, solution
from autograder.exercise import Exercise
from autograder.learner.card import verdict_card
from autograder.question import Question

SEEDS = None, 1, 2  # other numbers, and other sizes; how many of them are tried is said on the command line


def judged(name, seeds):
    """Yield the verdict on every answer to an exercise with so many seeds; the card, too, on the first inputs."""
    task = EXERCISES[name]
    for key, answer, of_it in _answers(name):
        for seed in of_it[:seeds]:
            torch.default_generator.manual_seed(0)  # for answers that draw
            verdict = judge(answer, task, seed)
            card = str(verdict_card(verdict, task)) if seed is None else ""
            yield f"{name} {key} seed={seed}", [*_found(verdict), card]


def _answers(name):
    """Yield (key, answer, seeds); inherited misconceptions are judged with the first seed alone."""
    for number, (kind, meant, answer) in enumerate(wrong_answers(name)):
        yield f"wrong {kind} {meant or number}", answer, SEEDS[:1] if kind == "inherited" else SEEDS
    for number, answer in enumerate(right_answers(name)):
        yield f"right {number}", answer, SEEDS
    for key, answer in answers_from_stubs("slips").items():
        if f"/{name}__" in key:
            yield f"slip {key}", answer, SEEDS


def _found(verdict):
    names = [getattr(slip, "name", None) for slip in (verdict.misconception, verdict.also)]
    return [verdict.reason, *names, verdict.property, verdict.score, verdict.message, verdict.right_so_far]


def shown_by_check():
    """Yield what `check`, `hint` and `solution` print for a wrong answer to each task, and what it earns."""
    with TemporaryDirectory() as folder:
        os.environ["MHA_PROGRESS"] = os.path.join(folder, "progress.jsonl")
        for name in EXERCISES:
            for what, call in _calls(name, _one_wrong(name)).items():
                with redirect_stdout(StringIO()) as printed:
                    returned = call()
                yield f"{name} {what}", [str(returned), printed.getvalue()]


def _calls(name, answer):
    """Name what a learner does with a wrong answer, one after the other."""
    hints = {f"hint {number}": lambda: hint(name) for number in (1, 2, 3, 4)}
    return {"check": lambda: check(**{name: answer}), **hints, "solution": lambda: solution(name, anyway=True)}


def _one_wrong(name):
    task = EXERCISES[name]
    if isinstance(task, Exercise):
        return next(answer for kind, _, answer in wrong_answers(name) if kind in ("style", "own"))
    if isinstance(task, Question):
        return next(iter(task.wrong), 4711)
    return "b a" if hasattr(task, "lines") else lambda implementation: None
