"""Find one small change that makes a wrong answer right: its card tells the line, and what kind of change it is.

Changes undo what people mix up while they write, whatever the code is about: another name, number or operator, two
things the other way round. Every one is tried, so what the card says is true.
"""

import ast
import inspect
import linecache
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from itertools import islice
from typing import Any

from ..exercise import Exercise
from .answer import Answer, as_called, what_should_come_out
from .errors import quoted
from .judge import judge
from .results import Run
from .running import caught_output, plain_torch, quiet
from .source import variables_around
from .time_limits import TooSlow, limits_hold, time_limit

MOST, LIMIT, EACH = 600, 4.0, 2.0  # changes that are tried; seconds for all of them, and for each
ALIKE = (  # operators, and names of functions, that are taken for each other
    *((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.FloorDiv, ast.Div), (ast.Mult, ast.MatMult)),
    *((ast.BitAnd, ast.BitOr), (ast.And, ast.Or), (ast.Is, ast.IsNot), (ast.Eq, ast.NotEq)),
    *((ast.Lt, ast.LtE), (ast.Lt, ast.Gt), (ast.LtE, ast.GtE), (ast.Gt, ast.GtE), (ast.Lt, ast.GtE), (ast.LtE, ast.Gt)),
    *(pair.split() for pair in ("sum mean", "max min", "max amax", "max sum", "amax amin", "argmax argmin", "any all")),
    *(pair.split() for pair in ("minimum maximum", "sin cos", "tril triu", "zeros ones", "zeros_like ones_like")),
    *(pair.split() for pair in ("cat stack", "concatenate stack", "repeat repeat_interleave", "repeat tile")),
)
WORDS = {  # what is changed, and what a card says of the line: in the order of trying, the fewest first
    "sign": "without a sign or `not` in",
    "condition": "with the opposite condition in",
    "kept axis": "with the axis kept in",
    "removed axis": "with the axis not kept in",
    "transpose less": "with one transpose less in",
    "transpose more": "with one more transpose in",
    "other end": "with the other end cut off in",
    "brackets": "with other brackets in",
    "number": "with another number in",
    "operator": "with another operator in",
    "function": "with another function in",
    "order": "with two things the other way round in",
    "axis more": "with one more axis in an index of",
    "indentation": "with less indentation in",
    "line": "without",
    "axis": "with another axis in",
    "name": "with another name in",
}


def line_to_change(answer: Any, exercise: Exercise):
    """Return a sentence about the line that one small change would mend, without the change; "" if there is none."""
    definition, file = _definition_of(answer)
    if definition is None or not limits_hold():  # a change may go on for ever
        return ""
    variables = variables_around(answer)
    with quiet(), plain_torch(), caught_output(), suppress(TooSlow), time_limit(LIMIT):
        for node, words in islice(edits(definition, exercise.library), MOST):
            with suppress(TooSlow), time_limit(EACH):
                if _is_right(_compiled(definition, file, variables), exercise):
                    line = quoted(file, node.lineno)
                    return f"{words.capitalize()} line {node.lineno}, your code would be right: `{line}`."
    return ""


def _definition_of(answer):
    """Return the syntax tree of a function or class, with the lines of its file, and that file; (None, "") without."""
    is_class = inspect.isclass(answer)
    functions = [x for x in vars(answer).values() if inspect.isfunction(x)] if is_class else [answer]
    code = getattr(functions[0], "__code__", None) if functions else None
    if code is None or (code.co_freevars and not is_class):
        return None, ""
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse("".join(linecache.getlines(code.co_filename)))):
            if isinstance(node, ast.ClassDef if is_class else ast.FunctionDef) and node.name == answer.__name__:
                first = min(part.lineno for part in (node, *node.decorator_list))
                if first <= code.co_firstlineno <= (node.end_lineno or 0):
                    return node, code.co_filename
    return None, ""


def _compiled(definition, file, variables):
    """Run a definition among its variables, which stay as they are; return what it defines, or None if it cannot."""
    module, world = ast.fix_missing_locations(ast.Module([definition], [])), dict(variables)
    with suppress(Exception):
        exec(compile(module, file, "exec"), world)
        return world[definition.name]


