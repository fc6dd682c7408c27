"""The course as a book: `make book` reads this."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "book")]

project = "Multi-head attention, from softmax up"
copyright = "2026, the authors of this course. Code: BSD 3-Clause; text and pictures: CC BY 4.0"
language = "en"
html_title = project
extensions = ["pages", "live", "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx-mathjax-offline"]
exclude_patterns = ["build"]

# Everything comes from this machine: no fonts, no scripts, no maths from elsewhere.
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["book.css"]
html_js_files = ["book.js"]
nb_ipywidgets_js = {}
html_use_index = html_domain_indices = html_copy_source = False

# Colours of code with enough contrast for everybody.
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 2
myst_html_meta = {"description": "Multi-head attention, learned by writing it: a course with solutions."}
nb_execution_mode = "off"  # pages.py has run them
nb_output_stderr = "warn"  # and a warning fails the build
nb_code_prompt_show = "Show a solution"
nb_code_prompt_hide = "Hide the solution"

default_role = "code"  # `query` in a docstring
autodoc_member_order = "bysource"
