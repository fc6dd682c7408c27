"""Formulas as MathML, which browsers draw by themselves: a page needs no script for them, and no network."""

import re
from html import escape, unescape
from xml.etree.ElementTree import tostring

from latex2mathml.converter import Converter
from nbconvert.filters.markdown_mistune import IPythonRenderer

from .colours import LONGEST_IN_TEXT, PYTHON, in_colours

MOST_ATTACHED = 450_000  # characters of all pictures of a cell: a page leaves out what has 500,000
LONGEST = 2000  # characters of a formula; ours have at most 150
# What formulas may look like. Links, styles and names of classes, which TeX has too, are none of it.
LOOKS = "display mathvariant stretchy fence form accent linethickness lspace rspace width height depth minsize maxsize"
LOOKS += " columnalign columnspacing rowspacing displaystyle scriptlevel movablelimits separator symmetric mathsize"
ESCAPED = re.compile(r"\\([_%#&${}])")  # in a \\text, which the library leaves as it is
PLACE = re.compile(r'<code class="formula( block)?">([^<]*)</code>')


class WithPlaces(IPythonRenderer):
    """Markdown whose formulas have a place of their own, so that nothing else is taken for one."""

    room = MOST_ATTACHED

    def _embed_image_or_attachment(self, src):
        """While there is room: a picture that is attached once may be shown a thousand times."""
        shown = super()._embed_image_or_attachment(src) if self.room > 0 else ""
        self.room -= len(shown)
        return shown if self.room > 0 else ""

    def block_code(self, code, info=None):
        """Python in colours. Of other languages that a learner may name, some would take hours to read."""
        is_python = (info or "").split()[:1] in [[name] for name in PYTHON]
        return in_colours(code, LONGEST_IN_TEXT) if is_python else super().block_code(code)

    def inline_math(self, body):
        return f'<code class="formula">{escape(body)}</code>'

    def block_math(self, body):
        return f'<code class="formula block">{escape(body)}</code>'

    def latex_environment(self, name, body):
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


def drawn(html):
    """The same page with its formulas; one that cannot be read stays as it was written."""
    return PLACE.sub(_drawn, html)


def _drawn(found):
    tex = unescape(found[2])
    try:
        return mathml(tex, "block" if found[1] else "inline") if len(tex) <= LONGEST else found[0]
    except Exception:  # whatever a learner wrote between two dollars
        return found[0]


def mathml(tex, display="inline"):
    """Written by the library, made safe here: in its own text, markup stays markup."""
    formula = Converter(display=display).convert_to_element(tex)
    for element in formula.iter():
        element.attrib = {name: value for name, value in element.attrib.items() if name in LOOKS.split()}
        element.text = ESCAPED.sub(r"\1", unescape(element.text or ""))
    return tostring(formula, encoding="unicode", short_empty_elements=False)