def _is_right(version, exercise):
    """Say whether a version is right. Most are not, which the first cases show."""
    if version is None:
        return False
    untried = Answer(as_called(version, exercise), exercise, [], exercise.library)
    cases = zip(exercise.cases(None), what_should_come_out(exercise, None))
    runs = (Run(case, expected, untried.ask(case.inputs)) for case, expected in cases if case.tag != "huge")
    return all(run.right for run in runs) and judge(version, exercise).right


def edits(definition: ast.FunctionDef | ast.ClassDef, library: str) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Change the definition in one place, and yield where, and in words how; then change it back, and go on."""
    functions = [definition] if isinstance(definition, ast.FunctionDef) else definition.body
    kept = [part.attr for part in ast.walk(definition) if isinstance(part, ast.Attribute) and _is_stored(part)]
    found = [change for function in functions for change in _changes(function, list(dict.fromkeys(kept)), library)]
    for kind, holder, key, node, other in sorted(found, key=lambda change: list(WORDS).index(change[0])):
        holder[key] = ast.copy_location(other, node)
        yield (node.body[-1] if kind == "indentation" else node), WORDS[kind]
        holder[key] = node


def _is_stored(part):
    return isinstance(part.ctx, ast.Store)


def _changes(function, attributes, library):
    """Return (what is changed, what holds a part of the code, under which key, the part, another one) in a list."""
    names, keywords = _names(function), ("axis", "keepdims") if library == "numpy" else ("dim", "keepdim")
    found = []
    for parent, holder, key, node in (place for part in ast.walk(function) for place in _places(part)):
        others = [*_of_signs(node, parent), *_in_another_order(node), *_of_lines(node, parent)]
        others += [*_of_axes(node, parent, *keywords), *_of_names(node, names, attributes)]
        found += [(kind, holder, key, node, other) for kind, other in others]
    return found


def _names(function):
    """Return the names of a function's parameters and variables, with the line in which each is first given a value."""
    parts = list(ast.walk(function))
    given = [(0, part.arg) for part in parts if isinstance(part, ast.arg) and part.arg != "self"]
    made = [(part.lineno, part.id) for part in parts if isinstance(part, ast.Name) and _is_stored(part)]
    return {name: line for line, name in sorted(given + made, reverse=True)}


def _places(parent):
    """Yield (parent, what holds a part of the code, under which key, the part)."""
    for field, value in ast.iter_fields(parent):
        if field != "decorator_list" and not isinstance(value, ast.arguments):
            holder, keys = (value, range(len(value))) if isinstance(value, list) else (vars(parent), [field])
            yield from ((parent, holder, key, holder[key]) for key in keys if isinstance(holder[key], ast.AST))


# Each of these functions yields what may be changed about a node, and what may stand in its place.


def _of_signs(node, parent):
    if node is getattr(parent, "test", None):
        yield "condition", ast.UnaryOp(ast.Not(), node)
    match node:
        case ast.UnaryOp():
            yield "sign", node.operand
        case ast.Constant(value=bool()):
            yield "number", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield from (("number", ast.Constant(node.value + step)) for step in (1, -1))
        case ast.Compare(ops=[sign]):
            yield from (("operator", ast.Compare(node.left, [x()], node.comparators)) for x in _alike(type(sign)))
        case ast.BinOp():
            yield from (("operator", ast.BinOp(node.left, other(), node.right)) for other in _alike(type(node.op)))
        case ast.BoolOp():
            yield from (("operator", ast.BoolOp(other(), node.values)) for other in _alike(type(node.op)))
        case ast.Attribute():
            yield from (("function", ast.Attribute(node.value, other, node.ctx)) for other in _alike(node.attr))


def _alike(one):
    return [b if one == a else a for a, b in ALIKE if one in (a, b)]


