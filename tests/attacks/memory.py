"""What wants more than there is. None wants more than 6 GB, should every fence be down."""

from autograder import EXERCISES
from autograder.question import Question

from .attack import ATTENTION, BATCHED, MASKS, family

ATTACKS = []
attack = family("memory", ATTACKS)
QUESTIONS = [name for name, task in EXERCISES.items() if task.lesson == BATCHED and isinstance(task, Question)]


@attack("softmax", dangerous=True)
def answer_takes_six_gigabytes():
    """A piece at a time, and all of it touched."""

    def softmax(scores, axis=-1):
        kept = [bytearray(b"x" * 2**26) for _ in range(96)]
        return scores


@attack("softmax", dangerous=True)
def cell_takes_six_gigabytes():
    """The same in a cell."""
    kept = []
    for _ in range(96):
        kept.append(np.ones(2**23))

    def softmax(scores, axis=-1):
        return scores


@attack("softmax", dangerous=True)
def answer_leaks():
    """Each call keeps 200 MB, thirty calls long."""
    kept = []

    def softmax(scores, axis=-1):
        if len(kept) < 30:
            kept.append(np.ones(25_000_000))
        return scores


@attack("softmax", dangerous=True)
def result_has_two_gigabytes():
    """Somebody has to carry it."""

    def softmax(scores, axis=-1):
        return np.ones(2**28)


@attack("softmax")
def result_claims_a_trillion_numbers():
    """One number in memory, and a shape that says 10^12."""

    def softmax(scores, axis=-1):
        return np.broadcast_to(np.float64(0.5), (10**6, 10**6))


@attack("softmax")
def result_is_a_window_on_nothing():
    """Strides that walk far out of the memory that there is."""

    def softmax(scores, axis=-1):
        from numpy.lib.stride_tricks import as_strided

        return as_strided(np.zeros(1), shape=scores.shape, strides=(2**40,) * scores.ndim)


@attack("softmax")
def result_is_empty_and_huge():
    """No numbers, in a shape whose axes multiply to more than fits into 64 bits."""

    def softmax(scores, axis=-1):
        return np.zeros((0, 2**31 - 1, 2**31 - 1))


@attack("softmax")
def result_has_sixty_axes():
    """As many axes as NumPy can have."""

    def softmax(scores, axis=-1):
        return np.zeros((1,) * 60)


@attack("softmax")
def result_has_a_million_parts():
    """A tuple of a million arrays."""

    def softmax(scores, axis=-1):
        return (np.zeros(1),) * 1_000_000


@attack("sum_bounds")
def answer_is_nested_a_hundred_thousand_deep():
    """Lists in lists in lists: whoever walks them by recursion falls."""
    sum_bounds = [1, 8]
    for _ in range(100_000):
        sum_bounds = [sum_bounds]


@attack("sum_bounds")
def answer_holds_itself():
    """A list that is its own first member."""
    sum_bounds = [1, 8]
    sum_bounds[0] = sum_bounds


@attack("weight_ratio")
def answer_has_ten_million_digits():
    """Whoever prints it in decimal waits for hours."""
    weight_ratio = 1 << 33_000_000


@attack("weight_ratio")
def answer_has_a_huge_exponent():
    """Ten characters of Decimal that are 10^18 digits as an integer."""
    from decimal import Decimal

    weight_ratio = Decimal("1E+999999999999999999")


@attack("added_thousand")
def text_has_a_quarter_of_a_gigabyte():
    """A choice as a text that nobody wants to read."""
    added_thousand = "a" * 2**28


@attack("added_thousand")
def text_grows_when_made_small():
    """One letter becomes three in upper case, and a whole sentence when it is printed."""
    added_thousand = "\u0130\ufdfa" * 1_000_000


@attack("softmax")
def message_has_a_quarter_of_a_gigabyte():
    """An error whose message is too long to carry."""

    def softmax(scores, axis=-1):
        raise ValueError("x" * 2**28)


@attack("softmax")
def result_holds_objects():
    """An array of objects, each of them the array itself."""

    def softmax(scores, axis=-1):
        result = np.empty(scores.shape, dtype=object)
        result.fill(result)
        return result


@attack(lesson=BATCHED, cells={name: f"import numpy\n{name} = numpy.zeros(9_000_000)" for name in QUESTIONS})
def answers_have_nine_million_numbers():
    """Each card says what an answer looks like, number by number."""


