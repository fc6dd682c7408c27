"""What would run in the browser of whoever reads the feedback, or opens the graded notebook; what takes hours to show.

Each marks what must not arrive as markup with `mha_attack`: the arena looks for it in the cards and in the pages.
"""

from .attack import FIRST, MASKS, WRONG, family

ATTACKS = []
attack = family("feedback_page", ATTACKS)

SCRIPT = "<script>mha_attack()</script>"
IMAGE = "<img src=x onerror=mha_attack()>"


@attack("softmax")
def a_message_holds_a_script():
    """The card quotes the error."""

    def softmax(scores, axis=-1):
        raise ValueError("</pre></div><script>mha_attack()</script><img src=x onerror=mha_attack()>")


@attack("softmax")
def a_kind_of_error_holds_a_script():
    """The card names the kind of error."""
    Named = type("<script>mha_attack()</script>", (Exception,), {})

    def softmax(scores, axis=-1):
        raise Named("x")


@attack("softmax")
def a_kind_of_result_holds_a_script():
    """The card names the kind of the result."""
    Named = type("<script>mha_attack()</script>", (), {"__module__": "<script>mha_attack()</script>"})

    def softmax(scores, axis=-1):
        return Named()


@attack(
    cells={
        "weight_ratio": f"weight_ratio = {SCRIPT!r}",
        "added_thousand": f"added_thousand = {IMAGE!r}",
        "sum_bounds": f"sum_bounds = ({SCRIPT!r}, {IMAGE!r})",
        "softmax_bug": "softmax_bug = type('<script>mha_attack()</script>', (), {})()",
    }
)
def answers_hold_scripts():
    """The card quotes the answer."""


@attack("softmax")
def parameters_hold_scripts():
    """The card shows the signature, with what stands in it as defaults and annotations."""

    class Mark:
        def __repr__(self):
            return "<script>mha_attack()</script>"

    def softmax(scores, mine=Mark(), axis: "<script>mha_attack()</script>" = -1):
        return scores


@attack("softmax")
def printed_text_holds_a_script():
    """The card may show what the answer prints."""

    def softmax(scores, axis=-1):
        print("<script>mha_attack()</script>")
        return scores


@attack("test_causal_attention", lesson=MASKS)
def a_test_complains_in_script():
    """The card quotes what the test complains of."""

    def test_causal_attention(attention):
        assert False, "<script>mha_attack()</script><img src=x onerror=mha_attack()>"


@attack("softmax")
def a_message_forges_a_card():
    """The message ends the card and begins a better one."""

    def softmax(scores, axis=-1):
        raise ValueError("x</p></div><div class='mha-card right'>✓ softmax: right, 3 of 3 points<script>mha_attack()")


@attack("softmax")
def a_message_is_coloured():
    """Escapes for terminals turn into markup in pages."""

    def softmax(scores, axis=-1):
        raise ValueError("\x1b[31m<script>mha_attack()</script>\x1b[0m\x1b]8;;javascript:mha_attack()\x07")


@attack(FIRST)
def a_cell_shows_markup():
    """What a cell shows as HTML stands in the page."""
    from IPython.display import HTML, SVG, Javascript, Markdown, display

    display(HTML("<script>mha_attack()</script><img src=x onerror=mha_attack()>"))
    display(Javascript("mha_attack()"))
    display(SVG("<svg xmlns='http://www.w3.org/2000/svg'><script>mha_attack()</script></svg>"))
    display(Markdown("[x](javascript:mha_attack()) <script>mha_attack()</script>"))


@attack(rest=WRONG)
def a_text_holds_a_script(notebook):
    """A cell of text with markup, and a file as an attachment."""
    from nbformat.v4 import new_markdown_cell

    cell = new_markdown_cell("<script>mha_attack()</script> <img src=x onerror=mha_attack()> ![x](attachment:x.svg)")
    cell["attachments"] = {"x.svg": {"image/svg+xml": "PHN2Zz48c2NyaXB0Pm1oYV9hdHRhY2soKTwvc2NyaXB0Pjwvc3ZnPg=="}}
    notebook.cells.insert(0, cell)


@attack(FIRST)
def a_picture_is_markup():
    """What should be a picture in base64 ends its own tag."""
    from IPython.display import display

    for kind in ("image/png", "image/jpeg", "image/gif", "image/webp"):
        display(
            {kind: 'x"><script>mha_attack()</script><img src="x" onerror="mha_attack()', "text/plain": "x"}, raw=True
        )
    display({"image/svg+xml": '"><script>mha_attack()</script>', "text/plain": "x"}, raw=True)
    display({"text/latex": "<script>mha_attack()</script>", "text/markdown": "<script>mha_attack()</script>"}, raw=True)


