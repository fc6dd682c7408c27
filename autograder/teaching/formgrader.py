"""Submissions as formgrader shows them: nothing in them runs, and formulas need no network."""

from jinja2 import pass_context

from ..grading.pages import MOST_TEXT, REST, clean, shortened
from .feedback.colours import fitting
from .feedback.formulas import WithPlaces, drawn
from .feedback.page import rendered


class WithRoom(WithPlaces):
    """formgrader's page leaves no room between the columns of a table."""

    def table_cell(self, text, align=None, head=False):
        tag = "th" if head else "td"
        return f'<{tag} style="padding: 3px 8px; text-align: {align or "left"}">{text}</{tag}>\n'


@pass_context
def markdown2html(context, markdown):
    """Takes the place of nbconvert's filter, the first through which formgrader sends the text of a cell."""
    markdown = fitting(shortened(markdown), context["resources"], "text", MOST_TEXT, REST)
    return rendered(markdown, context.get("cell", {}).get("attachments"), WithRoom)


def strip_files_prefix(html):
    """Takes the place of nbconvert's filter, the last one. Where that looks for addresses, nothing is left to find."""
    return drawn(clean(html))
