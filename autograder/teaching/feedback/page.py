"""Feedback as a page that stands alone: one file, no script, nothing asked of a network."""

from html import escape

from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from ...grading.pages import ANCHORED, clean, shortened
from .formulas import WithPlaces, drawn


class FeedbackPage(HTMLExporter):
    """For `nbgrader generate_feedback` and whatever calls it; see templates/returned/."""

    def default_filters(self):
        yield from super().default_filters()
        yield "prose", prose
        yield "clean", clean


def prose(markdown, attachments=None):
    """Markdown as HTML in which nothing runs, with formulas."""
    return drawn(clean(rendered(markdown, attachments), ANCHORED))


def rendered(markdown, attachments=None, renderer=WithPlaces):
    """As HTML, with places for formulas; what cannot be read is shown as it was written."""
    reader = MarkdownWithMath(renderer=renderer(escape=False, attachments=attachments or {}))
    try:
        return reader.render(shortened(markdown))
    except Exception:  # a picture that is not there, a thousand quotes in each other: whatever a learner wrote
        return f"<pre>{escape(markdown)}</pre>"
