"""Writing with a model: which token comes next, and the loop that goes on from there."""

from array_api_compat import array_namespace, device

from .weights import log_softmax, softmax_with_temperature


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


def next_token_loss(model, tokens):
    """Return how little the model expected the next tokens: the mean of -log of their probabilities.

    model: a function of tokens, (batch, context) -> logits, (batch, context, vocabulary);
    tokens: (batch, context + 1), integers -> a number, in an array without axes.
    Source: Bengio et al., A neural probabilistic language model (2003), section 2.
    """
    xp = array_namespace(tokens)
    logs = _log_probabilities(model(tokens[:, :-1]))  # (batch, context, vocabulary)
    return -xp.mean(xp.take_along_axis(logs, tokens[:, 1:, None], axis=-1))


def sample(logits, temperature, uniform):
    """Draw a token for each row of logits, by inverting the cumulative distribution.

    logits: (batch, vocabulary); temperature: a number, 0 for the likeliest token; uniform: (batch,), in [0, 1)
    -> (batch,), integers: the first token whose cumulative probability exceeds `uniform`. Where rounding leaves none,
    the last token whose probability is above 0.
    Source: Devroye, Non-uniform random variate generation (1986), section III.2.
    """
    xp = array_namespace(logits)
    if temperature == 0:
        return xp.argmax(logits, axis=-1)
    weights = _probabilities(logits, temperature)  # (batch, vocabulary)
    passed = xp.astype(xp.cumulative_sum(weights, axis=-1) <= uniform[:, None], xp.int64)
    places = xp.arange(logits.shape[-1], device=device(logits))
    last = xp.max(xp.where(weights > 0, places, 0), axis=-1)  # (batch,)
    return xp.minimum(xp.sum(passed, axis=-1), last)


def generate(model, tokens, steps, context, choose):
    """Write so many more tokens, each chosen from the logits behind the last one.

    model: a function of tokens, (batch, tokens) -> logits, (batch, tokens, vocabulary); it sees the last `context`
    tokens at most; tokens: (batch, prompt), integers; choose: a function of logits, (batch, vocabulary) -> (batch,)
    -> (batch, prompt + steps), integers.
    Source: Radford et al., Language models are unsupervised multitask learners (2019).
    """
    xp = array_namespace(tokens)
    for _ in range(steps):
        last = model(tokens[:, -context:])[:, -1, :]  # (batch, vocabulary)
        following = xp.astype(choose(last), tokens.dtype)  # (batch,)
        tokens = xp.concat([tokens, following[:, None]], axis=1)  # (batch, tokens so far)
    return tokens


# Exercises of the same lesson, judged by themselves: under these names they are no parts of the functions above.


def _log_probabilities(logits):
    return log_softmax(logits)


def _probabilities(logits, temperature):
    return softmax_with_temperature(logits, temperature)
