"""Small changes of a function or class: another name, number or operator, two things the other way round.

They undo what people mix up while they write, whatever the code is about.
"""

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

ALIKE = (  # operators, and names of functions, that are taken for each other
    *((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.FloorDiv, ast.Div), (ast.Mult, ast.MatMult)),
    *((ast.BitAnd, ast.BitOr), (ast.And, ast.Or), (ast.Is, ast.IsNot), (ast.Eq, ast.NotEq)),
    *((ast.Lt, ast.LtE), (ast.Lt, ast.Gt), (ast.LtE, ast.GtE), (ast.Gt, ast.GtE), (ast.Lt, ast.GtE), (ast.LtE, ast.Gt)),
    *(pair.split() for pair in ("sum mean", "max min", "max amax", "max sum", "amax amin", "argmax argmin", "any all")),
    *(pair.split() for pair in ("minimum maximum", "sin cos", "tril triu", "zeros ones", "zeros_like ones_like")),
    *(pair.split() for pair in ("cat stack", "concatenate stack", "repeat repeat_interleave", "repeat tile")),
)


@dataclass
class Around:
    """What is around a part of the code: what holds it, and the names that may stand in its place."""

    parent: ast.AST
    names: dict[str, int]  # of parameters and variables: the line in which each is first given a value
    attributes: list[str]  # of `self`
    along: str  # what the library calls an axis
    keep: str  # ... and to keep it


def edits(definition: ast.FunctionDef | ast.ClassDef, library: str) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Change the definition in one place, and yield where, and in words how; then change it back, and go on."""
    functions = [definition] if isinstance(definition, ast.FunctionDef) else definition.body
    own = (part for part in ast.walk(definition) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    attributes = list(dict.fromkeys(part.attr for part in own))
    words_of_library = ("axis", "keepdims") if library == "numpy" else ("dim", "keepdim")
    arounds = [Around(part, _names(part), attributes, *words_of_library) for part in functions]
    places = [(around, *place) for around in arounds for part in ast.walk(around.parent) for place in _places(part)]
    for words, others in KINDS:
        for around, around.parent, holder, key, node in places:
            for other in others(node, around):
                _put(holder, key, ast.copy_location(other, node))
                yield (node.body[-1] if others is line_further_out else node), words
                _put(holder, key, node)


def _names(function):
    """Return the names of a function's parameters and variables, with the line in which each is first given a value."""
    parts = list(ast.walk(function))
    given = [(0, part.arg) for part in parts if isinstance(part, ast.arg) and part.arg != "self"]
    made = [(part.lineno, part.id) for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    return {name: line for line, name in sorted(given + made, reverse=True)}


def _places(parent):
    """Yield (parent, what holds a part of the code, under which key, the part)."""
    for field, value in ast.iter_fields(parent):
        if field == "decorator_list" or isinstance(value, ast.arguments):
            continue
        if isinstance(value, list):
            yield from ((parent, value, index, node) for index, node in enumerate(value) if isinstance(node, ast.AST))
        elif isinstance(value, ast.AST):
            yield parent, parent, field, value


def _put(holder, key, node):
    if isinstance(holder, list):
        holder[key] = node
    else:
        setattr(holder, key, node)


# Each function yields what may stand in the place of a node.


def number(node, around):
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        others = (node.value + 1, node.value - 1) if not isinstance(node.value, bool) else (not node.value,)
        yield from map(ast.Constant, others)


def operator(node, around):
    match node:
        case ast.Compare(ops=[sign]):
            yield from (ast.Compare(node.left, [other()], node.comparators) for other in _alike(type(sign)))
        case ast.BinOp():
            yield from (ast.BinOp(node.left, other(), node.right) for other in _alike(type(node.op)))
        case ast.BoolOp():
            yield from (ast.BoolOp(other(), node.values) for other in _alike(type(node.op)))


def function(node, around):
    if isinstance(node, ast.Attribute):
        yield from (ast.Attribute(node.value, other, node.ctx) for other in _alike(node.attr))


def _alike(one):
    return [b if one == a else a for a, b in ALIKE if one in (a, b)]


def without_sign(node, around):
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def opposite_condition(node, around):
    if node is getattr(around.parent, "test", None):
        yield ast.UnaryOp(ast.Not(), node)


def other_way_round(node, around):
    match node:
        case ast.BinOp(op=ast.Sub() | ast.Div() | ast.MatMult() | ast.FloorDiv() | ast.Pow()):
            yield ast.BinOp(node.right, node.op, node.left)
        case ast.Tuple(elts=[_, _]) | ast.List(elts=[_, _]):
            yield type(node)(node.elts[::-1], node.ctx)
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call(args=args):
            for n in range(len(args) - 1):
                yield ast.Call(node.func, [*args[:n], args[n + 1], args[n], *args[n + 2 :]], node.keywords)


def brackets(node, around):
    match node:
        case ast.BinOp(left=ast.BinOp(left=a, op=first, right=b), op=second, right=c):
            yield ast.BinOp(a, first, ast.BinOp(b, second, c))
    match node:
        case ast.BinOp(left=a, op=first, right=ast.BinOp(left=b, op=second, right=c)):
            yield ast.BinOp(ast.BinOp(a, first, b), second, c)
        case ast.Tuple(elts=[*first, ast.IfExp(test=test, body=last, orelse=other)]):
            yield ast.IfExp(test, ast.Tuple([*first, last], ast.Load()), other)


def other_end(node, around):
    match node:
        case ast.Slice(lower=None, upper=ast.AST(), step=None):
            yield ast.Slice(_opposite(node.upper), None)
        case ast.Slice(lower=ast.AST(), upper=None, step=None):
            yield ast.Slice(None, _opposite(node.lower))


def _opposite(bound):
    return bound.operand if isinstance(bound, ast.UnaryOp) else ast.UnaryOp(ast.USub(), bound)


def without_transpose(node, around):
    match node:
        case ast.Attribute(attr="T" | "mT"):
            yield node.value
        case ast.Call(func=ast.Attribute(attr="transpose" | "swapaxes"), args=[_, _]):
            yield node.func.value


def one_more_transpose(node, around):
    if isinstance(around.parent, ast.BinOp) and isinstance(around.parent.op, ast.MatMult):
        yield ast.Attribute(node, "mT", ast.Load())


def one_more_axis(node, around):
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Tuple):
        for front in (ast.Slice(), ast.Constant(...)):
            yield ast.Subscript(node.value, ast.Tuple([front, node.slice], ast.Load()), node.ctx)


