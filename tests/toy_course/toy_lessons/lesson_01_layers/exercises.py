"""Lesson 01: standard scores, as a function and as a layer."""

import toy_ref

from autograder.exercise import Exercise, ModuleExercise, Step
from autograder.question import Question

from . import cases, functional

remember_the_mean = Question(
    answer=5, points=0, wrong={10: "That is the sum. Look at lesson 00.", 8: "That is the larger one."}
)
standard_scores = Exercise(toy_ref.standard_scores, cases.rows, library="torch")
from_pairs = Exercise(toy_ref.from_pairs, cases.pairs, library="torch", copies=True)
rescaled = Step(functional.rescaled)
Standardise = ModuleExercise(
    functional.standardise,
    cases.layer,
    sizes=dict(size=lambda inputs: len(inputs["gain"])),
    inspection="toy_lessons.lesson_01_layers.inspection:standardise",
    points=2,
)
