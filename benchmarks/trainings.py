"""How long the slow cells of each lesson take, with our solutions, on one core: every training should take under 60 s.

Run: make bench
"""

import os
import sys
from datetime import datetime
from tempfile import TemporaryDirectory

from nbclient import NotebookClient

from autograder.build import solution_notebook
from autograder.catalogue import LESSONS
from autograder.course import installed

SLOW = 2  # seconds: what takes less is no training


def run_on_one_core(lesson):
    """Run a lesson with our solutions, and return its code cells, which know when they began and ended."""
    notebook = solution_notebook(installed().text(lesson))
    with TemporaryDirectory() as folder:
        os.environ["MHA_PROGRESS"] = os.path.join(folder, "progress.jsonl")  # whoever measures has learned nothing
        client = NotebookClient(notebook, timeout=600, record_timing=True, resources={"metadata": {"path": folder}})
        client.execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def seconds(cell):
    """Return how long the kernel was at a cell."""
    said = cell.metadata.execution
    begun, ended = (datetime.fromisoformat(said[f"iopub.status.{state}"]) for state in ("busy", "idle"))
    return (ended - begun).total_seconds()


def first_line(cell):
    return next(line for line in cell.source.splitlines() if line.strip())


def main():
    os.environ["OMP_NUM_THREADS"] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # kernels inherit it
    for lesson in sys.argv[1:] or LESSONS:
        cells = run_on_one_core(lesson)
        print(f"{lesson}: {sum(map(seconds, cells)):.0f} s in all")
        for cell in cells:
            if seconds(cell) > SLOW:
                print(f"{seconds(cell):8.0f} s  {first_line(cell)[:80]}")


if __name__ == "__main__":
    main()
