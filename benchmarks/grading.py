"""How long grading takes, seconds a submission: nbgrader as it is, and with the examiner. The scores must be the same.

The class is that of tests/grading/test_class.py, right answers and wrong ones, without those that never end: what they
take is the limit. Run: make bench
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

sys.path.extend(str(Path(__file__).parent.parent / folder) for folder in ("tests/support", "tests/grading"))

from classroom import CONFIG, make_known, open_course, scores
from helpers import ROOT
from test_class import CLASS

from autograder.grading.sandbox.lockdown import adopt_orphans
from autograder.grading.sandbox.sources import environment

LESSON = "lesson_01_softmax"
STUDENTS, FEW = 20, 4  # a class; the calls of nbgrader that are timed one by one: each costs the same
PLAIN = 'c.Autograde.autograde_preprocessors[0] = "nbgrader.preprocessors.Execute"\n'
ONE_PROCESS = """
import sys, warnings
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
warnings.simplefilter("ignore")
app = NbGrader()
app.load_config_file()
api = NbGraderAPI(config=app.config)
for student in sys.argv[2:]:
    assert api.autograde(sys.argv[1], student)["success"], student
"""
BARE_CELLS = """
import sys, time, nbformat
from autograder.grading.workers.surroundings import warm
from autograder.grading.workers.shell import Shell
warm()
stdout, start = sys.stdout, time.process_time()
for file in sys.argv[1:]:
    for cell in nbformat.read(file, as_version=4).cells:
        if cell.cell_type == "code" and "check(" not in cell.source:
            Shell.instance().run(cell.source)
sys.stdout = stdout
print((time.process_time() - start) / len(sys.argv[1:]))
"""


def main():
    adopt_orphans()
    students = class_of(STUDENTS)
    ways = {
        "one nbgrader for each student": (PLAIN, one_by_one, list(students)[:FEW]),
        "one nbgrader for the class": (PLAIN, all_at_once, list(students)),
        "one process of nbgrader's API": (PLAIN, one_process, list(students)),
        "mha grade, one process": ("", partial(mha_grade, 1), list(students)),
        "mha grade, two processes": ("", partial(mha_grade, 2), list(students)),
    }
    found = {way: measured(students, *how) for way, how in ways.items()}
    print(f"{STUDENTS} submissions of {LESSON}; seconds a submission, and seconds of CPU")
    for way, (wall, cpu, _) in found.items():
        print(f"  {way:32} {wall:6.2f} {cpu:6.2f}")
    bare = bare_cells(students)
    print(f"  {'the cells alone, in a warm process':32} {'':6} {bare:6.2f}")
    report(found, bare)
    report_loop(students, found["mha grade, two processes"][0])


def class_of(number):
    """The students in turn."""
    quick = {name: cells for name, (cells, _) in CLASS.items() if "never_ends" not in name}
    names = list(quick)
    return {f"{names[n % len(names)]}_{n}": quick[names[n % len(names)]] for n in range(number)}


def measured(students, config, run, names):
    """Wall and CPU seconds a submission, and all scores."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        open_course(root, LESSON, students, CONFIG.format(root=str(root), limit=30) + config)
        make_known(root, LESSON)
        start, used = time.perf_counter(), cpu_of_children()
        run(root, names)
        wall = time.perf_counter() - start  # then whoever typed it can go on
        wait_for_orphans()
        cpu = cpu_of_children() - used
        return wall / len(names), cpu / len(names), {name: scores(root, LESSON, name) for name in names}


def wait_for_orphans():
    """Processes that were begun by processes that are gone: their time counts, too."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, 0):
            pass


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one_by_one(root, names):
    for name in names:
        finish(begin(root, "-m", "nbgrader", "autograde", LESSON, "--student", name))


def all_at_once(root, names):
    finish(begin(root, "-m", "nbgrader", "autograde", LESSON))


def one_process(root, names):
    finish(begin(root, "-c", ONE_PROCESS, LESSON, *names))


def mha_grade(jobs, root, names):
    finish(begin(root, "-m", "autograder.cli", "grade", LESSON, "--jobs", str(jobs)))


def begin(root, *command):
    return subprocess.Popen([sys.executable, *command], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(running):
    assert running.wait() == 0, running.args


def bare_cells(students):
    """CPU seconds of a submission's cells."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        open_course(root, LESSON, students, CONFIG.format(root=str(root), limit=30))
        files = [str(file) for file in root.glob(f"submitted/*/{LESSON}/*.ipynb")]
        command = [sys.executable, "-c", BARE_CELLS, *files]
        return float(subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True).stdout)


def report(found, bare):
    """Ratios, and whether all agree."""
    each, together, _, one, two = (wall for wall, _, _ in found.values())
    print(f"`mha grade` is {each / two:.1f} times as fast as one nbgrader a student ({each / one:.1f} in one process),")
    print(f"and {together / two:.1f} times as fast as one for the class ({together / one:.1f} in one process).")
    cpu = found["mha grade, one process"][1]
    print(f"It takes {cpu / bare:.1f} times the CPU of the cells alone.")
    expected = found["one nbgrader for the class"][2]
    differing = {n for _, _, marks in found.values() for n in marks if marks[n] != expected[n]}
    print(f"Scores that differ from nbgrader's: {len(differing)} {sorted(differing) or ''}")


def report_loop(students, wall):
    """What one function that never ends costs the whole class."""
    endless = next(cells for name, (cells, _) in CLASS.items() if "never_ends" in name)
    looping = students | {next(iter(students)): endless}
    longer, _, _ = measured(looping, "", partial(mha_grade, 2), list(looping))
    print(f"With a loop in one of the notebooks the class takes {(longer - wall) * len(students):.0f} s longer.")


if __name__ == "__main__":
    main()
