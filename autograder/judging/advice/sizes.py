"""Shapes that do not fit: products, sums, reshaping, joining."""

import re

_ALIGNED = (
    "Shapes are lined up from the right: in each position the two lengths must agree, or one must be 1. Print both. "
    "`sum` and `max` remove their axis, unless you tell them to keep it, with length 1."
)
_DRAWN_ANEW = (
    "The sizes that you ask for must multiply to as many numbers as there are. Is one of them written out as a "
    "number, or taken from another tensor?"
)

SIZES = {
    r"einsum\(\): subscript (\w)": (
        r"The letter \1 is used for two axes of different lengths. Give each axis its own letter, and one letter to "
        "axes that are multiplied and summed together."
    ),
    r"output subscript '?(\w)": r"Each letter after the arrow must also be in front of it, and \1 is not.",
    "operands (were )?provided": "Commas divide the letters into groups: one group for each array.",
    "subscripts": "Each axis needs one letter, and the letters are too many or too few; `...` means all axes in front.",
    r"remapped shapes": (
        "Two axes should have the same length, and do not. In front of each arrow is the shape of one of your arrays."
    ),
    r"first two dimensions of batch2|must be (a )?\dD tensor|must be a matrix|\dD tensors? expected": (
        "This function wants a fixed number of axes; `@` takes any number in front of the last two."
    ),
    r"cannot be multiplied|matmul|not aligned": (
        "In `a @ b`, a must have as many columns as b has rows. Which of these sizes did you not expect?"
    ),
    "normalized_shape": "`nn.LayerNorm` is made for a fixed number of features, and it got another.",
    r"match the number of dimensions": (
        "This line wants a fixed number of axes, and it got another. "
        "Where a docstring says `...`, there may be no axis in front, or several: count axes from the end."
    ),
    "view size is not compatible": (
        "`view` wants numbers that lie in memory one after the other. After a transpose they lie there in another "
        "order, and after a slice with gaps between them. `reshape` copies them into a new row where it must."
    ),
    "is invalid for input of size|cannot reshape array": _DRAWN_ANEW,
    "dimension can be inferred|one unknown dimension": "-1 means whatever is left over, so it can be used only once.",
    "stack expects each tensor to be equal size|all input arrays must have the same shape": (
        "What is stacked must have one shape, and your pieces differ in size. Where does each begin and end?"
    ),
    "match except in dimension|except for the concatenation axis": (
        "Pieces must agree in all axes but the one along which they are joined. Is that the axis you mean?"
    ),
    "same number of dimensions": (
        "What is joined must have equally many axes. Print both shapes: which axis is missing, or too many?"
    ),
    "need at least one array|non-empty list": "There is nothing to join: the list is empty. Does the loop run at all?",
    "equal division": "This cuts into equal pieces along one axis, the first if you name none. Is it the one you mean?",
    "expanded size of the tensor|could not broadcast input array|shape mismatch: value array": (
        "What you put in and where you put it differ in size. If it is a slice: where does it begin and end?"
    ),
    "Expected target size": (
        "`F.cross_entropy` looks for the vocabulary on axis 1 of the logits. Either it comes there, or batch and "
        "positions become one axis, in logits and targets alike."
    ),
    r"Expected input batch_size \(\d+\) to match target": (
        "Each row of logits needs one target, in the same order: as many rows as targets. "
        "Are both made flat, and over the same positions?"
    ),
    "could not be broadcast|at non-singleton dimension": _ALIGNED,
}


def two_shapes(text: str):
    """Explain what torch means by (6x2 and 4x4)."""
    sizes = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text)
    if not sizes:
        return ""
    return (
        f"Here a has {sizes[2]} columns, and b has {sizes[3]} rows. "
        f"(The {sizes[1]} are all rows of a: if it has three axes or more, all but the last are multiplied together. "
        "An `nn.Linear(n, m)` is such a b, with n rows.)"
    )
