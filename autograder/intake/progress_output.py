"""Terminal output while a class is graded: a line for each submission, and the progress below them."""

from contextlib import closing, contextmanager

import click
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn
from rich.text import Text

from ..told import harmless

ENOUGH = 10  # submissions after which the speed is known: the first ones wait for all that is imported
LONG = 5  # seconds after which a submission that is still running is named: most take less than one
MINUTE = 60
STOPPED = 130  # the exit status that shells expect after Ctrl-C
GOES_ON = "The same command goes on from there."
WIDE = 10_000  # characters: in a file or a pipe every row is one line


class Pace(ProgressColumn):
    """A column with the speed and the time left, or with the submission that keeps all others waiting.

    While one keeps the others waiting, the time left cannot be known.
    longest: a function that returns (who, seconds) for the submission that has been running longest, or None.
    """

    def __init__(self, longest=lambda: None):
        super().__init__()
        self.longest = longest

    def render(self, task):
        found = self.longest()
        if found and found[1] > LONG:
            return Text(f"{harmless(found[0])} has been running for {found[1]:.0f} s")
        if task.completed < ENOUGH or not task.speed:
            return Text()
        return Text(f"{task.speed:.1f} a second, {time_left((task.total - task.completed) / task.speed)}")


def time_left(seconds):
    """Return the time left in words, only as precisely as it can be known."""
    return f"about {seconds / MINUTE:.0f} min left" if seconds > 1.5 * MINUTE else f"about {seconds:.0f} s left"


COLUMNS = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
WIDEST = 60  # characters of a column: a longer name sticks out


def tell(grading, everybody, longest=lambda: None):
    """Print a line for each graded submission, and return those to look at.

    Of unchanged submissions, print only the number.
    everybody: the students as lines name them; the first column is as wide as the widest name. longest: see Pace.
    """
    width = min(WIDEST, max(cell_len(harmless(whom)) for whom in everybody))

    def line(graded):
        return "" if graded.unchanged else _line(graded, width)

    done = follow(grading, len(everybody), line, longest=longest)
    unchanged = sum(graded.unchanged for graded in done)
    if unchanged:
        click.echo(f"{unchanged} {'was' if unchanged == 1 else 'were'} graded before, and nothing has changed.")
    return [graded for graded in done if is_to_look_at(graded)]


def to_look_at(troubles):
    """Say how many submissions are to be looked at, and how many of them were reported before."""
    wants = "submission wants" if len(troubles) == 1 else "submissions want"
    told = sum(graded.told for graded in troubles)
    before = {0: "", len(troubles): ", as before"}.get(told, f", {told} of them as before")
    return f"{len(troubles)} {wants} to be looked at{before}: see above."


def follow(grading, total, line, then=GOES_ON, longest=lambda: None):
    """Print a line for each graded submission and the progress below, and return the list of all that are done.

    line: a function that returns the line of one, or "" for none.
    then: what to tell whoever stops it; longest: see Pace.
    """
    done, troubles = [], 0
    how_far = stopped_well(lambda: f"{len(done)} of {total} are done. {then}")
    with how_far, closing(grading), Progress(*COLUMNS, Pace(longest), transient=True) as progress:
        bar = progress.add_task("", total=total)
        for graded in grading:
            done.append(graded)
            troubles += is_to_look_at(graded)
            if line(graded):
                progress.console.print(line(graded), markup=False, highlight=False, soft_wrap=True)
            progress.update(bar, advance=1, description=f"{troubles} to look at")
    return done


@contextmanager
def stopped_well(how_far):
    """End the program on Ctrl-C after telling the user how far the work is, and what to do next."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\nStopped. {how_far()}", err=True)
        raise SystemExit(STOPPED) from None


def is_to_look_at(graded):
    return bool(graded.trouble or graded.unjudged)


def _line(graded, width):
    who = harmless(graded.whom or graded.student)
    return f"{who}{' ' * (width - cell_len(who))}  {harmless(f'{graded.lesson}  {graded}')}"


def console():
    """Return the console for tables: as wide as the terminal, and without limit in a file or a pipe."""
    screen = Console(highlight=False, markup=False, emoji=False)
    return screen if screen.is_terminal else Console(highlight=False, markup=False, emoji=False, width=WIDE)
