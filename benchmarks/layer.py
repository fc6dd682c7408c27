"""Our layer against torch's own with the same weights: how many times as long it takes (1 or less is our goal).

Run: make bench
"""

import time
from itertools import product
from statistics import median

import torch

from mha_ref import causal_mask
from mha_ref.exchange import load_torch
from mha_ref.layer import MultiHeadAttention

BATCH, MODEL_SIZE, HEADS = 8, 512, 8


def twins():
    """Torch's layer, and ours with its weights."""
    theirs = torch.nn.MultiheadAttention(MODEL_SIZE, HEADS, batch_first=True)
    ours = MultiHeadAttention(MODEL_SIZE, HEADS)
    load_torch(ours, theirs.state_dict())
    return ours, theirs


def calls(tokens, causal):
    """Self-attention by both layers; neither is asked for weights."""
    ours, theirs = twins()
    mask = causal_mask(tokens, tokens, like=torch.empty(0)) if causal else None
    blocked = ~mask if causal else None
    return (
        lambda x: ours(x, mask=mask),
        lambda x: theirs(x, x, x, attn_mask=blocked, need_weights=False)[0],
    )


def forward(call, x):
    with torch.no_grad():
        call(x)


def forward_and_backward(call, x):
    call(x).sum().backward()


def seconds(work, call, x):
    start = time.perf_counter()
    work(call, x)
    return time.perf_counter() - start


def ratio(work, ours, theirs, x, repeats):
    """The median over pairs of runs, one right after the other, so that a busy machine slows both."""
    pairs = [(seconds(work, ours, x), seconds(work, theirs, x)) for _ in range(repeats + 2)]
    return median(a / b for a, b in pairs[2:])  # two to warm up


def main():
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, batch {BATCH}, float32; ours / torch's")
    print(f"{'tokens':>6}{'mask':>8}{'forward':>10}{'and backward':>14}{'largest difference':>20}")
    for tokens, causal in product((128, 1024), (False, True)):
        x = torch.randn(BATCH, tokens, MODEL_SIZE, requires_grad=True)
        ours, theirs = calls(tokens, causal)
        difference = (ours(x) - theirs(x)).abs().max()
        repeats = 20 if tokens < 1000 else 5
        ratios = (ratio(work, ours, theirs, x, repeats) for work in (forward, forward_and_backward))
        print(
            "{:>6}{:>8}{:>10.2f}{:>14.2f}{:>20.0e}".format(tokens, "causal" if causal else "none", *ratios, difference)
        )


if __name__ == "__main__":
    main()
