"""How a grader fares against all attacks, as a table:

    python tests/attacks/compare.py [--engine plain] [--dangerous] [family or name ...]

Engines: mha, examiner (`nbgrader autograde`), trusting (`mha grade` without a sandbox), plain (nbgrader alone).
The last two have no fence: what could harm this machine is left out, unless --dangerous says otherwise.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:1] = [str(TESTS), str(TESTS / "support")]  # not this folder: here lie files whose names are those of modules

import click

from attacks import ATTACKS
from attacks.arena import COMMANDS, fight, taken, undeserved

FENCELESS = "plain", "trusting"


def batches(chosen, engine):
    """By family and lesson; what would ruin a class without fences has a class of its own."""
    found = defaultdict(list)
    for attack in chosen:
        family = attack.name.partition("__")[0]
        found[family, attack.lesson, attack.name if attack.alone and engine in FENCELESS else ""].append(attack)
    return found


@click.command()
@click.argument("names", nargs=-1)
@click.option("--engine", type=click.Choice(list(COMMANDS)), default="plain")
@click.option("--dangerous", is_flag=True)
@click.option("--log", type=click.Path(), help="A file for all that was seen, one line of JSON a batch.")
def main(names, engine, dangerous, log):
    chosen = [a for a in ATTACKS.values() if not names or a.name.partition("__")[0] in names or a.name in names]
    chosen = [a for a in chosen if dangerous or engine not in FENCELESS or not a.dangerous]
    if not chosen:
        raise click.UsageError(f"No attack, and no family, is called {' or '.join(names)}, or may run with {engine}.")
    rows = defaultdict(lambda: [0, 0, 0, 0, 0, 0, 0])
    click.echo(
        f"{'family':18}{'attacks':>8}{'undeserved':>11}{'taken':>7}{'damage':>7}{'leaks':>6}{'markup':>7}{'hung':>5}"
    )
    for (family, _, _), attacks in batches(chosen, engine).items():
        result = fight(attacks, engine, feedback=family == "feedback_page")
        row = rows[family]
        points = {a.name: (undeserved(a, e), taken(a, e)) for a in attacks for e in [result.earned.get(a.name, {})]}
        seen = [len(attacks), *(sum(p[n] for p in points.values()) for n in (0, 1)), len(result.damage)]
        for place, number in enumerate([*seen, len(result.leaked), len(result.markup), result.hung]):
            row[place] += number
        if log:
            told = dict(family=family, points=points, damage=result.damage, leaked=result.leaked, markup=result.markup)
            told |= dict(seconds=result.seconds, hung=result.hung, earned=result.earned, log=result.log[-20_000:])
            with open(log, "a") as file:
                file.write(json.dumps(told) + "\n")
        click.echo(_line(family, row), nl=True)
    click.echo(_line("all", [sum(column) for column in zip(*rows.values())]))


def _line(name, row):
    return f"{name:18}{row[0]:8}{row[1]:11g}{row[2]:7g}{row[3]:7}{row[4]:6}{row[5]:7}{row[6]:5}"


if __name__ == "__main__":
    main()
