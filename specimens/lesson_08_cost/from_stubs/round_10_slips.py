"""Slips in answers to lesson 08 (round 10)."""


def attention_flops__1(tokens, model_size):
    projections = 4 * (2 * tokens * model_size^2)
    scores = 2 * tokens * model_size * tokens
    mix = 2 * tokens * tokens * model_size
    return projections + scores + mix


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    bytes_per_number = 4
    pairs = tokens**2
    return batch * heads * pairs * bytes_per_number


TRUTH = {
    "attention_flops__1": "^ is xor in Python, and it binds weaker than the product, so the projections are 4 * ((2 * tokens * model_size) ^ 2): wrong for all sizes, mostly far too small (for 10 and 8: 3848 instead of 8320).",
    "score_bytes__1": "The parameter is overwritten by 4 in the first line, so any other bytes_per_number is ignored: half-precision scores (2 bytes) come out twice too large.",
}
