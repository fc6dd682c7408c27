"""Cells in a real kernel, as VS Code, Colab and nbclient run them: without `mha lab`."""

import os

import nbformat
from nbclient import NotebookClient


def run_notebook(cells, folder, **environment):
    """The outputs of each cell; one that stops does not keep the next ones from running."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    client = NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": str(folder)}})
    client.execute(env={**os.environ, **environment})
    return [cell.outputs for cell in notebook.cells]
