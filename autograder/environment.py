"""The environment: what is installed, and where programs that we start look."""

import os
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

# Module -> the extra of pyproject.toml that brings it; all others come with "teach".
EXTRAS = dict(jupyterlab="lab", rich="lab", torch="torch", einops="torch", sphinx="book", pytest="test")
EXTRAS |= dict(distributed="cluster", psycopg="cluster")


class Missing(ModuleNotFoundError):
    """A module is not installed; the message says what installs it."""

    def __init__(self, module):
        super().__init__(how_to_install(module), name=module)

    def _render_traceback_(self):  # in a notebook one line says it all
        return [str(self)]


def how_to_install(module):
    """Return a sentence that says what installs a module that is missing."""
    ours = packages_distributions().get(__package__, ["."])[0]  # not installed itself, it is used in its folder
    return f"{module} is missing here: `pip install '{ours}[{EXTRAS.get(module, 'teach')}]'` installs it."


def need(module):
    """Raise Missing unless a module is installed."""
    if find_spec(module) is None:
        raise Missing(module)


def is_graded():
    """Say whether nbgrader runs this, to grade or to validate."""
    return bool(os.environ.get("NBGRADER_EXECUTION") or os.environ.get("NBGRADER_VALIDATING"))


def put_first(variable, folder):
    """Make a folder the first of those that a variable lists."""
    rest = os.environ.get(variable)
    os.environ[variable] = f"{folder}{os.pathsep}{rest}" if rest else str(folder)


def find_our_commands():
    """Let this Python's commands be found before any others: nbgrader calls its helpers by their bare names."""
    put_first("PATH", Path(sys.executable).parent)
