"""Slips in answers to lesson 08 (round 19)."""




def attention_flops__1(tokens, model_size):
    projections = 4 * 2 * tokens * (model_size ^ 2)
    scores = 2 * (tokens ^ 2) * model_size
    mix = 2 * (tokens ^ 2) * model_size
    return projections + scores + mix


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    scores = batch * heads * tokens * 2
    return scores * bytes_per_number


TRUTH = {
    "attention_flops__1": 'In Python ^ is not a power but a bitwise exclusive or, so tokens ^ 2 and model_size ^ 2 are not squares.',
    "score_bytes__1": 'tokens * 2 was typed instead of tokens ** 2, so it is twice the tokens and not their square.',
}
