"""One kind of thing where another belongs: numbers and arrays, whole numbers and others, masks, gradients."""

_MET = "A NumPy array has met torch here. Stay with one of the two, from the input to the result."
_WHOLE = (
    "Sizes, axes and indices are whole numbers, and here a float came. `6 / 2` is 3.0, and `6 // 2` is 3. "
    "Or has another input come to this place in a call?"
)
_BOOLEAN = "A mask consists of True and False, and this one of numbers. Compare them first: `==`, `<`."
_LIST = "A list is no array: it knows neither shape nor arithmetic. `np.stack` or `torch.stack` makes one of its parts."
_SEVERAL = (
    "Here is a tuple: several things at once, as from a function that ends with `return a, b`. "
    "Give each of them a name, or take the one you need."
)

KINDS = {
    r"Can't call numpy\(\)": "NumPy knows no gradients. Stay with torch from the input to the result.",
    "modified by an inplace operation": (
        "A tensor was changed after another line had used it: `x -= y` and `x[...] = y` change x itself. "
        "`x = x - y` makes a new one."
    ),
    "leaf Variable": (
        "`x /= 2` and `x[0] = 2` change a tensor itself, an input or a weight, and torch refuses that; "
        "`x = x / 2` makes a new tensor."
    ),
    r"not numpy\.ndarray|'numpy\.ndarray' and 'Tensor'|arguments - got \([^)]*numpy\.ndarray": _MET,
    "only one element tensors": (
        "A single number is wanted, and a tensor with several came. `math` and `float` take one number, where "
        "torch's own functions take all; `torch.tensor` joins numbers, and `torch.stack` tensors."
    ),
    "only 0-dimensional arrays|only (length|size)-1 arrays": (
        "A single number is wanted, and an array with several came. `math`, `float` and `int` take one number; "
        "NumPy's own functions, `np.exp` say, take all."
    ),
    "cannot be converted to Scalar|can only convert an array of size 1": (
        "`item` gives the one number that an array holds, and this one holds another number of them."
    ),
    r"got float|not float|of type float|'float' object cannot be interpreted|whole numbers|single integer, got": _WHOLE,
    r"slice indices must be integers": _WHOLE,
    "'tuple' object cannot be interpreted|not torch.Size|not tuple|scalar arguments expected instead of a tuple": (
        "Here is a tuple, several things at once: a whole shape, or all that a function returned. "
        "Which of them do you need?"
    ),
    "only integer scalar arrays": (
        "One whole number is wanted, and an array came. `np.concatenate` and `np.stack` take what they join as one "
        "list, in square brackets; what comes after it is the axis."
    ),
    "must be tuple of Tensors": (
        "What is joined is handed over as one list of tensors; then comes the axis. `list(x)` takes one tensor apart, "
        "along its first axis."
    ),
    "cannot be interpreted as an integer": (
        "An axis, a length or an index is a whole number. Did something else come to its place in a call?"
    ),
    r"must be Tensor, not (int|float)": (
        "torch's functions take tensors, and this is a plain number: Python computes with it, as in `n ** 0.5`."
    ),
    r"must be Tensor, not list|'list' object has no attribute|operand type.*'list'|multiply sequence by": _LIST,
    "must be Tensor, not tuple|'tuple' object has no attribute|operand type.*'tuple'": _SEVERAL,
    "bitwise_xor|operand type.*for \\^": "`^` is no power in Python: `**` is.",
    "operator.invert|ufunc 'invert'": (
        "`~` turns True and False round; it knows nothing of floating-point numbers. Compare them first: `==`, `<`."
    ),
    r"ufunc 'bitwise_(and|or)'|bitwise_(and|or)\w*. not implemented|operand type\(s\) for [&|]: ": (
        "`&` and `|` join masks of True and False, or whole numbers. Compare first (`==`, `<`), in brackets."
    ),
    "condition to be a boolean|only supports boolean masks": _BOOLEAN,
    "only supports a 0-dimensional value": "`masked_fill` fills in one number; `torch.where` takes two tensors.",
    r"masked_fill\(\) received .* got \((mask=)?Tensor(, )?\)": (
        "`masked_fill` wants two things: where to fill, and with which number."
    ),
    "invalid combination of arguments": "In brackets is what you gave. Is something missing, or of a wrong kind?",
    r"not implemented for '(Long|Int|Short|Char|Byte|Bool)'|Input dtype must be either a floating": (
        "This computes with floating-point numbers, and integers or booleans came. Which line makes them?"
    ),
    r"same dtype.*([Ll]ong|[Ii]nt|[Bb]ool|unsigned)": (
        "Integers or booleans meet floating-point numbers here, and torch multiplies only what is of one kind. "
        "Where should they have become floating-point numbers?"
    ),
    "the same dtype|expected scalar type": (
        "A new tensor is float32 if you say nothing. Which one do you make? Give it `dtype=x.dtype`."
    ),
    "same device": "The judge's tensors lie on the CPU. Make new ones where the inputs are, with `device=x.device`.",
    "not compiled with CUDA|no NVIDIA driver|accelerator device when none|CUDA generator without": (
        "torch finds no GPU here. Make new tensors where the inputs are, with `device=x.device`: "
        "then the answer runs with a GPU and without one."
    ),
    "truth value of an array|Boolean value of Tensor": (
        "Whether an input was left out is asked by `is None`. "
        "`if`, `and`, `or`, `not` and Python's own `max` ask an array for one answer; "
        "`&`, `|`, `~` and the `max` of NumPy or torch look at each of its numbers."
    ),
    "non-scalar array input": "A single number, a single True, or None has come where an array belongs.",
    "inhomogeneous": "The parts of this list differ in shape, so that they make no array. Where does each come from?",
    r"setting an array element|expand\(torch\.\w+\{\[\d": (
        "One place of an array holds one number, and several came. Does the index name a place, where it should name a "
        "row? Or should a sum make one number of them?"
    ),
    "'(int|float)' object is not iterable": "A number cannot be gone through; `range` counts up to it.",
    "'(int|float)' object is not subscriptable": (
        "A number has no parts to take. Is it one entry of a shape already, or did a sum leave one number only?"
    ),
    "ZeroDivisionError": "What is on the right of `/`, `//` or `%` is 0 here. Where does it come from?",
    "KeyError": "A dictionary has no entry of this name. Which ones does it have?",
}
