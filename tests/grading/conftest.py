"""Workers to try things in."""

import pytest
from helpers import needs_sandbox

OBEDIENT = "tests.grading.fake_workers.obedient"


@pytest.fixture(scope="session")
def zygote():
    needs_sandbox()
    from autograder.grading.sandbox.zygote import Zygote

    with Zygote(module=OBEDIENT) as zygote:
        yield zygote


@pytest.fixture
def worker(zygote):
    with zygote.worker() as worker:
        yield worker
