"""The small language model from lesson 11: it may keep keys and values, and share them among heads."""

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from .heads import merge_heads, split_heads
from .language_model import CONTEXT, LanguageModel
from .layer import Block, MultiHeadAttention


class CachedAttention(MultiHeadAttention):
    """Causal self-attention that keeps the keys and values of a text where `attend` is given.

    attend: a function like attend_with_cache, or None: then nothing is kept, and torch's fused function does it all.
    """

    def __init__(self, model_size, heads, kv_heads=None):
        super().__init__(model_size, heads)
        self.kv_heads, self.attend = kv_heads or heads, None
        if self.kv_heads < heads:
            kept = self.kv_heads * model_size // heads
            self.key, self.value = nn.Linear(model_size, kept), nn.Linear(model_size, kept)
        self.forget()

    def forget(self):
        """Begin a new text."""
        self.past_key = self.past_value = None

    def forward(self, x, mask=None):
        """x: (batch, new tokens, model_size) -> the same; the mask is the causal one, whatever is given."""
        query = split_heads(self.query(x), self.heads)  # (batch, heads, new, head_size)
        key, value = (split_heads(part(x), self.kv_heads) for part in (self.key, self.value))
        if self.attend:
            past = self.past_key, self.past_value
            each, self.past_key, self.past_value = self.attend(query, key, value, *past)
        else:
            each = scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
        return self.output(merge_heads(each))  # (batch, new, model_size)


class CachedBlock(Block):
    """A block from lesson 09 whose attention may keep keys and values."""

    def __init__(self, model_size, heads, hidden_size, kv_heads=None):
        super().__init__(model_size, heads, hidden_size)
        self.attention = CachedAttention(model_size, heads, kv_heads)


class CachedModel(LanguageModel):
    """The language model from lesson 09; with a cache it is shown only what is new of a text.

    It takes over the weights of a LanguageModel of the same sizes by `load_state_dict`.
    """

    def __init__(self, vocabulary, context=CONTEXT, kv_heads=None, **sizes):
        super().__init__(vocabulary, context, lambda *block: CachedBlock(*block, kv_heads), **sizes)
        self.seen = 0

    def start(self, attend=None):
        """Begin a new text, with a cache if there is a function like attend_with_cache."""
        self.seen = 0
        for block in self.blocks:
            block.attention.attend = attend
            block.attention.forget()

    def embed(self, tokens):
        """tokens: (batch, new tokens), integers -> (batch, new tokens, model_size); positions continue."""
        places = torch.arange(self.seen, self.seen + tokens.shape[1], device=tokens.device)
        if self.blocks[0].attention.attend:
            self.seen += tokens.shape[1]
        return self.token(tokens) + self.place.weight[places.clamp(max=self.context - 1)]

    def forward(self, tokens):
        """tokens: (batch, new tokens), integers -> logits, (batch, new tokens, vocabulary)."""
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.next_token(self.last_norm(x))


@torch.no_grad()
def write(model, tokens, steps, choose, attend=None):
    """Write so many tokens; with a cache, the model is shown the prompt once, and then one token at a time.

    tokens: (batch, prompt), integers; choose: a function of logits, (batch, vocabulary) -> (batch,)
    -> (batch, prompt + steps), integers.
    """
    model.start(attend)
    new = tokens
    for _ in range(steps):
        logits = model(new if attend else tokens[:, -model.context :])[:, -1]  # (batch, vocabulary)
        new = choose(logits)[:, None]  # (batch, 1)
        tokens = torch.cat([tokens, new], dim=1)  # (batch, tokens so far)
    return tokens
