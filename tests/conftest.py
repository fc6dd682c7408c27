"""Fixtures that all tests share."""

import pytest
from helpers import solution_cells


@pytest.fixture(scope="session")
def solutions():
    """lesson -> the variables after all of its cells have run, with the solutions."""
    done = {}

    def run(lesson):
        if lesson not in done:
            done[lesson] = variables = {"__name__": lesson}
            for source in solution_cells(lesson):
                exec(compile(source, lesson, "exec"), variables)
        return done[lesson]

    return run
