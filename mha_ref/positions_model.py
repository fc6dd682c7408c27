"""The small language model from lesson 12: how it knows where tokens are is for the caller to say."""

import torch
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from .heads import merge_heads, split_heads
from .language_model import LanguageModel
from .layer import Block, MultiHeadAttention
from .masks import causal_mask

TRAINED, LONGEST = 64, 256  # tokens of a text in training, and of the longest text that it is tried on


class PlacedAttention(MultiHeadAttention):
    """Self-attention that may turn its queries and keys by their positions and add a bias to its scores."""

    turn = bias = None

    def forward(self, x, mask):
        """x: (batch, tokens, model_size), mask: (tokens, tokens) -> (batch, tokens, model_size)."""
        tokens = x.shape[1]
        query, key, value = (split_heads(part(x), self.heads) for part in (self.query, self.key, self.value))
        if self.turn:
            positions = torch.arange(tokens, device=x.device)
            query, key = (self.turn(part, positions).to(part) for part in (query, key))
        if self.bias:
            bias = self.bias(self.heads, tokens, tokens).to(x)  # (heads, tokens, tokens)
            mask = bias.masked_fill(~mask, -torch.inf)  # what torch adds to the scores
        each = scaled_dot_product_attention(query, key, value, mask)
        return self.output(merge_heads(each))  # (batch, tokens, model_size)


class PlacedBlock(Block):
    """A block from lesson 09 with attention that may know positions."""

    def __init__(self, model_size, heads, hidden_size):
        super().__init__(model_size, heads, hidden_size)
        self.attention = PlacedAttention(model_size, heads)


class PlacedModel(LanguageModel):
    """The language model from lesson 09, in which positions are learned, added, turned, a bias, or unknown.

    learned: whether it learns a vector for each position.
    vectors: a function of two sizes -> (tokens, model_size), added to the embeddings;
    turn: a function of x and positions; bias: a function of heads, queries, keys.
    sees: a function of queries and keys -> the mask; another one may be put in at any time.
    """

    def __init__(self, vocabulary, learned=False, vectors=None, turn=None, bias=None):
        super().__init__(vocabulary, LONGEST, PlacedBlock)
        self.context, self.learned, self.vectors, self.sees = TRAINED, learned, vectors, causal
        for block in self.blocks:
            block.attention.turn, block.attention.bias = turn, bias

    def embed(self, tokens):
        """tokens: (batch, tokens), integers -> (batch, tokens, model_size): what a token is, and perhaps where."""
        x = self.token(tokens)
        if self.learned:
            x = x + self.place.weight[: tokens.shape[1]]
        if self.vectors:
            x = x + self.vectors(*x.shape[1:]).to(x)
        return x

    def forward(self, tokens):
        """tokens: (batch, tokens), integers, at most LONGEST of them -> logits, (batch, tokens, vocabulary)."""
        x, places = self.embed(tokens), tokens.shape[1]
        mask = self.sees(places, places).to(x.device)  # (tokens, tokens)
        for block in self.blocks:
            x = block(x, mask)
        return self.next_token(self.last_norm(x))


def causal(queries, keys):
    """Return the causal mask as a tensor."""
    return causal_mask(queries, keys, like=torch.empty(0))


@torch.no_grad()
def loss_by_place(model, tokens, length, rows=16):
    """Return the mean loss at each position of texts of a length, into which the tokens are cut: (length,)."""
    windows = tokens[: len(tokens) // (length + 1) * (length + 1)].view(-1, length + 1)  # (windows, length + 1)
    losses = [
        cross_entropy(model(part[:, :-1]).transpose(1, 2), part[:, 1:], reduction="none")  # (rows, length)
        for part in windows.split(rows)
    ]
    return torch.cat(losses).mean(dim=0)
