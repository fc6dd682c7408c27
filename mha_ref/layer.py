"""Multi-head attention as a torch layer: the only file here that imports torch."""

from torch import nn

from .attention import masked_attention
from .heads import head_size_of, merge_heads, split_heads


class MultiHeadAttention(nn.Module):
    """The pure functions of this package with weights that learn.

    Source: Vaswani et al., Attention is all you need (2017), section 3.2.2.
    """

    def __init__(self, model_size, heads, bias=True):
        super().__init__()
        head_size_of(model_size, heads)  # refuse now, not at the first call
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None):
        """Queries from one sequence, keys and values from the same or from others.

        query: (batch, queries, model_size); key, value: (batch, keys, model_size) -> (batch, queries, model_size).
        key defaults to query, value to key; mask: broadcastable to (batch, heads, queries, keys).
        """
        key = query if key is None else key
        value = key if value is None else value
        projected = self.query(query), self.key(key), self.value(value)
        each = masked_attention(*(split_heads(x, self.heads) for x in projected), mask)
        return self.output(merge_heads(each))
