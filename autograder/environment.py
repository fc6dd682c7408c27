"""What is around us: where programs that we start look for things, and whether this is a notebook."""

import os
import sys
from pathlib import Path

SOLUTIONS = Path(__file__).resolve().parent.parent / "solutions"  # not there where only the packages were installed


def put_first(variable, folder):
    """Make a folder the first of those that a variable lists."""
    rest = os.environ.get(variable)
    os.environ[variable] = f"{folder}{os.pathsep}{rest}" if rest else str(folder)


def find_our_commands():
    """Let this Python's commands be found before any others: nbgrader calls its helpers by their bare names."""
    put_first("PATH", Path(sys.executable).parent)


def in_a_notebook():
    from IPython import get_ipython  # here: a notebook has it already, and others need not wait for it

    return hasattr(get_ipython(), "kernel")
