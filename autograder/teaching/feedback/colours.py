"""Code and printed text of a page, in colours where that is done in seconds: some of what is long would take hours."""

from html import escape

from jinja2 import pass_context
from nbconvert import filters
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ...grading.pages import shortened

LONGEST = 5_000  # characters of a cell: for some, such as blanks between line ends, the time grows with the square
LONGEST_IN_TEXT = 1_000  # of a piece of code in a text
MOST = 60_000  # characters of a page in colours; a lesson has at most 26,000
MOST_SHOWN = 1_000_000  # in colours or not: for some, such as <, a page takes 100 bytes of memory each
PYTHON = ("python", "python3", "py", "ipython", "ipython3")  # what a text may call it
REST_OF_CODE = "\n\n... Here stood more code than a page holds. The rest is left out; the notebook has it all."
REST_OF_OUTPUT = "\n\n... Here more was shown than a page holds. The rest is left out."
FORMAT = HtmlFormatter(cssclass="highlight")


@pass_context
def highlight_code(context, source, metadata=None):
    """Takes the place of nbconvert's filter, which reads code as any language that its notebook names."""
    page = context["resources"]
    shown = fitting(source, page, "code", MOST_SHOWN, REST_OF_CODE)
    return in_colours(shown) if page["code"] <= MOST else plain(shown)


@pass_context
def ansi2html(context, text):
    """Takes the place of nbconvert's filter, through which formgrader sends what is shown in words."""
    page = context["resources"]
    shown = fitting(text, page, "output", MOST_SHOWN, REST_OF_OUTPUT)
    return filters.ansi2html(shown) if page["output"] <= MOST else escape(filters.strip_ansi(shown))


@pass_context
def strip_ansi(context, text):
    """Takes the place of nbconvert's filter, through which pages of feedback do."""
    return filters.strip_ansi(fitting(text, context["resources"], "output", MOST_SHOWN, REST_OF_OUTPUT))


def fitting(text, page, kind, most, rest):
    """As much of a text as still fits on a page, and a sentence about the rest; the page counts what it has."""
    left = max(0, most - page.get(kind, 0))
    page[kind] = page.get(kind, 0) + len(text)
    return shortened(text, left, rest)


def in_colours(source, longest=LONGEST):
    """As Python, if it is short enough."""
    if len(source) > longest:
        return plain(source)
    return highlight(source or " ", PythonLexer(), FORMAT).replace('class="err"', 'class="o"')  # ! and ? of IPython


def plain(source):
    return f'<div class="highlight"><pre>{escape(source)}\n</pre></div>\n'
