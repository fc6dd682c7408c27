"""Mechanical mutants: our solutions and the reference, each with one small change.

The changes are those of cosmic-ray, and four of our own: our code is mostly calls and names, which it leaves alone.
"""

import ast
from functools import lru_cache

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

LISTS = {"arglist", "testlist_star_expr", "testlist_comp", "testlist"}
CHAINS = {"term", "arith_expr", "comparison", "shift_expr"}
BITS = {"RShift", "LShift", "BitOr", "BitAnd", "BitXor"}  # as cosmic-ray calls them
NEAR = 2  # a key is taken for a query or a value rather than for what stands ten parameters later
EITHER_WAY = {"+", "*", "==", "!=", "is", "is not"}  # signs whose two sides may be swapped


def _in_place_of(node, code):
    """New code for a node; what looks at the tree after that still finds its way up."""
    tree = parso.parse(code)
    tree.parent = node.parent
    return tree


class _Change(Operator):
    """An operator of our own; cosmic-ray wants examples for its own tests."""

    @classmethod
    def examples(cls):
        return ()


class OtherVariable(_Change):
    """The wrong tensor or size: another variable of the function, or another attribute of self."""

    def mutation_positions(self, node):
        return [(node.start_pos, node.end_pos) for _ in _others(node)]

    def mutate(self, node, index):
        return _in_place_of(node, f" {_others(node)[index]}")


def _others(name):
    """What else could stand where this variable is read: its neighbours, in the order in which they get a value."""
    if name.type != "name" or name.is_definition() or _is_keyword(name):
        return []
    variables = _variables_at(name)
    if name.value not in variables:
        return []
    place = variables.index(name.value)
    return variables[max(place - NEAR, 0) : place] + variables[place + 1 : place + 1 + NEAR]


def _variables_at(name):
    """Variables of the function, or attributes of self, that have a value by then."""
    owner = _owner(name)
    scope = name.search_ancestor("classdef" if owner == "self" else "funcdef")
    defined = (n for n in _definitions(scope) if n.start_pos < name.start_pos) if scope else ()
    return list(dict.fromkeys(n.value for n in defined if n.value != "self" and _owner(n) == owner))


@lru_cache(maxsize=8)
def _definitions(scope):
    """Where names get a value in it; each of its names asks for them."""
    names = [node for node in ast_nodes(scope) if node.type == "name"]
    return [name for name in names if name.is_definition() and name.parent.type[-3:] != "def"]


def _owner(name):
    """What stands before the dot: `self` in `self.heads`."""
    dot = name.get_previous_leaf()
    return dot.get_previous_leaf().value if dot == "." else ""


def _is_keyword(name):
    return name.parent.type == "argument" and name.parent.children[0] is name


class WithoutArgument(_Change):
    """One argument of a call is not handed on."""

    def mutation_positions(self, node):
        return [(x.start_pos, x.end_pos) for x in node.children[::2]] if node.type == "arglist" else []

    def mutate(self, node, index):
        kept = node.children[::2]
        del kept[index]
        return _in_place_of(node, ",".join(x.get_code() for x in kept))


class WithoutCall(_Change):
    """A missing step: instead of a call what it was made of, its first argument or the object of a method."""

    def mutation_positions(self, node):
        return [(node.start_pos, node.end_pos) for _ in _shorter(node)]

    def mutate(self, node, index):
        return _in_place_of(node, f" {_shorter(node)[index]}")


def _shorter(node):
    """The codes of this chain of dots and calls without one of the calls."""
    if node.type not in ("atom_expr", "power"):
        return []
    parts, found = [x.get_code() for x in node.children], []
    for place, part in enumerate(node.children):
        if part.type != "trailer" or part.children[0] != "(" or len(part.children) < 3:
            continue
        inside = part.children[1]
        first = inside.children[0] if inside.type == "arglist" else inside
        if first.type != "argument":
            found.append("".join([f"({first.get_code()})", *parts[place + 1 :]]))
        if place > 1 and parts[0].strip() in _variables_at(node.children[0]):
            found.append("".join(parts[: place - 1] + parts[place + 1 :]))
    return found


