"""Advice on calls: of what is no function, without their brackets, or with inputs left out."""

_OF_TENSORS = "ndim|shape|size|dtype|device|m?T|transpose|view|reshape|unflatten|softmax|chunk|split"
_MODULES = "AttentionHead|MultiHeadAttention|DecoderLayer|Block"
_A_LAYER = "A layer is not a tensor: it is called like a function, as in `self.query(x)`, and gives the projection."
_A_FUNCTION = "This is a function where its result belongs. Call it, with its inputs in brackets."
_NONE = "None ended up where an array belongs: from a function without `return`, say, or as an input that was left out."

CALLS = {
    rf"operand.*'Linear'|not Linear|of type Linear|'Linear' object has no attribute '({_OF_TENSORS})'": _A_LAYER,
    r"'Linear' object is not (subscriptable|iterable)|'Linear' has no len": _A_LAYER,
    "must specify the einstein sum": (
        "`einsum` wants its letters first, as one text, and then the arrays. Where do the quotation marks close?"
    ),
    r"(\w+) is not a Module subclass": (
        "Here is a class where a module made from it belongs: call it first, with brackets, even if they are empty."
    ),
    r"has \d axes, not the": (
        "Have the arguments of a call slipped by one position? Compare them, in order, with what the function takes."
    ),
    "out=NoneType": "NumPy and torch have met here. Stay with torch from the input to the result.",
    "'NoneType'|not NoneType|of type NoneType": _NONE,
    "'builtin_function_or_method'|not builtin_function_or_method": (
        f"{_A_FUNCTION} (Of a tensor, `size` is a function, and of an array it is a number.)"
    ),
    "function is not a supported array type|'(function|method)'|of type (function|method)|input type .*'function'": (
        _A_FUNCTION
    ),
    r"matmul.*not have enough dimensions \(has 0": (
        "One side of `@` is not an array: it is a single number, None, or a function that was not called."
    ),
    r"'(Tensor|Parameter)' object is not callable": (
        "A layer is called; a tensor or a parameter is not: it is multiplied, with `@`. "
        "`x.T` and `x.mT` are tensors already, without brackets."
    ),
    r"'numpy\.ndarray' object is not callable": (
        "An array is called here, like a function. `x.T` and `x.mT` take no brackets, an index takes square ones, and "
        "a product needs its sign. Or has a variable got the name of a function?"
    ),
    r"'(tuple|torch\.Size)' object is not callable": (
        "A tuple is called here, like a function. `x.shape` is one: square brackets give one of its numbers, and the "
        "whole tuple needs none."
    ),
    r"'(int|float)' object is not callable": (
        "A number is called here, like a function. `ndim`, and the `size` of an array, are numbers, without brackets; "
        "a product needs its `*`. Or has a variable got the name of a function?"
    ),
    "'list' object is not callable": "An index has square brackets; round ones call a function.",
    "'(int|float|tuple|list)' object has no attribute 'detach'": (
        "`nn.Parameter` wraps a tensor, the numbers to start with. "
        "Which function makes a tensor of random numbers, if you give it the sizes?"
    ),
    'missing the required "forward" function': (
        "A list of modules cannot be called, but each module in it can; `nn.Sequential` calls one after another."
    ),
    "'ModuleList' object is not callable": "A list of modules cannot be called, but each module in it can.",
    r"has no attribute '(training|_modules|_parameters|_buffers|_\w+_hooks\w*)'": (
        "A module needs `super().__init__()` as the first line of its `__init__`: that prepares it for its parts."
    ),
    rf"'({_MODULES})' object has no attribute '(\w+)'": (
        r"Which line of `__init__` makes `self.\2`? Is it spelled the same way, and does that line run?"
    ),
    r"Linear\.__init__\(\) missing": "`nn.Linear` wants two sizes: the features that come in, and those that go out.",
    rf"({_MODULES})\.__init__\(\) (missing|takes|got)": (
        r"This is the call that makes a \1. What does the first line of its `__init__` ask for, and in which order?"
    ),
    r"super\(\)|__init__\(\) takes 1 positional": (
        "`super().__init__()` takes no arguments: `nn.Module` does not know your sizes."
    ),
    r"(\w+)\.(\w+)\(\) takes \d.* given": (
        r"Python hands a method its own object first, and counts it among those given. Does `\2` begin with `self`? "
        "Or does the call hand over too much?"
    ),
    r"softmax\(\) missing.*\"dim\"": "torch's `softmax` must be told along which axis to sum to 1: its `dim`.",
    r"(\w+)\(\) missing \d+ required": r"The names in quotes are inputs of `\1`, and the call leaves them out.",
    r"takes (from )?(at most )?\d.* positional arguments? but|takes at most|takes no arguments": (
        "The call hands over more than the function takes."
    ),
    "Tuple must have size 2, but has size|Cannot interpret '.*' as a data type|data type .* not understood": (
        "NumPy reads the second thing here as the kind of number. A shape is one tuple; two are joined by `+`."
    ),
    "either both or neither of x and y": (
        "`np.where` wants three things: a condition, what to take where it is true, and what to take elsewhere."
    ),
}
