"""Feedback as a page that stands alone: one file, no script, nothing asked of a network."""

from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from ..grading.pages import clean
from .formulas import WithPlaces, drawn


class FeedbackPage(HTMLExporter):
    """For `nbgrader generate_feedback` and whatever calls it; see templates/returned/."""

    def default_filters(self):
        yield from super().default_filters()
        yield "prose", prose
        yield "clean", clean


def prose(markdown, attachments=None):
    """Markdown as HTML in which nothing runs, with formulas."""
    renderer = WithPlaces(escape=False, attachments=attachments or {})
    return drawn(clean(MarkdownWithMath(renderer=renderer).render(markdown)))
