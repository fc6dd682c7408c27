"""`mha try` in any course: what the judge says of an exercise's solution and of its wrong versions."""

import os
from contextlib import redirect_stdout
from io import StringIO
from unittest.mock import patch

import click
import jupytext

from .course import UnknownExercise, installed
from .exercise import Exercise, ModuleExercise
from .judging.judge import judge
from .judging.verdict import error_line


def try_versions(name):
    """Judge an exercise's solution and wrong versions, print what is not as it should be, and return whether all is."""
    try:
        exercise = installed().exercises[name]
    except UnknownExercise as unknown:
        raise click.ClickException(str(unknown)) from None
    if not isinstance(exercise, Exercise):
        raise click.ClickException(f"{name} is not a function or class to write: there are no versions to try.")
    parts = {"the solution in the lesson's text is right": [_wrong_with_solution(exercise)]}
    if not isinstance(exercise, ModuleExercise):  # of a class, wrong versions are functions, and no classes
        parts["wrong versions are rejected, and called by their names"] = _misjudged(exercise)
    for part, complaints in parts.items():
        _tell(part, complaints)
    return not any(complaint for complaints in parts.values() for complaint in complaints)


def _tell(part, complaints):
    found = list(filter(None, complaints))
    click.secho(f"{'✗' if found else '✓'} {part} ({len(complaints)})", fg="red" if found else "green")
    for complaint in found:
        click.echo("".join(f"    {line}\n" for line in complaint.split("\n")))


def _wrong_with_solution(exercise):
    """Return what is wrong with the solution in the lesson's text, or ""."""
    variables = {"__name__": exercise.lesson}
    cells = jupytext.read(installed().text(exercise.lesson), fmt="py:percent").cells
    with redirect_stdout(StringIO()), patch.dict(os.environ, NBGRADER_EXECUTION="1"):  # trainings are cut short
        for cell in (cell for cell in cells if cell.cell_type == "code"):
            try:
                exec(compile(cell.source, exercise.lesson, "exec"), variables)
            except Exception as error:
                return f"A cell stopped with {error_line(error)}. It begins with\n{cell.source.partition(chr(10))[0]}"
    verdict = judge(variables[exercise.name], exercise.name)
    return "" if verdict.right else verdict.message


def _misjudged(exercise):
    """Return for each of its own wrong versions what is wrong with the verdict on it, or ""."""
    own = [version for version in exercise.wrong_versions if version.mistakes[0].step == exercise.step]
    return [_wrong_with_verdict(judge(version.function, exercise.name), version.mistakes[0].name) for version in own]


def _wrong_with_verdict(verdict, name):
    if verdict.right:
        return f"{name} is accepted: no case shows that it is wrong."
    found = verdict.misconception and verdict.misconception.name
    return "" if found == name else f"{name} is called {found or 'nothing'}:\n{verdict.message}"
