"""What inputs must be like. Each check raises a ValueError that names the sizes it was given."""

from array_api_compat import array_namespace, device


def check_fits(query, key, value):
    """Raise ValueError unless query and key can be compared, and each key has a value."""
    for name, x in {"query": query, "key": key, "value": value}.items():
        if x.ndim < 2:
            raise ValueError(f"{name} has {x.ndim} axes, but needs two at least, (tokens, features)")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"a query of {query.shape[-1]} features does not fit a key of {key.shape[-1]} features")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"{key.shape[-2]} keys do not fit {value.shape[-2]} values")


def check_block(block):
    """Raise ValueError unless a block holds at least one key."""
    if block < 1:
        raise ValueError(f"a block of {block} keys holds none: it needs one at least")


def check_power_of_two(heads):
    """Raise ValueError unless there are 1, 2, 4, 8, ... heads."""
    if heads < 1 or heads & (heads - 1):
        raise ValueError(f"{heads} heads are no power of two")


def check_sequences(query, key, value):
    """Raise ValueError unless these are batches of tokens of one model size, with one value for each key."""
    for name, x in {"query": query, "key": key, "value": value}.items():
        if x.ndim != 3:
            raise ValueError(f"{name} has {x.ndim} axes, not the three of (batch, tokens, model_size)")
    batches = query.shape[0], key.shape[0], value.shape[0]
    if len({*batches} - {1}) > 1:
        raise ValueError("batches of {} queries, {} keys and {} values do not fit".format(*batches))
    for name, x in {"key": key, "value": value}.items():
        if x.shape[2] != query.shape[2]:
            raise ValueError(f"a query of {query.shape[2]} features does not fit a {name} of {x.shape[2]} features")
    if key.shape[1] != value.shape[1]:
        raise ValueError(f"{key.shape[1]} keys do not fit {value.shape[1]} values")


def check_mask(mask, shape):
    """Raise ValueError unless the mask is boolean and broadcasts to `shape`."""
    sizes = zip(reversed(boolean(mask).shape), reversed(shape))
    if mask.ndim > len(shape) or any(size not in (1, whole) for size, whole in sizes):
        raise ValueError(f"a mask of {tuple(mask.shape)} does not broadcast to {tuple(shape)}, (..., queries, keys)")


def boolean(mask):
    """Return the mask; ValueError if it holds anything but True and False."""
    if not array_namespace(mask).isdtype(mask.dtype, "bool"):
        raise ValueError(f"a mask of {mask.dtype} is not boolean: True = may look")
    return mask


def head_size_of(model_size, heads, size=None):
    """Return the columns of one head: `size`, or an equal share; ValueError unless heads divide model_size."""
    if heads < 1 or (size is None and model_size % heads):
        raise ValueError(f"model size {model_size} does not divide into {heads} heads")
    return model_size // heads if size is None else size


def check_alike(**arrays):
    """Raise ValueError unless all are on one device and, masks aside, of one dtype. None is left out."""
    (first, model), *others = ((name, x) for name, x in arrays.items() if x is not None)
    for name, x in others:
        for what in (_library, device, _dtype):
            here, there = what(model), what(x)
            if here != there and (what, name) != (_dtype, "mask"):
                raise ValueError(f"{first} is {here}, but {name} is {there}: make them alike")


def _library(x):
    return array_namespace(x).__name__.rpartition(".")[2]


def _dtype(x):
    return x.dtype