def axis(node, around):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        for other in (*map(ast.Constant, (-1, -2, 1, 0)), ast.Name("axis", ast.Load())):
            keywords = [*_without(around.along, node.keywords), ast.keyword(around.along, other)]
            yield ast.Call(node.func, node.args, keywords)


def kept_axis(node, around):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        others = _without(around.keep, node.keywords)
        if len(others) == len(node.keywords):
            yield ast.Call(node.func, node.args, [*others, ast.keyword(around.keep, ast.Constant(True))])


def removed_axis(node, around):
    if isinstance(node, ast.Call) and len(others := _without(around.keep, node.keywords)) < len(node.keywords):
        yield ast.Call(node.func, node.args, others)


def _without(name, keywords):
    return [keyword for keyword in keywords if keyword.arg != name]


def left_out(node, around):
    is_line = isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and not isinstance(around.parent, ast.ClassDef)
    if is_line or (isinstance(node, ast.If) and not node.orelse):
        yield ast.Pass()


def line_further_out(node, around):
    if isinstance(node, (ast.For, ast.While, ast.If)) and len(node.body) > 1:
        shorter = copy(node)
        shorter.body = node.body[:-1]
        yield ast.If(ast.Constant(True), [shorter, node.body[-1]], [])


def name(node, around):
    match node:
        case ast.Name(ctx=ast.Load()) if node.id in around.names:
            others = (other for other, line in around.names.items() if other != node.id and line < node.lineno)
            yield from (ast.Name(other, node.ctx) for other in others)
        case ast.Attribute(value=ast.Name(id="self")) if node.attr in around.attributes:
            others = (other for other in around.attributes if other != node.attr)
            yield from (ast.Attribute(node.value, other, node.ctx) for other in others)


KINDS = (  # what the card says of the line, and what is tried; the fewest first
    ("without a sign or `not` in", without_sign),
    ("with the opposite condition in", opposite_condition),
    ("with the axis kept in", kept_axis),
    ("with the axis not kept in", removed_axis),
    ("with one transpose less in", without_transpose),
    ("with one more transpose in", one_more_transpose),
    ("with the other end cut off in", other_end),
    ("with other brackets in", brackets),
    ("with another number in", number),
    ("with another operator in", operator),
    ("with another function in", function),
    ("with two things the other way round in", other_way_round),
    ("with one more axis in an index of", one_more_axis),
    ("with less indentation in", line_further_out),
    ("without", left_out),
    ("with another axis in", axis),
    ("with another name in", name),
)
