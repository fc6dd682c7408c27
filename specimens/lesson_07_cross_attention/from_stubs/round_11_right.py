"""Right answers to lesson 07 (round 11)."""

import functools

import torch


def translate_greedily__1(model, sources, start, steps):
    def step(written, _):
        return torch.column_stack([written, model(sources, written)[:, -1].max(1).indices])

    begin = sources.new_full((len(sources), 1), start)
    return functools.reduce(step, range(steps), begin)[:, 1:]


WHY = {"translate_greedily__1": "reduce over the steps, column_stack, and max with its indices."}
