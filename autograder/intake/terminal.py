"""Tables in a terminal."""

from rich.console import Console

WIDE = 10_000  # characters: in a file or a pipe every row is one line, whoever reads it


def console():
    """Where tables are printed: as wide as the terminal, and without an end elsewhere."""
    screen = Console(highlight=False, markup=False, emoji=False)
    return screen if screen.is_terminal else Console(highlight=False, markup=False, emoji=False, width=WIDE)