@attack("softmax", dangerous=True)
def fills_shared_memory():
    """Memory that belongs to no process, so that no limit of a process counts."""

    def softmax(scores, axis=-1):
        import mmap
        import os

        kept = [mmap.mmap(-1, 2**28) for _ in range(8)]
        for piece in kept:
            piece.write(b"x" * 2**28)
        with open("/dev/shm/mha_attack", "wb") as file:
            for _ in range(8):
                file.write(b"x" * 2**28)
        os.remove("/dev/shm/mha_attack")
        return scores


@attack("softmax", dangerous=True)
def locks_memory():
    """Memory that cannot be swapped out."""

    def softmax(scores, axis=-1):
        import ctypes

        ctypes.CDLL(None).mlockall(3)
        kept = [bytearray(b"x" * 2**28) for _ in range(12)]
        return scores


@attack("test_causal_attention", lesson=MASKS, dangerous=True)
def test_asks_for_a_huge_table():
    """Thin queries and keys make a table of a gigabyte: it is made where the judge is, which no limit fences in."""

    def test_causal_attention(attention):
        thin = np.ones((12_000, 1))
        attention(thin, thin, thin)


@attack("softmax")
def one_long_text_among_many_short_ones():
    """NumPy keeps texts in boxes of one size: a megabyte on the wire is gigabytes for whoever makes the array again."""

    class Texts(np.ndarray):
        def ravel(self):
            return self

        def tolist(self):
            return ["x" * 10**6] + [""] * 499

    seen = []

    def softmax(scores, axis=-1):
        seen.append(scores)
        return scores if len(seen) > 1 else np.array([""] * 500).view(Texts)


TIMES, LEVELS = 36, 4  # 3 GB, and 20 s; with one level more it would be 100 GB


def _copied(times, levels):
    """A function that is short to write: what stands below `finally` is compiled once for each way out of `try`."""
    lines = ["pass"]
    for _ in range(levels):
        lines = ["try:", *["    if x: return"] * times, "finally:", *(f"    {line}" for line in lines)]
    return "\n".join(["def softmax(x, axis=-1):", *(f"    {line}" for line in lines)])


@attack(deserves={"softmax": 0})
def a_short_answer_is_long_once_compiled(notebook):
    """A cell follows it, so whoever collects asks whether the two are halves of one, and compiles them."""
    from nbformat.v4 import new_code_cell

    for place, cell in enumerate(notebook.cells):
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax":
            cell.source = _copied(TIMES, LEVELS)
            notebook.cells.insert(place + 1, new_code_cell("1 + 1"))
            break


@attack("softmax")
def results_are_many_vast_arrays():
    """Ten arrays of nearly ten million numbers, which take no room until somebody writes them out."""

    def softmax(scores, axis=-1):
        return tuple(np.broadcast_to(0.1, (3100, 3100)) for _ in range(10))


@attack("attention_in_order", lesson=ATTENTION)
def lines_in_order_are_arrays_without_end():
    """Letters are asked for; each array has eight axes, and NumPy takes six seconds to write one out."""
    attention_in_order = [np.broadcast_to(np.float64(1), (7,) * 8)] * 3000


@attack("softmax")
def one_text_is_long_and_all_others_have_as_much_room():
    """A frame of 4 MiB, from which NumPy makes 16 GB."""
    texts = np.array(["x" * 100_000] + [""] * 999)

    def softmax(scores, axis=-1):
        return (texts,) * 40


@attack("softmax")
def arrays_and_a_word():
    """Of another kind than the right result, and 32 MB for each input that it is tried on."""
    arrays = [np.zeros(100_000)] * 40 + ["x"]

    def softmax(scores, axis=-1):
        return arrays


@attack("weight_ratio")
def an_answer_of_nested_vast_arrays():
    """Of each the first numbers are looked at, which are nine million together."""
    vast = np.broadcast_to(np.complex128(1), (3162, 3162))
    weight_ratio = tuple([vast] * 1000 for _ in range(9))


@attack(
    lesson=ATTENTION,
    cells={
        name: f"""
import gc, types
gc.unfreeze()
for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and thing.__name__ == "_shown":
        thing.__code__ = (lambda default: "&" * 3_900_000).__code__

def {name}(a=1):
    return 1
"""
        for name in ("attention_scores", "attention_weights", "scaled_dot_product_attention")
    },
)
def signatures_of_four_million_characters(notebook):
    """The worker's own words are changed; what a learner reads repeats the signature."""
