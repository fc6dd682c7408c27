"""Look at the memory of a right answer: how much it makes on the way, and whether its results have their own."""

from functools import partial

from ..shapes import inputs_in_words
from .answer import Answer
from .verdict import Example, Verdict


def makes_large_tensors(answer: Answer) -> Verdict | None:
    """Return a Verdict if the answer makes a tensor that is too large for its exercise, or does not go piece by piece.

    Too large has as many numbers as the exercise says, or more; piece by piece makes at least one tensor for each.
    """
    from .layers.contents import tensors_made  # here: it imports torch

    exercise = answer.exercise
    for run in answer.runs if exercise.too_many or exercise.pieces else ():
        most, least = (bound and bound(**run.inputs) for bound in (exercise.too_many, exercise.pieces))
        most = 0 if run.case.tag else most
        made, largest = tensors_made(answer.function, partial(answer.ask, run.inputs)) if most or least else (0, 0)
        sizes = inputs_in_words(run.inputs, exercise.reference)
        if most and largest >= most:
            message = (
                f"Your numbers are right, but on the way your code makes a tensor of {largest:,} numbers, for {sizes}. "
                f"Here each has to stay below {most:,}. Which line makes it? Print the shapes."
            )
            return Verdict("property", message, property="makes_no_large_tensor", example=Example.of(run))
        if least and made < least:
            message = (
                f"Your numbers are right, but your code does not work piece by piece: for {sizes}, there are {least} "
                "pieces, and it makes fewer tensors on the way than one for each. What does your loop go over?"
            )
            return Verdict("property", message, property="works_piece_by_piece", example=Example.of(run))
    return None


def gives_views(answer: Answer) -> Verdict | None:
    """Return a Verdict if an entry of the dictionary has no memory of its own, where copies are wanted."""
    got = next((t.got for t in answer.runs if t.got.views or t.got.shared), None)
    if got and answer.exercise.copies:
        pieces = " and ".join(f'"{name}"' for name in got.shared[:2])
        message = _LIES_IN_AN_INPUT.format(got.views[0]) if got.views else _IN_ONE_MEMORY.format(pieces)
        return Verdict("property", f"Your numbers are right, but {message}", property="gives_copies")


_LIES_IN_AN_INPUT = (
    'the entry "{}" is not a copy: it lies in the memory of an input, so whoever changes one of the two changes both. '
    "A slice, `.T`, `chunk` and `view` look at the same numbers. Which method makes new ones?"
)
_IN_ONE_MEMORY = (
    "the entries {} are pieces of one block of memory, which was made before it was cut: each of them keeps all of it "
    "alive. Each entry needs memory of its own. Which should come first, the cut or the copy?"
)
