# %% [markdown]
# # Lesson 11 · The cache
#
# To write its thousandth word, a language model reads the 999 words before it.
# For the next word it reads 1,000, and it has done nearly all of this work before.
# A model that remembers is much faster, and chatbots rely on that.
#
# In this lesson you write the memory, which is called the **KV cache**.
# You measure the time it saves and the memory it costs, find out when it stops being exact, and make it smaller by letting heads share.

# %% locked=true
import inspect
import os
import time

import matplotlib.pyplot as plt
import torch
from torch.nn.functional import scaled_dot_product_attention as torchs_attention

from autograder import after, check, hint, progress, solution
from autograder.mine import causal_mask, masked_attention, sample
from autograder.pictures import diagram, use_our_look
from mha_ref.cached_model import CachedAttention, CachedModel, write
from mha_ref.language_model import decode, encode, mean_loss, prose, ready_made, split_text, train_language_model

device = "cuda" if torch.cuda.is_available() else "cpu"
use_our_look()  # plots on no paper, with words for those who cannot see them
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them, for example if you have not read those lessons yet.
#
# **From lesson 10.**
# The tokens of a text are *d o g s d*, at positions 0 to 4.
# At which position does an induction head look from the last *d*?

# %% exercise="remember_where_induction_looks"
remember_where_induction_looks = ...  # a number
### BEGIN SOLUTION
remember_where_induction_looks = 1
### END SOLUTION

# %% [markdown]
# **From lesson 08.**
# A text has 500 tokens, and the model size is 4,000.
# What takes most of the arithmetic in self-attention?
#
# - `"a"`: softmax, on all scores
# - `"b"`: the scores and the mix
# - `"c"`: the four projections

# %% exercise="remember_a_short_text"
remember_a_short_text = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_a_short_text = "c"
### END SOLUTION

# %% [markdown]
# ## What is the same every time
#
# Under a causal mask, a token sees itself and what comes before it.
# So nothing that is written later can change its key or its value, in any layer.
# To see this, we take the model that you trained in lesson 09.
# (If there is none, the cell trains one, which takes about a minute, and keeps it for later.)
# The folded cell computes the second layer's keys for a short text, and again after one more character; then it does both without the mask.

# %% picture=true
ready, characters = ready_made(device)
model = CachedModel(len(characters)).to(device).eval()
model.load_state_dict(ready.state_dict())  # the same model, in a form that can keep things


@torch.no_grad()
def keys_of(text, masked):
    """The keys in the second layer."""
    first, second = ready.blocks
    mask = causal_mask(len(text), len(text)).to(device) if masked else None
    x = first(ready.embed(encode(text, characters, device)[None]), mask)
    return second.attention.key(second.norms[0](x))[0]


for masked in (True, False):
    before, later = keys_of("Each query", masked), keys_of("Each query ", masked)
    change = (later[:10] - before).abs().max()
    print(f"largest change of the first ten keys, {'with' if masked else 'without'} the mask: {change:.0e}")

# %% [markdown]
# What does the new token need from the old ones?
# Its query meets their *keys*, and it takes a weighted mean of their *values*.
# Their queries have done their work and are not needed again.
# So a layer keeps two things for each token: its key and its value.
#
# ## Where is the new token?
#
# With a cache, few queries meet many keys: one query and five keys, say.
# In lesson 03, the last query lined up with the last key.
# With a cache nothing else makes sense: the newest token sees everything.
#
# torch has a built-in causal mask, `is_causal=True`, but it is aligned at the other corner, the top left.
#
# **Predict.**
# One query meets five keys, which are all alike.
# Their values are 10, 20, 30, 40 and 50.
# What does torch return with `is_causal=True`?

# %% exercise="seen_by_one_query"
seen_by_one_query = ...  # a number
### BEGIN SOLUTION
seen_by_one_query = 10
### END SOLUTION

# %%
query, key, value = torch.ones(1, 4), torch.ones(5, 4), torch.tensor([[10.0], [20], [30], [40], [50]])
print("is_causal=True:", torchs_attention(query, key, value, is_causal=True).item())
print("our causal mask:", torchs_attention(query, key, value, causal_mask(1, 5)).item())

# %% [markdown]
# With a cache and `is_causal=True`, the newest token would see nothing but the oldest, and no error says so.
#
# ## Write the cache
#
# The function below does one layer's work for the new tokens, often a single one.
# In the first call nothing has been kept yet, and all tokens of the prompt are new.
# The keys and values that it returns come back to it in the next call.
#
# | call | new | kept before | the queries see |
# |---|---|---|---|
# | the prompt | 4 tokens | nothing | 1, 2, 3, 4 keys |
# | one token | 1 | 4 | 5 keys |
# | a reply of three tokens | 3 | 5 | 6, 7, 8 keys |
#
# Use `masked_attention` and `causal_mask(queries, keys).to(key.device)`.

