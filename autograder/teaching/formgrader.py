"""Show submissions safely in formgrader: nothing in them runs, and formulas need no network."""

from html import escape

from jinja2 import pass_context
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor

from ..grading.pages import MOST_TEXT, REST, clean, shortened
from .feedback.html import OfLearners, drawn, fitting, rendered

# What sticks out of the text, the code or the output of a cell would lie over what others are marked with.
OWN_BOX = ".rendered_html, .input_area, .output_subarea { overflow: auto hidden }"


class InOwnBoxes(CSSHTMLHeaderPreprocessor):
    """A preprocessor in the place of the one for a page's styles: what is too wide scrolls inside its own box."""

    def preprocess(self, notebook, resources):
        notebook, resources = super().preprocess(notebook, resources)
        resources["inlining"]["css"].append(OWN_BOX)
        for cell in notebook.cells:
            cell.metadata.pop("tags", None)  # what follows a blank in one would be a class of the page
        return notebook, resources


class WithRoom(OfLearners):
    """A renderer of Markdown that leaves room between the columns of a table, which formgrader's page lacks."""

    def table_cell(self, text, align=None, head=False):
        tag = "th" if head else "td"
        return f'<{tag} style="padding: 3px 8px; text-align: {align or "left"}">{text}</{tag}>\n'


@pass_context
def markdown2html(context, markdown):
    """Take the place of nbconvert's filter, the first through which formgrader sends the text of a cell."""
    markdown = fitting(shortened(markdown), context["resources"], "text", MOST_TEXT, REST)
    return rendered(markdown, context.get("cell", {}).get("attachments"), WithRoom)


def clean_html(raw):
    """Take the place of nbconvert's filter, which leaves a raw cell its classes: with them it can cover the page."""
    return f'<pre class="input_area">{escape(shortened(raw))}</pre>'


def strip_files_prefix(html):
    """Take the place of nbconvert's last filter, which looks for addresses: none are left to find."""
    return drawn(clean(html))
