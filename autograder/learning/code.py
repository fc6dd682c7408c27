"""Code that a card shows in colours."""

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

# A dark panel with colours of its own is legible in light and dark pages; inline, they survive in any notebook.
COLOURS = HtmlFormatter(style="github-dark", noclasses=True, nowrap=True)
PANEL = (
    "margin:0.3em 0;padding:0.7em 1em;border-radius:4px;overflow-x:auto;white-space:pre;line-height:1.45;"
    f"background:{COLOURS.style.background_color};color:#e6edf3"
)


class Code(str):
    """Python code: plain text, and in HTML a panel in colours."""

    def _repr_html_(self):
        return f'<pre tabindex="0" style="{PANEL}">{highlight(self, PythonLexer(), COLOURS)}</pre>'
