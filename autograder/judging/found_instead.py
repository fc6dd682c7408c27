"""What a cell holds in the place of an answer that is not there: another name, or code that was never run."""

import ast
import re
from difflib import get_close_matches

MAGIC = re.compile(r"^%%\w+", re.MULTILINE)
KEEPS_TO_ITSELF = {"writefile", "file", "script", "bash", "sh", "html", "latex", "markdown", "javascript", "timeit"}


def found_instead(name: str, cell: str):
    """Say what is in a cell that should define this name, and does not; "" if nothing of it is seen."""
    if not_run(name, cell):
        return not_run(name, cell)
    if re.search(rf"^ *# *(def|class) {name}\b", cell, re.MULTILINE):
        return f"The line that defines `{name}` is a comment: it begins with `#`."
    near = nearly(name, defined_in(cell))
    return f"Its cell defines `{near}`, and the name that is asked for is `{name}`." if near else ""


def not_run(name: str, cell: str):
    """Say which line with `%%` keeps a cell from defining a name; "" if none does."""
    magic = MAGIC.search(cell)
    if not (magic and re.search(rf"^(def|class) {name}\b|^{name} *=", cell, re.MULTILINE)):
        return ""
    if cell[: magic.start()].strip():
        return f"In its cell `{magic[0]}` comes after another line. It is understood in the first line of a cell only."
    if magic[0].strip("%") in KEEPS_TO_ITSELF:
        return f"Its cell begins with `{magic[0]}`, which keeps the text to itself: nothing of it is defined here."
    return ""


def defined_in(cell: str):
    """Return the names of the functions and classes that a cell defines; none if it is no plain Python."""
    try:
        statements = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return []
    return [one.name for one in statements if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]


def nearly(name: str, others: list[str]):
    """Return the first of these names that somebody may have meant by this one, or None."""
    same = [other for other in others if other.lower().replace("_", "") == name.lower().replace("_", "")]
    return next(iter([*same, *get_close_matches(name, others, n=1, cutoff=0.85)]), None)
