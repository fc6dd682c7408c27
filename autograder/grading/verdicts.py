"""Verdicts as data: kept in the autograded notebook beside the card, where reports find them."""

import json

import nbformat

KEY = "verdict"  # in the metadata of an output
UNJUDGED = "unjudged"  # a reason beside those of the judge: a fault of ours, no finding


def in_data(verdict, task, alike=None):
    """Return a verdict as words and numbers. alike: a name that other wrong answers share if they do the same."""
    return {
        "task": task.name,
        "reason": verdict.reason,
        "score": verdict.score,
        "points": verdict.score * task.points,
        "misconception": _name(verdict.misconception) if verdict.reason == "misconception" else None,
        "also": _name(verdict.also),
        "property": verdict.property,
        "message": verdict.message,
        "alike": alike,
    }


def _name(misconception):
    return misconception and misconception.name


def verdicts_of(notebook):
    """Return all verdicts that the examiner left in an autograded notebook, in order."""
    outputs = (output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs)
    return [output.metadata[KEY] for output in outputs if KEY in output.get("metadata", {})]


def unjudged_in(folder):
    """Return the tasks in an autograded submission that a fault of ours left without a verdict.

    Notebooks whose name begins with a dot nbgrader only copies: they are as they were handed in.
    """
    files = sorted(folder.glob("[!.]*.ipynb"))
    notebooks = (nbformat.from_dict(json.loads(file.read_bytes())) for file in files)  # nbgrader has validated them
    return tuple(v["task"] for notebook in notebooks for v in verdicts_of(notebook) if v["reason"] == UNJUDGED)
