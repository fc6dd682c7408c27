"""A learner's own numbers, which came with the notebook and are kept beside it."""

import json
from dataclasses import replace
from pathlib import Path

from ..judging.judge import judge

NAME = "my_numbers.json"  # question -> its numbers


def as_asked(task):
    """Return a question with the numbers in the learner's notebook, or the common ones if no others can be read."""
    numbers = (_numbers() or {}).get(task.name)
    try:
        return task.variants.with_numbers(numbers) if numbers else task
    except Exception:  # somebody wrote something into the file
        return task


def doubted(verdict, answer, task):
    """Say on the card that an answer judged for the common numbers may be right for a learner's own."""
    variants = getattr(task, "variants", None)
    if verdict.right or verdict.reason == "unwritten" or not variants or task is not variants.common:
        return verdict
    why = _unreadable(task) or (not verdict.misconception and _right_for_others(answer, task))
    told = f"{why} Your answer was judged for `{task.numbers_in_words}`. {ADVICE}\n\n{verdict.message}"
    return replace(verdict, message=told) if why else verdict


def _unreadable(task):
    known = _numbers()
    return (
        f"In `{NAME}`, beside this notebook, your numbers cannot be read."
        if known is None or task.name in known
        else ""
    )


def _right_for_others(answer, task):
    others = (task.variants.with_numbers(numbers) for numbers in task.variants.fit)
    return "That would be right for other numbers." if any(judge(answer, q).right for q in others) else ""


ADVICE = (
    f"Does your notebook ask for others? Then delete `{NAME}`, if it is there, and start the course again with "
    "`make lab` or `mha lab`: it brings the file back from your kit."
)


def _numbers():
    """Return question -> its numbers; empty if there is no file, None if it is damaged."""
    try:
        known = json.loads(Path(NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None
