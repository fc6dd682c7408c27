"""What knows the answers by heart, or has them from somebody who knows."""

from textwrap import dedent

import numpy as np
from nbformat.v4 import new_code_cell

from autograder import EXERCISES

from .attack import COST, NOTHING, family

ATTACKS = []
attack = family("cached_answers", ATTACKS)


def by_heart(name):
    """A cell that answers the inputs of the notebook's own check, all of them, and no others."""
    task = EXERCISES[name]
    lines = []
    for case in task.cases():
        try:
            value = np.asarray(task.reference(**case.inputs))
        except Exception:
            continue
        lines.append(f"    ({_key(case.inputs)!r}, {value.dtype.str!r}, {value.shape!r}, {value.tobytes().hex()!r}),")
    parameters = ", ".join(task.parameters)
    table = "\n".join(lines)
    return f"""import numpy as np
TABLE = [
{table}
]

def {name}({_signature(task)}):
    given = dict(zip({list(task.parameters)!r}, ({parameters},)))
    key = {{n: np.asarray(x).astype(float).round(6).ravel()[:6].tolist() for n, x in given.items()}}
    shapes = {{n: np.shape(x) for n, x in given.items()}}
    for (wanted, sizes), kind, shape, numbers in TABLE:
        if all(sizes[n] == shapes[n] and wanted[n] == key[n] for n in wanted):
            return np.frombuffer(bytes.fromhex(numbers), kind).reshape(shape).copy()
    return np.zeros(np.shape(given["scores"]))
"""


def _key(inputs):
    numbers = {n: np.asarray(x).astype(float).round(6).ravel()[:6].tolist() for n, x in inputs.items()}
    return numbers, {n: np.shape(x) for n, x in inputs.items()}


def _signature(task):
    return ", ".join(n if "empty" in repr(p) else f"{n}={p!r}" for n, p in task.parameters.items())


@attack(rest=NOTHING, cells={"softmax": by_heart("softmax")})
def softmax_by_heart():
    """A table of all inputs of the check in the notebook, and the right result for each."""


@attack(rest=NOTHING, cells={"log_softmax": by_heart("log_softmax")})
def log_softmax_by_heart():
    """The same for another exercise."""


@attack(
    rest=NOTHING,
    cells={n: by_heart(n) for n in ("softmax", "log_softmax", "softmax_with_temperature")},
)
def a_lesson_by_heart():
    """The same for all functions of the lesson."""


STEAL_FROM_THE_TEST = {
    "test_softmax": """
stolen = []
def test_softmax(softmax):
    stolen.append(softmax)
""",
    "softmax_with_temperature": """
def softmax_with_temperature(scores, temperature, axis=-1):
    return stolen[0](scores / temperature, axis)
""",
}


@attack(rest=NOTHING, cells=STEAL_FROM_THE_TEST)
def keeps_the_right_version_of_the_test():
    """A test is given the right version first: it is kept, and answers another exercise."""


@attack(
    rest=NOTHING,
    cells={
        "test_softmax": "stolen = []\ndef test_softmax(softmax):\n    stolen.append(softmax)\n",
        "softmax": "def softmax(scores, axis=-1):\n    return stolen[0](scores, axis)\n",
    },
)
def tests_before_it_answers(notebook):
    """The cells are in another order, so that the kept version answers its own exercise."""
    test = [cell for cell in notebook.cells if "test_softmax" in cell.metadata.get("nbgrader", {}).get("grade_id", "")]
    rest = [cell for cell in notebook.cells if cell not in test]
    notebook.cells = rest[:3] + test + rest[3:]


LEARN = {
    "log_softmax": """
import numpy as np
seen = []
def log_softmax(scores, axis=-1):
    seen.append((scores.copy(), axis))
    return np.zeros(scores.shape)
""",
    "test_softmax": """
known = []
def test_softmax(softmax):
    if not known:
        known.extend((scores, axis, softmax(scores, axis=axis)) for scores, axis in seen)
""",
    "softmax": """
def softmax(scores, axis=-1):
    for old, along, right in known:
        if old.shape == scores.shape and along == axis and np.array_equal(old, scores):
            return right.copy()
    return np.zeros(scores.shape)
""",
}


@attack(rest=NOTHING, cells=LEARN)
def learns_the_inputs_from_another_exercise(notebook):
    """One exercise shows which inputs come, the right version of the test says what becomes of them: a third knows.

    The cells are in another order, and nothing but the checks' own inputs and replies is used.
    """
    by_name = {name: [] for name in LEARN}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "").removeprefix("check_")
        if name in by_name:
            by_name[name].append(cell)
    moved = [cell for name in LEARN for cell in by_name[name]]
    notebook.cells = [cell for cell in notebook.cells if cell not in moved] + moved


