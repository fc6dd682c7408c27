"""The environment of the processes that we start."""

import os
from pathlib import Path

# What a worker does.
WORKER = "autograder.grading.workers.worker"
TORCH_WORKER = "autograder.grading.workers.torch_worker"
ROOT = Path(__file__).resolve().parents[3]
# A worker could read in its memory what the environment was at the start: it holds no more than this.
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "MPLCONFIGDIR", "SYSTEMROOT")
KEPT += ("AUTOGRADER_COURSE",)
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# Each heap reserves 64 MiB of addresses, and addresses are what is limited.
FEW_HEAPS = {"MALLOC_ARENA_MAX": "2"}


def environment():
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # Not the folder in which we are: a submission may lie there, with a numpy.py in it.
    return {**kept, **ONE_THREAD, **FEW_HEAPS, "PYTHONPATH": search_path(), "PYTHONSAFEPATH": "1"}


def search_path():
    """Return the path to our own packages, from wherever we have them ourselves."""
    return os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
