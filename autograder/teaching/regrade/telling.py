"""What a terminal shows of a regrading: a table before anything is written, and then what was."""

import click

from ...grading.telling import harmless
from ..words import count, listed

HEAD = ("student", "exercise", "points", "was", "would be")


def tell(regrading, write, jobs):
    """How many submissions somebody should look at."""
    with click.progressbar(regrading.try_again(jobs), len(regrading.students), label="judging again") as steps:
        for _ in steps:
            pass
    _tell_changes(regrading)
    troubles = len(regrading.troubles)
    if regrading.changes and write:
        click.echo("\nWritten:")
        for graded in regrading.write(jobs):
            troubles += bool(graded.trouble or graded.unjudged)
            click.echo(harmless(f"{graded.student:30} {graded}"))
    elif regrading.changes:
        click.echo(f"\nNothing is written yet. To write it: mha regrade {regrading.lesson} --write")
    return troubles


def _tell_changes(regrading):
    of_points = [change for change in regrading.changes if change.is_of_points]
    others = {change.student for change in regrading.changes} - {change.student for change in of_points}
    same = len(regrading.students) - len(regrading.troubles) - len({c.student for c in regrading.changes})
    if of_points:
        _table([HEAD, *map(_row, of_points)])
    click.echo(f"{count(len(of_points), 'mark')} would change.")
    if others:
        click.echo(f"{count(len(others), 'submission')} would keep all marks and get other cards: {listed(others, 5)}.")
    click.echo(f"{count(same, 'submission')} would stay as they are.")
    for student, why in regrading.troubles.items():
        click.echo(harmless(f"{student}: {why}"))


def _row(change):
    points = f"{_points(change.old)} -> {_points(change.new)}"
    if change.by_hand is not None:
        points = f"{change.by_hand:g} by hand, stays ({points})"
    return change.student, change.exercise, points, change.was, change.would_be


def _points(points):
    return "none" if points is None else f"{points:g}"


def _table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    click.echo()
