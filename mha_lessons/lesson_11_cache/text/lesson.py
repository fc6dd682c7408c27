# %% [markdown]
# # Lesson 11 · The cache
#
# This lesson is a draft: what stands here came from earlier lessons, and waits to be made into one.

# %% locked=true
from autograder import check, hint, progress, solution

# %% [markdown]
# While a model *writes*, something else fills the memory.
# It makes one token at a time, and the new token's query meets the keys and values of all tokens before it.
# To compute these again for each new token would be a waste, so they are kept: the **KV cache**.
# Per text it holds
#
# $$\underbrace{2}_{\text{key, value}} \cdot \text{layers} \cdot n \cdot n_{kv} \cdot d_h \text{ numbers,}$$
#
# with $n_{kv}$ heads of keys and values, of size $d_h$ each.
# In the attention that you know, $n_{kv} = h$ and $d_h = d/h$.
#
# **Predict.** Some people say that with more heads a model needs more memory while it writes.
# A model has 32 heads. Another one has 64, of half the size; all else is equal.
# By which factor is the second one's cache larger?

# %% exercise="factor_for_the_cache"
factor_for_the_cache = ...  # a number; 1 means: it stays the same
### BEGIN SOLUTION
factor_for_the_cache = 1
### END SOLUTION

# %% [markdown]
# What does shrink the cache is a smaller $n_{kv}$.
# In *grouped-query attention* (Ainslie and others, 2023) several heads of queries share one head of keys and values.
# With 32 heads of queries and 8 of keys and values, the cache is a quarter.

# %%
progress()
