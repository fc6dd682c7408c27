"""Find one small change that makes a wrong answer right: its card tells the line, and what kind of change it is.

Every change is tried, so what the card says is true.
"""

import ast
import inspect
import linecache
from contextlib import suppress
from itertools import islice
from textwrap import shorten
from typing import Any

from ..exercise import Exercise, ModuleExercise
from .answer import Answer, what_should_come_out
from .edits import edits
from .errors import LONGEST_LINE
from .judge import judge
from .results import Run
from .running import TooSlow, caught_output, limits_hold, plain_torch, quiet, time_limit
from .source import variables_around

MOST, LIMIT, EACH = 600, 4.0, 2.0  # changes that are tried; seconds for all of them, and for each


def line_to_change(answer: Any, exercise: Exercise):
    """Return a sentence about the line that one small change would mend, without the change; "" if there is none."""
    definition, file = definition_of(answer)
    if definition is None or not limits_hold():  # a change may go on for ever
        return ""
    variables = variables_around(answer)
    with quiet(), plain_torch(), caught_output(), suppress(TooSlow), time_limit(LIMIT):
        for node, words in islice(edits(definition, exercise.library), MOST):
            with suppress(TooSlow), time_limit(EACH):
                if is_right(compiled(definition, file, variables), exercise):
                    code = linecache.getline(file, node.lineno).replace("`", "'")
                    line = shorten(code, LONGEST_LINE, placeholder=" ...")
                    return f"{words.capitalize()} line {node.lineno}, your code would be right: `{line}`."
    return ""


def definition_of(answer: Any):
    """Return the syntax tree of a function or class, with the lines of its file, and that file; (None, "") without."""
    functions = [x for x in vars(answer).values() if inspect.isfunction(x)] if inspect.isclass(answer) else [answer]
    code = getattr(functions[0], "__code__", None) if functions else None
    if code is None or (code.co_freevars and not inspect.isclass(answer)):
        return None, ""
    with suppress(SyntaxError, ValueError):
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
        kind = ast.ClassDef if inspect.isclass(answer) else ast.FunctionDef
        for node in ast.walk(tree):
            if isinstance(node, kind) and node.name == answer.__name__ and is_in(code.co_firstlineno, node):
                return node, code.co_filename
    return None, ""


def is_in(line, node):
    return min([node.lineno, *(part.lineno for part in node.decorator_list)]) <= line <= node.end_lineno


def compiled(definition, file, variables):
    """Run a definition among its variables, which stay as they are; return what it defines, or None if it cannot."""
    module = ast.fix_missing_locations(ast.Module([definition], []))
    world = dict(variables)
    try:
        exec(compile(module, file, "exec"), world)
    except Exception:
        return None
    return world[definition.name]


def is_right(function: Any, exercise: Exercise):
    """Say whether a version is right. Most are not, which the first cases show."""
    if function is None:
        return False
    called = function
    if isinstance(exercise, ModuleExercise):
        from .layers.layer import as_function  # here: it imports torch

        called = as_function(function, exercise)
    untried = Answer(called, exercise, [], exercise.library)
    cases = zip(exercise.cases(None), what_should_come_out(exercise, None))
    runs = (Run(case, expected, untried.ask(case.inputs)) for case, expected in cases if case.tag != "huge")
    return all(run.right for run in runs) and judge(function, exercise).right
