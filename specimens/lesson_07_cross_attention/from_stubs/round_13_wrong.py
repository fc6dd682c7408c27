"""Wrong answers to lesson 07 (round 13)."""

import torch


def translate_greedily__1(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start, dtype=torch.long)
    first = targets
    for _ in range(steps):
        # every position is written anew
        targets = torch.cat([first, model(sources, targets).argmax(dim=-1)], dim=1)
    return targets[:, 1:]


def translate_greedily__2(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for step in range(steps):
        likeliest = model(sources, targets)[:, 0].argmax(-1)
        targets = torch.cat([targets, likeliest[:, None]], dim=-1)
    return targets[:, 1:]


TRUTH = {
    "translate_greedily__1": "all positions are written anew in each step: where the model's guesses for earlier positions change with later tokens, so does the text",
    "translate_greedily__2": "the logits at the first position, not at the last",
}
