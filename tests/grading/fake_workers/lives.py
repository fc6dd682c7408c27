"""Workers that go wrong."""


def prepare():
    """Stops before the doors are closed."""
    raise RuntimeError("cannot be prepared")


def serve(connection):
    raise AssertionError("nobody comes here")
