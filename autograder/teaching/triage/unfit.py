"""What cannot be mended."""


class Unfit(Exception):
    """Why a file is not graded, in words for whoever collects it."""


def listed(names, most=4):
    """`a, b and 3 more`, each of them once."""
    names = list(dict.fromkeys(names))
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + rest
