"""Wrong answers to lesson 07 (round 11)."""

import torch
from autograder.outline import ours
from mha_ref import padding_mask

causal_mask = ours("causal_mask")  # as in the notebook: a tensor


def combine_masks__1(first, second):
    if first is None or second is None:
        return None
    return first & second


def combine_masks__2(first, second):
    given = [mask for mask in (first, second) if mask is not None]
    if not given:
        return None
    result = given[0]
    for mask in given[1:]:
        result = torch.logical_or(result, mask)
    return result


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    real = torch.arange(targets) < torch.as_tensor(target_lengths)[:, None]
    both = real[:, None, :, None] & real[:, None, None, :]  # no padding on either side
    target = both & causal_mask(targets, targets)
    return source, target, source


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    words = padding_mask(target_lengths, targets)
    target = words & causal_mask(targets, targets)
    return source, target, words  # the target reads with its own padding hidden


def translate_greedily__1(model, sources, start, steps):
    targets = torch.full((sources.shape[0], 1), start)
    while targets.shape[1] < steps:
        best = model(sources, targets)[:, -1, :].argmax(dim=-1, keepdim=True)
        targets = torch.cat([targets, best], dim=1)
    return targets


def translate_greedily__2(model, sources, start, steps):
    token = torch.full((len(sources), 1), start, dtype=torch.long)
    written = []
    for _ in range(steps):
        logits = model(sources, token)
        token = logits[:, -1].argmax(-1).unsqueeze(1)
        written.append(token)
    return torch.cat(written, dim=1)


TRUTH = {
    "combine_masks__1": "if one is None the result is None: the other mask is lost",
    "combine_masks__2": "allowed where either allows, not where both do",
    "encoder_decoder_masks__1": "the target's mask hides the rows of padded queries too; they should follow the same mask as any other",
    "encoder_decoder_masks__2": "the mask for cross-attention hides the target's padding, and should hide the source's",
    "translate_greedily__1": "the start is part of the result, and one token too few is written",
    "translate_greedily__2": "the model sees the newest token alone, not all that was written",
}
