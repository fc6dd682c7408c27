"""Workers to try things in."""

import pytest

from autograder.grading.sandbox.sources import why_no_sandbox

OBEDIENT = "tests.grading.fake_workers.obedient"


@pytest.fixture(scope="session")
def zygote():
    trouble = why_no_sandbox()
    if trouble:
        pytest.skip(f"there is no sandbox here: {trouble}")
    from autograder.grading.sandbox.zygote import Zygote

    with Zygote(module=OBEDIENT) as zygote:
        yield zygote


@pytest.fixture
def worker(zygote):
    with zygote.worker() as worker:
        yield worker
