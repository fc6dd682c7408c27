"""Slips in answers to lesson 07 (round 15)."""

import torch
from autograder.outline import ours

causal_mask = ours("causal_mask")  # as in the notebook: a tensor
padding_mask = ours("padding_mask")  # as in the notebook: a tensor



def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return second
    return first & second


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    target = padding_mask(source_lengths, targets) & causal_mask(targets, targets).to(target_lengths.device)
    cross = padding_mask(source_lengths, sources)
    return source, target, cross


def translate_greedily__1(model, sources, start, steps):
    written = torch.full((len(sources), 1), start, device=sources.device)
    for _ in range(steps):
        logits = model(sources, written)[-1]
        newest = logits.argmax(dim=-1)
        written = torch.cat([written, newest[:, None]], dim=1)
    return written[:, 1:]


TRUTH = {
    "combine_masks__1": 'In the second branch second is returned, which is None there, instead of first, so a mask is lost.',
    "encoder_decoder_masks__1": "In a copied line source_lengths was left in place of target_lengths, so the target's mask hides the wrong tokens, or fails where a source is longer than targets.",
    "translate_greedily__1": '[-1] stands in place of [:, -1], so the logits of the last text at all its positions are used and not those at the last position of every text.',
}
