"""A function's source as a tree, with the line numbers of its file."""

import ast
import inspect
import linecache
from functools import lru_cache


@lru_cache(maxsize=50)
def syntax_of(code):
    """Return the syntax tree of a function's source, or None if there is none, or it is no statement."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        block = inspect.getblock(lines)
        tree = ast.parse("if True:\n" + "".join(block) if block[0][:1].isspace() else "\n" + "".join(block))
    except (SyntaxError, ValueError, IndexError):
        return None
    return ast.increment_lineno(tree, code.co_firstlineno - 2)
