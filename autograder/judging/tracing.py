"""Runs that are watched line by line, and tests that catch their own failed assert."""

import sys
from contextlib import contextmanager

from .source import handle_of


@contextmanager
def traced(watch):
    """Let Python tell `watch` of each call, line and error."""
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


def swallows(test, run):
    """Say whether an assert of the test fails while it runs, and the test catches the error itself.

    Only for runs that end without an error.
    """
    if handle_of(test):
        return handle_of(test).watch("swallows", run)
    failed = []

    def watch(frame, event, raised):
        if event == "exception" and frame.f_code is getattr(test, "__code__", None):
            failed.append(issubclass(raised[0], AssertionError))
        return watch

    with traced(watch):
        run()
    return any(failed)
