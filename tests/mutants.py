"""Mechanical mutants: our solutions and the reference, each with one small change.

The changes are those of cosmic-ray, and four of our own: our code is mostly calls and names, which it leaves alone.
"""

import ast
import inspect

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

LISTS = {"arglist", "testlist_star_expr", "testlist_comp", "testlist"}
CHAINS = {"term", "arith_expr", "comparison", "shift_expr"}
EITHER_WAY = {"+", "*", "==", "!=", "is", "is not"}  # signs whose two sides may be swapped


def _in_place_of(node, code):
    """New code for a node; what looks at the tree after that still finds its way up."""
    tree = parso.parse(code)
    tree.parent = node.parent
    return tree


class OtherVariable(Operator):
    """The wrong tensor or size: another variable of the function, or another attribute of self."""

    def mutation_positions(self, node):
        return [(node.start_pos, node.end_pos) for _ in _others(node)]

    def mutate(self, node, index):
        return _in_place_of(node, f" {_others(node)[index]}")

    @classmethod
    def examples(cls):
        return ()


def _others(name):
    """What else could stand where this variable is read."""
    if name.type != "name" or name.is_definition() or _is_keyword(name):
        return []
    variables = _variables_at(name)
    return [v for v in variables if v != name.value] if name.value in variables else []


def _variables_at(name):
    """Variables of the function, or attributes of self, that have a value by then."""
    owner = _owner(name)
    scope = name.search_ancestor("classdef" if owner == "self" else "funcdef")
    names = [n for n in ast_nodes(scope) if n.type == "name" and n.start_pos < name.start_pos] if scope else []
    defined = (n for n in names if _owner(n) == owner and n.is_definition() and n.parent.type[-3:] != "def")
    return list(dict.fromkeys(n.value for n in defined if n.value != "self"))


def _owner(name):
    """What stands before the dot: `self` in `self.heads`."""
    dot = name.get_previous_leaf()
    return dot.get_previous_leaf().value if dot == "." else ""


def _is_keyword(name):
    return name.parent.type == "argument" and name.parent.children[0] is name


class WithoutArgument(Operator):
    """One argument of a call is not handed on."""

    def mutation_positions(self, node):
        return [(x.start_pos, x.end_pos) for x in node.children[::2]] if node.type == "arglist" else []

    def mutate(self, node, index):
        kept = node.children[::2]
        del kept[index]
        return _in_place_of(node, ",".join(x.get_code() for x in kept))

    @classmethod
    def examples(cls):
        return ()


class WithoutCall(Operator):
    """A missing step: instead of a call what it was made of, its first argument or the object of a method."""

    def mutation_positions(self, node):
        return [(node.start_pos, node.end_pos) for _ in _shorter(node)]

    def mutate(self, node, index):
        return _in_place_of(node, f" {_shorter(node)[index]}")

    @classmethod
    def examples(cls):
        return ()


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


class Swapped(Operator):
    """Two neighbours in each other's place: arguments, targets, or the sides of a sign."""

    def mutation_positions(self, node):
        return [(node.start_pos, node.end_pos) for _ in _swappable(node)]

    def mutate(self, node, index):
        parts = [x.get_code() for x in node.children]
        first = _swappable(node)[index]
        parts[first], parts[first + 2] = f" {parts[first + 2]}", f" {parts[first]}"
        return _in_place_of(node, "".join([" ", *parts]))

    @classmethod
    def examples(cls):
        return ()


def _swappable(node):
    """The places of those whose order says something."""
    if node.type not in LISTS | CHAINS:
        return []
    signs = enumerate(node.children[1::2])
    places = [2 * i for i, sign in signs if sign.get_code().strip() not in EITHER_WAY and 2 * i + 2 < len(node.children)]
    return [i for i in places if "argument" not in (node.children[i].type, node.children[i + 2].type)]


OURS = OtherVariable, WithoutArgument, WithoutCall, Swapped
THEIRS = [get_operator(name) for name in operator_names()]
OPERATORS = [operator() for operator in (*THEIRS, *OURS) if not operator.arguments()]  # with arguments: at random


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


def in_contract(source):
    """What of a source a contract can speak of, one statement a line; None if it is no Python."""
    try:
        return ast.unparse(_InContract().visit(ast.parse(source)))
    except SyntaxError:
        return None


def mutants_of(source):
    """Every other source that one change makes of this one."""
    source = in_contract(source)
    seen, nodes = {source, None}, list(ast_nodes(get_ast(source)))
    for operator in OPERATORS:
        count = sum(len(list(operator.mutation_positions(node))) for node in nodes)
        for occurrence in range(count):
            mutant = in_contract(mutate_code(source, operator, occurrence))
            if mutant not in seen:
                seen.add(mutant)
                yield mutant


def change(source, mutant):
    """The line that differs, before and after."""
    before, after = (text.splitlines() for text in (in_contract(source), mutant))
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    return tuple(" ".join(line.strip() for line in lines) for lines in (before, after))
