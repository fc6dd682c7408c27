"""Workers that go wrong."""


def prepare(lesson):
    """Stops before the doors are closed."""
    raise RuntimeError("cannot be prepared")


def serve(connection, lesson):
    raise AssertionError("nobody comes here")
