"""Wrong answers to lesson 10 (round 9)."""
import torch
import torch.nn.functional as F


def without_head__1(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    keep = torch.ones(heads, dtype=results.dtype)
    keep[head] = 0
    # as in dropout: what is left is made larger, so that the size of the sum stays the same
    if heads > 1:
        keep = keep * heads / (heads - 1)
    blocks = w_output.reshape(heads, head_size, -1)
    return torch.einsum("bhtd,hdm,h->btm", results, blocks, keep)


def without_head__2(results, w_output, head):
    heads, head_size = results.shape[1], results.shape[3]
    left = torch.cat([results[:, :head], results[:, head + 1 :]], dim=1)
    # one head less: side by side they are narrower, and need as many rows fewer
    side_by_side = left.transpose(1, 2).flatten(2)
    return side_by_side @ w_output[: (heads - 1) * head_size]


def previous_token_score__1(weights):
    # batch and queries go, the heads stay
    return weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=(0, -1))


def previous_token_score__2(weights):
    # the first token has nothing before it: leave it out on both sides
    inner = weights[..., 1:, 1:]
    below = torch.diagonal(inner, offset=-1, dim1=-2, dim2=-1)
    return below.movedim(-2, 0).flatten(1).mean(dim=1)


def induction_score__1(weights, tokens):
    batch, heads, queries, _ = weights.shape
    scores = []
    for b in range(batch):
        last_seen = {}
        for q, token in enumerate(tokens[b].tolist()):
            if token in last_seen:
                # the copy, and the token behind it
                scores.append(weights[b, :, q, last_seen[token] + 1])
            last_seen[token] = q
    return torch.stack(scores).mean(dim=0)


def induction_score__2(weights, tokens):
    n = tokens.shape[1]
    same = (tokens[:, :, None] == tokens[:, None, :]) & torch.ones(n, n, dtype=torch.bool).tril(-1)
    behind = F.pad(same, (1, -1))  # one key further
    on_behind = (weights * behind[:, None]).sum(dim=-1)  # (batch, heads, queries)
    has_one = behind.any(dim=-1)
    # the mean of each text, then of the texts that have one
    of_text = on_behind.sum(dim=-1) / has_one.sum(dim=-1, keepdim=True).clamp(min=1)
    return of_text[has_one.any(dim=-1)].mean(dim=0)


def head_similarity__1(weights):
    # the cosine for every query, then the mean over the queries
    return F.cosine_similarity(weights[:, None], weights[None, :], dim=-1).mean(dim=-1)


def head_similarity__2(weights):
    heads = weights.shape[0]
    # weights are never negative, so without taking off the mean everything would look alike
    return torch.corrcoef(weights.reshape(heads, -1)).reshape(heads, heads)


TRUTH = {
    "without_head__1": "The heads that stay are enlarged by heads / (heads - 1), as dropout would do; the others are to contribute what they did before, so for 2 or more heads everything is too large, twice as large for 2 heads.",
    "without_head__2": "The results of the heads behind the missing one meet the block of rows of their neighbour in w_output, because the last block is cut off instead of the head's own; right only when the last head is left out.",
    "previous_token_score__1": "It takes for granted exactly one axis in front of the heads: (heads, queries, keys) gives one number, the mean over the heads, instead of (heads,), and two axes in front give (axis, heads); right for four axes.",
    "previous_token_score__2": "Cutting off the first query and the first key leaves out the second query too, the one whose previous token is the first: NaN for 2 tokens, the mean over queries 2 and up instead of 1 and up for more.",
    "induction_score__1": "Only the key behind the latest earlier copy counts, not the ones behind all earlier copies; it shows where a token occurs three times or more in a text, as in [[5, 1, 5, 2, 5]].",
    "induction_score__2": "The mean is taken text by text, then over the texts, instead of over the queries of all texts together; it shows with a batch whose texts have different numbers of queries with such a key, as [[1, 1, 1, 1], [1, 2, 3, 1]].",
    "head_similarity__1": "Cosines of single rows are averaged, instead of the cosine of the whole patterns as one vector; it shows with 2 or more queries as soon as the rows have different lengths, as [[1, 0], [.5, .5]] against [[1, 0], [1, 0]].",
    "head_similarity__2": "Taking off the mean of each pattern first makes it the correlation, not the cosine: [[1, 0], [0, 1]] against [[0, 1], [1, 0]] gives -1 instead of 0, and a head that spreads its weights evenly gives NaN.",
}
