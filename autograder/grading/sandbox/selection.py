"""Choose the best kind of worker that this machine has."""

import atexit
import sys
from contextlib import ExitStack
from functools import cache

from .. import NoSandbox
from .limits import TORCH_WORKER, WORKER
from .spawning import Spawner


def workers(limits=None, trust_submissions=False, lacks=()):
    """Return a context manager that makes workers; without a sandbox only for trusted submissions.

    lacks: libraries that the workers shall not have.
    """
    life = WORKER if "torch" in lacks else TORCH_WORKER
    trouble = why_no_sandbox()
    if not trouble:
        from .zygote import Zygote  # here: it needs Linux

        return Zygote(limits, life, lacks)
    if not trust_submissions:
        raise NoSandbox(f"There is no sandbox here: {trouble}. {ADVICE}")
    return Spawner(limits, life, lacks)


@cache
def source_of_workers(trust_submissions, lacks):
    """Return one source of workers for all submissions that this process grades, of lessons in NumPy or in torch."""
    doors = ExitStack()
    atexit.register(doors.close)
    return doors.enter_context(LENT.get(lacks) or workers(trust_submissions=trust_submissions, lacks=lacks))


LENT = {}  # lacks -> where workers come from: what another process began for this one, too
ADVICE = (
    "`mha doctor` says how to get one. Whoever trusts these people with all files of this machine grades with "
    "`mha grade --trust-submissions`, or sets c.Examiner.trust_submissions."
)


WITH_SANDBOX = """\
A sandbox was made here, and ended: submissions run in one, and are judged outside of it.
docs/grading.md says what that promises, and what not."""
WITHOUT_SANDBOX = """\
There is no sandbox here: {}.
Submissions can only run as ordinary processes, and grading starts only with --trust-submissions.
They are still judged outside of their own process, so they cannot change the judge in memory.
Not protected: all files that you can read or write, the gradebook among them; the network; your other programs.
How to get a sandbox: "What a sandbox needs" in docs/grading.md."""


def why_no_sandbox():
    """Return why there is no sandbox, in a sentence; "" if there can be one, which is tried."""
    if sys.platform != "linux":
        return "a sandbox needs Linux"
    try:
        from .bubblewrap import Sandbox
        from .syscalls import program

        Sandbox(program()).close()
    except (ImportError, NoSandbox, OSError, RuntimeError) as error:
        return str(error)
    return ""
