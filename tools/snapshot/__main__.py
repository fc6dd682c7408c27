"""Write down what the project does, so that a change of its layout can be shown to change nothing else.

Run it before and after a change, and compare the two folders:

    .venv/bin/python tools/snapshot /tmp/before           (with `--seeds 3`, on three sets of inputs)
    .venv/bin/python tools/snapshot /tmp/after
    diff -r /tmp/before /tmp/after

Each file holds one subject; each line is a key, a tab, and what was found, as JSON.
Keys name exercises, answers and students, never files, so they outlive a move.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / folder) for folder in ("support", "teaching"))]

from declared import declared  # noqa: E402 - the path above leads to what they import
from graded import graded  # noqa: E402
from judged import judged, shown_by_check  # noqa: E402
from packed import packed  # noqa: E402
from received import received  # noqa: E402

from autograder import EXERCISES  # noqa: E402
from autograder.exercise import Exercise  # noqa: E402

FUNCTIONS = [name for name, task in EXERCISES.items() if isinstance(task, Exercise)]
JOBS = {  # file -> (function, what it is called with); the longest first
    "graded": (graded,),
    **{f"judged/{name}": (judged, name) for name in reversed(FUNCTIONS)},
    "received": (received,),
    "packed": (packed,),
    "declared": (declared,),
    "shown_by_check": (shown_by_check,),
}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", default="", help="Write only the files whose names begin like this.")
@click.option("--seeds", default=1, help="On how many sets of inputs answers are judged.")
def main(folder, only, seeds):
    """Write what the project does into FOLDER."""
    jobs = {name: job for name, job in JOBS.items() if name.startswith(only)}
    with ProcessPoolExecutor(2, get_context("fork")) as processes:
        more = {name: [seeds] if name.startswith("judged/") else [] for name in jobs}
        waiting = {processes.submit(_lines, *job, *more[name]): name for name, job in jobs.items()}
        for done in as_completed(waiting):
            file = (folder / waiting[done]).with_suffix(".txt")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(done.result(), encoding="utf-8")
            click.echo(f"{file}: {len(done.result().splitlines())} lines")


def _lines(job, *arguments):
    """Return what a job yields as sorted lines."""
    return "".join(sorted(f"{key}\t{json.dumps(value, ensure_ascii=False)}\n" for key, value in job(*arguments)))


if __name__ == "__main__":
    main()
