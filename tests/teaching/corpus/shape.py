"""JSON that is no notebook, or one of another time, another place, another size."""

import nbformat

from .broken import FILE, as_bytes, family

BROKEN = []
broken = family(BROKEN)


@broken("It was in the old format 3 of notebooks", graded=True)
def format_3(notebook):
    """Of the year 2014."""
    old = nbformat.convert(nbformat.from_dict(notebook), 3)
    return {FILE: as_bytes(old)}


@broken(trouble="it is in an old format of notebooks, and broken")
def format_3_broken(notebook):
    """Its sheets are numbers."""
    return {FILE: as_bytes({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [1, 2]})}


@broken("It was in the old format 3 of notebooks")
def format_3_with_a_low_heading(notebook):
    """Lower than headings go: nbformat would write as many # as its level says."""
    old = nbformat.convert(nbformat.from_dict(notebook), 3)
    old.worksheets[0].cells.append(dict(cell_type="heading", level=30_000_000, source="A title", metadata={}))
    return {FILE: as_bytes(old)}


@broken("It was in the old format 3 of notebooks")
def format_3_with_broken_outputs(notebook):
    """They are left out in any case."""
    old = nbformat.convert(nbformat.from_dict(notebook), 3)
    output = dict(output_type="display_data", metadata={}, json="[0,")
    old.worksheets[0].cells[-1].outputs = [output]
    return {FILE: as_bytes(old)}


@broken()
def a_newer_minor(notebook):
    """With things that we do not know."""
    notebook["nbformat_minor"] = 99
    for cell in notebook["cells"]:
        cell["mood"] = "good"


@broken(trouble="it is in the format 5 of notebooks")
def format_5(notebook):
    """There is none yet."""
    notebook["nbformat"] = 5


@broken()
def without_ids(notebook):
    """As Colab saves it, in format 4.0."""
    notebook["nbformat_minor"] = 0
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"]["id"] = "aBc"


@broken()
def ids_that_are_there_twice(notebook):
    """And some that are none."""
    for cell in notebook["cells"][:4]:
        cell["id"] = "same"
    notebook["cells"][5]["id"] = "no id, with blanks"


@broken()
def sources_as_lists(notebook):
    """As Jupyter saves them."""
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)


@broken(trouble="it has no cells, or other things among them")
def a_cell_that_is_a_number(notebook):
    """Edited by hand."""
    notebook["cells"].append(7)


@broken()
def a_cell_of_an_unknown_kind(notebook):
    """Of another format."""
    notebook["cells"].append({"cell_type": "heading", "source": "A title", "metadata": {}, "id": "heading"})


@broken()
def a_cell_without_parts(notebook):
    """No source, no metadata, no outputs."""
    notebook["cells"].append({"cell_type": "code"})


@broken()
def notes_that_break_the_format(notebook):
    """Tags must not be there twice."""
    notebook["cells"][-1]["metadata"]["tags"] = ["a", "a"]


@broken(graded=True)
def tags_that_are_no_texts(notebook):
    """In one cell a number among texts, in another no list."""
    notebook["cells"][0]["metadata"]["tags"] = ["a", 7]
    notebook["cells"][1]["metadata"]["tags"] = "a"


@broken(trouble="it is JSON, but no notebook")
def a_list(notebook):
    """Of cells, say."""
    return {FILE: as_bytes(notebook["cells"])}


@broken(trouble="it has no cells")
def no_list_of_cells(notebook):
    """A settings file."""
    return {FILE: as_bytes({"cells": {"a": 1}})}


@broken(trouble="it has 6,000 cells; the most is 5,000")
def thousands_of_cells(notebook):
    """Made by a program."""
    notebook["cells"] = notebook["cells"][-1:] * 6000


@broken(graded=True)
def much_output(notebook):
    """A print in a loop."""
    notebook["cells"][-1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 12 * 2**20}]


@broken()
def broken_outputs(notebook):
    """They are left out in any case."""
    notebook["cells"][-1]["outputs"] = [{"output_type": "nonsense"}, 7, None]


@broken()
def widgets_and_pictures(notebook):
    """As Colab and VS Code save them: notes in each other, the state of many widgets, a picture in a text."""
    model = {"model_name": "HTMLModel", "state": {"_dom_classes": [], "layout": "IPY_MODEL_1", "value": "{[1, 2]}\n"}}
    state = {f"{number:032x}": model for number in range(3000)}
    notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": state}}
    notebook["metadata"]["colab"] = {"provenance": [{"file_id": "x", "timestamp": 1}], "toc_visible": True}
    notebook["cells"][0]["attachments"] = {"map.png": {"image/png": "iVBORw0K" * 500_000}}
    for cell in notebook["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "python", "notes": [[[[["deep"]]]]]}


@broken()
def another_kernel(notebook):
    """With a virtual environment of one's own."""
    notebook["metadata"]["kernelspec"] = {"name": "my-venv", "display_name": "My venv", "language": "python"}


@broken()
def another_language(notebook):
    """R, by a slip of the mouse."""
    notebook["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
    notebook["metadata"]["language_info"] = {"name": "R"}


@broken()
def no_kernel(notebook):
    """No metadata at all."""
    notebook["metadata"] = {}
    del notebook["nbformat_minor"]
