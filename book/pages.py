"""The lessons as pages: what is asked, our solution folded away, and everything run once. And the cheat sheet.

A Sphinx extension: before the build it writes lessons/*.ipynb, those that are no longer what they should be.
"""

import hashlib
import logging
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat.v4 import new_markdown_cell
from sphinx.errors import SphinxError
from traitlets.config import Config

from autograder.build import INSTALL, solution_notebook
from autograder.catalogue import LESSONS, lacking
from autograder.course import installed
from autograder.outline import outline
from autograder.teaching.cheat_sheet import FILE as SHEET
from autograder.teaching.cheat_sheet import cheat_sheet

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "book" / "lessons"
OWN_PROGRESS = "\nprogress()", "\nwhere_to_begin()"  # last lines of cells
WIDGET = "application/vnd.jupyter.widget-view+json"  # works in Jupyter only
LIVE = '<a href="../live/lab/index.html?path={0}/{0}.ipynb">Write this lesson in your browser</a>: nothing to install.'
LONGEST = "12", "09", "11", "10", "07"  # they train for most of the time; 10 and 11 open the model that 09 keeps


def setup(app):
    app.connect("builder-inited", write_pages)


def write_pages(app):
    """Run what changed, two lessons at a time, the longest first, and say so."""
    PAGES.mkdir(exist_ok=True)
    (PAGES / SHEET).write_text(cheat_sheet(installed(), "sheet.html"), encoding="utf-8")
    for page in PAGES.glob("*.ipynb"):
        if page.stem not in LESSONS:
            page.unlink()
    logging.getLogger("traitlets").setLevel("WARNING")  # a kernel that starts is no news
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # two at a time leave no core over
    print(f"Running {len(LESSONS)} lessons, two at a time, but for those that have not changed.", flush=True)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write_page, sorted(LESSONS, key=turn)))
    print("Writing the pages.", flush=True)


def turn(lesson):
    """Say when a lesson runs: after the longest, in order."""
    return [*LONGEST, lesson[7:9]].index(lesson[7:9])


def write_page(lesson):
    """Run the lesson, unless its page was made from the very same text and code."""
    page, notebook = PAGES / f"{lesson}.ipynb", page_of(solution_notebook(installed().text(lesson)))
    if lacking(lesson):
        notebook.cells.insert(1, new_markdown_cell(LIVE.format(lesson), id="live"))
    made_from, begun = digest(notebook), perf_counter()
    if page.exists() and nbformat.read(page, as_version=4).metadata.get("made_from") == made_from:
        return
    try:
        executed = run(notebook, ROOT / "solutions" / lesson)
    except CellExecutionError as error:
        raise SphinxError(f"{lesson}: {error}") from None
    executed.metadata["made_from"] = made_from
    nbformat.write(still(executed), page)
    print(f"{lesson}: {perf_counter() - begun:.0f} seconds", flush=True)


def run(notebook, folder):
    """Run our solutions in their folder, which counts as no learner's progress."""
    return client(notebook, folder).execute(env={**os.environ, "MHA_PROGRESS": os.devnull})


def client(notebook, folder):
    """A kernel that starts in a lesson's folder and talks encrypted, or without a warning that it does not."""
    quiet = Config(KernelManager=dict(transport_encryption="auto"))
    return NotebookClient(
        notebook, config=quiet, store_widget_state=False, resources={"metadata": {"path": str(folder)}}
    )


def digest(notebook):
    """Of all that decides what the notebook shows."""
    code = [file for part in outline().folders.values() for file in sorted(part.rglob("*.py"))]
    parts = [nbformat.writes(notebook).encode(), *(file.read_bytes() for file in [Path(__file__), *code])]
    parts.append(os.environ.get("NBGRADER_EXECUTION", "").encode())  # it cuts trainings short
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def page_of(notebook):
    """For reading: without the cell about packages and those about one's own progress, without marks."""
    cells = [cell for cell in notebook.cells if cell.id != INSTALL and not f"\n{cell.source}".endswith(OWN_PROGRESS)]
    notebook.cells = [page for cell in cells for page in readable(cell)]
    return notebook


def readable(cell):
    """An exercise becomes what is asked, and a solution to unfold, as code is that draws; a check is only its card."""
    role, draws = cell.metadata.pop("nbgrader", {}), cell.metadata.pop("jupyter", {}).get("source_hidden")
    is_check = role.get("grade_id", "").startswith("check_")
    folded = role.get("solution") or draws
    cell.metadata["tags"] = ["hide-input"] if folded else ["remove-input"] if is_check else []
    if draws:
        cell.metadata["mystnb"] = {"code_prompt_show": "Show the code that draws", "code_prompt_hide": "Hide it"}
    task = re.sub("### BEGIN SOLUTION.*?### END SOLUTION", "# your work goes here", cell.source, flags=re.S)
    cell.source = re.sub("^ *### (BEGIN|END) SOLUTION\n?", "", cell.source, flags=re.M).rstrip()
    asked = new_markdown_cell(f"```python\n{task}\n```", id=f"asked-{cell.id}")
    return [asked, cell] if role.get("solution") else [cell]


def still(notebook):
    """On a page nothing moves: it shows the stills that stand before the sliders, and bars as they were at the end."""
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
        CoalesceStreamsPreprocessor().preprocess_cell(cell, {}, 0)
    return notebook
