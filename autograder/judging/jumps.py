"""A time limit where there are no alarms, as in a browser or on Windows: Python tells of jumps, we look at the clock.

A loop that begins anew is a jump; a function that begins counts as one, too. Python 3.11 cannot tell of them.
"""

import contextlib
import math
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import monotonic

CLEARS_UP = str(Path(__file__).parents[1]), contextlib.__file__  # files whose code is never stopped
TOOL = 4  # of Python's six for watching code, one that is nobody's
EVERY, SHORTEST = 32, 0.01  # jumps between two looks at the clock, which takes a browser long; seconds between errors


@contextlib.contextmanager
def stopped_at_jumps(error: type[BaseException], end: Callable[[], float]):
    """Raise the error at a jump after the end, by the clock `time.monotonic`, and again until it gets through."""
    if not hasattr(sys, "monitoring"):
        yield
        return
    watch, jumps, raised = sys.monitoring, count(), -math.inf

    def look(code, *_):
        nonlocal raised
        if next(jumps) % EVERY:
            return
        now = monotonic()
        if now > max(end(), raised + SHORTEST) and not code.co_filename.startswith(CLEARS_UP):
            raised = now
            raise error

    kinds = watch.events.JUMP, watch.events.PY_START
    if not watch.get_tool(TOOL):
        watch.use_tool_id(TOOL, __name__)
    before = watch.get_events(TOOL), [watch.register_callback(TOOL, kind, look) for kind in kinds]
    watch.set_events(TOOL, sum(kinds))
    try:
        yield
    finally:
        watch.set_events(TOOL, before[0])
        for kind, callback in zip(kinds, before[1]):
            watch.register_callback(TOOL, kind, callback)
