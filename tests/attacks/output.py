"""What says too much, or something that nobody can write down."""

from nbformat.v4 import new_code_cell

from .attack import FIRST, WHATEVER, family

ATTACKS = []
attack = family("output", ATTACKS)


@attack("softmax")
def answer_prints_without_end():
    """Line after line."""

    def softmax(scores, axis=-1):
        while True:
            print("and another line")


@attack("softmax", dangerous=True)
def cell_prints_without_end():
    """The same in a cell: all of it would stand in the notebook."""
    while True:
        print("x" * 10_000)


@attack("softmax", dangerous=True)
def cell_complains_without_end():
    """On the other stream."""
    import sys

    while True:
        sys.stderr.write("y" * 10_000 + "\n")


@attack(FIRST)
def prints_a_hundred_megabytes():
    """One line, one call."""
    print("x" * 100_000_000)


@attack(FIRST)
def shows_ten_thousand_things():
    """Each of them is small."""
    from IPython.display import HTML, display

    for n in range(10_000):
        display(HTML(f"<b>{n}</b>"))


@attack(FIRST)
def shows_something_huge():
    """One display of fifty megabytes."""
    from IPython.display import display

    display({"text/html": "<p>" * 10_000_000, "text/plain": "x" * 20_000_000}, raw=True)


@attack(FIRST)
def writes_past_python():
    """Straight to the descriptors that were there when the process began."""
    import os
    import sys

    for n in (1, 2):
        try:
            os.write(n, b"mha attack speaks\n" * 100_000)
        except OSError:
            pass
    print("mha attack speaks", file=sys.__stdout__)


@attack(FIRST)
def prints_what_is_no_text():
    """Half a pair of surrogates, zeros, escapes, and marks that turn the direction."""
    print("\ud800 \x00 \x1b]0;owned\x07 \x1b[2J \x08\x08 \u202e \uffff \ufeff")

    class Odd:
        def __repr__(self):
            return "\udfff\x00"

    Odd()


@attack(FIRST)
def shows_what_is_no_output():
    """Bundles with kinds that do not exist, and values of the wrong kind."""
    from IPython.display import display

    for bundle in (
        {"text/plain": 3},
        {"text/html": ["a", 4]},
        {"image/png": "no picture"},
        {"application/json": {"a": object}},
        {"": ""},
        {"application/vnd.jupyter.widget-view+json": {"model_id": "nobody"}},
        {"application/vnd.jupyter.widget-view+json": "x"},
        {"text/latex": "\\input{/etc/passwd}"},
        {3: 4},
    ):
        try:
            display(bundle, raw=True)
        except Exception as error:
            print(type(error))
    display({"text/plain": "3.0"}, raw=True, metadata={"nbgrader": {"score": 3}})


@attack(FIRST)
def objects_cannot_be_shown():
    """Methods for showing that raise, return something else, or never return."""
    from IPython.display import display

    class Raises:
        def __repr__(self):
            raise SystemExit

        _repr_html_ = _repr_png_ = _repr_mimebundle_ = __repr__

    class Returns:
        def _repr_html_(self):
            return 7

        def _repr_mimebundle_(self, **kwargs):
            return 7

        def _repr_png_(self):
            return "no bytes"

        def __repr__(self):
            return "shown"

    for thing in (Raises(), Returns()):
        display(thing)


@attack(FIRST)
def markup_is_hard_to_read():
    """Two megabytes in which each tag opens all that were open before again: a parser is at it for hours."""
    from IPython.display import HTML, display

    display(HTML("".join(f"<b id={n}>" for n in range(60_000)) + "<p>x" * 60_000))


@attack(FIRST)
def markup_is_deep():
    """Tags in tags, brackets in brackets: whoever walks them by recursion falls."""
    from IPython.display import HTML, display

    display(HTML("<div>" * 100_000))
    display(HTML(f'<p style="color: {"(" * 50_000}">x</p>'))
    display(HTML("<![CDATA[" * 10_000 + "<!--" * 10_000 + "<table><tr><td>" * 30_000))


@attack("softmax")
def objects_take_for_ever_to_show():
    """The last value of a cell is shown, and this one never is."""

    class Endless:
        def _repr_html_(self):
            while True:
                pass

    Endless()


@attack("softmax")
def clears_and_writes():
    """Output that is taken back again and again, and handles that change old output."""
    from IPython.display import clear_output, display

    handle = display("first", display_id=True)
    for n in range(100_000):
        clear_output(wait=bool(n % 2))
        handle.update(n)

    def softmax(scores, axis=-1):
        return scores


@attack("softmax", dangerous=True)
def draws_a_thousand_figures():
    """Each stays open."""
    import matplotlib.pyplot as plt

    for _ in range(1000):
        plt.figure(figsize=(20, 20)).add_subplot().imshow(np.zeros((1000, 1000)))


@attack("softmax")
def prints_when_nobody_listens():
    """A thread goes on printing, in the cells of others and between them."""
    import threading
    import time

    def talk():
        while True:
            print("still here")
            time.sleep(0.001)

    threading.Thread(target=talk, daemon=True).start()


@attack("weight_ratio")
def the_answer_is_a_very_long_text():
    """The card repeats what was answered."""
    weight_ratio = "x" * 10_000_000


@attack("softmax")
def the_traceback_is_endless():
    """Names, lines and frames that go on and on."""
    source = (
        "\n".join(f"def f{n}(): f{n + 1}()" for n in range(900)) + "\ndef f900(): raise ValueError('y' * 1_000_000)"
    )
    exec(compile(source, "x" * 10_000, "exec"))
    f0()


@attack("softmax")
def a_result_prints_itself():
    """Each number of the result is text of a megabyte."""

    class Long(float):
        def __repr__(self):
            return "1" * 1_000_000

    def softmax(scores, axis=-1):
        return [Long(1)] * 1000


@attack(FIRST, deserves=WHATEVER)
def asks_for_something_in_the_browser():
    """Messages to a front end: comms, widgets, payloads."""
    from ipykernel.comm import Comm

    for n in range(1000):
        Comm(target_name="mha_attack", data={"n": "x" * 1000})
    get_ipython().set_next_input("check = None", replace=True)
    get_ipython().payload_manager.write_payload(dict(source="ask_exit", keepkernel=False))


@attack()
def shows_two_megabytes_in_each_of_many_cells(notebook):
    """Each within its limit: whoever grades holds them all in memory."""
    notebook.cells += [new_code_cell("print('x' * 1_990_000)") for _ in range(300)]
