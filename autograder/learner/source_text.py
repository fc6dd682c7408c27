"""The text of what a learner wrote: an answer with its helpers and constants, and the imports that all these need."""

import ast
import builtins
import inspect
import linecache
import math
import re
import sys
from symtable import symtable
from types import ModuleType

from ..judging.source import is_ours, variables_around

MARKS = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)  # in our solutions
PLAIN = (int, float, str, bool, type(None))  # constants that a file can hold as they are written


class CannotBeKept(Exception):
    """An answer needs something of its notebook that no file can hold; the message says what."""


def source_text(name, answer, exercises):
    """Return the text of an answer and of all that it names and the notebook defines, and the imports that it needs.

    name: under which it is kept; exercises: names that are not copied, since they are parts of their own.
    """
    if not inspect.isfunction(answer) and not inspect.isclass(answer):
        raise CannotBeKept("it is no function that a cell defines with `def`")
    variables, seen = variables_around(answer), {name, answer.__name__}
    queue, texts, imports = [answer], [], set()
    while queue:
        thing = queue.pop()
        texts.insert(0, thing if isinstance(thing, str) else _written(thing))
        for other in sorted(names_read(texts[0]) - seen & variables.keys()):
            seen.add(other)
            queue += _needed(other, variables[other], exercises, imports)
    texts += [] if name == answer.__name__ else [f"{name} = {answer.__name__}"]
    return "\n\n\n".join(texts), imports


def _written(thing):
    """Return the source of a function or class, as it stands in its cell, with its decorators."""
    parts = vars(thing).values() if inspect.isclass(thing) else [thing]
    code = next((part.__code__ for part in parts if inspect.isfunction(part)), None)
    lines = linecache.getlines(code.co_filename) if code else []
    for statement in reversed(ast.parse("".join(lines)).body):  # the last definition of a name is the one that holds
        if getattr(statement, "name", "") == thing.__name__:
            text = "".join(lines[first_line(statement) - 1 : statement.end_lineno]).rstrip()
            return MARKS.sub("", text).rstrip()
    raise CannotBeKept(f"`{thing.__name__}` is not at the top of a cell")


def first_line(statement):
    """Return the number of a statement's first line, which is that of its first decorator if it has any."""
    return min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])


def names_read(text):
    """Return the names that a text reads from outside, without those that Python has itself."""
    tables = [symtable(text, "part", "exec")]
    for table in tables:
        tables += table.get_children()
    symbols = (s for table in tables for s in table.get_symbols() if s.is_global() or table.get_type() == "module")
    return {s.get_name() for s in symbols if s.is_referenced()} - vars(builtins).keys()


def needed(names, texts):
    """Return these names, and those of all texts that theirs read, wherever that leads. texts: name -> text."""
    found = [*names]
    for name in found:  # which grows meanwhile
        found += (names_read(texts[name]) & texts.keys()) - set(found)
    return found


def bound(line):
    """Return the names that an import binds."""
    return {(alias.asname or alias.name).partition(".")[0] for alias in ast.parse(line).body[0].names}


def defined(text):
    """Return the names that a text gives to functions, classes and constants, with what stands there."""
    body = ast.parse(text).body
    return {name: ast.unparse(s) for s in body for name in ([s.name] if hasattr(s, "name") else _targets(s))}


def _targets(statement):
    names = (node for target in getattr(statement, "targets", ()) for node in ast.walk(target))
    return [node.id for node in names if isinstance(node, ast.Name)]


def _needed(name, thing, exercises, imports):
    """Return what has to be copied for a name; or add to the imports, if it can be imported."""
    if isinstance(thing, ModuleType):
        imports.add(_import_of_module(name, thing))
    elif name in exercises and (inspect.isfunction(thing) or inspect.isclass(thing)):
        imports.add(f"from autograder.mine import {name}")
    elif is_ours(thing) or _can_be_imported(thing):
        renamed = "" if name == thing.__name__ else f" as {name}"
        imports.add(f"from {thing.__module__} import {thing.__name__}{renamed}")
    elif inspect.isfunction(thing) or inspect.isclass(thing):
        return [thing]
    elif isinstance(thing, PLAIN):
        is_finite = not isinstance(thing, float) or math.isfinite(thing)
        return [f"{name} = {thing!r}" if is_finite else f"{name} = float('{thing}')"]
    else:
        raise CannotBeKept(f"it uses `{name}`, a value of your notebook that a file cannot hold")
    return []


def _import_of_module(name, module):
    parent, _, last = module.__name__.rpartition(".")
    if parent and last == name:
        return f"from {parent} import {last}"
    return f"import {module.__name__}" + (f" as {name}" if name != module.__name__ else "")


def _can_be_imported(thing):
    """Say whether a library has it, in a module and under a name that others can use."""
    home = sys.modules.get(getattr(thing, "__module__", None) or "")
    named = getattr(home, getattr(thing, "__name__", "") or "", None)
    return named is thing and home.__name__ != "__main__"
