"""What a terminal shows while a class is graded: a line for each submission, and below them how far it is."""

from time import monotonic

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

COLUMNS = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn()


def tell(grading, total):
    """How many submissions somebody should look at. Of those that are as they were only the number is told."""
    troubles, unchanged, start = 0, 0, monotonic()
    with Progress(*COLUMNS, transient=True) as progress:
        bar = progress.add_task("", total=total)
        for number, graded in enumerate(grading, start=1):
            troubles += bool(graded.trouble or graded.unjudged)
            unchanged += graded.unchanged
            if not graded.unchanged:
                progress.console.print(_line(graded), markup=False, highlight=False, soft_wrap=True)
            rate = number / (monotonic() - start)
            progress.update(bar, advance=1, description=f"{rate:.1f} a second, {troubles} to look at, left:")
    if unchanged:
        progress.console.print(f"{unchanged} were graded before, and nothing has changed.")
    return troubles


def _line(graded):
    return harmless(f"{graded.student:30} {graded.lesson}  {graded}")


def harmless(text):
    """On one line, and nothing that a terminal obeys: names of files, and what errors say, come from strangers."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
