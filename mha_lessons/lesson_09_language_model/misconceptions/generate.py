"""What people get wrong about `generate`."""

import numpy as np
from array_api_compat import array_namespace

from autograder.mistakes import mistake
from mha_ref import softmax

from ..exercises import generate


def _written(tokens, steps, following, seen=lambda text: text):
    """Write with a rule for the next token: following(what the model is shown) -> (batch,)."""
    for _ in range(steps):
        tokens = np.concatenate([tokens, np.asarray(following(seen(tokens)))[:, None]], axis=1)
    return tokens


def _last_of(model, choose):
    """Return the rule that is right: choose from the logits behind the last token."""
    return lambda text: choose(model(text)[:, -1])


def shows_the_model_everything(model, tokens, steps, context, choose):
    """You show the model the whole text, however long it has become.
    It has positions for `context` tokens, and a real model stops with an error at the next one.
    Which part of the text is needed to predict what comes now?"""
    return _written(tokens, steps, _last_of(model, choose))


def shows_the_beginning_of_the_text(model, tokens, steps, context, choose):
    """You show the model the first `context` tokens, so once these are full it never sees what it has written.
    From then on it sees the same text in every round, and gives the same logits.
    Which end of the text is the near past?"""
    return _written(tokens, steps, _last_of(model, choose), lambda text: text[:, :context])


def shows_one_token_too_few(model, tokens, steps, context, choose):
    """You show the model one token fewer than it could see.
    `context` tokens fit, the newest among them.
    Count what your slice keeps when the text is long."""
    return _written(tokens, steps, _last_of(model, choose), lambda text: text[:, -max(context - 1, 1) :])


def fills_up_a_short_text(model, tokens, steps, context, choose):
    """While the text is shorter than the context, you put tokens of your own in front of it, such as zeros.
    The model cannot tell them from text: to it, 0 is a token like any other.
    May a model be shown fewer than `context` tokens?"""

    def seen(text):
        missing = max(context - text.shape[1], 0)
        return np.pad(text, ((0, 0), (missing, 0)))[:, -context:]

    return _written(tokens, steps, _last_of(model, choose), seen)


def shows_the_last_token_only(model, tokens, steps, context, choose):
    """You show the model only the newest token.
    It has no memory of its own: what it is not shown, it does not know.
    How many tokens may it see?"""
    return _written(tokens, steps, _last_of(model, choose), lambda text: text[:, -1:])


def shows_the_prompt_only(model, tokens, steps, context, choose):
    """All that your model ever sees is the prompt, and never what it has written.
    So what it has to say is the same at each step.
    What should it be shown in the second step?"""
    prompt = tokens[:, -context:]
    return _written(tokens, steps, lambda text: choose(model(prompt)[:, -1]))


def returns_what_was_written_alone(model, tokens, steps, context, choose):
    """Your result is what was written, without the prompt.
    The stub wants the whole text: the prompt, and after it the new tokens.
    (In lesson 07 the start was left out; a prompt belongs to the text.)"""
    text = _written(tokens, steps, _last_of(model, choose), lambda text: text[:, -context:])
    return text[:, tokens.shape[1] :]


def cuts_the_text_itself(model, tokens, steps, context, choose):
    """You cut the text itself down to the context, instead of a copy for the model.
    So the beginning is lost, and the result is shorter than the prompt and the new tokens together.
    Give the cut text a name of its own."""
    for _ in range(steps):
        tokens = tokens[:, -context:]
        tokens = np.concatenate([tokens, np.asarray(choose(model(tokens)[:, -1]))[:, None]], axis=1)
    return tokens


def never_asks_choose(model, tokens, steps, context, choose):
    """You take the likeliest token yourself, and `choose` is never asked.
    `choose` decides how to write: greedily, or by sampling at some temperature.
    What does it take, and what does it return?"""
    return _written(tokens, steps, lambda text: model(text)[:, -1].argmax(axis=-1), lambda text: text[:, -context:])


def lets_it_choose_from_probabilities(model, tokens, steps, context, choose):
    """You give `choose` probabilities.
    The stub says that it takes logits, and a function that samples does its own softmax.
    What is between the model and `choose` in your code?"""
    return _written(tokens, steps, lambda text: choose(softmax(model(text)[:, -1])), lambda text: text[:, -context:])


def reads_the_first_place(model, tokens, steps, context, choose):
    """You choose from the logits at the first position, which guess at a token that was written long ago.
    The logits at a position are about the token after it.
    After which position is the next token still missing?"""
    return _written(tokens, steps, lambda text: choose(model(text)[:, 0]), lambda text: text[:, -context:])


def reads_the_place_before_the_last(model, tokens, steps, context, choose):
    """You choose from the logits one position before the last: they guess at the last token, which is there already.
    The logits at a position are about the token after it.
    After which position is the next token still missing?"""
    return _written(tokens, steps, lambda text: choose(model(text)[:, -2:][:, 0]), lambda text: text[:, -context:])


def reads_the_last_number_of_each_place(model, tokens, steps, context, choose):
    """Your -1 is on the axis of the vocabulary: it takes the logits of one token, at all positions.
    So positions are compared with each other, and `choose` gives the number of a position.
    The logits are (batch, positions, vocabulary): on which axis is the last position?"""
    return _written(tokens, steps, lambda text: choose(model(text)[:, :, -1]), lambda text: text[:, -context:])


