"""Wrong answers to lesson 09 (round 12)."""

import torch


def softmax_with_temperature__1(scores, temperature, axis=-1):
    weights = torch.softmax(scores, dim=axis) / temperature
    return weights / weights.sum(dim=axis, keepdim=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    # weights to the power of the temperature, and normalised again
    powers = torch.softmax(scores, axis).pow(temperature)
    return powers / powers.sum(axis, keepdim=True)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    e = torch.exp(scores / temperature - scores.amax(dim=axis, keepdim=True))
    return e / e.sum(dim=axis, keepdim=True)


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = tokens[:, -context:]
        new = choose(model(tokens)[:, -1])
        tokens = torch.cat([tokens, new[:, None]], dim=1)
    return tokens


def generate__2(model, tokens, steps, context, choose):
    text = tokens.clone()
    while text.shape[1] < tokens.shape[1] + steps:
        logits = model(text[:, :context])
        text = torch.hstack([text, choose(logits[:, -1, :]).unsqueeze(1)])
    return text


def generate__3(model, tokens, steps, context, choose):
    logits = model(tokens[:, -context:])[:, -1]
    written = [choose(logits) for _ in range(steps)]
    return torch.cat([tokens, torch.stack(written, dim=1)], dim=1) if steps else tokens


def generate__4(model, tokens, steps, context, choose):
    written = []
    seen = tokens
    for _ in range(steps):
        token = choose(model(seen[:, -context:])[:, -1])
        written.append(token)
        seen = torch.cat([seen, token[:, None]], dim=-1)
    return torch.stack(written, dim=-1)


TRUTH = {
    "softmax_with_temperature__1": "the temperature divides the weights, and normalising takes it out again: it has no effect",
    "softmax_with_temperature__2": "the power of the temperature, where it should be one over it: hot and cold are exchanged",
    "softmax_with_temperature__3": "the maximum is not divided by the temperature: exponents are not bounded by 0, so small temperatures overflow",
    "generate__1": "the text itself is cut to the context: its beginning is lost",
    "generate__2": "the model sees the first tokens, not the last: once the context is full, every new token is the same guess",
    "generate__3": "the model is asked once: all tokens come from the same logits",
    "generate__4": "the prompt is not part of the result",
}