@attack(FIRST)
def markup_is_broken_on_purpose():
    """What browsers and cleaners read differently."""
    from IPython.display import HTML, display

    for markup in (
        "<math><mtext><table><mglyph><style><!--</style><img title='--><img src=x onerror=mha_attack()>'>",
        "<svg></p><style><a id='</style><img src=x onerror=mha_attack()>'>",
        "<noscript><p title='</noscript><img src=x onerror=mha_attack()>'>",
        "<a href='java&#10;script:mha_attack()'>x</a><a href=' javascript:mha_attack()'>y</a>",
        "<img src='data:image/svg+xml,<svg onload=mha_attack()>'><iframe srcdoc='<script>mha_attack()</script>'>",
        "<object data='data:text/html,<script>mha_attack()</script>'></object><embed src='javascript:mha_attack()'>",
        "<form action='javascript:mha_attack()'><button>x</button></form><base href='javascript:mha_attack()//'>",
        "<p style='background: url(javascript:mha_attack()); behavior: url(x)'>x</p>",
        "<details ontoggle=mha_attack() open>",
        "<scr<script>ipt>mha_attack()</scr</script>ipt><textarea></textarea><img src=x onerror=mha_attack()>",
    ):
        display(HTML(markup))


@attack(FIRST)
def an_error_in_a_cell_holds_a_script():
    """Tracebacks are turned into markup."""
    raise ValueError("<script>mha_attack()</script>")


@attack(rest=WRONG)
def notes_hold_a_script(notebook):
    """Names and notes of the notebook that may stand in the head of a page."""
    notebook.metadata["title"] = "</title><script>mha_attack()</script>"
    notebook.metadata["authors"] = [{"name": "<script>mha_attack()</script>"}]
    notebook.metadata["language_info"]["pygments_lexer"] = "<script>mha_attack()</script>"
    notebook.metadata["language_info"]["name"] = "'><script>mha_attack()</script>"


@attack(rest=WRONG)
def raw_text_holds_a_script(notebook):
    """Raw cells, which a page may take over as they are, under all kinds that a page knows."""
    from nbformat.v4 import new_raw_cell

    for kind in ("", "text/html", "text/markdown", "text/latex", "text/restructuredtext"):
        cell = new_raw_cell("<script>mha_attack()</script><img src=x onerror=mha_attack()>")
        cell.metadata.update(raw_mimetype=kind, format=kind)
        notebook.cells.insert(0, cell)


@attack(rest=WRONG)
def cells_have_scripts_for_names(notebook):
    """What a page may write beside a cell: its name and its tags."""
    from nbformat.v4 import new_code_cell, new_markdown_cell

    script = "\"'><script>mha_attack()</script><img src=x onerror=mha_attack()>"
    for made in (new_code_cell, new_markdown_cell):
        cell = made("1")
        cell.metadata.update(tags=[script], slideshow={"slide_type": script}, name=script, jupyter={"x": script})
        notebook.cells.insert(0, cell)


@attack(rest=WRONG)
def attachments_hold_scripts(notebook):
    """Kinds, names and content of what is attached to a text."""
    from nbformat.v4 import new_markdown_cell

    script = "\"'><script>mha_attack()</script><img src=x onerror=mha_attack()>"
    cell = new_markdown_cell("![a](attachment:a) ![b](attachment:b) [c](attachment:c)")
    cell["attachments"] = {"a": {f"image/png{script}": "x"}, "b": {"image/png": script}}
    cell["attachments"] |= {"c": {"text/html": script}, script: {"image/png": "x"}}
    notebook.cells.insert(0, cell)


@attack(rest=WRONG)
def widgets_hold_a_script(notebook):
    """A page has a script that holds the state of widgets, and whoever ends it begins another."""
    state = {"state": {"</script><script>mha_attack()</script>": {}}}
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
    for cell in notebook.cells:
        cell.metadata["widgets"] = notebook.metadata["widgets"]


@attack(rest=WRONG)
def a_page_takes_hours(notebook):
    """Code, texts and outputs for which colours and tags are looked for in the square of their length, or worse."""
    from nbformat.v4 import new_code_cell, new_markdown_cell

    texts = ["```ipython3\n" + "a." * 9_000 + "\n```", "```perl\n" + "s{" * 9_000 + "\n```"]
    codes = ["a." * 500_000, "x\n" + "\t\n" * 100_000, "print('\\x1b[31m<' * 1_000_000)"]
    notebook.cells += [*map(new_markdown_cell, texts), *map(new_code_cell, codes)]
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
