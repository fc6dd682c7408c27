"""Counting: places, axes, and things to unpack."""

_AXES_FROM_THE_END = "Where a docstring says `...`, there may be no axis in front, or several: count axes from the end."

INDICES = {
    r"index -?\d+ is out of bounds for (axis|dimension) (-?\d+) with size 0": (
        r"\1 \2 is empty here: its length is 0. Can that happen, or has a slice left nothing?"
    ),
    r"index -?\d+ is out of bounds for (axis|dimension) (-?\d+) with size (\d+)": (
        r"Positions along \1 \2 are numbered from 0, and there are \3. If a loop counts: along which axis does it "
        "count, and along which one is its number used?"
    ),
    "list index out of range|tuple index out of range": (
        "It has fewer parts than that, and they are numbered from 0. "
        "If it is a shape: where a docstring says `...`, there may be no axis in front; count from the end."
    ),
    "too many indices": f"There are more indices here than axes. {_AXES_FROM_THE_END}",
    "Dimension out of range|AxisError": (
        "There are fewer axes than this number asks for: the first is 0, the last -1. Did an earlier line remove one? "
        f"{_AXES_FROM_THE_END}"
    ),
    "matrix transpose with ndim|only supported on matrices or batches": (
        "It has only one axis, so there are no two to swap. Did an earlier line remove one?"
    ),
    "boolean index did not match|shape of the mask": (
        "A mask may have fewer axes, or axes of length 1: `where` stretches it, an index does not."
    ),
    "tensors used as indices must be": (
        "Whole numbers are wanted here, and floating-point numbers came. `torch.zeros` makes such, and `max` gives the "
        "largest values, where `argmax` gives their positions. Which line makes them?"
    ),
    "indices must be|used as indices|valid indices": (
        "An index is a whole number, a slice, or a mask of True and False. `6 / 2` is 3.0, and `6 // 2` is 3."
    ),
    "values to unpack": (
        "There are more things here than names for them, or fewer. "
        "If it is a shape: where a docstring says `...`, there may be no axis in front, or several. "
        "If it is one tensor, it is taken apart along its first axis."
    ),
    "cannot unpack non-iterable": "Several names wait for as many things, and they got one thing.",
}
