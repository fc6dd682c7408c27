"""How much a submission may use, and the environment of the processes that we start."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

MIB = 2**20
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


@dataclass(frozen=True)
class Limits:
    """What one worker may use, however long it lives; whoever asks it has a clock of their own."""

    # On top of what every worker is born with. The lessons stay under 200 MiB; a matrix of 10 000 x 10 000 fits twice.
    memory: int = 2048 * MIB
    # A worker is one process and never has children: then `memory` holds for all that a submission does.
    # Threads it may have, as torch and NumPy start some for each core.
    threads: int = 64
    # A net below the examiner's clocks: whatever these miss, no core is busy for longer than this.
    cpu_seconds: int = 300
    # No single file may fill the folder; a figure takes 50 KiB.
    file_size: int = 16 * MIB
    # /tmp with the working folder in it lies in memory. Empty files take memory too, so they are counted.
    tmp_size: int = 64 * MIB
    tmp_files: int = 2000
    # Each open file and pipe holds some of the kernel's memory.
    open_files: int = 256


def set_limits(limits, in_sandbox=True):
    """Set limits on this process for good, as far as this platform has them; Windows has none."""
    try:
        import resource
    except ImportError:
        return
    for name, value in _values(limits, resource.getpagesize(), in_sandbox).items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            _, most = resource.getrlimit(kind)
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(kind, (value, value))


def _values(limits, page, in_sandbox):
    values = {"CPU": limits.cpu_seconds, "FSIZE": limits.file_size, "NOFILE": limits.open_files}
    values |= {"CORE": 1}  # byte, and not 0: a program that Linux pipes cores to gets one all the same
    if sys.platform == "linux":  # others count differently, or not at all
        with open("/proc/self/statm") as file:
            in_use = int(file.read().split()[0]) * page
        values |= {"AS": in_use + limits.memory, "MEMLOCK": 0, "MSGQUEUE": 0, "SIGPENDING": 64}
    if in_sandbox:  # elsewhere it would count all that its user runs
        values |= {"NPROC": limits.threads}
    return values


def environment():
    """Return the environment of a process that we start, which finds our packages where we have them ourselves."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # Not the folder in which we are: a submission may lie there, with a numpy.py in it.
    ours = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**kept, **ONE_THREAD, **FEW_HEAPS, "PYTHONPATH": ours, "PYTHONSAFEPATH": "1"}
