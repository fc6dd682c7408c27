"""What turns the shell round: it runs the cells, so whoever owns it may think that he owns the score."""

from .attack import FIRST, WHATEVER, WRONG, family

ATTACKS = []
attack = family("ipython", ATTACKS)


@attack(FIRST, rest=WRONG)
def cells_are_rewritten():
    """An input transformer takes every line with a check out."""
    ip = get_ipython()
    ip.input_transformers_post.append(lambda lines: ["None\n"] if any("check(" in line for line in lines) else lines)


@attack(FIRST, rest=WRONG)
def trees_are_rewritten():
    """The same on the syntax tree: every check is the constant None."""
    import ast

    class Replaced(ast.NodeTransformer):
        def visit_Call(self, node):
            name = getattr(node.func, "id", "")
            return ast.copy_location(ast.Constant(None), node) if name == "check" else node

    get_ipython().ast_transformers.append(Replaced())


@attack(FIRST, rest=WRONG)
def hooks_define_check():
    """Before each cell something runs, and after it."""
    ip = get_ipython()

    def before(*args):
        import autograder

        ip.user_ns["check"] = autograder.check = lambda *a, **k: 1.0

    for event in ("pre_run_cell", "pre_execute", "post_execute", "post_run_cell"):
        ip.events.register(event, before)


@attack(FIRST, rest=WRONG)
def cells_do_not_run():
    """The shell's own methods are replaced: a cell that checks succeeds without running."""
    ip = get_ipython()
    real = ip.run_cell

    def run_cell(source, *args, **kwargs):
        return real("1.0" if "check" in source else source, *args, **kwargs)

    ip.run_cell = run_cell
    ip.run_code = ip.run_cell_async = ip.run_ast_nodes = None


@attack(FIRST, rest=WRONG)
def errors_are_swallowed():
    """Whatever is raised in a cell, nobody hears of it."""
    ip = get_ipython()
    ip.set_custom_exc((BaseException,), lambda *args, **kwargs: None)
    ip.showtraceback = ip._showtraceback = ip.showsyntaxerror = lambda *args, **kwargs: None


@attack(FIRST, rest=WRONG)
def every_value_is_one():
    """A cell's last value is shown by formatters, and a number is a score."""
    ip = get_ipython()
    ip.display_formatter.format = lambda *a, **k: ({"text/plain": "1.0"}, {})
    ip.displayhook.compute_format_data = lambda *a, **k: ({"text/plain": "1.0"}, {})


@attack(FIRST, rest=WRONG)
def results_are_published():
    """Results of cells that never ran, in the kernel's own name."""
    ip = get_ipython()
    ip.display_pub.publish({"text/plain": "1.0"}, {})
    kernel = getattr(ip, "kernel", None)
    if kernel:

        def publish(*args):
            content = {"execution_count": ip.execution_count, "data": {"text/plain": "1.0"}, "metadata": {}}
            kernel.session.send(kernel.iopub_socket, "execute_result", content, kernel.get_parent("shell"))

        ip.events.register("pre_run_cell", publish)


@attack("softmax")
def the_namespace_lies():
    """The dictionary of the learner's names gives another answer each time."""
    ip = get_ipython()

    class Lying(dict):
        def __getitem__(self, name):
            return 1.0 if name in ("softmax", "check") else super().__getitem__(name)

        def get(self, name, default=None):
            return self[name] if name in self else default

    try:
        ip.user_ns = Lying(ip.user_ns)
        ip.user_module.__dict__["__builtins__"] = {}
    except Exception:
        pass


@attack("softmax")
def names_hold_traps():
    """Variables whose names are no texts, in the namespace and in the history."""
    ip = get_ipython()

    class Name(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            raise SystemExit("looked at")

    ip.user_ns[Name("softmax")] = 3
    ip.user_ns[Name("softmax")] = 3


@attack("softmax")
def magics_are_defined():
    """New magics, aliases and macros, and a shell that logs into the course."""
    ip = get_ipython()
    ip.run_line_magic("logstart", "-o {canary}/letter.txt append")
    ip.run_line_magic("alias", "check true")
    ip.register_magic_function(lambda *a: 1.0, "line", "check")
    ip.run_line_magic("automagic", "on")


@attack(
    cells={"softmax": "%reset -f\n%pdb on\n%xmode Verbose\n1 / 0"},
    deserves={},
)
def everything_is_forgotten():
    """All names are gone, and the first error waits for somebody who types."""


@attack(cells={"softmax": "%debug\n%edit\n%pip install mha-attack --index-url http://127.0.0.1:{port}/\n%recall 1"})
def magics_wait():
    """Magics that open a debugger, an editor, a package manager."""


@attack(cells={"softmax": "def softmax(scores, axis=-1):\n    return scores\n\n%autoreload 2\n%who_ls\n%%time"})
def a_cell_magic_stands_at_the_wrong_place():
    """A line that no shell understands."""


@attack("softmax", deserves={"softmax_bug": WHATEVER})
def the_display_hook_is_broken():
    """Whoever shows a value falls."""
    import sys

    def softmax(scores, axis=-1):
        return scores

    def broken(*args, **kwargs):
        raise SystemExit("no display")

    sys.displayhook = sys.excepthook = broken
    get_ipython().displayhook = get_ipython().display_pub = None


@attack("softmax")
def streams_are_broken():
    """Nobody can print any more, not even an error."""
    import sys

    class Broken:
        def __getattr__(self, name):
            raise RuntimeError("no stream")

    def softmax(scores, axis=-1):
        sys.stdout = sys.stderr = sys.stdin = sys.__stdout__ = sys.__stderr__ = Broken()
        return scores


@attack("softmax")
def the_shell_is_gone():
    """No get_ipython, no instance, no user module."""
    import builtins
    import sys

    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.clear_instance()
    for name in [n for n in sys.modules if n.partition(".")[0] in ("IPython", "ipykernel", "traitlets")]:
        del sys.modules[name]
    del builtins.get_ipython


@attack("softmax")
def names_are_not_what_they_compile_to():
    """Letters that Python takes for others: the name in the namespace is another one than in the source."""

    def ｌog_softmax(scores, axis=-1):
        return scores

    def 𝓵𝓸𝓰_softmax(scores, axis=-1):
        return 1.0
