"""What cannot be mended."""


class Unfit(Exception):
    """Why a file is not graded, in words for whoever collects it."""
