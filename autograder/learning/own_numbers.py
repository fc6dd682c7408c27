"""A learner's own numbers: they came with the notebook, and lie beside it."""

import json
from dataclasses import replace
from pathlib import Path

from ..judging.judge import judge

NAME = "my_numbers.json"  # question -> its numbers


def as_asked(task):
    """A question with the numbers that stand in the learner's notebook; the common ones if no others can be read."""
    numbers = (_numbers() or {}).get(task.name)
    try:
        return task.variants.with_numbers(numbers) if numbers else task
    except Exception:  # somebody wrote something into the file
        return task


def doubted(verdict, answer, task):
    """A wrong answer that was judged for the common numbers may be right for others: then the card says so."""
    variants = getattr(task, "variants", None)
    if verdict.right or verdict.reason == "unwritten" or not variants or task is not variants.common:
        return verdict
    why = _why_common(answer, task)
    told = f"{verdict.message}\n\n{why} It was judged for `{task.numbers_in_words}`. {ADVICE}"
    return replace(verdict, message=told) if why else verdict


def _why_common(answer, task):
    known = _numbers()
    if known is None or task.name in known:
        return f"The numbers in `{NAME}`, beside this notebook, cannot be read."
    others = (task.variants.with_numbers(numbers) for numbers in task.variants.fit)
    return "For other numbers your answer would be right." if any(judge(answer, q).right for q in others) else ""


ADVICE = f"Does your notebook ask for others? Then put the `{NAME}` that came with it beside it, and check again."


def _numbers():
    """question -> its numbers; empty if there is no file, None if it is damaged."""
    try:
        known = json.loads(Path(NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None
