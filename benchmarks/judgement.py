"""How well the judge judges: what is accepted, rejected and named, counted over all that we have tried.

Run: make bench
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from helpers import FUNCTIONS, changes_nothing, functions_of, solutions_of
from modules import answer_of, reference_of

from autograder import EXERCISES, judge


def misconceptions(name):
    """Of those that show here: how many are the exercise's own, rejected, and named as themselves."""
    exercise, count = EXERCISES[name], Counter()
    for belief in (b for b in exercise.beliefs if not changes_nothing(exercise, b)):
        verdict, held = judge(answer_of(belief.function, exercise), name), belief.misconceptions[0]
        kind = "own" if held.step == exercise.step else "inherited"
        count[kind] += 1
        count["accepted"] += verdict.right
        count[f"{kind} named"] += bool(verdict.misconception) and verdict.misconception.name == held.name
    return count


def main():
    print(f"{'exercise':<30}{'own':>6}{'named':>7}{'inherited':>11}{'named':>7}{'accepted':>10}")
    total = Counter()
    for name in FUNCTIONS:
        count = misconceptions(name)
        total += count
        print(_row(name, count))
    print(_row("all", total))
    answers(total)


def _row(name, count):
    return (
        f"{name:<30}{count['own']:>6}{count['own named']:>7}"
        f"{count['inherited']:>11}{count['inherited named']:>7}{count['accepted']:>10}"
    )


def answers(total):
    """Everything else that was tried, with how much of it came out as it should."""
    right, wrong = functions_of("right_answers"), functions_of("wrong_answers")
    solutions = {name: solutions_of(task.lesson)[name] for name, task in EXERCISES.items()}
    references = {name: reference_of(EXERCISES[name]) for name in FUNCTIONS}
    print()
    for what, tried in (("references", references), ("hand-written solutions", solutions), ("right variants", right)):
        accepted = sum(judge(answer, name.partition("__")[0]).right for name, answer in tried.items())
        print(f"{what} accepted: {accepted} of {len(tried)}")
    verdicts = {name: judge(answer, name.partition("__")[0]) for name, answer in wrong.items()}
    named = sum(v.misconception is not None and v.misconception.name == n.split("__")[1] for n, v in verdicts.items())
    print(
        f"wrong variants rejected: {sum(not v.right for v in verdicts.values())} of {len(wrong)}, truly named: {named}"
    )


if __name__ == "__main__":
    main()
