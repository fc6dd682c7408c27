"""How much memory attention needs at its peak, beyond its inputs: plain, in blocks, and torch's own.

    python benchmarks/memory.py
    python benchmarks/memory.py --gpu

One head of 64, float32, without gradients; each version in a process of its own, with one thread.
Blocks have to stay below 5 % of the plain version at 8,192 tokens.
"""

from argparse import ArgumentParser

import torch.nn.functional as F

import mha_ref
from mha_ref.peak_memory import peak_memory, peak_on_gpu

CALLS = {
    "plain": "scaled_dot_product_attention(query, key, value)",
    "plain, causal": "causal_attention(query, key, value)",
    "blocks of 128": "attention_in_blocks(query, key, value, 128)",
    "blocks of 128, causal": "attention_in_blocks(query, key, value, 128, causal=True)",
    "torch, fused": "F.scaled_dot_product_attention(query[None, None], key[None, None], value[None, None])",
}
LENGTHS = 1024, 2048, 4096, 8192
MOST = 0.05


def on_gpu(call):
    """Return {tokens: MiB} of a call on the GPU."""
    function = eval(f"lambda query, key, value: {call}", vars(mha_ref) | {"F": F})
    return {tokens: peak_on_gpu(function, tokens)[0] for tokens in LENGTHS}


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="torch.cuda.max_memory_allocated in place of a process")
    gpu = parser.parse_args().gpu
    found = {name: on_gpu(call) if gpu else peak_memory(call, tokens=LENGTHS) for name, call in CALLS.items()}
    for name, peaks in found.items():
        print(f"{name:24}" + "".join(f"{tokens:8,}: {mib:7.1f} MiB" for tokens, mib in peaks.items()))
    share = found["blocks of 128"][8192] / found["plain"][8192]
    print(f"blocks need {share:.1%} of the plain version's peak")
    assert share <= MOST


if __name__ == "__main__":
    main()
