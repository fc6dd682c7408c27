"""Slips in answers to lesson 10 (round 15)."""





def without_head__1(results, w_output, head):
    results[:, head] = 0
    batch, heads, tokens, head_size = results.shape
    return results.transpose(1, 2).reshape(batch, tokens, heads * head_size) @ w_output


def head_similarity__1(weights):
    flat = weights.reshape(weights.shape[0], -1)
    flat = flat / flat.norm(dim=0, keepdim=True)
    return flat @ flat.T


TRUTH = {
    "without_head__1": 'The head is set to zero in the tensor that was handed in, without a copy, so the input is changed.',
    "head_similarity__1": 'The norm is taken over dim=0, the heads, instead of dim=1, so no pattern gets length 1, and an entry that is 0 in all heads becomes NaN.',
}
