"""What depends on when, and on how often."""

from nbformat.v4 import new_code_cell

from .attack import ATTENTION, family

ATTACKS = []
attack = family("timing", ATTACKS)


@attack("softmax")
def right_the_first_time():
    """The first call is right, all others are not."""
    times = []

    def softmax(scores, axis=-1):
        times.append(1)
        lowered = scores - scores.max(axis=axis, keepdims=True)
        right = np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)
        return right if len(times) == 1 else scores


@attack("softmax")
def right_for_a_second():
    """It is right while the cell runs and a little longer."""
    import time

    end = time.monotonic() + 0.05

    def softmax(scores, axis=-1):
        while time.monotonic() < end:
            pass
        return scores


LOSES_IT = "attention_output_shape = (2, 5, 3)\nattention_scores = lambda query, key: query[..., :1] * key[..., 0]\n"


@attack(
    "attention_scores",
    lesson=ATTENTION,
    cells={"attention_output_shape": LOSES_IT},
    deserves={"attention_scores": 2, "attention_output_shape": 1, "scaled_dot_product_attention": 0},
)
def becomes_wrong_later():
    """The answer that was judged is replaced by a wrong one before others build on it."""

    def attention_scores(query, key):
        return query @ key.mT / np.sqrt(query.shape[-1])


LATER = """
def attention_scores(query, key):
    return query @ key.mT / np.sqrt(query.shape[-1])
def attention_weights(query, key):
    return softmax(attention_scores(query, key))
"""


@attack("attention_scores", lesson=ATTENTION, cells={"attention_weights": LATER}, deserves={"attention_weights": 1})
def becomes_right_later():
    """A later cell defines the right one: too late for the check that stands before it."""

    def attention_scores(query, key):
        return query


@attack("softmax")
def knows_when_it_is_judged():
    """Right for a person, wrong for a judge, by what stands on the stack and in the environment: worth nothing."""

    def softmax(scores, axis=-1):
        import os
        import time

        lowered = scores - scores.max(axis=axis, keepdims=True)
        right = np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)
        return right + (time.time() > 0 or "NBGRADER_EXECUTION" in os.environ)


@attack()
def the_notebook_takes_its_time(notebook):
    """Many cells after all others, each of them within its limit."""
    notebook.cells += [new_code_cell("import time\ntime.sleep(3)") for _ in range(20)]
