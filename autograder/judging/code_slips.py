"""Find what the code itself shows: a result that is lost, a condition that is always true."""

import ast
import inspect
from collections.abc import Callable

from .source import handle_of, syntax_of

LONGEST = 80  # characters of a line that is quoted
SHAPES = "reshape view transpose swapaxes permute unsqueeze squeeze flatten unflatten contiguous expand mT T"
NUMBERS = "masked_fill where softmax log_softmax exp sqrt matmul cat stack concatenate astype clone type_as"
PURE = {*SHAPES.split(), *NUMBERS.split()}  # methods, and functions, that leave their inputs as they are
NUMPY = ("np", "numpy")
# How many inputs of NumPy's functions are read: into a further one they write.
WRITING = {"exp": 1, "sqrt": 1, "matmul": 2, "concatenate": 2, "stack": 2}


def overlooked(answer: Callable):
    """Return sentences about lines that cannot do what they seem to; empty if there are none, or no source."""
    if handle_of(answer):
        return handle_of(answer).look("overlooked")
    code = getattr(inspect.unwrap(answer), "__code__", None)
    tree = code and syntax_of(code)
    found = (sentence(node) for sentence in SENTENCES for node in (ast.walk(tree) if tree else ()))
    return " ".join(filter(None, found))


def lost(node: ast.AST):
    """Find a line whose computed result is not used."""
    if isinstance(node, ast.Expr) and _is_pure(node.value) and _is_short(node):
        return f"The line `{ast.unparse(node)}` makes a new value that nothing keeps: what it names stays as it was."


def is_only_named(node: ast.AST):
    """Find a function whose last line is a name alone."""
    last = node.body[-1] if isinstance(node, ast.FunctionDef) else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Name):
        name = last.value.id
        return f"The last line is `{name}` alone, which hands nothing back: did you mean `return {name}`?"


def rounds_down(node: ast.AST):
    """Find `//` where it divides a product of matrices, or by a root."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.FloorDiv) or not _is_short(node):
        return None
    product = isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.MatMult)
    if product or any(_is_root(part) for part in ast.walk(node.right)):
        return f"In `{ast.unparse(node)}`, `//` divides and rounds down; `/` only divides."


def _is_root(node):
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", getattr(node.func, "id", "")) == "sqrt"
    power = node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) else None
    return isinstance(power, ast.Constant) and power.value == 0.5


def _is_short(node):
    """Say whether a line is short enough to quote."""
    return node.lineno == node.end_lineno and node.end_col_offset - node.col_offset <= LONGEST


def _is_pure(value):
    """Say whether this computes something, and changes nothing: no call of `self`, or that is told where to write."""
    if not isinstance(value, ast.Call):
        return isinstance(value, (ast.BinOp, ast.Compare)) or (isinstance(value, ast.Attribute) and value.attr in PURE)
    function = value.func
    if not isinstance(function, ast.Attribute) or function.attr not in PURE:
        return False
    home = function.value.id if isinstance(function.value, ast.Name) else ""
    writes = any(keyword.arg in ("out", "inplace", None) for keyword in value.keywords)
    most = WRITING.get(function.attr, len(value.args)) if home in NUMPY else len(value.args)
    return home != "self" and not writes and len(value.args) <= most


def ends_at_once(node: ast.AST):
    """Find a loop with a `return` on its own level, and no way round it."""
    if not isinstance(node, ast.For) or not any(isinstance(each, ast.Return) for each in node.body):
        return None
    if _is_short(node.iter) and not any(isinstance(each, ast.Continue) for each in ast.walk(node)):
        loop = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        return f"The `return` inside of the loop `{loop}` ends your function in its first pass."


def makes_a_tuple(node: ast.AST):
    """Find a comma at the end of a line: what looks like an array is a tuple that holds it."""
    if isinstance(node, (ast.Assign, ast.Return)) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 1:
        line = f"of `{ast.unparse(node.targets[0])}`" if isinstance(node, ast.Assign) else "with `return`"
        return f"The comma at the end of the line {line} makes a tuple of what is there."


def is_never_used(node: ast.AST):
    """Find a name that a function gives to something and never reads; others may read one that is not its own."""
    parts = list(ast.walk(node)) if isinstance(node, ast.FunctionDef) else []
    read = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)}
    read.update(name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names)
    made = (part.targets[0] for part in parts if isinstance(part, ast.Assign))
    unread = next((name.id for name in made if isinstance(name, ast.Name) and name.id not in read), None)
    return unread and f"You make `{unread}`, and no line uses it."


def compares_what_is_joined(node: ast.AST):
    """Find `a <= b & c > d`, in which `&` comes first."""
    parts = node.comparators[:-1] if isinstance(node, ast.Compare) else ()
    if any(isinstance(part, ast.BinOp) and isinstance(part.op, (ast.BitAnd, ast.BitOr)) for part in parts):
        return f"In `{ast.unparse(node)}`, `&` and `|` come before `<` and `>`: put each comparison in brackets."


def is_not_raised(node: ast.AST):
    """Find an error that is made and not raised."""
    made = node.value if isinstance(node, ast.Expr) else None
    if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id.endswith(("Error", "Exception")):
        return f"The line `{made.func.id}(...)` makes an error and does not `raise` it, so your code goes on."


def is_always_true(node: ast.AST):
    """Find an `or` with a text beside it, or an `assert` with brackets around all of it."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _is_short(node):
        texts = [part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if texts and any(isinstance(part, ast.Compare) for part in node.values):
            return f"`{ast.unparse(node)}` is always true: a text by itself is. Each side of `or` needs its own `==`."
    if isinstance(node, ast.Assert) and isinstance(node.test, ast.Tuple) and node.test.elts:
        return "An `assert` with brackets around condition and text is always true: together they are a tuple."


def repeats_one_row(node: ast.AST):
    """Find a list of lists that is made by a product: all its rows are the same list."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
        rows = [row for row in node.left.elts if isinstance(row, (ast.List, ast.ListComp, ast.BinOp))]
        if rows and _is_short(node):
            return f"`{ast.unparse(node)}` holds one row many times: whoever changes one of them changes all."


def sets_where_it_would_add(node: ast.AST):
    """Find `x =+ y`, which Python reads as `x = +y`."""
    if not isinstance(node, ast.Assign):
        return None
    first = node.value
    while isinstance(first, ast.BinOp):
        first = first.left
    if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.UAdd):
        name = ast.unparse(node.targets[0])
        return f"`{name} =+ ...` gives `{name}` a new value each time; `{name} += ...` adds to the old one."


SENTENCES = (
    repeats_one_row,
    sets_where_it_would_add,
    lost,
    is_only_named,
    rounds_down,
    ends_at_once,
    makes_a_tuple,
    compares_what_is_joined,
    is_not_raised,
    is_always_true,
    is_never_used,
)