def _in_another_order(node):
    match node:
        case ast.BinOp(op=ast.Sub() | ast.Div() | ast.MatMult() | ast.FloorDiv() | ast.Pow()):
            yield "order", ast.BinOp(node.right, node.op, node.left)
        case ast.Tuple(elts=[_, _]) | ast.List(elts=[_, _]):
            yield "order", type(node)(node.elts[::-1], node.ctx)
        case ast.IfExp():
            yield "order", ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call(args=args):
            for n in range(len(args) - 1):
                yield "order", ast.Call(node.func, [*args[:n], args[n + 1], args[n], *args[n + 2 :]], node.keywords)
    match node:
        case ast.BinOp(left=ast.BinOp(left=a, op=first, right=b), op=second, right=c):
            yield "brackets", ast.BinOp(a, first, ast.BinOp(b, second, c))
    match node:
        case ast.BinOp(left=a, op=first, right=ast.BinOp(left=b, op=second, right=c)):
            yield "brackets", ast.BinOp(ast.BinOp(a, first, b), second, c)
        case ast.Tuple(elts=[*first, ast.IfExp(test=test, body=last, orelse=other)]):
            yield "brackets", ast.IfExp(test, ast.Tuple([*first, last], ast.Load()), other)


def _of_lines(node, parent):
    match node:
        case ast.Assign() | ast.AugAssign() | ast.Expr() if not isinstance(parent, ast.ClassDef):
            yield "line", ast.Pass()
        case ast.If(orelse=[]):
            yield "line", ast.Pass()
    if isinstance(node, (ast.For, ast.While, ast.If)) and len(node.body) > 1:
        shorter = copy(node)
        shorter.body = node.body[:-1]
        yield "indentation", ast.If(ast.Constant(True), [shorter, node.body[-1]], [])


def _of_axes(node, parent, along, keep):
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult):
        yield "transpose more", ast.Attribute(node, "mT", ast.Load())
    match node:
        case ast.Attribute(attr="T" | "mT"):
            yield "transpose less", node.value
        case ast.Call(func=ast.Attribute(attr="transpose" | "swapaxes"), args=[_, _]):
            yield "transpose less", node.func.value
        case ast.Slice(lower=None, upper=ast.AST(), step=None):
            yield "other end", ast.Slice(_opposite(node.upper), None)
        case ast.Slice(lower=ast.AST(), upper=None, step=None):
            yield "other end", ast.Slice(None, _opposite(node.lower))
        case ast.Subscript(slice=index) if not isinstance(index, ast.Tuple):
            for front in (ast.Slice(), ast.Constant(...)):
                yield "axis more", ast.Subscript(node.value, ast.Tuple([front, index], ast.Load()), node.ctx)
    if isinstance(node, ast.Call):
        yield from _of_keywords(node, along, keep)


def _opposite(bound):
    return bound.operand if isinstance(bound, ast.UnaryOp) else ast.UnaryOp(ast.USub(), bound)


def _of_keywords(call, along, keep):
    rest = [keyword for keyword in call.keywords if keyword.arg != along]
    kept = [keyword for keyword in call.keywords if keyword.arg != keep]
    if len(kept) < len(call.keywords):
        yield "removed axis", ast.Call(call.func, call.args, kept)
    elif isinstance(call.func, ast.Attribute):
        yield "kept axis", ast.Call(call.func, call.args, [*kept, ast.keyword(keep, ast.Constant(True))])
    if isinstance(call.func, ast.Attribute):
        for other in (*map(ast.Constant, (-1, -2, 1, 0)), ast.Name("axis", ast.Load())):
            yield "axis", ast.Call(call.func, call.args, [*rest, ast.keyword(along, other)])


def _of_names(node, names, attributes):
    match node:
        case ast.Name(ctx=ast.Load()) if node.id in names:
            others = (other for other, line in names.items() if other != node.id and line < node.lineno)
            yield from (("name", ast.Name(other, node.ctx)) for other in others)
        case ast.Attribute(value=ast.Name(id="self")) if node.attr in attributes:
            others = (other for other in attributes if other != node.attr)
            yield from (("name", ast.Attribute(node.value, other, node.ctx)) for other in others)
