"""Put lessons, findings, names and counts into words."""

import re
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path
from statistics import mean, median

from ..catalogue import EXERCISES
from ..question import Question

WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def lesson_in_words(lesson):
    """Return the title of a lesson from the name of its folder. An instructor's own lesson keeps its name."""
    found = re.fullmatch(r"lesson_(\d+)_(.+)", lesson)
    return f"Lesson {found[1]}: {found[2].replace('_', ' ')}" if found else lesson


def name_in_words(name):
    """Say a misconception in words, such as `forgets to scale`; for a slip, `weight_ratio = 2`, say `answers 2`."""
    _, is_answer, answer = name.partition(" = ")
    if not is_answer:
        return name.replace("_", " ")
    with suppress(ValueError):  # not every answer is a number
        answer = f"{float(answer):.6g}"  # 5.43656365691809 says no more than 5.43656
    return f"answers {answer}"


def reason_in_words(group):
    """Say what was found in a group of answers; of a question, say the answer itself."""
    row = group.shown
    if isinstance(EXERCISES.get(group.exercise), Question):
        return name_in_words(f"{group.exercise} = {row.alike}")
    return WORDS["reasons"].get(row.reason) or broken_in_words(row.property)


def broken_in_words(name):
    """Say what is wrong with an answer that breaks a property, which is named after what holds for right answers."""
    told = name.replace("_", " ")
    if name.startswith("depends_on_"):
        return f"does not {told.replace('depends', 'depend')}"
    return WORDS["broken"].get(name) or (f"not so: {told}" if name in _properties() else told)


@cache
def _properties():
    tasks = EXERCISES.values()
    return {one.__name__ for task in tasks for one in (*getattr(task, "properties", ()), *getattr(task, "remarks", ()))}


def finding_in_words(verdict):
    """Say in a few words what was found, from a verdict as data; "-" if there is no verdict."""
    if not verdict:
        return "-"
    names = [name_in_words(name) for name in (verdict["misconception"], verdict["also"]) if name]
    broken = "" if verdict["reason"] == "right" else broken_in_words(verdict["property"] or "")
    return ", ".join(names) or broken or WORDS["reasons"].get(verdict["reason"], verdict["reason"])


def number(x):
    """Write a number with at most one decimal: 11.25 as 11.2, 11.0 as 11."""
    return f"{x:.1f}".removesuffix(".0")


def points(x):
    """Write points as people and platforms do, with at most two decimals: 3.3333333 as 3.33, 2.0000001 as 2."""
    return f"{round(x, 2) + 0.0:.12g}"


def in_points(x):
    """Write points with their word: `1 point`, `3 points`."""
    return f"{points(x)} {'point' if x == 1 else 'points'}"


LONGEST_GIST, SHORT = 300, 30  # characters; a sentence as short as `That is near.` says too little alone
SENTENCE = re.compile(r"(?:`[^`]*`|[^`])+?[.?!](?=\s+[A-Z`(\"]|$)")


def gist(message):
    """Return a message's first sentence, with the second if the first is short; else its first paragraph."""
    paragraph = " ".join(message.strip().partition("\n\n")[0].split())
    sentences = SENTENCE.findall(paragraph)[:2] or [paragraph]
    return cut("".join(sentences[: 2 if len(sentences[0]) < SHORT else 1]), LONGEST_GIST)


def count(n, noun):
    return f"{n} {noun if n == 1 else noun + 's'}"


def listed(names, most=3):
    """Join names as `a, b and c`, each of them once; of a long list the first, and how many others there are."""
    names = list(dict.fromkeys(map(str, names)))
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def cut(name, most=60):
    """Shorten a name to its beginning, on one line: a stranger chose it, and it may be as long as a book."""
    name = " ".join(str(name).splitlines())
    return name if len(name) <= most else f"{name[:most]}..."


def main_facts(points, of, not_graded):
    """Say how many submissions are graded, how good they are, and how many are not graded.

    points: student -> points; of: the most points that can be reached; not_graded: student -> why.
    """
    facts = [count(len(points), "graded submission")]
    if of:
        middle, usual = number(mean(points.values())), number(median(points.values()))
        facts = [f"{facts[0]}: mean {middle} and median {usual} of {in_points(of)}"]
    if not_graded:
        facts.append(f"{count(len(not_graded), 'other')} {'is' if len(not_graded) == 1 else 'are'} not graded")
    return "; ".join(facts)


def left_out(waiting):
    """Say what waits for a mark by hand, and so is in no mean. waiting: exercise -> how many answers to it."""
    answers = f"{count(sum(waiting.values()), 'answer')} {'waits' if sum(waiting.values()) == 1 else 'wait'}"
    return f"{answers} for a mark by hand, so mean and median leave out {listed(waiting)}" if waiting else ""
