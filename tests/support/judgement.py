"""How well the judge judges: what it accepts, rejects and names, counted over all that we have tried.

Run: make judgement
"""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from helpers import ACCEPTED, FUNCTIONS, answers_from_stubs, first_case_changed, functions_of, of, solutions_of
from modules import answer_of, reference_of

from autograder import EXERCISES, judge

WRONG = {
    "own": "its own misconceptions",
    "inherited": "those of the steps it is built on, where they change something",
    "style": "wrong answers in other styles, with a name that is meant",
    "odd": "wrong answers that have no name: a true reason is meant",
    "stubs": "wrong answers written from the stubs alone; here any name counts",
}
ROW = "{:<31}{:>7}{:>10}{:>7}{:>10}{:>9}{:>10}"


def main():
    print(ROW.format("exercise", "wrong", "rejected", "named", "accepted", "right", "accepted"))
    total = Counter()
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        for name, counted in zip(FUNCTIONS, processes.map(count, FUNCTIONS)):
            total += counted
            print(row(name, counted), flush=True)
    print(row("all", total), "\n\nOf the wrong ones:")
    for kind, words in WRONG.items():
        tried, rejected, named = (total[kind, what] for what in ("tried", "rejected", "named"))
        print(f"  {words}: {rejected} of {tried} rejected, {named} as meant")


def row(name, counted):
    tried, rejected, named = (sum(counted[kind, what] for kind in WRONG) for what in ("tried", "rejected", "named"))
    right, accepted = counted["right", "tried"], counted["right", "accepted"]
    return ROW.format(name, tried, rejected, named, tried - rejected, right, accepted)


def count(name):
    """(kind, what became of it) -> how many, of the wrong and the right answers to one exercise."""
    counted = Counter()
    for kind, meant, answer in wrong_answers(name):
        verdict = judge(answer, name)
        found = "reason_" + verdict.reason if kind == "odd" else getattr(verdict.misconception, "name", None)
        named = found == meant if meant else found is not None
        counted += Counter({(kind, "tried"): 1, (kind, "rejected"): not verdict.right, (kind, "named"): named})
    for answer in right_answers(name):
        counted += Counter({("right", "tried"): 1, ("right", "accepted"): judge(answer, name).right})
    return counted


def wrong_answers(name):
    """(kind, the name or the reason that is meant, answer)"""
    exercise = EXERCISES[name]
    for version in (b for b in exercise.wrong_versions if first_case_changed(exercise, b)):
        (held,) = version.mistakes
        yield "own" if held.step == exercise.step else "inherited", held.name, answer_of(version.function, exercise)
    for answer, function in of(functions_of("wrong"), name).items():
        meant = answer.split("__")[1]
        yield "odd" if meant.startswith("reason_") else "style", meant, function
    for answer, function in of(answers_from_stubs("wrong"), name).items():
        if answer not in ACCEPTED:
            yield "stubs", None, function


def right_answers(name):
    """What our package has, what we wrote by hand, and what people write instead."""
    yield reference_of(EXERCISES[name])
    yield solutions_of(EXERCISES[name].lesson)[name]
    yield from of(functions_of("right"), name).values()
    yield from of(answers_from_stubs("right"), name).values()


if __name__ == "__main__":
    main()
