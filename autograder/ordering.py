"""Lines to put in order: the letters that a learner gives make a function, and that is judged like any other."""

import linecache
import re
from importlib import import_module
from inspect import Parameter

from .course import Task
from .judging.verdict import Verdict

UNREADABLE = (
    "Python cannot read your lines in this order. At line `{}` it says: {}. A line that ends in a colon needs a line "
    "below that is further in, and only there a line may be further in."
)


class Ordering(Task):
    """Shuffled lines of a right function, and perhaps some that do not belong there.

    exercise: what the function must compute, whichever order does it; it has the exercise's parameters.
    lines: letter -> line, with the indentation that it needs inside the function.
    names: what the lines may use: "np", "torch", and functions of the reference.
    """

    to_be = "answered"

    def __init__(self, exercise, lines, names, points=1):
        self.exercise, self.lines, self.names, self.points = exercise, lines, names, points

    @property
    def reference(self):
        return self.exercise.reference

    @property
    def shown_parameters(self):
        return self.exercise.shown_parameters

    def code(self, letters):
        """Return the source of the function that these lines make in this order."""
        parameters = ", ".join(
            n if default is Parameter.empty else f"{n}={default!r}" for n, default in self.exercise.parameters.items()
        )
        head = f"def {self.exercise.name}({parameters}):"
        return "\n".join([head, *(f"    {self.lines[letter]}" for letter in letters)])


def function_of(answer, task):
    """Return the function that the letters make, or a Verdict that says why they make none."""
    if answer is ... or answer is None:
        return Verdict("unwritten", f"{task.name} is not answered yet: write letters in place of the dots.")
    if not isinstance(answer, (str, list, tuple)) or not all(isinstance(letter, str) for letter in answer):
        some = " ".join([*task.lines][:3])  # in an order that gives nothing away
        return Verdict("type", f'Write the letters in quotes, in your order: `{task.name} = "{some}"`, say.')
    letters = re.findall(r"\w", " ".join(answer).lower())
    return _unusable(letters, task) or _compiled(letters, task)


def _unusable(letters, task):
    unknown = next((letter for letter in letters if letter not in task.lines), None)
    twice = next((letter for letter in letters if letters.count(letter) > 1), None)
    if unknown:
        return Verdict("type", f"There is no line `{unknown}`. The lines have the letters {', '.join(task.lines)}.")
    if twice:
        return Verdict("type", f"You took line `{twice}` more than once. Each line may be taken once, or left out.")
    if not any(task.lines[letter].strip().startswith("return") for letter in letters):
        return Verdict("type", "Your lines give nothing back: `return` is missing. Which line has it?")


def _too_early(letters, task):
    """Return a Verdict if a line uses what another line makes, and no such line is above it."""
    made_by = {letter: re.match(r"\s*(\w+) = ", line) for letter, line in task.lines.items()}
    made_by = {letter: match[1] for letter, match in made_by.items() if match}
    ready = set()
    for letter in letters:
        line = task.lines[letter].strip()
        used = re.findall(r"(?<!\.)\b\w+", line.split(" = ", 1)[-1])
        missing = next((name for name in used if name in made_by.values() and name not in ready), None)
        if missing:
            later = any(made_by.get(other) == missing for other in letters)
            idea = "runs before the one that makes it" if later else "none of your lines makes it"
            advice = f"A line above it must make `{missing}` first. Which one?"
            return Verdict("raised", f"Line `{letter}` uses `{missing}`, and {idea}. {advice}")
        if line.startswith("return"):
            return None  # the lines below never run
        ready.add(made_by.get(letter))


def _compiled(letters, task):
    code, file = task.code(letters), f"<{task.name}: {' '.join(letters)}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)  # its run can be told line by line
    reference, modules = import_module(task.exercise.course.reference), {"np": "numpy", "torch": "torch"}
    variables = {n: import_module(modules[n]) if n in modules else getattr(reference, n) for n in task.names}
    try:
        exec(compile(code, file, "exec"), variables)
    except SyntaxError as error:  # of indentation, too
        place = min(max(error.lineno - 2, 0), len(letters) - 1)  # the first line is the one with `def`
        return Verdict("raised", UNREADABLE.format(letters[place], error.msg))
    return _too_early(letters, task) or variables[task.exercise.name]
