"""Pages of graded work, feedback and formgrader's: nothing in them runs, and formulas need no network."""

import re
from html import escape, unescape
from xml.etree.ElementTree import tostring

from jinja2 import pass_context
from latex2mathml.converter import Converter
from nbconvert import filters
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ..grading.outputs import ANCHORED, CLEANER, MOST_TEXT, REST, clean, is_shown, shortened

MOST_ATTACHED = 450_000  # characters of all pictures of a cell: a page leaves out what has 500,000
LONGEST_FORMULA = 2000  # characters of a formula; ours have at most 150
# What formulas may look like. Links, styles and names of classes, which TeX has too, are none of it.
LOOKS = "display mathvariant stretchy fence form accent linethickness lspace rspace width height depth minsize maxsize"
LOOKS += " columnalign columnspacing rowspacing displaystyle scriptlevel movablelimits separator symmetric mathsize"
ESCAPED = re.compile(r"\\([_%#&${}])")  # in a \\text, which the library leaves as it is
PLACE = re.compile(r'<code class="formula( block)?">([^<]*)</code>')
LONGEST_CODE = 5_000  # characters of a cell: for some, such as blanks between line ends, the time grows with the square
LONGEST_IN_TEXT = 1_000  # of a piece of code in a text
MOST = 60_000  # characters of a page in colours; a lesson has at most 26,000
MOST_SHOWN = 1_000_000  # in colours or not: for some, such as <, a page takes 100 bytes of memory each
PYTHON = ("python", "python3", "py", "ipython", "ipython3")  # what a text may call it
REST_OF_CODE = "\n\n... Here stood more code than a page holds. The rest is left out; the notebook has it all."
REST_OF_OUTPUT = "\n\n... Here more was shown than a page holds. The rest is left out."
FORMAT = HtmlFormatter(cssclass="highlight")
# What sticks out of the text, the code or the output of a cell would lie over what others are marked with.
OWN_BOX = ".rendered_html, .input_area, .output_subarea { overflow: auto hidden }"
OWN_BOX += " .rendered_html :is(td, th) { padding: 3px 8px }"


class FeedbackPage(HTMLExporter):
    """The exporter for `nbgrader generate_feedback`, and for whatever calls it; see templates/returned/."""

    def default_filters(self):
        yield from super().default_filters()
        yield "prose", prose
        yield "clean", clean


class WithPlaces(IPythonRenderer):
    """A renderer of Markdown that marks the places of formulas, so that nothing else is taken for one."""

    room = MOST_ATTACHED

    def _embed_image_or_attachment(self, src):
        """Embed a picture while there is room: one that is attached once may be shown a thousand times."""
        shown = super()._embed_image_or_attachment(src) if self.room > 0 else ""
        self.room -= len(shown)
        return shown if self.room > 0 and is_shown(shown) else ""

    def block_code(self, code, info=None):
        """Return Python in colours. Some of the other languages that a learner may name would take hours to read."""
        is_python = (info or "").split()[:1] in [[name] for name in PYTHON]
        return in_colours(code, LONGEST_IN_TEXT) if is_python else super().block_code(code)

    def inline_math(self, body):
        return f'<code class="formula">{escape(body)}</code>'

    def block_math(self, body):
        return f'<code class="formula block">{escape(body)}</code>'

    def latex_environment(self, name, body):
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


class OfLearners(WithPlaces):
    """A renderer of what learners wrote, which shows HTML as text."""

    def block_html(self, html):
        return f"<p>{escape(html)}</p>"

    def inline_html(self, html):
        return escape(html)


@pass_context
def markdown2html(context, markdown, attachments=None, renderer=OfLearners):
    """Take the place of nbconvert's filter, the first through which formgrader sends the text of a cell.

    Formulas have places; what cannot be read is shown as it was written.
    """
    markdown = fitting(shortened(markdown), context["resources"], "text", MOST_TEXT, REST)
    attachments = attachments or context.get("cell", {}).get("attachments") or {}
    try:
        return MarkdownWithMath(renderer=renderer(escape=False, attachments=attachments)).render(markdown)
    except Exception:  # a picture that is not there, a thousand quotes in each other: whatever a learner wrote
        return f"<pre>{escape(markdown)}</pre>"


