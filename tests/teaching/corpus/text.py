"""The text of the file: its letters, its JSON, and where it ends."""

import json

from .broken import FILE, as_bytes, family

BROKEN = []
broken = family(BROKEN)


@broken(trouble="the file is empty")
def empty(notebook):
    """Nothing was saved."""
    return {FILE: b""}


@broken(trouble="the file is empty")
def blank(notebook):
    """A line end."""
    return {FILE: b" \r\n\n"}


@broken(trouble="the file is empty")
def all_zeros(notebook):
    """The disk was full."""
    return {FILE: b"\0" * 5000}


@broken(trouble="the file ends in the middle")
def cut_off(notebook):
    """A broken upload."""
    return {FILE: as_bytes(notebook)[:20_000]}


@broken(trouble="the file ends in the middle")
def cut_off_between_two_cells(notebook):
    """Where a cell is complete."""
    text = as_bytes(notebook)
    return {FILE: text[: text.index(b"},\n  {", 9000) + 1]}


@broken(graded=True)
def byte_order_mark(notebook):
    """As Notepad saves it."""
    return {FILE: b"\xef\xbb\xbf" + as_bytes(notebook)}


@broken(trouble="not written in UTF-8")
def two_bytes_a_letter(notebook):
    """As PowerShell writes."""
    return {FILE: as_bytes(notebook).decode().encode("utf-16")}


@broken(trouble="not written in UTF-8")
def western_letters(notebook):
    """One umlaut is enough."""
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].encode("ascii", "ignore").decode()
    notebook["cells"][-1]["source"] = "print('a cell of my own, für mich')"
    return {FILE: as_bytes(notebook).decode().encode("cp1252", "replace")}


@broken()
def windows_ends_lines_of_the_file(notebook):
    """JSON does not mind."""
    return {FILE: as_bytes(notebook).replace(b"\n", b"\r\n")}


@broken(graded=True)
def windows_ends_lines_of_cells(notebook):
    """Pasted from an editor."""
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")


@broken("After the end of the notebook came 8 more characters: they were left out")
def something_behind(notebook):
    """The tail of an older, longer version."""
    return {FILE: as_bytes(notebook) + b"\n  }\n ]\n}\nx"}


@broken(trouble="one notebook after another")
def one_after_another(notebook):
    """Two files, glued together."""
    return {FILE: as_bytes(notebook) * 2}


@broken(trouble="git left a conflict in it")
def a_conflict_in_answers(notebook):
    """Two people have worked on it."""
    line = '"source": "print(\'a cell of my own, für mich\')",'
    return {FILE: _conflict(notebook, line, line.replace("my own", "ours"))}


@broken(trouble="the file is not JSON, so not a notebook")
def a_picture(notebook):
    """With a notebook's name."""
    return {FILE: "‰PNG and so on".encode()}


@broken(trouble="not written in UTF-8")
def bytes_of_no_text(notebook):
    """A real one."""
    return {FILE: bytes(range(255, 0, -1)) + b"\0" * 9}


@broken(trouble="the file is not JSON, so not a notebook (a trailing comma")
def a_comma_too_much(notebook):
    """Edited by hand."""
    return {FILE: as_bytes(notebook).replace(b"  }\n ],", b"  },\n ],")}


@broken(trouble="the file is not JSON, so not a notebook (a trailing comma")
def a_comma_at_the_end(notebook):
    """Nothing is cut off there."""
    return {FILE: as_bytes(notebook).removesuffix(b"\n}") + b",\n}\n"}


@broken(trouble="nests too deep")
def nested_without_end(notebook):
    """A hundred thousand lists in each other."""
    return {FILE: b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"}


@broken(trouble="a number that is too long")
def an_endless_number(notebook):
    """Python would take minutes to read it."""
    return {FILE: b'{"nbformat": ' + b"1" * 100_000 + b"}"}


@broken("It held half a character", graded=True)
def half_an_emoji(notebook):
    """Cut in two by a tool that counts letters differently."""
    notebook["cells"][0]["source"] += " \ud83d"
    return {FILE: json.dumps(notebook).encode()}


def _conflict(notebook, mine, theirs):
    text = as_bytes(notebook).decode()
    assert mine in text
    sides = f"\n<<<<<<< HEAD\n{mine}\n=======\n{theirs}\n>>>>>>> a1b2c3 (my work)\n"
    return text.replace(mine, sides, 1).encode()
