"""How much memory attention needs at its peak, beyond its inputs: plain, in blocks, and torch's own.

    python benchmarks/memory.py
    python benchmarks/memory.py --gpu

One head of 64, float32, without gradients; each call in a process of its own, with one thread.
Blocks have to stay below 5 % of the plain version at 8,192 tokens.
"""

from argparse import ArgumentParser

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
FUNCTIONS = mha_ref.scaled_dot_product_attention, mha_ref.causal_attention, mha_ref.attention_in_blocks
MOST = 0.05


def measured(gpu):
    """Yield a name, a number of tokens, and the MiB that the call needs."""
    import torch.nn.functional as F

    names = {function.__name__: function for function in FUNCTIONS} | {"F": F}
    for name, call in CALLS.items():
        for tokens in LENGTHS:
            if gpu:
                yield name, tokens, peak_on_gpu(eval(f"lambda query, key, value: {call}", names), tokens)[0]
            else:
                yield name, tokens, peak_memory(call, *FUNCTIONS, tokens=tokens)


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="torch.cuda.max_memory_allocated in place of a process")
    found = {}
    for name, tokens, mib in measured(parser.parse_args().gpu):
        found[name, tokens] = mib
        print(f"{name:24}{tokens:8,} tokens{mib:10.1f} MiB", flush=True)
    share = found["blocks of 128", 8192] / found["plain", 8192]
    print(f"blocks need {share:.1%} of the plain version's peak")
    assert share <= MOST


if __name__ == "__main__":
    main()
