"""Cases: what an answer is tried on.

Each function takes a NumPy Generator and yields cases, smallest first.
Ordinary cases give every axis a different length, so that no mix-up of axes goes unseen;
one has all lengths equal, so that code which mixes up axes runs there and can be recognised.
Edge cases carry a tag.
"""

from .attention import causal, query_key, query_key_value
from .cases import EDGES, Case, case, edge
from .counts import batch_heads_tokens, model_heads, model_sizes, tokens_model
from .heads import (
    apart,
    decoder,
    layer,
    one_head,
    per_head,
    self_layer,
    several_heads,
    stacked,
    together,
    two_sequences,
)
from .masks import (
    conventions,
    lengths_keys,
    query_key_value_mask,
    scores_mask,
    sizes,
    two_lengths,
    two_masks,
)
from .weights import means, scores, scores_temperature
