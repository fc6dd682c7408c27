"""Writing with a model: which token comes next, and the loop that goes on from there."""

from array_api_compat import array_namespace, device


def translate_greedily(model, sources, start, steps):
    """Return the translation that takes the likeliest token at each step.

    model: a function of sources and targets, (batch, targets) -> logits, (batch, targets, vocabulary);
    sources: (batch, source_tokens), integers; start: the token that every translation begins with; steps: an integer
    -> (batch, steps), integers, without the start.
    Source: Vaswani et al., Attention is all you need (2017), section 3, and section 6.1 for a wider search.
    """
    xp = array_namespace(sources)
    batch = sources.shape[0]
    targets = xp.full((batch, 1), start, dtype=sources.dtype, device=device(sources))  # (batch, 1)
    for _ in range(steps):
        last = model(sources, targets)[:, -1, :]  # (batch, vocabulary)
        following = xp.astype(xp.argmax(last, axis=-1), sources.dtype)  # (batch,)
        targets = xp.concat([targets, following[:, None]], axis=1)  # (batch, tokens so far)
    return targets[:, 1:]
