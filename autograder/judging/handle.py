"""Answers that live in another process, where submissions are graded: what looks at code is done there."""


def handle_of(answer):
    """Return what answers questions about a function in another process (grading/proxies/handles.py), or None."""
    return getattr(getattr(answer, "__wrapped__", answer), "__handle__", None)
