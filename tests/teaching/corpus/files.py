"""Files: their names, places and kinds, and several of them."""

import os

from .broken import FILE, LESSON, RELEASED, as_bytes, cell_of, family, solved

BROKEN = []
broken = family(BROKEN)


def other_answers(notebook):
    cell_of("softmax", notebook)["source"] += "  # and another thought"
    return as_bytes(notebook)


@broken("Untitled3.ipynb has the name lesson_01_softmax.ipynb now", graded=True)
def renamed(notebook):
    """As JupyterLab names a new one."""
    return {"Untitled3.ipynb": as_bytes(notebook)}


@broken()
def renamed_by_a_browser(notebook):
    """Downloaded for the second time."""
    return {f"{LESSON} (1).ipynb": as_bytes(notebook)}


@broken()
def in_a_folder(notebook):
    """As it lay in my_course/."""
    return {f"my_course/{LESSON}/{FILE}": as_bytes(notebook)}


@broken()
def with_txt_behind(notebook):
    """Some browsers add it."""
    return {f"{FILE}.txt": as_bytes(notebook)}


@broken()
def with_json_as_its_ending(notebook):
    """Others mean well."""
    return {f"{LESSON}.json": as_bytes(notebook)}


@broken("Beside it lay old/lesson_01_softmax.ipynb: not graded, and kept in received/")
def the_same_twice(notebook):
    """A copy in another folder."""
    return {FILE: as_bytes(notebook), f"old/{FILE}": as_bytes(notebook)}


@broken(f"Beside it lay {FILE}: not graded")
def an_empty_one_and_a_copy_with_the_work(notebook):
    """The copy counts, though the other one has the name."""
    return {FILE: RELEASED.read_bytes(), f"{LESSON}-Copy1.ipynb": as_bytes(notebook)}


@broken(f"Beside it lay {LESSON}-Copy1.ipynb: not graded")
def two_that_differ(notebook):
    """The one with the name counts."""
    return {FILE: as_bytes(notebook), f"{LESSON}-Copy1.ipynb": other_answers(notebook)}


@broken(trouble="old.ipynb and older.ipynb hold different answers: ask which of them counts")
def two_that_differ_without_the_name(notebook):
    """Nobody can tell which is meant."""
    return {"old.ipynb": as_bytes(notebook), "older.ipynb": other_answers(notebook)}


@broken(trouble="there are 21 notebooks, and the most is 20: ask which of them counts")
def all_tries_of_a_year(notebook):
    """Whatever their names are, nobody looks into so many."""
    return {f"{LESSON}-Copy{n}.ipynb": as_bytes(notebook) for n in range(21)}


@broken("Beside it lay lesson_00_start_here.ipynb: not graded")
def two_lessons(notebook):
    """The right one is taken."""
    return {FILE: as_bytes(notebook), "lesson_00_start_here.ipynb": as_bytes(solved("lesson_00_start_here"))}


@broken("Beside it lay notes.pdf and picture.png: not graded")
def other_files_beside(notebook):
    """They are not looked at."""
    return {FILE: as_bytes(notebook), "notes.pdf": b"%PDF-1.7", "picture.png": b"\x89PNG"}


@broken()
def what_computers_leave(notebook):
    """Nobody has handed that in on purpose."""
    junk = {
        f".ipynb_checkpoints/{LESSON}-checkpoint.ipynb": as_bytes(notebook),
        "__MACOSX/._x": b"x",
        ".DS_Store": b"x",
    }
    return {FILE: as_bytes(notebook)} | junk


@broken(trouble="there is no notebook among what was handed in (softmax.py): ask for the .ipynb file")
def a_program(notebook):
    """File, export, Python."""
    return {"softmax.py": b"# %%\ndef softmax(scores, axis=-1):\n    return scores\n"}


@broken(trouble="there is no notebook among what was handed in (lesson_01_softmax.html)")
def a_web_page(notebook):
    """File, export, HTML."""
    return {f"{LESSON}.html": b"<!DOCTYPE html><html>"}


@broken(trouble="a web page in place of a notebook")
def a_web_page_with_our_name(notebook):
    """The log-in page that a browser saved in place of the file."""
    return {FILE: b"\n<!DOCTYPE html>\n<html><body>Log in</body></html>"}


@broken(trouble="is a link, a pipe or a device")
def a_link(notebook):
    """It would lead to anybody's file."""
    return {FILE: lambda file: file.symlink_to(RELEASED)}


@broken(trouble="is a link, a pipe or a device")
def a_pipe(notebook):
    """Whoever reads it waits for ever."""
    return {FILE: os.mkfifo}


@broken("Left out: ", graded=True)
def a_link_beside(notebook):
    """The notebook is good."""
    return {FILE: as_bytes(notebook), "data": lambda file: file.symlink_to("/etc")}
