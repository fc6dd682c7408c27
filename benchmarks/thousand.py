"""A class of a hundred, or of as many as are asked for, graded in one go: right, wrong, broken and hostile work.

    python benchmarks/thousand.py [1000] [--kills 10]

How long it takes, whether memory, descriptors and processes stay flat, and whether all have the points they deserve.
With kills, graders and their workers are ended at random moments, the command itself every third time, and it is
called again; the points are the same, no student is left out or counted twice.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

sys.path.extend(str(Path(__file__).parent.parent / folder) for folder in ("tests", "tests/support", "tests/grading"))

import click
import psutil
from attacks import ATTACKS
from classroom import CONFIG, Submission, open_course
from helpers import our_answers
from nbgrader.api import Gradebook
from test_class import CLASS, FULL

LESSON = "lesson_01_softmax"
TIMEOUTS = "c.Examiner.timeout = 5\nc.Examiner.timeout_of_call = 2\n"
MIB = 2**20
HOSTILE = [
    attack
    for attack in ATTACKS.values()
    if attack.lesson == LESSON and not (attack.alone or attack.dangerous or None in attack.deserves.values())
]
QUICK = [attack for attack in HOSTILE if not attack.name.startswith(("endless", "timing", "memory", "output"))]


@click.command()
@click.argument("number", default=100)
@click.option("--kills", default=0, help="Processes that are ended at random moments.")
@click.option("--jobs", default=2)
def main(number, kills, jobs):
    students, deserved = mixed_class(number)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        open_course(root, LESSON, students, CONFIG.format(root=str(root), limit=5) + TIMEOUTS)
        start = time.monotonic()
        seen = graded(root, jobs, kills)
        seconds = time.monotonic() - start
        click.echo(
            f"{number} submissions, {jobs} processes, {kills} kills: {seconds:.0f} s, {seconds / number:.2f} each"
        )
        tell_flatness(seen)
        tell_marks(root, deserved)


def mixed_class(number):
    """Name -> Submission, and name -> points; None where it cannot be graded."""
    clear = [(cells, earned) for name, (cells, earned) in CLASS.items() if "never_ends" not in name]
    honest = [(cells, sum(earned.values())) for cells, earned in clear if "PART" not in earned.values()]
    students, deserved = {}, {}
    for n in range(number):
        name, place = f"student_{n:04}", n // 20
        if n % 20 == 18:
            students[name], deserved[name] = broken(), None
        elif n % 20 == 19:
            attack = (HOSTILE if place % 10 == 0 else QUICK)[place % len(HOSTILE if place % 10 == 0 else QUICK)]
            students[name], deserved[name] = hostile(attack, name), deserved_by(attack)
        else:
            students[name], deserved[name] = honest[n % len(honest)]
    return students, deserved


def broken():
    return Submission(our_answers(LESSON), files={f"{LESSON}.ipynb": '{"cells": ['})


def hostile(attack, name):
    places = dict(canary="/tmp/none", home="/root", project="/", student=name, port=9, victim=2**22)
    return attack.submission(places)


def deserved_by(attack):
    return sum(attack.deserves.get(exercise, 0) for exercise in FULL)


def graded(root, jobs, kills):
    """Until all are; what was seen of the processes meanwhile."""
    seen, left = [], kills
    while True:
        running = begin(root, jobs)
        family = psutil.Process(running.pid)
        while running.poll() is None:
            time.sleep(1)
            with suppress(psutil.Error):
                seen.append(state_of(family, root))
                if left and random.random() < 0.15:
                    kill_one(family, all_of_it=left % 3 == 0)
                    left -= 1
        if running.returncode != -signal.SIGKILL:
            return seen


def begin(root, jobs):
    command = [sys.executable, "-m", "autograder.cli", "grade", LESSON, "--jobs", str(jobs), "--trust-submissions"]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def state_of(family, root):
    """Done, memory of graders that no other process shares, their descriptors, all processes."""
    members = [family, *family.children(recursive=True)]
    memory, descriptors = 0, 0
    for member in members:
        with suppress(psutil.Error):
            memory += member.memory_full_info().uss
            descriptors += member.num_fds()
    return len(list(root.glob("receipts/*/*.json"))), memory / MIB, descriptors, len(members)


def kill_one(family, all_of_it):
    members = (not all_of_it and family.children(recursive=True)) or [family]
    random.choice(members).send_signal(signal.SIGKILL)


def tell_flatness(seen):
    """The middle value in the second tenth of the run, and in the last."""
    tenth = max(len(seen) // 10, 1)
    for place, what in enumerate(("MiB of memory", "descriptors", "processes"), start=1):
        early, late = (middle([state[place] for state in part]) for part in (seen[tenth : 2 * tenth], seen[-tenth:]))
        click.echo(f"  {what}: {early:.0f} early, {late:.0f} late, {max(state[place] for state in seen):.0f} at most")


def middle(numbers):
    return sorted(numbers)[len(numbers) // 2]


def tell_marks(root, deserved):
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        marks = [(submission.student.id, submission.score) for submission in gradebook.assignment_submissions(LESSON)]
    found = {name: score for name, score in marks if deserved[name] is not None}
    due = {name: points for name, points in deserved.items() if points is not None}
    differing = {name: (found.get(name), points) for name, points in due.items() if found.get(name) != points}
    twice = [name for name, times in Counter(name for name, _ in marks).items() if times > 1]
    click.echo(f"  {len(due)} to be graded: {len(differing)} with other points than they deserve {differing or ''}")
    click.echo(f"  {len(due.keys() - found.keys())} left out, {len(twice)} there twice")


if __name__ == "__main__":
    main()
