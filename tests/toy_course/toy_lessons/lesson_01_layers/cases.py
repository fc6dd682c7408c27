"""Tables of numbers, and the weights of a layer."""

from autograder.cases import case


def rows(rng):
    """Yield tables of float32 numbers."""
    yield case(numbers=rng.normal(size=(2, 3)).astype("float32"))
    yield case(numbers=rng.normal(size=(4, 5)).astype("float32"), counts=rng.integers(1, 4, size=(4, 5)))


def layer(rng):
    """Yield a table, and weights of which no two are equal."""
    for rows, size in ((2, 3), (4, 5)):
        gain, bias = rng.permutation(2 * size).astype("float32").reshape(2, size) + 1
        yield case(x=rng.normal(size=(rows, size)).astype("float32"), gain=gain, bias=bias)


def pairs(rng):
    """Yield what another layer saves; one has an entry that is not asked for."""
    yield case(state={"pairs": rng.normal(size=(3, 2)).astype("float32")})
    yield case(state={"seen": rng.normal(size=1), "pairs": rng.normal(size=(5, 2)).astype("float32")})
