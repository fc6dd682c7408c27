"""What a terminal shows while a class is graded: a line for each submission, and below them how far it is."""

from contextlib import closing, contextmanager

import click
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn
from rich.text import Text

ENOUGH = 10  # submissions, after which one knows how fast it goes: the first ones wait for all that is imported
LONG = 5  # seconds for one submission, after which it is named: most take less than one
MINUTE = 60
STOPPED = 130  # what shells expect after Ctrl-C
GOES_ON = "The same command goes on from there."
WIDE = 10_000  # characters: in a file or a pipe every row is one line, whoever reads it


class Pace(ProgressColumn):
    """How fast it goes, and how long still; or who keeps all others waiting, since then one cannot know how long.

    longest: a function that returns who has been at work for the longest time, and for how many seconds, or None.
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
    """Only as exact as one can know it."""
    return f"about {seconds / MINUTE:.0f} min left" if seconds > 1.5 * MINUTE else f"about {seconds:.0f} s left"


COLUMNS = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
WIDEST = 60  # of a column: a name that is longer sticks out


def tell(grading, everybody, longest=lambda: None):
    """Those that somebody should look at. Of those that are as they were only the number is told.

    everybody: whom each line is about; the first column is as wide as the widest of them. longest: see Pace.
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
    """How many, and whether there is anything new among them."""
    wants = "submission wants" if len(troubles) == 1 else "submissions want"
    told = sum(graded.told for graded in troubles)
    before = {0: "", len(troubles): ", as before"}.get(told, f", {told} of them as before")
    return f"{len(troubles)} {wants} to be looked at{before}: see above."


def follow(grading, total, line, then=GOES_ON, longest=lambda: None):
    """A list of all that is done. Meanwhile each is shown in a line, if there is one, and below how far it is.

    then: what is said to somebody who stops it; longest: see Pace.
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
    """Around what Ctrl-C may stop: whoever pressed it reads how far it is, and what to do then."""
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


def harmless(text):
    """On one line, and nothing that a terminal obeys: names of files, and what errors say, come from strangers."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def console():
    """Where tables are printed: as wide as the terminal, and without an end elsewhere."""
    screen = Console(highlight=False, markup=False, emoji=False)
    return screen if screen.is_terminal else Console(highlight=False, markup=False, emoji=False, width=WIDE)