class Swapped(_Change):
    """Two neighbours in each other's place: arguments, targets, or the sides of a sign."""

    def mutation_positions(self, node):
        return [(node.start_pos, node.end_pos) for _ in _swappable(node)]

    def mutate(self, node, index):
        parts = [x.get_code() for x in node.children]
        first = _swappable(node)[index]
        parts[first], parts[first + 2] = f" {parts[first + 2]}", f" {parts[first]}"
        return _in_place_of(node, "".join([" ", *parts]))


def _swappable(node):
    """The places of those whose order says something."""
    if node.type not in LISTS | CHAINS:
        return []
    signs = [sign.get_code().strip() for sign in node.children[1:-1:2]]
    places = [2 * i for i, sign in enumerate(signs) if sign not in EITHER_WAY]
    return [i for i in places if "argument" not in (node.children[i].type, node.children[i + 2].type)]


def _is_plausible(name):
    """Not a plus before a number, nor a sign for bits where numbers are calculated with: floats refuse it."""
    changed, *signs = name.split("_")
    return "UAdd" not in signs and ("Binary" not in changed or len({sign in BITS for sign in signs}) == 1)


THEIRS = [get_operator(name) for name in operator_names() if _is_plausible(name)]
OURS = OtherVariable, WithoutArgument, WithoutCall, Swapped
OPERATORS = [operator() for operator in (*THEIRS, *OURS) if not operator.arguments()]  # those draw at random


class _InContract(ast.NodeTransformer):
    """Leaves out what no contract speaks of: docstrings, annotations, the words of errors, checks, other methods."""

    def visit_ClassDef(self, node):
        node.body = [x for x in node.body if getattr(x, "name", "") in ("__init__", "forward")]
        return self.generic_visit(node)

    def visit_arg(self, node):
        return ast.arg(node.arg)

    def visit_Raise(self, node):
        return ast.Raise(ast.Name("ValueError"))

    def visit_Expr(self, node):
        called = getattr(getattr(node.value, "func", None), "id", "")
        return None if isinstance(node.value, ast.Constant) or called.startswith("check_") else node


class _OnOneDevice(ast.NodeTransformer):
    """Leaves out, besides, in which library and on which device an array is made: a judge's inputs are all of one."""

    def visit_keyword(self, node):
        return None if node.arg in ("like", "device") else self.generic_visit(node)

    def visit_Call(self, node):
        if getattr(node.func, "id", "") == "library_and_device":
            node.args = []
        return self.generic_visit(node)

    def visit_Assign(self, node):
        return None if getattr(node.targets[0], "id", "") == "like" else self.generic_visit(node)


def in_contract(source):
    """What of a source a contract can speak of, one statement a line."""
    return ast.unparse(_InContract().visit(ast.parse(source)))


def _meaning(source):
    """The same for two sources if no contract can tell them apart; None for what is no Python."""
    try:
        return ast.unparse(_OnOneDevice().visit(ast.parse(in_contract(source))))
    except SyntaxError:
        return None


def mutants_of(source):
    """Every other source that one change makes of this one."""
    source = in_contract(source)
    seen, nodes = {_meaning(source), None}, list(ast_nodes(get_ast(source)))
    for operator in OPERATORS:
        count = sum(len(list(operator.mutation_positions(node))) for node in nodes)
        for occurrence in range(count):
            mutant = mutate_code(source, operator, occurrence)
            if _meaning(mutant) not in seen:
                seen.add(_meaning(mutant))
                yield in_contract(mutant)


def change(source, mutant):
    """The line that differs, before and after."""
    lines = (text.splitlines() for text in (in_contract(source), mutant))
    return next((before.strip(), after.strip()) for before, after in zip(*lines) if before != after)
