"""Slips in answers to lesson 08 (round 16)."""





def attention_flops__1(tokens, model_size):
    return 4 * (2 * tokens * model_size**2 + 2 * 2 * tokens**2 * model_size)


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    scores = batch * heads * tokens * 2
    return scores * bytes_per_number


TRUTH = {
    "attention_flops__1": 'The bracket after the 4 also holds scores and mix, so scores and mix are counted four times over.',
    "score_bytes__1": 'tokens * 2 was typed instead of tokens ** 2, so the size grows in proportion to the tokens and not with their square.',
}
