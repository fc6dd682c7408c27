"""Tell what one notebook earned: as a page of feedback, in lines for a person, as JSON, or as a platform wants it.

docs/platforms.md says where each platform describes its format.
"""

import json
import os
import re
from contextlib import suppress
from pathlib import Path

import click

from ..catalogue import lacking
from ..failure_messages import harmless
from ..grading import NoSandbox
from ..grading.sandbox.sources import source_of_workers
from ..intake.whole_files import write_whole
from ..intake.wording import gist, in_points, points

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
    if html:
        Path(html).unlink(missing_ok=True)  # an old page would tell of another notebook
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


OF_VPL = re.compile(r"(:=|<\||--\|)(?=>|--)")  # in a learner's words it would be taken for a command
POINTS_OF_VPL = {"VPL_GRADEMIN": 0.0, "VPL_GRADEMAX": 10.0}  # where VPL says nothing


def told_to(platform, result):
    """Return the text of the file that a platform reads."""
    told = PLATFORMS[platform](result)
    return told if isinstance(told, str) else json.dumps(told, indent=1)


def _gradescope(result):
    visibility = os.environ.get("VISIBILITY", "visible")
    tests = [
        dict(name=one["name"], score=one["points"], max_score=one["max"], status="passed" if right else "failed")
        | dict(output=one["message"], output_format="md", visibility=visibility)
        for one, right in _judged(result)
    ]
    shown = dict(output=_words(result), output_format="md", stdout_visibility="hidden")
    score = {} if tests else dict(score=0.0)
    return score | shown | dict(execution_time=round(result["seconds"]), tests=tests, extra_data=result)


def _github(result):
    tests = [
        dict(name=one["name"], status="pass" if right else "fail", score=one["points"], max_score=one["max"])
        | dict(message=one["message"])
        for one, right in _judged(result)
    ]
    all_right = all(test["status"] == "pass" for test in tests)
    if not result["graded"]:
        tests = [dict(name="The notebook can be graded", status="error", score=0, max_score=0, message=_words(result))]
    status = ("pass" if all_right else "fail") if result["graded"] else "error"
    return dict(version=1, status=status, max_score=sum(test["max_score"] for test in tests), tests=tests)


def _prairielearn(result):
    if not result["graded"]:
        return dict(gradable=False, format_errors=[_words(result)])
    tests = [
        dict(name=one["name"], points=one["points"], max_points=one["max"], message=one["message"])
        for one, _ in _judged(result)
    ]
    return dict(gradable=True, score=_share(result), message=_words(result), tests=tests)


def _vpl(result):
    """Return comments, and the grade as the last line, on the scale that VPL has set."""
    low, high = (float(os.environ.get(name) or usual) for name, usual in POINTS_OF_VPL.items())
    told = [f"-{one['name']}: {one['points']:g} of {one['max']:g}\n{one['message']}" for one, _ in _judged(result)]
    comment = OF_VPL.sub(r"\1 ", "\n".join(filter(None, [*told, _words(result)])))
    grade = f"Grade :=>> {low + _share(result) * (high - low):.2f}\n" if result["graded"] else ""
    return f"<|--\n{comment}\n--|>\n{grade}"


PLATFORMS = {"gradescope": _gradescope, "github": _github, "prairielearn": _prairielearn, "vpl": _vpl}


def _judged(result):
    """Return (exercise, whether it has all its points) for all that do not wait for a person."""
    return [(one, one["points"] >= one["max"]) for one in result["exercises"] if one["points"] is not None]


def _share(result):
    """Return which part of the points was reached that are given here, from 0 to 1."""
    judged = [one for one, _ in _judged(result)]
    return sum(one["points"] for one in judged) / (sum(one["max"] for one in judged) or 1)


def _words(result):
    """Return what concerns the whole notebook: why it has no score, what was mended, what a person has to mark."""
    waiting = [one for one in result["exercises"] if one["points"] is None]
    marks = [f"{one['name']} ({in_points(one['max'])}): {one['message']}" for one in waiting]
    trouble = [f"Not graded: {result['trouble']}."] if result["trouble"] else []
    return "\n\n".join([*trouble, *marks, *(f"Mended: {sentence}" for sentence in result["mended"])])