ASKED_TWICE = {
    "softmax": "check(softmax=softmax)",
    "test_softmax": """
known = []
def test_softmax(softmax):
    if not known:
        known.extend((scores, axis, softmax(scores, axis=axis)) for scores, axis in seen)
""",
}


@attack(rest=NOTHING, cells=ASKED_TWICE)
def asks_to_be_checked_twice(notebook):
    """An answer that ends like a check is taken for one: it shows the inputs, then comes the test, then the check.

    So the right version may stay: its exercise was judged already.
    """
    learns = """
    import numpy as np
    seen, known = [], []
    def softmax(scores, axis=-1):
        for old, along, right in known:
            if old.shape == scores.shape and along == axis and np.array_equal(old, scores):
                return right.copy()
        seen.append((scores.copy(), axis))
        return np.zeros(scores.shape)
    """
    named = [(cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell) for cell in notebook.cells]
    order = ("softmax", "test_softmax", "check_test_softmax", "check_softmax")
    moved = [cell for name in order for known, cell in named if known == name]
    rest = [cell for name, cell in named if name not in order]
    notebook.cells = [*rest, new_code_cell(dedent(learns)), *moved]


ASK = """
def {name}(scores, axis=-1):
    import json, pathlib, tempfile
    for folder in ("/tmp", "/dev/shm", tempfile.gettempdir(), "."):
        try:
            known = json.loads((pathlib.Path(folder) / "mha_attack_known.json").read_text())
            return np.array(known[str(scores.shape)])
        except Exception:
            pass
    return np.zeros(scores.shape)
"""


@attack(rest=NOTHING, cells={"softmax": ASK.replace("{name}", "softmax")})
def b_reads_what_a_friend_wrote():
    """Two submissions work together: this one reads what the other has computed on the same inputs."""


@attack(deserves={"softmax": 3})
def a_writes_for_a_friend(notebook):
    """An honest answer that leaves its results where the next submission may find them."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax":
            cell.source += """

right_softmax = softmax
def softmax(scores, axis=-1):
    import json, pathlib, tempfile
    result = right_softmax(scores, axis)
    for folder in ("/tmp", "/dev/shm", tempfile.gettempdir(), "."):
        try:
            file = pathlib.Path(folder) / "mha_attack_known.json"
            known = json.loads(file.read_text()) if file.exists() else {}
            file.write_text(json.dumps(known | {str(scores.shape): result.tolist()}))
        except Exception:
            pass
    return result
"""


@attack("softmax", rest=NOTHING)
def learns_from_the_check():
    """It runs the check itself, and reads from the card what was expected."""
    import re

    from autograder import check

    def softmax(scores, axis=-1):
        return np.zeros_like(scores)

    card = str(getattr(check(softmax), "card", ""))
    numbers = re.findall(r"-?\d+\.\d+", card)

    def softmax(scores, axis=-1):
        return np.resize(np.array([float(n) for n in numbers[-scores.size :]] or [0.0]), scores.shape)


@attack("softmax", rest=NOTHING)
def remembers_what_comes_next():
    """Wrong on purpose the first time round, to see the inputs; the answers came with a friend's work."""
    seen = []

    def softmax(scores, axis=-1):
        seen.append((scores.copy(), axis))
        import pathlib

        pathlib.Path("mha_attack_seen.txt").write_text(repr(seen))
        return np.full(scores.shape, 1 / scores.shape[axis] if scores.ndim else 1.0)


ASK_FOR_ALL = {
    "test_attention_flops": """
sizes = [(tokens, model_size) for tokens in (*range(1, 13), 50) for model_size in (2, 3, 8, 16, 64)]
known = {}
def test_attention_flops(attention_flops):
    if not known:
        known.update((pair, attention_flops(*pair)) for pair in sizes)
""",
    "attention_flops": "def attention_flops(tokens, model_size):\n    return known[tokens, model_size]\n",
}


@attack(lesson=COST, rest=NOTHING, cells=ASK_FOR_ALL)
def asks_the_test_for_all_there_is(notebook):
    """Inputs are few whole numbers: the right version of the test is asked for all of them, before its own exercise."""
    test = [cell for cell in notebook.cells if "test_attention_flops" in str(cell.metadata.get("nbgrader", {}))]
    notebook.cells = test + [cell for cell in notebook.cells if cell not in test]
