"""Wrong answers to lesson 10 (round 10)."""

import torch
import torch.nn.functional as F


def without_head__1(results, w_output, head):
    # a head that says the same about every token tells nothing: put its mean there
    silent = results.clone()
    silent[:, head] = results[:, head].mean(1, keepdim=True)
    return silent.transpose(1, 2).flatten(2) @ w_output


def without_head__2(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    output = results.new_zeros(batch, tokens, w_output.shape[1])
    for number in range(heads):
        if number != head:
            output = output + results[:, number] @ w_output[number * head_size : (number + 1) * head_size]
    # as in dropout: what is left is scaled up, so that the output keeps its size
    return output * heads / max(heads - 1, 1)


def previous_token_score__1(weights):
    queries = weights.shape[-1]
    before = torch.eye(queries, dtype=weights.dtype, device=weights.device).roll(-1, dims=1)  # a 1 at the key before
    before[0] = 0  # the first query is left out
    on_it = (weights * before).sum(-1)
    return on_it.mean(-1).reshape(-1, weights.shape[-3]).mean(0)


def previous_token_score__2(weights):
    heads = weights.shape[-3]
    scores = []
    for query in range(1, weights.shape[-2]):
        # of what the query gives to the tokens before it, the share of the last of them
        past = weights[..., query, :query]
        scores.append(past[..., -1] / past.sum(-1).clamp(min=1e-12))
    return torch.stack(scores).reshape(-1, heads).mean(0)


def induction_score__1(weights, tokens):
    batch, heads, queries, _ = weights.shape
    found = []
    for b in range(batch):
        last_seen = {}
        for q, token in enumerate(tokens[b].tolist()):
            if token in last_seen:
                found.append(weights[b, :, q, last_seen[token] + 1])  # right behind the earlier copy
            last_seen[token] = q
    return torch.stack(found).mean(0)


def induction_score__2(weights, tokens):
    copies = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)  # (batch, queries, earlier position)
    behind = F.pad(copies, (1, 0))[:, :, :-1]
    on_them = torch.einsum("bhqk,bqk->bhq", weights, behind.to(weights))
    counts = behind.any(-1)
    # a score for each text, then the mean over the texts that have one
    per_text = on_them.sum(-1) / counts.sum(-1, keepdim=True).clamp(min=1)
    return per_text[counts.any(-1)].mean(0)


def head_similarity__1(weights):
    # the cosine of the rows of two heads, for each query, then the mean
    directions = F.normalize(weights, dim=-1)
    return torch.einsum("iqk,jqk->qij", directions, directions).mean(0)


def head_similarity__2(weights):
    heads = weights.shape[0]
    vectors = weights.reshape(heads, -1)
    # two patterns are alike if they go up and down together
    return torch.corrcoef(vectors).reshape(heads, heads)


TRUTH = {
    "without_head__1": "replaces the head's results by their mean over the tokens instead of leaving them out; shows unless that mean happens to be 0, and most with a single token, where nothing changes",
    "without_head__2": "scales the other heads up by heads / (heads - 1), as dropout would; shows with any input of 2 or more heads",
    "previous_token_score__1": "the first query is set to 0 but still counted: the mean is divided by queries, not by queries - 1, so it is too small by (queries - 1) / queries for any pattern",
    "previous_token_score__2": "takes the share among the earlier tokens, not the weight itself; shows with any pattern that puts weight on the query's own or a later token (query 1 always gets 1)",
    "induction_score__1": "counts only the key behind the latest copy, not the keys behind all earlier ones; shows where a token occurs three times, e.g. [[1, 2, 1, 3, 1]]",
    "induction_score__2": "first a mean for each text, then the mean of those: texts with few copies count too much; shows with two texts of unequal numbers of copies, e.g. [[1, 1, 1, 1], [1, 2, 3, 1]]",
    "head_similarity__1": "the mean of the cosines of the single rows instead of one cosine of the whole patterns; shows for any heads whose rows are of different lengths, e.g. one row spread evenly and one sharp",
    "head_similarity__2": "a correlation: the mean weight is subtracted from each pattern first; shows for all non-equal patterns (too small), and an even pattern gives NaN",
}