# %% exercise="attend_with_cache"
def attend_with_cache(query, key, value, past_key=None, past_value=None):
    """Causal attention of the newest tokens to all tokens so far, which are returned for the next call.

    query, key: (..., new, features), value: (..., new, value_features), floating-point: of the new tokens, one or several
    past_key: (..., past, features), past_value: (..., past, value_features): what the call before returned;
    None in the first call, when nothing has been kept
    -> three results, floating-point: the output, (..., new, value_features), then all keys, (..., past + new, features),
    and all values, (..., past + new, value_features), the oldest first.
    A new token sees what was kept, the new tokens before it, and itself.
    All results are finite for any finite scores. The inputs are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    mask = causal_mask(query.shape[-2], key.shape[-2]).to(key.device)
    return masked_attention(query, key, value, mask), key, value
    ### END SOLUTION

# %% [markdown]
# Where is the past kept between two calls?
# The next cell prints three pieces of the model; look for one thing in each:
#
# - each attention layer keeps its own past, and hands it to your function: `attend`;
# - the model counts the tokens it has seen, so that the new ones get the right positions: `seen`;
# - the loop that writes shows the model the prompt once, and then only what is new.

# %%
for part in (CachedAttention.forward, CachedModel.embed, write):
    print(inspect.getsource(part))

# %% [markdown]
# Now the model from lesson 09 writes twice, in a folded cell: as before, and with your function in both of its layers.

# %% picture=true
def drawn(seed=1, temperature=0.7):
    """A way to choose the next token: the same darts every time."""
    darts = torch.Generator().manual_seed(seed)
    return lambda logits: sample(logits, temperature, torch.rand(len(logits), generator=darts).to(logits.device))


def both_texts(steps):
    prompt = encode("Each query ", characters, device)[None]
    texts = [decode(write(model, prompt, steps, drawn(), attend)[0], characters) for attend in (None, attend_with_cache)]
    same = next((n for n, (a, b) in enumerate(zip(*texts)) if a != b), len(texts[0]))
    return texts, same


def up_to_the_context():
    texts, same = both_texts(128 - len("Each query "))
    print(f"without: {texts[0]}\nwith:    {texts[1]}\nalike for {same} of {len(texts[0])} characters")


after(attend_with_cache, up_to_the_context)

# %% [markdown]
# The two texts are the same, down to the last character.
#
# ## What it saves
#
# Here is an untrained model with four layers and a context of 512.
# We let it write longer and longer texts, without and with your cache.
# It writes nonsense, but it takes as long as a trained one.
# The race is in a folded cell, and takes about 15 seconds, or several times as long on a busy machine.

# %% picture=true
times = {}


def seconds(attend, steps, large):
    began = time.perf_counter()
    write(large, torch.zeros(1, 1, dtype=torch.int64, device=device), steps, lambda logits: logits.argmax(dim=-1), attend)
    return time.perf_counter() - began


def race():
    torch.manual_seed(0)
    large = CachedModel(len(characters), context=512, model_size=192, heads=4, layers=4).to(device).eval()
    lengths = (4, 8, 16) if "NBGRADER_EXECUTION" in os.environ else (32, 64, 128, 256, 511)
    for name, attend in (("without a cache", None), ("with your cache", attend_with_cache)):
        times[name] = lengths, []
        for steps in lengths:
            times[name][1].append(seconds(attend, steps, large))
            print(f"{name}, {steps} tokens: {times[name][1][-1]:.2f} s")
    (_, slow), (_, fast) = times.values()
    return f"{lengths[-1]} tokens: {slow[-1]:.1f} s without and {fast[-1]:.1f} s with the cache, {slow[-1] / fast[-1]:.1f} times as fast"


after(attend_with_cache, race)

# %% [markdown]
# Here is the race as a plot with logarithmic axes: how far up does each line go when a text becomes twice as long?

# %%
def draw_the_race():
    for name, (tokens, taken) in times.items():
        plt.loglog(tokens, taken, base=2, marker="o", label=name)  # as plt.plot, with logarithmic axes
    plt.xlabel("tokens written")
    plt.ylabel("seconds")
    plt.title("Writing with and without a cache")
    plt.legend()
    plt.show()


if times:
    draw_the_race()

# %% [markdown]
# In our run, twice the tokens took about twice as long with the cache, and more than that without it: up to 3.5 times as long.
# Without a cache each token costs more than the one before, because the whole text is read again.
# With a cache, every token costs nearly the same, from the first to the last.
#
# ## The next token
#
# Our model has a context of 128, and so far we have stayed within it.
# What happens at token 129?
#
# Without a cache, the model is shown the newest 128 tokens, so the oldest one drops out.
# With the cache all keys and values are still there, and the new token gets the last position that has an embedding.
# We write 40 more tokens, with the same darts.
#
# **Predict.**
# Once the context is full, the two texts soon differ.
# Why?
#
# - `"a"`: rounding errors add up, and at about that length they become visible
# - `"b"`: the cache is full and loses its oldest key
# - `"c"`: without the cache every token has moved to another position, and the kept keys belong to the old positions
# - `"d"`: the causal mask hides the oldest token from the newest

# %% exercise="broken_by_the_next_token"
broken_by_the_next_token = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
broken_by_the_next_token = "c"
### END SOLUTION

# %%
def beyond_the_context():
    texts, same = both_texts(168 - len("Each query "))
    print(f"alike for {same} characters, then\nwithout: {texts[0][same - 20:]}\nwith:    {texts[1][same - 20:]}")


after(attend_with_cache, beyond_the_context)

# %% [markdown]
# A key is made from a token *and its position*.
# When the window slides by one, the token at position 1 is suddenly at position 0, and, strictly speaking, all keys and values have to be made again.
# The cache still holds the old ones.
# **The cache is exact until the context is full, and not one token longer.**
#
# In our run the cached text ends in *ththth*, and a second thing has changed.
# Look at `embed` above: our model has no embedding for position 128, so all new tokens get position 127 (`clamp`), and the embedding no longer tells their order.
#
# ## What it costs
#
# The cache takes memory, for every token, in every layer: each head keeps a key and a value of `head_size` numbers.
# A head that keeps both is called a *key-value head*.
# Their number is `kv_heads`: soon it will be smaller than the number of query heads.

# %% exercise="cache_bytes"
def cache_bytes(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """The memory of all keys and values that are kept, for a batch of texts of the same length.

    All parameters are integers: layers of the model, tokens of each text, key-value heads in each layer,
    the size of such a head, texts in the batch, bytes that one number takes
    -> a plain number, an int or a float, in bytes (not bits or MB).
    Keys and values have the same size, and nothing else is kept.
    """
    ### BEGIN SOLUTION
    kept = 2 * kv_heads * head_size  # numbers for a token in a layer
    return batch * layers * tokens * kept * bytes_per_number
    ### END SOLUTION

# %% [markdown]
# A model today may have 32 layers, heads of size 128, and a context of 8,192 tokens.
# Its numbers are in half precision, two bytes each.
# A GiB, or gibibyte, is $2^{30}$ bytes, a little more than a gigabyte.

# %%
def gibibytes():
    for kv_heads in (32, 8, 1):
        print(f"kv_heads = {kv_heads:2}: {cache_bytes(32, 8192, kv_heads, 128) / 2**30:.3f} GiB for one text")


after(cache_bytes, gibibytes)

# %% [markdown]
# With 32 key-value heads, one for each query head, the cache for one text takes 4 GiB.
# With 8 of them it takes exactly 1 GiB.
#
# **Calculate.**
# A machine has 72 GiB of memory, and the model's weights take 16 of them.
# With 8 key-value heads, how many texts of full length can it write at a time?

# %% exercise="texts_at_a_time"
texts_at_a_time = ...  # a whole number
### BEGIN SOLUTION
texts_at_a_time = 72 - 16
### END SOLUTION

# %% [markdown]
# With 32 key-value heads, room would be left for only 14.
# That is why the cache matters so much: it limits how many people a machine can serve at once.
#
# **Predict.**
# A model has 32 query heads and 32 key-value heads.
# Another model has 64 of each, of half the size; all else is equal.
# By what factor is the second model's cache larger?

# %% exercise="factor_for_the_cache"
factor_for_the_cache = ...  # a number; 1 means that it is the same
### BEGIN SOLUTION
factor_for_the_cache = 1
### END SOLUTION

# %% [markdown]
# ## Heads that share
#
# More heads do not make the cache larger, as long as each of them shrinks in proportion.
# What does save memory is to let several *query* heads share one key-value head.
# If they share in groups, this is **grouped-query attention**; if all share a single one, it is **multi-query attention**.
#
# To compute it, repeat each key-value head until there is one for each query head.
# Neighbours share: with six query heads and two key-value heads, the order is 0, 0, 0, 1, 1, 1.

# %% exercise="repeat_heads"
def repeat_heads(x, repeats):
    """Each head several times, with its copies right after it.

    x: (..., heads, tokens, features), floating-point; repeats: how often each head appears in the result, at least 1
    -> (..., heads · repeats, tokens, features), floating-point: head 0 that many times, then head 1, and so on.
    The input is not changed, and gradients reach it.
    """
    ### BEGIN SOLUTION
    return x.repeat_interleave(repeats, dim=-3)
    ### END SOLUTION

# %%
after(repeat_heads, lambda: repeat_heads(torch.tensor([0.0, 1]).view(2, 1, 1), 3).flatten().tolist())

# %% exercise="grouped_query_attention"
def grouped_query_attention(query, key, value, mask=None):
    """Attention in which neighbouring heads share keys and values.

    query: (batch, heads, queries, features), key: (batch, kv_heads, keys, features),
    value: (batch, kv_heads, keys, value_features), floating-point; kv_heads divide heads
    mask: boolean, broadcastable to (batch, heads, queries, keys), True means "may look"; None allows everything
    -> (batch, heads, queries, value_features), floating-point.
    The first heads / kv_heads query heads use key-value head 0, the next ones head 1, and so on.
    A query whose keys are all blocked gets zeros, never NaN, and the result is finite for any finite scores.
    The inputs are not changed, and gradients reach them.
    """
    ### BEGIN SOLUTION
    repeats = query.shape[-3] // key.shape[-3]
    return masked_attention(query, repeat_heads(key, repeats), repeat_heads(value, repeats), mask)
    ### END SOLUTION

# %% [markdown]
# torch's fused function does the same with `enable_gqa=True`.

# %%
def beside_torchs_own():
    query, key, value = torch.randn(2, 6, 4, 8), torch.randn(2, 2, 5, 8), torch.randn(2, 2, 5, 8)
    yours, torchs = grouped_query_attention(query, key, value), torchs_attention(query, key, value, enable_gqa=True)
    return f"largest difference: {(yours - torchs).abs().max():.0e}"


after(grouped_query_attention, beside_torchs_own)

# %% [markdown]
# ### Does it cost quality? (optional)
#
# We train three models, as large as the one from lesson 09 but with a context of 64: with four key-value heads, with two, and with one.
# Each training run takes about 15 seconds, or several times as long on a busy machine.
# (A KiB is 1,024 bytes.)

# %%
seen, unseen = split_text(encode(prose(), characters, device))
losses, kilobytes = {}, {}


def train_with(kv_heads):
    torch.manual_seed(0)
    shared = CachedModel(len(characters), context=64, kv_heads=kv_heads).to(device)
    train_language_model(shared, seen, steps=500, batch=16)
    losses[kv_heads] = mean_loss(shared.eval(), unseen)
    kilobytes[kv_heads] = cache_bytes(layers=2, tokens=64, kv_heads=kv_heads, head_size=24, bytes_per_number=4) / 1024
    return f"kv_heads = {kv_heads}: cache {kilobytes[kv_heads]:.0f} KiB, loss on unseen text {losses[kv_heads]:.2f}"


after(cache_bytes, lambda: train_with(4))

# %%
after(cache_bytes, lambda: train_with(2))

# %%
after(cache_bytes, lambda: train_with(1))

# %% [markdown]
# A quarter of the cache, at no visible cost: 1.61, 1.61 and 1.62 in our run.
# In large models a single shared head costs some quality, and a few groups cost hardly any (Ainslie and others, 2023).
# So many models today keep 8 key-value heads, or about that many.
#
# ### A narrow vector for all heads (optional)
#
# There is another way to save memory: keep a single narrow vector for each token, and make the keys and values of all heads from it when they are needed.
# This is **multi-head latent attention** (DeepSeek-V2, 2024).

# %% picture=true
diagram(
    {
        "x": (1, 0, "token", "plain"),
        "down": (1, 1, "narrow"),
        "kept": (1, 2, "kept in\nthe cache", "new"),
        "keys": (0, 3, "keys of\nall heads"),
        "values": (2, 3, "values of\nall heads"),
        "attention": (1, 4, "attention"),
    },
    [("x", "down"), ("down", "kept"), ("kept", "keys"), ("kept", "values"), ("keys", "attention"), ("values", "attention")],
    alt="A diagram of latent attention, from bottom to top. A token becomes one narrow vector, and this is kept in the "
    "cache. From it come the keys of all heads and the values of all heads, and both go into attention.",
)

# %% [markdown]
# ## Summary
#
# You can now
#
# - keep keys and values, and show that the text stays the same;
# - say why the causal mask is aligned at the bottom right, and what `is_causal=True` does instead;
# - say when the cache stops being exact, and why;
# - count its bytes, and say how many texts fit into a machine's memory;
# - let heads share keys and values, and get the same numbers as torch.

# %%
progress()
