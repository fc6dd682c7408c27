"""Find what the code itself shows: a result that is lost, a condition that is always true."""

import ast
import inspect
from collections.abc import Callable

from .source import asked_where_it_lives, syntax_of

LONGEST = 80  # characters of a line that is quoted
SHAPES = "reshape view transpose swapaxes permute unsqueeze squeeze flatten unflatten contiguous expand mT T"
NUMBERS = "masked_fill where softmax log_softmax exp sqrt matmul cat stack concatenate astype clone type_as"
PURE = {*SHAPES.split(), *NUMBERS.split()}  # methods, and functions, that leave their inputs as they are
NUMPY = ("np", "numpy")
# How many inputs of NumPy's functions are read: into a further one they write.
WRITING = {"exp": 1, "sqrt": 1, "matmul": 2, "concatenate": 2, "stack": 2}
SENTENCES = {  # what was overlooked, and what a card says of it, in this order
    "rows": "`{}` holds one row many times: whoever changes one of them changes all.",
    "sign": "`{0} =+ ...` gives `{0}` a new value each time; `{0} += ...` adds to the old one.",
    "lost": "The line `{}` makes a new value that nothing keeps: what it names stays as it was.",
    "named": "The last line is `{0}` alone, which hands nothing back: did you mean `return {0}`?",
    "down": "In `{}`, `//` divides and rounds down; `/` only divides.",
    "loop": "The `return` inside of the loop `{}` ends your function in its first pass.",
    "tuple": "The comma at the end of the line {} makes a tuple of what is there.",
    "brackets": "In `{}`, `&` and `|` come before `<` and `>`: put each comparison in brackets.",
    "raise": "The line `{}(...)` makes an error and does not `raise` it, so your code goes on.",
    "or": "`{}` is always true: a text by itself is. Each side of `or` needs its own `==`.",
    "assert": "An `assert` with brackets around condition and text is always true: together they are a tuple.",
    "unread": "You make `{}`, and no line uses it.",
}


@asked_where_it_lives
def overlooked(answer: Callable):
    """Return sentences about lines that cannot do what they seem to; empty if there are none, or no source."""
    code = getattr(inspect.unwrap(answer), "__code__", None)
    tree = code and syntax_of(code)
    nodes = list(ast.walk(tree)) if tree else []
    found = [slip for node in nodes for slip in (*_in_line(node), *_in_term(node), *_in_body(node))]
    return " ".join(SENTENCES[kind].format(words) for kind in SENTENCES for slip, words in found if slip == kind)


def _in_line(node):
    """Yield what is overlooked in a line, and words for it: a value that is lost, an error that is not raised, say."""
    if isinstance(node, ast.Expr) and _is_pure(node.value) and _is_short(node):
        yield "lost", ast.unparse(node)
    if isinstance(node, ast.Assign) and _begins_with_plus(node.value):
        yield "sign", ast.unparse(node.targets[0])
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name.endswith(("Error", "Exception")):
            yield "raise", name
        case ast.Assign(value=ast.Tuple(elts=[one]) as pair) if _starts_alike(pair, one):  # it looks like an array
            yield "tuple", f"of `{ast.unparse(node.targets[0])}`"
        case ast.Return(value=ast.Tuple(elts=[one]) as pair) if _starts_alike(pair, one):
            yield "tuple", "with `return`"
        case ast.Assert(test=ast.Tuple(elts=[_, *_])):
            yield "assert", ""


def _starts_alike(pair, one):
    """Say whether a tuple begins where its only part does: with brackets around it, it is meant."""
    return (pair.lineno, pair.col_offset) == (one.lineno, one.col_offset)


def _begins_with_plus(term):
    while isinstance(term, ast.BinOp):
        term = term.left
    return isinstance(term, ast.UnaryOp) and isinstance(term.op, ast.UAdd)


def _in_term(node):
    """Yield what is overlooked in a term: `//` for a root or a product of matrices, `a <= b & c > d`, ..."""
    match node:
        case ast.BinOp(op=ast.Mult(), left=ast.List(elts=rows)) if _is_short(node):
            if any(map(_is_list, rows)):
                yield "rows", ast.unparse(node)
        case ast.BinOp(op=ast.FloorDiv()) if _is_short(node):
            product = isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.MatMult)
            if product or any(map(_is_root, ast.walk(node.right))):
                yield "down", ast.unparse(node)
        case ast.BoolOp(op=ast.Or(), values=parts) if _is_short(node):
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if texts and any(isinstance(part, ast.Compare) for part in parts):
                yield "or", ast.unparse(node)
        case ast.Compare(comparators=[*parts, _]):
            if any(isinstance(part, ast.BinOp) and isinstance(part.op, (ast.BitAnd, ast.BitOr)) for part in parts):
                yield "brackets", ast.unparse(node)


def _is_list(node):
    """Say whether this makes a list, such as `[0]` or `[0] * 3`."""
    repeats = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_list(node.left)
    return repeats or isinstance(node, (ast.List, ast.ListComp))


def _is_root(node):
    match node:
        case ast.Call(func=ast.Attribute(attr="sqrt") | ast.Name(id="sqrt")):
            return True
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=0.5)):
            return True
    return False


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


def _in_body(node):
    """Yield what is overlooked in a loop, or in a function: a `return` on the wrong level, a name that nobody reads."""
    match node:
        case ast.For(target=one, iter=some) if any(isinstance(each, ast.Return) for each in node.body):
            if _is_short(some) and not any(isinstance(each, ast.Continue) for each in ast.walk(node)):
                yield "loop", f"for {ast.unparse(one)} in {ast.unparse(some)}"
        case ast.FunctionDef(body=[*_, last]):
            if isinstance(last, ast.Expr) and isinstance(last.value, ast.Name):
                yield "named", last.value.id
            if unread := _unread(list(ast.walk(node))):
                yield "unread", unread


def _unread(parts):
    """Return the first name that a function gives to something and never reads; others may read one not its own."""
    read = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)}
    read.update(name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names)
    made = (part.targets[0] for part in parts if isinstance(part, ast.Assign))
    return next((name.id for name in made if isinstance(name, ast.Name) and name.id not in read), None)
