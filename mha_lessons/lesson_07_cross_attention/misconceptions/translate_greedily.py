"""What people get wrong about `translate_greedily`."""

import numpy as np
from array_api_compat import array_namespace


def _written(sources, start, steps, following, first=1):
    """Write with a rule for the next token: following(targets so far) -> (batch,); the result begins at `first`."""
    targets = np.full((len(sources), 1), start)
    for _ in range(steps):
        targets = np.concatenate([targets, following(targets)[:, None]], axis=1)
    return targets[:, first:]


def repeats_the_first_token(model, sources, start, steps):
    """Your translation repeats the same token. Either you read the logits of the first position, which never
    change, or the model never sees what was written. Print the shape of the targets and of the logits in each round."""
    return _written(sources, start, steps, lambda targets: model(sources, targets)[:, 0].argmax(axis=-1))


def shows_the_newest_token_only(model, sources, start, steps):
    """Your first token is right, but later ones are not: you show the model only the newest token. It has no memory
    of its own. What do you do with the old tokens when a new one comes?"""
    return _written(sources, start, steps, lambda targets: model(sources, targets[:, -1:])[:, -1].argmax(axis=-1))


def returns_the_start(model, sources, start, steps):
    """Your result has one token too many: it begins with the start, which is an input of the model and not part of
    the translation. The stub says that the result has `steps` tokens. Which of your tokens were written?"""
    return _written(sources, start, steps, lambda targets: model(sources, targets)[:, -1].argmax(axis=-1), first=0)


def returns_the_start_and_drops_the_last_token(model, sources, start, steps):
    """Your result has the right length, but it is shifted: it begins with the start, and the last token is missing.
    Either the loop runs one step too few, or the wrong end is cut off. Print the result beside `start`."""
    return _written(sources, start, steps, lambda targets: model(sources, targets)[:, -1].argmax(axis=-1), 0)[:, :steps]


def takes_the_unlikeliest(model, sources, start, steps):
    """You take the token with the smallest logit. Logits are scores: the largest one gets the largest probability, and
    greedy decoding takes that token. Did you confuse logits with a loss, where small is good?"""
    return _written(sources, start, steps, lambda targets: model(sources, targets)[:, -1].argmin(axis=-1))


def starts_from_zero(model, sources, start, steps):
    """Your translations begin from token 0, whatever `start` is. With another start the model sees another first
    target, and writes something else. What do you fill the first column with?"""
    return _written(sources, 0, steps, lambda targets: model(sources, targets)[:, -1].argmax(axis=-1))


def copies_the_first_text(model, sources, start, steps):
    """All texts of your batch get the translation of the first. Each text has its own logits. Along which axis
    do you take the largest, and does an index pick out a single text?"""

    def following(targets):
        return np.repeat(model(sources, targets)[:1, -1].argmax(axis=-1), len(targets))

    return _written(sources, start, steps, following)


def predicts_everything_in_one_call(model, sources, start, steps):
    """Only your first token is reliable. You call the model once, with the start in every position, and read all tokens
    at the same time. But each token has to see the one before it, which is not written yet. So the model must be
    called again for each token."""
    targets = np.full((len(sources), max(steps, 1)), start)
    return model(sources, targets).argmax(axis=-1)[:, :steps]


def rewrites_all_tokens_at_each_step(model, sources, start, steps):
    """At each step you replace all tokens by the newest predictions, shifted by one position: what was written
    is lost, including the start. Greedy decoding keeps every token and adds one. Which part of the logits is new?"""
    targets = np.full((len(sources), 1), start)
    for _ in range(steps):
        targets = np.concatenate([targets[:, :1], model(sources, targets).argmax(axis=-1)], axis=1)
        targets[:, 1:] = targets[:, :0:-1]
    return targets[:, 1:]


def puts_the_new_token_in_front(model, sources, start, steps):
    """Your tokens are in reverse order: you put each new one in front of the others. Then the start is at the end, and
    the model reads the text backwards. In which order must `cat` get its two parts?"""
    targets = np.full((len(sources), 1), start)
    for _ in range(steps):
        following = model(sources, targets)[:, -1].argmax(axis=-1)
        targets = np.concatenate([following[:, None], targets], axis=1)
    return targets[:, :-1]


def writes_one_token_too_few(model, sources, start, steps):
    """Your result has one token too few. The loop runs `steps - 1` times, as if the start were one of the steps. The
    start is given; every one of the `steps` tokens is written."""
    return _written(sources, start, max(steps - 1, 0), lambda targets: model(sources, targets)[:, -1].argmax(axis=-1))


def swaps_sources_and_targets(model, sources, start, steps):
    """You call the model with the targets first. It takes the sources first, then the targets. Both are integers, so
    nothing checks their order: a token that one language has and the other lacks may stop the code. Look at the
    docstring again: in which order does the model take its arguments?"""
    xp = array_namespace(sources)
    targets = xp.full((sources.shape[0], 1), start, dtype=sources.dtype)
    for _ in range(steps):
        following = xp.argmax(model(targets, sources)[:, -1, :], axis=-1)
        targets = xp.concat([targets, following[:, None]], axis=1)
    return targets[:, 1:]


def compares_the_places_with_each_other(model, sources, start, steps):
    """You look for the largest logit along the positions, so what you write is the number of a position. The logits are
    (batch, targets, vocabulary), and the words of the vocabulary compete. On which axis is your -1, and along which one
    do you take the largest?"""
    return _written(sources, start, steps, lambda targets: model(sources, targets)[:, :, -1].argmax(axis=-1))


def indexes_the_texts_in_place_of_the_targets(model, sources, start, steps):
    """Your code stops where the new tokens are joined to the targets: there are as many as one text has targets. A
    single index, such as -1 or 0, falls on the first axis, and picks out one text. The logits are (batch, targets,
    vocabulary): which axes stay whole?"""
    xp, targets = array_namespace(sources), array_namespace(sources).zeros_like(sources[:, :1]) + start
    for _ in range(steps):
        following = xp.argmax(model(sources, targets)[-1], axis=-1)  # one for each target of the last text
        targets = xp.concat([targets, following[:, None]], axis=1)
    return targets[:, 1:]
