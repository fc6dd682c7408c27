"""Which folders in submitted/ may be a student's: a name that every file, page and command can take as it is."""

STRANGE = frozenset('<>"&\\%#?*[]{}|:;`')  # of a page, an address or a pattern
MOST_CHARACTERS, MOST_BYTES = 128, 200  # of the gradebook; of a file's name, which adds an ending
NOTHING_BUT = "The name of a student's folder may hold letters, digits, blanks and . _ - + @ , ' ( )"


def bad_name(student):
    """Say why nobody can be graded under the name of a folder, and what to do; "" if somebody can."""
    why = _what_is_wrong(student)
    return f"{_short(student)!r} {why}: rename the folder. {NOTHING_BUT}" if why else ""


def _what_is_wrong(name):
    if name != name.strip():
        return "begins or ends with a blank, so it is read like another name"
    if name.startswith("."):
        return "begins with a dot, which hides it"
    if not name.isprintable():
        return "holds something that cannot be seen"
    if not STRANGE.isdisjoint(name):
        return f"holds {' '.join(sorted(STRANGE.intersection(name)))}"
    if len(name) > MOST_CHARACTERS or len(name.encode()) > MOST_BYTES:
        return f"is longer than {MOST_CHARACTERS} characters, or {MOST_BYTES} bytes"
    return ""


def _short(name, most=60):
    return name if len(name) <= most else f"{name[:most]}..."