@mistake(place=(-1, 0))
def takes_one_text_out_of_the_batch(model, tokens, steps, context, choose, *, place):
    """Your code stops where the new tokens are joined to the texts: there are as many as one text has positions.
    A single index, such as -1 or 0, falls on the first axis, so it picks out one text.
    The logits are (batch, positions, vocabulary): which axes stay whole?"""
    xp = array_namespace(tokens)
    for _ in range(steps):
        following = choose(model(tokens[:, -context:])[place])  # one for each position of one text
        tokens = xp.concat([tokens, xp.astype(following, tokens.dtype)[:, None]], axis=1)
    return tokens


def writes_a_token_too_few(model, tokens, steps, context, choose):
    """Your result has one token too few.
    The prompt is given; each of the `steps` rounds adds one token to it.
    How often does your loop run?"""
    return _written(tokens, steps - 1, _last_of(model, choose), lambda text: text[:, -context:])


def writes_until_the_text_is_that_long(model, tokens, steps, context, choose):
    """Your text ends when it has `steps` tokens in all, or it is cut there.
    `steps` counts the tokens that are written; the prompt comes before them.
    Does the length of the prompt appear in the condition of your loop?"""
    more = max(steps - tokens.shape[1], 0)
    return _written(tokens, more, _last_of(model, choose), lambda text: text[:, -context:])[:, :steps]


def puts_new_tokens_in_front(model, tokens, steps, context, choose):
    """Each new token is put in front of the text.
    Text grows to the right: the model predicts what follows its last token.
    In which order does `cat` get its two parts?"""
    for _ in range(steps):
        following = np.asarray(choose(model(tokens[:, -context:])[:, -1]))
        tokens = np.concatenate([following[:, None], tokens], axis=1)
    return tokens


def continues_all_texts_like_the_first(model, tokens, steps, context, choose):
    """All texts of the batch get the continuation of the first one.
    `choose` gives a token for each row of logits.
    Does an index pick out a single row?"""
    following = _last_of(model, choose)
    return _written(
        tokens, steps, lambda text: np.repeat(following(text)[:1], len(text)), lambda text: text[:, -context:]
    )


def writes_all_tokens_from_one_call(model, tokens, steps, context, choose):
    """You ask the model once, and read several tokens off one answer.
    Its logits at the other positions are about tokens that are already written.
    Every new token depends on the one before it, so how often must the model be asked?"""
    logits = model(tokens[:, -context:])
    found = [np.asarray(choose(logits[:, max(n - steps, -logits.shape[1])])) for n in range(steps)]
    return np.concatenate([tokens, np.stack(found, axis=1)], axis=1)


def shows_the_place_to_be_written(model, tokens, steps, context, choose):
    """You show the model one position too many: the one that is still to be written, with a 0 in it.
    The model takes this 0 for a token, and you read its guess at what comes after it.
    Where should your slice end?"""
    return _written(tokens, steps, _last_of(model, choose), lambda text: np.pad(text, ((0, 0), (0, 1)))[:, -context:])


def shows_only_what_is_new(model, tokens, steps, context, choose):
    """Your first new token is right. After it you show the model nothing but what it wrote last.
    It has no memory of its own: what it is not shown again, it does not know.
    Which name holds the whole text, and which goes into the model?"""
    prompt = tokens.shape[1]

    def seen(text):
        return text[:, -context:] if text.shape[1] == prompt else text[:, -1:]

    return _written(tokens, steps, _last_of(model, choose), seen)


@mistake(apart=(True, False))
def leaves_the_positions_to_choose(model, tokens, steps, context, choose, *, apart):
    """What you give to `choose` still has an axis for the positions.
    It wants logits of one position for each text, (batch, vocabulary), and gives one token for each.
    Only those behind the last token are about what comes next.
    Print the shape of what you pass on."""
    xp = array_namespace(tokens)
    for _ in range(steps):
        following = choose(model(tokens[:, -context:]))
        tokens = xp.concat([tokens, following[:, None] if apart else following], axis=1)
    return tokens


@mistake(on="token_0", filled=(False, True))
def ends_at_token_0(model, tokens, steps, context, choose, *, filled):
    """Your text ends as soon as token 0 comes.
    In some vocabularies one token means the end. Here none does: 0 is a token like any other.
    How many tokens does the stub ask for?"""
    text, prompt = np.asarray(generate(model, tokens, steps, context, choose)), tokens.shape[1]
    ended = np.cumsum(text[:, prompt:] == 0, axis=1) > 0
    if filled:
        return np.concatenate([text[:, :prompt], np.where(ended, 0, text[:, prompt:])], axis=1)
    over = ended.all(axis=0)
    return text[:, : prompt + 1 + int(over.argmax())] if over.any() else text


def cuts_the_prompt_alone(model, tokens, steps, context, choose):
    """You cut a long prompt down to the context, but then what you show grows with every new token.
    Soon it is more than the model sees at most.
    How often does your code cut, and how often does the text become longer?"""
    cut = max(tokens.shape[1] - context, 0)
    return _written(tokens, steps, _last_of(model, choose), lambda text: text[:, cut:])
