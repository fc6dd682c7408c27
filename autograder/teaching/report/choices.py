"""What stands behind the letter of a choice: the lesson says it above the answer."""

import re
from itertools import pairwise

CHOICE = re.compile(r"^- (?:\*\*|`\"?)(\w)(?:\"?`|\*\*):?[ ]+(.+?)[;.]?$", re.MULTILINE)


def choices_in(notebook):
    """`question = letter`, as a wrong choice is called, -> its text."""
    return {
        f"{name} = {letter}": text
        for above, cell in pairwise(notebook.cells)
        if (name := cell.metadata.get("nbgrader", {}).get("grade_id"))
        for letter, text in CHOICE.findall("".join(above.source))
    }
