"""A class of any size, in which everybody hands in one of a few notebooks: so it is known what they deserve."""

import json

from classroom import CONFIG, Submission, open_course, points_in
from helpers import our_answers
from nbgrader.api import Gradebook

LESSON = "lesson_00_start_here"
WRONG = {"weighted_mean": "def weighted_mean(weights, values):\n    return weights + values\n"}
ENDS = {"weighted_mean": "import os\n\ndef weighted_mean(weights, values):\n    os._exit(0)\n"}
KINDS = {"right": {}, "wrong": WRONG, "also_right": {}, "ends_its_process": ENDS, "untouched": ...}


def kind_of(student):
    return list(KINDS)[int(student.rpartition("_")[2]) % len(KINDS)]


def open_crowd(root, number, more=""):
    """Return student -> the points that they deserve, in a course in which so many have handed in."""
    students, ours, worth = [f"student_{n:04}" for n in range(number)], our_answers(LESSON), points_in(LESSON)
    cells = {kind: ... if others is ... else ours | others for kind, others in KINDS.items()}
    handed_in = {student: Submission(cells[kind_of(student)]) for student in students}
    open_course(root, LESSON, handed_in, CONFIG.format(root=str(root), limit=15) + more, short=True)
    most = sum(worth.values())
    deserved = dict.fromkeys(KINDS, most) | dict.fromkeys(("wrong", "ends_its_process"), most - worth["weighted_mean"])
    return {student: (deserved | {"untouched": 0})[kind_of(student)] for student in students}


def points(db_url):
    """Return student -> points, of all who are in a gradebook."""
    with Gradebook(db_url) as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(LESSON)}


def graded(root):
    """Return who has a receipt that says how they were graded."""
    noted = (json.loads(file.read_text()) for file in root.glob("receipts/*/[!.]*.json"))
    return {one["student"] for one in noted if one.get("graded")}
