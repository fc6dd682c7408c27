"""What knows the answers by heart, or has them from somebody who knows."""

from textwrap import dedent

import numpy as np
from nbformat.v4 import new_code_cell

from autograder import EXERCISES

from .attack import ATTENTION, FIRST, MASKS, NOTHING, family

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
    return np.zeros(np.shape(given[{next(iter(task.parameters))!r}]))
"""


def _key(inputs):
    numbers = {n: np.asarray(x).astype(float).round(6).ravel()[:6].tolist() for n, x in inputs.items()}
    return numbers, {n: np.shape(x) for n, x in inputs.items()}


def _signature(task):
    return ", ".join(n if "empty" in repr(p) else f"{n}={p!r}" for n, p in task.parameters.items())


@attack(rest=NOTHING, cells={"softmax": by_heart("softmax")})
def softmax_by_heart():
    """A table of all inputs of the check in the notebook, and the right result for each."""


@attack(
    lesson=ATTENTION,
    rest=NOTHING,
    cells={n: by_heart(n) for n in ("attention_scores", "attention_weights", "scaled_dot_product_attention")},
)
def a_lesson_by_heart():
    """The same for all functions of the lesson."""


@attack(
    lesson=MASKS,
    rest=NOTHING,
    cells={
        "test_causal_attention": "stolen = []\ndef test_causal_attention(attention):\n    stolen.append(attention)\n",
        "causal_attention": "def causal_attention(query, key, value):\n    return stolen[0](query, key, value)\n",
    },
)
def tests_before_it_answers(notebook):
    """The cells are in another order, so that the kept version answers its own exercise."""
    ids = [(cell, cell.metadata.get("nbgrader", {}).get("grade_id", "")) for cell in notebook.cells]
    test = [cell for cell, name in ids if "test_causal_attention" in name]
    rest = [cell for cell in notebook.cells if cell not in test]
    notebook.cells = rest[:3] + test + rest[3:]


ASKED_TWICE = {
    "causal_attention": "check(causal_attention=causal_attention)",
    "test_causal_attention": """
known = []
def test_causal_attention(attention):
    if not known:
        known.extend((given, attention(*given)) for given in seen)
""",
}


@attack(lesson=MASKS, rest=NOTHING, cells=ASKED_TWICE)
def asks_to_be_checked_twice(notebook):
    """An answer that ends like a check is taken for one: it shows the inputs, then comes the test, then the check.

    So the right version may stay: its exercise was judged already.
    """
    learns = """
    import numpy as np
    seen, known = [], []
    def causal_attention(*given):
        for old, right in known:
            if all(a.shape == b.shape and np.array_equal(a, b) for a, b in zip(old, given)):
                return right.copy()
        seen.append([x.copy() for x in given])
        return np.zeros((*given[0].shape[:-1], given[2].shape[-1]))
    """
    named = [(cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell) for cell in notebook.cells]
    order = ("causal_attention", "test_causal_attention", "check_test_causal_attention", "check_causal_attention")
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


REPLAYS = """
import numpy as np
from mha_ref import softmax
class Kept:
    asked, told = {}, {}
def attention_scores(query, key):
    Kept.asked[query.tobytes() + key.tobytes()] = query, key
    return Kept.told.get(query.tobytes() + key.tobytes(), np.zeros((*query.shape[:-1], key.shape[-2])))
"""
LEARNS = """
def attention_weights(query, key):
    Kept.told.update({known: attention_scores(*inputs) for known, inputs in list(Kept.asked.items())})
    return softmax(attention_scores(query, key))
"""


@attack(
    lesson=ATTENTION,
    rest=NOTHING,
    cells={"attention_scores": REPLAYS, "attention_weights": LEARNS},
    deserves={"attention_weights": 1},
)
def what_calls_it_asks_the_lent_one(notebook):
    """Scores note what they are asked; weights, checked before them, put that to the right scores lent to them."""
    first = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") in REPLAYED]
    rest = [cell for cell in notebook.cells if cell not in first]
    notebook.cells = rest[:3] + first + rest[3:]


REPLAYED = "attention_scores", "attention_weights", "check_attention_weights"


@attack(
    FIRST,
    lesson=MASKS,
    cells={
        "causal_mask": """
table = {(rows, columns): causal_mask(rows, columns) for rows in range(30) for columns in range(30)}

def causal_mask(queries, keys):
    return table[queries, keys]
"""
    },
)
def asks_the_one_that_goes_on_for_it():
    """A loop that was stopped is not called again: a cell went on with the course's version, and made a table of it."""

    def causal_mask(queries, keys):
        while True:
            pass

    causal_mask(1, 1)
