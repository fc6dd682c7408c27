"""Sizes to count operations and bytes with."""

from autograder.cases import case, edge


def tokens_model(rng):
    """A number of tokens and a model size: short, long, and equal; small, for those who count one by one."""
    yield case(tokens=2, model_size=3)
    yield case(tokens=3, model_size=2)
    yield case(tokens=int(rng.integers(5, 13)), model_size=64)
    yield case(tokens=50, model_size=16)
    yield case(tokens=8, model_size=8)
    yield case(tokens=9, model_size=2)
    yield case(tokens=int(rng.integers(10, 40)), model_size=int(rng.integers(10, 60)))
    yield edge("one_token", tokens=1, model_size=16)
    yield edge("huge", tokens=512, model_size=1024)


def batch_heads_tokens(rng):
    """Sizes of a batch of score maps, and bytes of a number: none, 2, 4 and 8 are given."""
    batch, heads, tokens = (int(n) for n in rng.permutation([3, 5, 7]))
    yield case(batch=2, heads=3, tokens=5)
    yield case(batch=2, heads=3, tokens=5, bytes_per_number=2)
    yield case(batch=batch, heads=heads, tokens=tokens)
    yield case(batch=batch, heads=heads, tokens=tokens, bytes_per_number=8)
    yield case(batch=32, heads=8, tokens=128)
    batch, heads, tokens = (int(n) for n in rng.integers(2, 30, size=3))
    yield case(batch=batch, heads=heads, tokens=tokens)
    yield edge("huge", batch=16, heads=32, tokens=256, bytes_per_number=128)  # 4 GiB, of few scores
    yield edge("huge", batch=32, heads=96, tokens=8192)  # so many scores that no array can really hold them


def model_sizes(rng):
    """Model sizes."""
    yield case(model_size=6)
    yield case(model_size=9)
    yield case(model_size=int(rng.integers(7, 100)))
    yield case(model_size=512)
    yield case(model_size=4096)
    yield case(model_size=32768)
    yield case(model_size=int(rng.integers(100, 10_000)))
