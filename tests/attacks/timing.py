"""What depends on when, and on how often."""

from nbformat.v4 import new_code_cell

from .attack import family

ATTACKS = []
attack = family("timing", ATTACKS)


@attack("log_softmax")
def right_the_first_time():
    """The first call is right, all others are not."""
    times = []

    def log_softmax(scores, axis=-1):
        times.append(1)
        lowered = scores - scores.max(axis=axis, keepdims=True)
        right = lowered - np.log(np.exp(lowered).sum(axis=axis, keepdims=True))
        return right if len(times) == 1 else scores


@attack("log_softmax")
def right_for_a_second():
    """It is right while the cell runs and a little longer."""
    import time

    end = time.monotonic() + 0.05

    def log_softmax(scores, axis=-1):
        while time.monotonic() < end:
            pass
        return scores


@attack(
    "softmax",
    cells={"softmax_bug": "softmax_bug = 3\nright_softmax, softmax = softmax, lambda scores, axis=-1: scores"},
    deserves={"softmax": 3, "softmax_bug": 1, "softmax_with_temperature": 0},
)
def becomes_wrong_later():
    """The answer that was judged is replaced by a wrong one before others build on it."""

    def softmax(scores, axis=-1):
        powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)


LATER = """
def log_softmax(scores, axis=-1):
    lowered = scores - scores.max(axis=axis, keepdims=True)
    return lowered - np.log(np.exp(lowered).sum(axis=axis, keepdims=True))
def softmax_with_temperature(scores, temperature, axis=-1):
    return softmax(scores / temperature, axis)
"""


@attack("log_softmax", cells={"softmax_with_temperature": LATER}, deserves={"softmax_with_temperature": 2})
def becomes_right_later():
    """A later cell defines the right one: too late for the check that stands before it."""

    def log_softmax(scores, axis=-1):
        return scores


@attack("log_softmax")
def knows_when_it_is_judged():
    """Right for a person, wrong for a judge, by what stands on the stack and in the environment: worth nothing."""

    def log_softmax(scores, axis=-1):
        import os
        import time

        lowered = scores - scores.max(axis=axis, keepdims=True)
        right = lowered - np.log(np.exp(lowered).sum(axis=axis, keepdims=True))
        return right + (time.time() > 0 or "NBGRADER_EXECUTION" in os.environ)


@attack()
def the_notebook_takes_its_time(notebook):
    """Many cells after all others, each of them within its limit."""
    notebook.cells += [new_code_cell("import time\ntime.sleep(3)") for _ in range(20)]
