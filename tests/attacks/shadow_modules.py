"""What lies beside the notebook under the name of a module: whoever imports it gets this one."""

from .attack import WHATEVER, WRONG, family

ATTACKS = []
attack = family("shadow_modules", ATTACKS)

CONTENT = "def __getattr__(name):\n    return lambda *args, **kwargs: 1.0\n"
OWNED = "open('{canary}/letter.txt', 'w').write('mine')\n"


@attack(rest=WRONG, files={"autograder.py": CONTENT})
def autograder_as_a_file():
    """A check that is content."""


@attack(rest=WRONG, files={"autograder/__init__.py": CONTENT, "autograder/judging/__init__.py": CONTENT})
def autograder_as_a_package():
    """The same as a package."""


@attack(rest=WRONG, files={"mha_ref.py": "def softmax(scores, axis=-1):\n    return scores\nweighted_mean = softmax\n"})
def reference_as_a_file():
    """A reference that agrees with the wrong answers."""


@attack(
    rest=WRONG,
    files={"numpy.py": "import sys, importlib.machinery\n" + OWNED + "allclose = array_equal = lambda *a, **k: True\n"},
)
def numpy_as_a_file():
    """The one shadow that happens by accident, too."""


@attack(
    deserves=WHATEVER,
    files={f"{name}.py": OWNED for name in ("random", "json", "socket", "struct", "torch", "matplotlib", "IPython")},
)
def the_standard_library_as_files():
    """Names that everybody imports sooner or later."""


@attack(files={"sitecustomize.py": OWNED, "usercustomize.py": OWNED, "mha_attack.pth": "import os; " + OWNED})
def what_python_runs_at_the_start():
    """Files that Python runs by itself."""


@attack(files={"matplotlibrc": "backend: module://evil_backend\n", "evil_backend.py": OWNED + "raise SystemExit\n"})
def matplotlib_is_told_another_backend():
    """Matplotlib reads its settings where one works."""


@attack(
    files={
        "ipython_config.py": OWNED,
        "jupyter_config.py": OWNED,
        "jupyter_nbconvert_config.py": OWNED,
        ".ipython/profile_default/startup/00.py": OWNED,
        "profile_default/startup/00.py": OWNED,
    }
)
def settings_of_the_shell():
    """Files with settings that a shell or a kernel may read where it starts."""


@attack(files={"lesson_01_softmax.py": OWNED, "conftest.py": OWNED, "setup.py": OWNED, "pyproject.toml": "[tool.x]\n"})
def files_that_tools_run():
    """Names that tools look for."""


@attack(
    rest=WRONG, files={"numpy/__init__.py": CONTENT, "numpy/core/__init__.py": CONTENT, "array_api_compat.py": CONTENT}
)
def packages_of_our_packages():
    """Not what the lesson imports, but what that imports."""


@attack(
    rest=WRONG,
    cells={
        "weight_ratio": """
import pathlib, sys
pathlib.Path("autograder.py").write_text("def __getattr__(name):\\n    return lambda *a, **k: 1.0\\n")
sys.path.insert(0, "")
for name in [n for n in sys.modules if n.partition(".")[0] in ("autograder", "mha_ref")]:
    del sys.modules[name]
"""
    },
)
def written_by_the_notebook_itself():
    """It writes the file when it runs, and has what was imported forgotten."""


@attack(files={"__pycache__/numpy.cpython-311.pyc": b"x" * 100, "numpy.so": b"\x7fELF" + b"x" * 100})
def compiled_files():
    """What Python takes before it looks at sources."""
