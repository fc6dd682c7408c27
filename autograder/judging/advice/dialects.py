"""NumPy, torch and Python use different words for one thing."""

METHODS_OF_NUMPY = {  # what torch calls so -> what NumPy has for it
    "clone": "`copy`",
    "unsqueeze": "`np.expand_dims`, or an index with `None`",
    "permute": "`transpose`",
    "float": "`astype`",
    "double": "`astype`",
    "bool": "`astype`",
    "to": "`astype`",
    "type": "`astype`",
    "dim": "`ndim`, a number",
    "numel": "`size`, a number",
    "masked_fill": "`np.where`",
    "logical_not": "`~`",
    "softmax": "the function `softmax` that you write",
    "exp": "`np.exp`",
    "sqrt": "`np.sqrt`",
    "log": "`np.log`",
    "matmul": "`@`",
    "mm": "`@`",
    "bmm": "`@`",
    "unflatten": "`reshape`",
    "expand": "`np.broadcast_to`",
    "chunk": "`np.split`",
    "split": "`np.split`",
    "amax": "`max`",
    "tril": "`np.tril`",
    "triu": "`np.triu`",
}
METHODS_OF_TORCH = {  # what NumPy calls so -> what torch has for it
    "copy": "`clone`",
    "astype": "`to`",
    "fill": "`fill_` or, for a new tensor, `masked_fill`",
    "append": "`torch.cat`",
    "concatenate": "`torch.cat`",
    "array": "`torch.tensor`",
    "expand_dims": "`unsqueeze`",
    "length": "`len(x)`, or an entry of `x.shape`",
    "len": "`len(x)`, or an entry of `x.shape`",
}
FUNCTIONS_OF_NUMPY = {
    "cat": "`np.concatenate`",
    "softmax": "the function `softmax` that you write",
    "relu": "`np.maximum`",
    "masked_fill": "`np.where`",
    "tensor": "`np.array`",
    "mm": "`np.matmul`, or `@`",
    "bmm": "`np.matmul`, or `@`",
    "unsqueeze": "`np.expand_dims`",
    "rsqrt": "`np.sqrt`, and a division",
    "randn": "`np.random.randn`",
    "rand": "`np.random.rand`",
    "float": "Python's `float`",
    "int": "Python's `int`",
}
FUNCTIONS_OF_TORCH = {
    "array": "`torch.tensor`",
    "expand_dims": "`torch.unsqueeze`",
    "copy": "`torch.clone`",
    "tri": "`torch.tril` of ones",
    "repeat": "`torch.repeat_interleave`",
    "power": "`torch.pow`, or `**`",
    "bool_": "`torch.bool`",
}

_ARRAY, _TENSOR = r"'numpy\.ndarray' object", r"'(?:Tensor|Parameter)' object"
DIALECTS = {
    r"unexpected keyword argument '(dims?|axis|keepdims?)'": (
        "NumPy says `axis` and `keepdims`, torch `dim` and `keepdim`. Which of them does this function take, if any?"
    ),
    r"'\w+' is an invalid keyword argument for (max|min|sum)": (
        r"This is Python's own `\1`, which knows no axes. Arrays and tensors have a `\1` that does, as a method."
    ),
    r"return_types\.(\w+)": (
        r"torch's `\1` along a dimension gives a pair: the values, and their positions. "
        "Which of the two do you need? `.values` and `.indices` are their names."
    ),
    r"Cannot interpret '[\d.]+' as a data type": (
        "NumPy wants a shape as one thing, in brackets of its own; it takes what comes second for the type."
    ),
    r"Cannot interpret 'torch\.\w+' as a data type": "NumPy got a type of torch. NumPy has its own.",
    r"axes don't match array|transpose\(\) takes from 1 to 2": (
        "NumPy's `transpose` wants the new order of all axes, so the number of axes has to be known. `swapaxes` "
        "swaps two of them, and both can be counted from the end."
    ),
    r"transpose\(\) takes 2 positional|'dim0'.* must be int": (
        "torch's `transpose` swaps two axes, and takes these two. `permute` takes the new order of all."
    ),
    r"(transpose|swapaxes)\(\) missing": (
        r"torch's `\1` swaps two axes, and wants to know which. Counted from the end, the last two are -2 and -1."
    ),
    r"permute\(": (
        "`permute` wants the new order of all axes, and there are more or fewer of them. Where a docstring says `...`, "
        "there may be no axis in front, or several; `transpose` swaps two axes, counted from the end."
    ),
    r"view\(\) takes from|Type must be a sub-type of ndarray": (
        "`view` with sizes is torch's; NumPy's `view` does something else. `reshape` gives an array another shape."
    ),
    r"^TypeError: (zeros|ones|empty|rand|randn)\(\) takes 1 positional": (
        "Sizes are whole numbers, and one of these is not. `6 / 2` is 3.0, and `6 // 2` is 3."
    ),
    "numpy boolean (subtract|negative)": "For True and False there is `~`, which turns them round, and no minus.",
}
DIALECTS |= {
    rf"{_ARRAY} has no attribute '{theirs}'": f"`{theirs}` is torch's word, and this is a NumPy array: use {ours}."
    for theirs, ours in METHODS_OF_NUMPY.items()
}
DIALECTS |= {
    rf"{_TENSOR} has no attribute '{theirs}'": f"This is a torch tensor: it has no `{theirs}`; use {ours}."
    for theirs, ours in METHODS_OF_TORCH.items()
}
DIALECTS |= {
    rf"module 'numpy' has no attribute '{theirs}'": f"NumPy has no `{theirs}`: use {ours}."
    for theirs, ours in FUNCTIONS_OF_NUMPY.items()
}
DIALECTS |= {
    rf"module 'torch' has no attribute '{theirs}'": f"torch has no `{theirs}`: use {ours}."
    for theirs, ours in FUNCTIONS_OF_TORCH.items()
}
