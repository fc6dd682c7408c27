"""Terminal output: tables, and while a class is graded a line for each submission, and the progress below them."""

import signal
from contextlib import closing, contextmanager
from itertools import repeat

import click
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..failure_messages import harmless

STOPPED = 130  # the exit status that shells expect after Ctrl-C
GOES_ON = "The same command goes on from there."
WIDE = 10_000  # characters: in a file or a pipe every row is one line
WIDEST = 60  # characters of a column: a longer name sticks out


def tell(grading, everybody):
    """Print a line for each graded submission, and return those with trouble.

    Of unchanged submissions, print only the number.
    everybody: the students as lines name them; the first column is as wide as the widest name.
    """
    width = min(WIDEST, max(cell_len(harmless(whom)) for whom in everybody))

    def line(graded):
        who = harmless(graded.whom or graded.student)
        told = f"{who}{' ' * (width - cell_len(who))}  {harmless(f'{graded.lesson}  {graded}')}"
        return "" if graded.unchanged else told

    done = follow(grading, len(everybody), line)
    unchanged = sum(graded.unchanged for graded in done)
    if unchanged:
        click.echo(f"{unchanged} {'was' if unchanged == 1 else 'were'} graded before, and nothing has changed.")
    return [graded for graded in done if graded.trouble or graded.unjudged]


def follow(grading, total, line=lambda graded: "", then=GOES_ON):
    """Print a line for each submission, and the progress; return all. then: what is told to whoever stops it."""
    done, troubles, screen = [], 0, console()
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    progress = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
    how_far = stopped_well(lambda: f"{len(done)} of {total} are done. {then}")
    with how_far, closing(grading), progress:
        bar = progress.add_task("", total=total)
        for graded in grading:
            done.append(graded)
            troubles += bool(graded.trouble or graded.unjudged)
            if line(graded):
                screen.print(line(graded), soft_wrap=True)
            progress.update(bar, advance=1, description=f"{troubles} with trouble")
    return done


@contextmanager
def stopped_well(how_far):
    """End the program on Ctrl-C, or if it is asked to end, after telling how far the work is, and what to do next."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\nStopped. {how_far()}", err=True)
        raise SystemExit(STOPPED) from None


def print_table(columns, rows, styles=None):
    """Print a table, each row in its style; what strangers chose stays on one line in it."""
    table = Table(*columns, box=None, pad_edge=False, header_style="dim")
    for cells, style in zip(rows, styles or repeat("")):
        table.add_row(*(Text(harmless(cell)) for cell in cells), style=style)
    console().print(table)


def console():
    """Return the console for tables: as wide as the terminal, and without limit in a file or a pipe."""
    screen = Console(highlight=False, markup=False, emoji=False)
    return screen if screen.is_terminal else Console(highlight=False, markup=False, emoji=False, width=WIDE)