def strip_files_prefix(html, cleaner=CLEANER):
    """Take the place of nbconvert's last filter, which looks for addresses: none are left to find.

    Nothing in the page runs, and its formulas are drawn; one that cannot be read stays as it was written.
    """
    return PLACE.sub(_drawn, clean(html, cleaner))


@pass_context
def prose(context, markdown, attachments=None, ours=False):
    """Return Markdown as HTML for a page of feedback, where links find headings. ours: whether we wrote it."""
    renderer = WithPlaces if ours else OfLearners
    return strip_files_prefix(markdown2html(context, markdown, attachments, renderer), ANCHORED)


def _drawn(found):
    tex = unescape(found[2])
    try:
        return mathml(tex, "block" if found[1] else "inline") if len(tex) <= LONGEST_FORMULA else found[0]
    except Exception:  # whatever a learner wrote between two dollars
        return found[0]


def mathml(tex, display="inline"):
    """Return TeX as MathML, made safe here: the library writes its own text, in which markup stays markup."""
    formula = Converter(display=display).convert_to_element(tex)
    for element in formula.iter():
        element.attrib = {name: value for name, value in element.attrib.items() if name in LOOKS.split()}
        element.text = ESCAPED.sub(r"\1", unescape(element.text or ""))
    return tostring(formula, encoding="unicode", short_empty_elements=False)


@pass_context
def highlight_code(context, source, metadata=None):
    """Take the place of nbconvert's filter, which reads code as any language that its notebook names."""
    page = context["resources"]
    shown = fitting(source, page, "code", MOST_SHOWN, REST_OF_CODE)
    return in_colours(shown) if page["code"] <= MOST else plain(shown)


@pass_context
def ansi2html(context, text):
    """Take the place of nbconvert's filter, through which formgrader sends printed text."""
    page = context["resources"]
    shown = fitting(text, page, "output", MOST_SHOWN, REST_OF_OUTPUT)
    return filters.ansi2html(shown) if page["output"] <= MOST else escape(filters.strip_ansi(shown))


@pass_context
def strip_ansi(context, text):
    """Take the place of nbconvert's filter, through which pages of feedback send printed text."""
    return filters.strip_ansi(fitting(text, context["resources"], "output", MOST_SHOWN, REST_OF_OUTPUT))


def fitting(text, page, kind, most, rest):
    """Return as much of a text as still fits on a page, and a sentence about the rest; the page counts what it has."""
    left = max(0, most - page.get(kind, 0))
    page[kind] = page.get(kind, 0) + len(text)
    return shortened(text, left, rest)


def in_colours(source, longest=LONGEST_CODE):
    """Return code in colours, as Python, if it is short enough."""
    if len(source) > longest:
        return plain(source)
    return highlight(source or " ", PythonLexer(), FORMAT).replace('class="err"', 'class="o"')  # ! and ? of IPython


def plain(source):
    return f'<div class="highlight"><pre>{escape(source)}\n</pre></div>\n'


class InOwnBoxes(CSSHTMLHeaderPreprocessor):
    """A preprocessor in the place of the one for a page's styles: what is too wide scrolls inside its own box."""

    def preprocess(self, notebook, resources):
        notebook, resources = super().preprocess(notebook, resources)
        resources["inlining"]["css"].append(OWN_BOX)
        for cell in notebook.cells:
            cell.metadata.pop("tags", None)  # what follows a blank in one would be a class of the page
        return notebook, resources


def clean_html(raw):
    """Take the place of nbconvert's filter, which leaves a raw cell its classes: with them it can cover the page."""
    return f'<pre class="input_area">{escape(shortened(raw))}</pre>'
