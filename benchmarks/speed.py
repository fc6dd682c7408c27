"""How long a learner waits for a verdict: median milliseconds, warm, for right and wrong answers to each exercise.

Run: make bench
"""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from modules import answer_of, reference_of

from autograder import EXERCISES, judge
from autograder.exercise import Exercise

MOST = 60  # misconceptions of an exercise that are timed
IMPORT = """
import sys, time
start = time.perf_counter()
import numpy
numpy_alone = time.perf_counter() - start
from autograder import EXERCISES, check, hint
from autograder.pictures import heatmap
len(EXERCISES)
print(time.perf_counter() - start, numpy_alone, "torch" in sys.modules)
"""


def milliseconds(function, answer, name, repeats):
    """The median of some runs, after one to warm up."""
    function(answer, name)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(answer, name)
        times.append(1e3 * (time.perf_counter() - start))
    return median(times)


def unexplained(reference):
    """The reference, slightly off: nothing matches, so that the whole diagnosis runs."""
    return lambda *inputs, **options: _off(reference(*inputs, **options))


def _off(result):
    if result is None:
        return None
    if isinstance(result, tuple):
        return tuple(map(_off, result))
    if str(getattr(result, "dtype", "")) == "bool":
        flipped = result.copy()
        flipped.flat[0] = ~flipped.flat[0]
        return flipped
    return result * 1.01 + 0.003


def main():
    imports = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout.split()
    print(f"import {float(imports[0]):.2f} s, of which numpy {float(imports[1]):.2f} s; torch imported: {imports[2]}\n")
    print(f"{'exercise':<30}{'right':>8}{'named':>8}{'slowest':>9}{'unnamed':>9}   ms; misconceptions, pairs")
    for name, exercise in EXERCISES.items():
        if isinstance(exercise, Exercise):
            right = milliseconds(judge, reference_of(exercise), name, 9)
            some = exercise.wrong_versions[:: 1 + len(exercise.wrong_versions) // MOST]
            named = [milliseconds(judge, answer_of(version.function, exercise), name, 3) for version in some]
            unnamed = milliseconds(judge, answer_of(unexplained(exercise.reference), exercise), name, 3)
            counts = f"{len(exercise.mistakes)}, {len(exercise.pairs)}"
            print(f"{name:<30}{right:>8.1f}{median(named):>8.1f}{max(named):>9.1f}{unnamed:>9.1f}   {counts}")


if __name__ == "__main__":
    main()
