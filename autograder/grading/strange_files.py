"""What a submission should not hold."""

import stat


def strange_file(folder):
    """A link, which may lead to anybody's work, a pipe, or a device; None if all is well."""
    for place in (folder, *folder.rglob("*")):
        kind = place.lstat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
            return place
