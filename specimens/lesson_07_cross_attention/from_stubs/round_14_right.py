"""Right answers to lesson 07 (round 14)."""

import torch


def translate_greedily__1(model, sources, start, steps):
    table = torch.full((sources.shape[0], steps + 1), start, dtype=torch.long, device=sources.device)
    for step in range(steps):
        logits = model(sources, table[:, : step + 1])
        table[:, step + 1] = logits[:, step].max(dim=-1).indices
    return table[:, 1:]


WHY = {
    "translate_greedily__1": "A table of all targets is made at first and filled column by column.",
}
