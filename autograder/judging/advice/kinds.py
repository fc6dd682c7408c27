"""One kind of thing where another belongs: numbers and arrays, whole numbers and others, masks, gradients."""

import re

_MET = "A NumPy array has met torch here. Stay with one of the two, from the input to the result."
_WHOLE = (
    "Sizes, axes and indices are whole numbers, and here a float came. `6 / 2` is 3.0, and `6 // 2` is 3. "
    "Or did another input end up here in a call?"
)
_BOOLEAN = "A mask consists of True and False, but this one of numbers. Compare them first: `==`, `<`."
_LIST = (
    "A list is not an array: it knows neither shape nor arithmetic. `np.stack` or `torch.stack` makes one of its parts."
)
_SEVERAL = (
    "Here is a tuple: several things at once, as from a function that ends with `return a, b`. "
    "Give each of them a name, or take the one you need."
)

IS_ASKED_FOR_ONE_ANSWER = "truth value of an array|Boolean value of Tensor"
ASKING = {
    r"(?<!if )(?<!while )(?<!assert )(?<!is )\bnot\b(?! in\b)": (
        "`not` gives a single True or False, and there are many here. "
        "`~` turns each True and False round; numbers are compared first: `==`, `<`."
    ),
    r"^(?!.*\b(if|while|assert)\b).*\b(and|or)\b": (
        "`and` and `or` ask for a single True or False on each side, and there are many here. "
        "`&` and `|` join masks entry by entry, with each comparison in brackets of its own."
    ),
    r"(?<![\w.])(max|min)\(": (
        "Python's own `max` and `min` compare whole things, and here they are arrays of several numbers. "
        "Those of NumPy and torch look at each number."
    ),
}

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
    r"argmax.*not support bool": (
        "torch's `argmax` takes no True and False. As integers they are 1 and 0, and the first 1 is found."
    ),
    "only one element tensors": (
        "This wants a single number, and got a tensor with several. `math` and `float` take one number, where "
        "torch's own functions take all; `torch.tensor` joins numbers, and `torch.stack` tensors."
    ),
    "only 0-dimensional arrays|only (length|size)-1 arrays": (
        "This wants a single number, and got an array with several. `math`, `float` and `int` take one number; "
        "NumPy's own functions, `np.exp` say, take all."
    ),
    "cannot be converted to Scalar|can only convert an array of size 1": (
        "`item` gives the one number that an array holds, but this array does not hold exactly one."
    ),
    r"got float|not float|of type float|'float' object cannot be interpreted|whole numbers|single integer, got": _WHOLE,
    r"slice indices must be integers": _WHOLE,
    "'tuple' object cannot be interpreted|not torch.Size|not tuple|scalar arguments expected instead of a tuple": (
        "Here is a tuple, several things at once: a whole shape, or all that a function returned. "
        "Which of them do you need?"
    ),
    "only integer scalar arrays": (
        "This wants one whole number, and got an array. `np.concatenate` and `np.stack` take what they join as one "
        "list, in square brackets; what comes after it is the axis."
    ),
    "must be tuple of Tensors": (
        "What is joined is handed over as one list of tensors; then comes the axis. `list(x)` takes one tensor apart, "
        "along its first axis."
    ),
    "cannot be interpreted as an integer": (
        "An axis, a length or an index is a whole number. Did something else end up in its place in a call?"
    ),
    r"must be Tensor, not (int|float)": (
        "torch's functions take tensors, and this is a plain number: Python computes with it, as in `n ** 0.5`."
    ),
    r"must be Tensor, not list|'list' object has no attribute|operand type.*'list'|multiply sequence by": _LIST,
    "must be Tensor, not tuple|'tuple' object has no attribute|operand type.*'tuple'": _SEVERAL,
    "bitwise_xor|operand type.*for \\^": "`^` is not a power in Python: `**` is.",
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
    "invalid combination of arguments": "What you gave is in brackets. Is something missing, or of the wrong kind?",
    r"not implemented for '(Long|Int|Short|Char|Byte|Bool)'|Input dtype must be either a floating": (
        "This computes with floating-point numbers, and got integers or booleans. Which line makes them?"
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
    IS_ASKED_FOR_ONE_ANSWER: (
        "Whether an input was left out is asked by `is None`. "
        "`if`, `and`, `or`, `not` and Python's own `max` ask an array for one answer; "
        "`&`, `|`, `~` and the `max` of NumPy or torch look at each of its numbers."
    ),
    "non-scalar array input": "A single number, a single True, or None ended up where an array belongs.",
    "inhomogeneous": "The parts of this list differ in shape, so they cannot make an array. Where does each come from?",
    r"setting an array element|expand\(torch\.\w+\{\[\d": (
        "One position in an array holds one number, and it got several. Does the index name a position where it should "
        "name a row? Or should a sum make one number of them?"
    ),
    "'(int|float)' object is not iterable": "You cannot loop over a number; `range` counts up to it.",
    "'(int|float)' object is not subscriptable": (
        "A number has no parts to take. Is it already one entry of a shape, or did a sum leave only one number?"
    ),
    "ZeroDivisionError": "What is on the right of `/`, `//` or `%` is 0 here. Where does it come from?",
    "KeyError": "A dictionary has no entry of this name. Which ones does it have?",
}


def asking_in(line: str):
    """Say which word of a line asks an array for one answer; nothing if it may be several, as an `if` is."""
    return next((words for pattern, words in ASKING.items() if re.search(pattern, line)), "")
