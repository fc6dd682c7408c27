"""Grading the work of strangers: their code runs in a sandbox of its own, and is judged outside of it."""


class NoSandbox(Exception):
    """This machine does not make one; says why."""
