"""How much memory a call needs at its peak, beyond its inputs: measured in a process of its own, or on a GPU."""

import inspect
import os
import subprocess
import sys
from time import perf_counter

CODE = """
import math
import numpy as np
import torch
import torch.nn.functional as F
from mha_ref import *
from mha_ref.peak_memory import forget_peak, peak

torch.set_num_threads(1)
torch.set_grad_enabled(False)
{sources}

def call(query, key, value):
    return {call}

call(*torch.randn(3, 256, {size}).unbind())  # whatever is loaded with the first call is no part of it
before = peak()
for tokens in {tokens}:
    query, key, value = torch.randn(3, tokens, {size}).unbind()
    if forget_peak():
        before = peak()
    call(query, key, value)
    print(peak() - before)
"""


def peak_memory(call, *functions, tokens=(2048, 4096, 8192), size=64):
    """Return {tokens: how many MiB a call needs beyond its inputs}, in a process of its own, with one thread.

    call: Python code that names query, key and value, each (tokens, size), and the functions;
    functions: of a notebook, and everything of the notebook that they call; those of mha_ref are there.
    tokens: in rising order.
    """
    sources = "\n\n".join(map(inspect.getsource, functions))
    code = CODE.format(sources=sources, call=call, tokens=tokens, size=size)
    gives_back = os.environ | {"MALLOC_MMAP_THRESHOLD_": str(2**16)}  # what is freed counts no longer
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=gives_back)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return dict(zip(tokens, map(float, done.stdout.split()), strict=True))


def peak():
    """Return the most memory that this process has held, in MiB.

    Linux has it in a file; what `ru_maxrss` says there counts the memory of the process that started this one.
    """
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 2**10
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2 ** (20 if sys.platform == "darwin" else 10)


def forget_peak():
    """Let the peak begin anew at what this process holds now; say whether the system can do that."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        return False
    return True


def peak_on_gpu(function, tokens=8192, size=64):
    """Return how many MiB a call needs beyond its inputs on a GPU, and how many seconds the second one takes."""
    import torch

    inputs = torch.randn(3, tokens, size, device="cuda").unbind()
    with torch.no_grad():
        function(*inputs)
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before, start = torch.cuda.memory_allocated(), perf_counter()
        function(*inputs)
        torch.cuda.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / 2**20, perf_counter() - start
