"""Tell what one notebook earned: as JSON, as a page of feedback, or in lines for a person."""

import json
from contextlib import suppress
from pathlib import Path

import click

from ..catalogue import lacking
from ..failure_messages import harmless
from ..grading import NoSandbox
from ..grading.sandbox.sources import source_of_workers
from ..intake.safe_files import write_whole
from ..intake.wording import gist, points
from .platform_results import told_to

STDOUT = "-"
HALF = "its grading was stopped half-way"


def grade_file(place, lesson=None, json_file=None, html=None, platform=None, seed=None, trust_submissions=False):
    """Run `mha grade-file`, and say whether the notebook was graded."""
    json_file = json_file or (STDOUT if platform else None)
    if lesson:
        with suppress(NoSandbox):  # which is told when it is graded
            source_of_workers(trust_submissions, lacking(lesson))
    from ..grading.one_notebook import grade_one, nothing_yet  # here: workers get warm meanwhile

    _write(nothing_yet(lesson, HALF), None if json_file == STDOUT else json_file, platform)  # what a kill would leave
    result, notebook = grade_one(place, lesson, seed, trust_submissions)
    _write(result, json_file, platform)
    if html and notebook:
        from .returned import page_of  # here: it takes half a second, and most ask for no page

        write_whole(Path(html), page_of(notebook, result))
    if not notebook:
        click.echo(harmless(f"{place}: not graded: {result['trouble']}"), err=True)
    elif json_file != STDOUT:
        _print(result)
    return result["graded"]


def _write(result, file, platform):
    text = told_to(platform, result) if platform else json.dumps(result, indent=1)
    if file == STDOUT:
        click.echo(text)
    elif file:
        write_whole(Path(file), f"{text}\n")


def _print(result):
    click.echo(f"{result['lesson']}: {points(result['score'])} of {points(result['max'])}")
    for one in result["exercises"]:
        earned = "-" if one["points"] is None else points(one["points"])
        click.echo(harmless(f"{earned} of {points(one['max'])}  {one['name']}: {gist(one['message'])}"))
    for sentence in result["mended"]:
        click.echo(harmless(f"mended: {sentence}"))
