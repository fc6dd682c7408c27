"""What a terminal shows of a regrading: a table before anything is written, and then what was."""

from collections import Counter

import click

from ...intake.progress_output import follow, harmless, is_to_look_at
from ...intake.wording import count, listed, points

HEAD = ("student", "exercise", "points", "was", "would be")
OF_CARDS = ("exercise", "card -> new card", "answers")
NOTHING = "Nothing is written: the same command judges all of them again."


def tell(regrading, write, jobs):
    """How many submissions somebody should look at."""
    follow(regrading.try_again(jobs), len(regrading.students), lambda graded: "", NOTHING)
    _tell_changes(regrading)
    troubles = len(regrading.troubles)
    if regrading.changes and write:
        click.echo("\nWritten:")
    elif regrading.changes:
        click.echo(f"\nNothing is written yet. To write it: mha regrade {regrading.lesson} --write")
    if write:
        written = follow(
            regrading.write(jobs), len(regrading.changed), lambda graded: harmless(f"{graded.whom:30} {graded}")
        )
        troubles += sum(map(is_to_look_at, written))
    return troubles


def _tell_changes(regrading):
    of_points = [change for change in regrading.changes if change.is_of_points]
    others = set(regrading.changed) - {change.student for change in of_points}
    who = listed((regrading.whom[student] for student in sorted(others)), 5)
    same = len(regrading.students) - len(regrading.troubles) - len(regrading.changed)
    if of_points:
        _table([HEAD, *(_row(change, regrading.whom) for change in of_points)])
    click.echo(f"{count(len(of_points), 'mark')} would change.")
    if others:
        click.echo(harmless(f"{count(len(others), 'submission')} would keep all marks and get other cards: {who}."))
    if len(of_points) < len(regrading.changes):
        click.echo("Cards that would change, and not the points:\n")
        _table([OF_CARDS, *_cards(change for change in regrading.changes if not change.is_of_points)])
    click.echo(f"{count(same, 'submission')} would stay as they are.")
    for student, why in regrading.troubles.items():
        click.echo(harmless(f"{regrading.whom[student]}: {why}"))


def _cards(changes):
    """Which becomes which, the most frequent first."""
    found = Counter((change.exercise, change.was, change.would_be) for change in changes)
    for (exercise, was, would_be), number in found.most_common():
        yield exercise, f"{was} -> {'the same, in other words' if was == would_be else would_be}", str(number)


def _row(change, whom):
    change_of_points = f"{_points(change.old)} -> {_points(change.new)}"
    if change.by_hand is not None:
        change_of_points = f"{points(change.by_hand)} by hand, stays ({change_of_points})"
    return whom[change.student], change.exercise, change_of_points, change.was, change.would_be


def _points(score):
    return "none" if score is None else points(score)


def _table(rows):
    rows = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    click.echo()
