# %% [markdown]
# # Lesson 07 · Cross-attention
#
# Lesson 00 began with a picture: a translator at work, and where it looks.
# Now you build a larger one: its masks, its decoder layer and the loop that produces the translation.
# Training takes about ten seconds, or half a minute on a busy machine, and then you draw such a picture from your own numbers.
# Finally you break the translator in three ways, to see what each part is for.

# %% locked=true
import copy
import os
from random import Random

import matplotlib.pyplot as plt
import torch
from torch import nn

from autograder import after, check, hint, progress, solution
from autograder.mine import MultiHeadAttention, causal_mask, multi_head_attention, padding_mask
from autograder.pictures import diagram, heatmaps, use_our_look
from mha_ref.training_progress import show_progress
from mha_ref.translator import (
    ENGLISH,
    FRENCH,
    START,
    Translator,
    alignment,
    corpus,
    exact_accuracy,
    numbers,
    translate,
)

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)  # our products are small: more threads would only wait for each other
torch.set_printoptions(precision=3, sci_mode=False)
use_our_look()
training_steps = 3 if "NBGRADER_EXECUTION" in os.environ else 300  # a grader need not wait

# %% [markdown]
# ## From memory
#
# Two questions about earlier lessons: they are not marked, and you may skip them.
#
# **From lesson 06.**
# A layer has a model size of 400 and 4 heads.
# By what number does it divide its scores?

# %% exercise="remember_the_divisor"
remember_the_divisor = ...  # a number
### BEGIN SOLUTION
remember_the_divisor = 10
### END SOLUTION

# %% [markdown]
# **From lesson 04.**
# A head has looked at the other words for *bank*.
# What happens to the embedding of *bank*?
#
# - `"a"`: the result takes its place
# - `"b"`: the result is put beside it
# - `"c"`: the result is added to it

# %% exercise="remember_what_a_head_does"
remember_what_a_head_does = ...  # "a", "b" or "c"
### BEGIN SOLUTION
remember_what_a_head_does = "c"
### END SOLUTION

# %% [markdown]
# ## Who asks, and who is asked
#
# A translator has two halves.
# The **encoder** reads the English sentence, which is called the *source*, and makes a vector for each of its tokens.
# These vectors are the *memory*.
# The **decoder** writes the French sentence, the *target*, one token at a time, and before each token it asks the memory: which noun is next, and is it feminine in French?
#
# Earlier translators passed on a single vector, of the same size for five words as for fifty.
# The inventors of attention [suspected a bottleneck there](https://arxiv.org/abs/1409.0473) (Bahdanau and others, 2014), and let the decoder look back at every word instead: that was its beginning.

# %% picture=true
diagram(
    {
        "english": (0, 0, "source\n(English tokens)", "plain"),
        "encoder": (0, 1, "encoder layer"),
        "memory": (0, 2, "memory", "plain"),
        "french": (1.6, 0, "target so far\n(French tokens)", "plain"),
        "self": (1.6, 1, "self-attention\ncausal"),
        "cross": (1.6, 2, "cross-attention\nasks the memory", "new"),
        "think": (1.6, 3, "feed-forward"),
        "linear": (1.6, 4, "linear layer"),
        "next": (1.6, 5, "logits of the\nnext token", "plain"),
    },
    [
        ("english", "encoder"),
        ("encoder", "memory"),
        ("memory", "cross"),
        ("french", "self"),
        ("self", "cross"),
        ("cross", "think"),
        ("think", "linear"),
        ("linear", "next"),
    ],
    frames={"decoder layer": ["self", "cross", "think"]},
    alt="A diagram of the translator. On the left the source goes through the encoder layer and becomes the memory. "
    "On the right the target so far goes through the decoder layer: causal self-attention, then cross-attention, which "
    "also gets the memory, then feed-forward. A linear layer turns what comes out into the logits of the next token.",
)

# %% [markdown]
# In **cross-attention**, the sequence that asks supplies the queries, and the sequence that is asked supplies the keys and values.
# With $X$ for the sequence that asks and $M$ for the memory:
#
# $$Q = X W^Q, \qquad K = M W^K, \qquad V = M W^V$$
#
# The rest stays as it was, and self-attention is the special case $M = X$.
#
# **Predict.**
# `x` has the shape `(2, 5, 8)`: 2 sentences, 5 tokens, model size 8.
# `memory` has the shape `(2, 7, 8)`.
# There are 4 heads.
# What shape do the attention *weights* have?

# %% exercise="cross_weights_shape"
cross_weights_shape = ...  # a shape: (..., ...)
### BEGIN SOLUTION
cross_weights_shape = (2, 4, 5, 7)
### END SOLUTION

# %% [markdown]
# `multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None)` is imported from lesson 06.

# %% exercise="cross_attention"
def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Multi-head attention with queries from one sequence, keys and values from another.

    x: (batch, queries, model_size), the sequence that asks; memory: (batch, keys, model_size), the one that is asked.
    w_query, w_key, w_value, w_output: (model_size, model_size); a head is a block of neighbouring columns.
    heads: an integer that divides model_size; mask: broadcastable to (batch, heads, queries, keys).
    -> (batch, queries, model_size), floating-point.
    """
    ### BEGIN SOLUTION
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)
    ### END SOLUTION

# %% [markdown]
# What if the tokens of the memory are shuffled?
# A key and its value move together, and a weighted mean does not depend on the order of its terms, so the output stays the same.
# **Attention finds things by what they are, not by where they are.**
#
# For a translator that is a disaster: "the dog follows the cat" and "the cat follows the dog" have the same words.
# So the position of a word must become part of its vector.
# So far a word's vector came from one table, with an embedding for each word.
# The simplest way is a second table, with a learned vector for each position: the two vectors are added.
# (Lesson 12 compares better ways.)

# %% [markdown]
# ## Three masks
#
# A translator uses attention in three places.
#
# | attention | who looks | who is looked at | what must be hidden |
# |---|---|---|---|
# | **encoder, self** | English tokens | English tokens | padding of the source |
# | **decoder, self** | French tokens | French tokens | padding of the target, and the future |
# | **decoder, cross** | French tokens | English tokens | padding of the source |
#
# The source is complete before the first French token is written, so none of it is in the future.
#
# The decoder's self-attention needs two masks at once, so you need a function that combines them.
# Between arrays, *and* is written `&`.
# Handle `None`, which means no mask, before you use it.

# %% exercise="combine_masks"
def combine_masks(first, second):
    """Allowed where both masks allow; a mask of None forbids nothing.

    first, second: broadcastable to each other, either or both may be None -> boolean, their common shape.
    If one is None the result is the other mask; if both are None it is None.
    """
    ### BEGIN SOLUTION
    if first is None:
        return second
    if second is None:
        return first
    return first & second
    ### END SOLUTION

# %% [markdown]
# Now write all three masks.
# `padding_mask(lengths, keys)` is imported from lesson 03.
# `causal_mask(targets, targets)` is on the CPU; `.to(target_lengths.device)` brings it to where the others are.

# %% exercise="encoder_decoder_masks"
def encoder_decoder_masks(source_lengths, target_lengths, sources, targets):
    """A translator's three masks, as a tuple: for the encoder, for the decoder itself, for cross-attention.

    source_lengths, target_lengths: (batch,), integers, real words of each sentence; none is larger than its size.
    sources, targets: two integers, the sizes that both are padded to.
    -> source: (batch, 1, 1, sources), hides the padding of the source from the source;
       target: (batch, 1, targets, targets), hides the future and the padding of the target from the target;
       cross: (batch, 1, 1, sources), hides the padding of the source from the target.
    A mask hides keys. A padded query keeps its row, and follows the same mask as any other.
    """
    ### BEGIN SOLUTION
    source = padding_mask(source_lengths, sources)
    past = causal_mask(targets, targets).to(target_lengths.device)
    return source, combine_masks(past, padding_mask(target_lengths, targets)), source
    ### END SOLUTION

# %% picture=true
def masks_picture():
    lengths = torch.tensor([3, 5]).to(device), torch.tensor([2, 4]).to(device)
    source, target, cross = encoder_decoder_masks(*lengths, 5, 4)
    first = {"source": source[0, 0].expand(5, 5), "target": target[0, 0], "cross": cross[0, 0].expand(4, 5)}
    return heatmaps(
        {title: mask.cpu() for title, mask in first.items()},
        alt="Your three masks for a source of 3 words padded to 5 and a target of 2 words padded to 4. "
        "Source: all five rows allow the first three columns. Target: a triangle in the first two columns. "
        "Cross: all four rows allow the first three columns.",
        rows="who looks", columns="who is looked at", digits=0,
    )


after(encoder_decoder_masks, masks_picture)

# %% [markdown]
# ## From tokens to logits
#
# Attention carries information from token to token, and does little more.
# To process what it has collected, each token then goes, on its own, through a **feed-forward** part: two linear layers.
# The first makes it wider, `hidden_size` numbers; the second brings it back to `model_size`.
# Between them a **ReLU** sets every negative number to 0.
#
# What a part finds is *added* to `x`, as in lesson 04, so the numbers in `x` can grow from layer to layer.
# So each part reads a normalised copy, whose numbers keep one size.
# A **layer norm** makes it: for each token, subtract the mean of its features and divide by their standard deviation.
# (Then it multiplies each feature by a learned factor, which begins as 1, and adds a learned offset, which begins as 0.)

# %%
token = torch.tensor([1.0, 2, 3, 6])
print("ReLU of -2 and 3:", nn.ReLU()(torch.tensor([-2.0, 3])))
print("layer norm:      ", nn.LayerNorm(4)(token).detach(), "by hand:", (token - token.mean()) / token.std(correction=0))

# %% [markdown]
# All parts follow one pattern, called **pre-norm**, because each part comes after its norm:
#
# $$x \leftarrow x + \text{dropout}(\text{part}(\text{norm}(x)))$$
#
# Here is a whole small model, not trained yet: embeddings, one encoder layer, and the last projection.
# (`nn.Sequential` calls modules one after another.)

# %%
words, positions = nn.Embedding(33, 64), nn.Embedding(8, 64)  # learned rows of 64 numbers
attend, norms = MultiHeadAttention(64, 2), [nn.LayerNorm(64) for _ in range(3)]
feed_forward = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64))
next_word = nn.Linear(64, 33)

tokens = torch.tensor([[5, 17, 2, 9]])  # a sentence of four tokens, as numbers: (batch, tokens)
x = words(tokens) + positions(torch.arange(4))  # (batch, tokens, model_size)
x = x + attend(norms[0](x))  # what each token finds in the sentence
x = x + feed_forward(norms[1](x))  # what each makes of it
logits = next_word(norms[2](x))  # (batch, tokens, vocabulary)
print(tuple(tokens.shape), "->", tuple(x.shape), "->", tuple(logits.shape))

# %% [markdown]
# - An `nn.Embedding` is a table with a learned row for each token, and calling it with a token's number looks up its row.
# - The last `nn.Linear` turns the vector at each position into 33 logits, one for each token of the **vocabulary**, the list of all tokens that the model knows.
#
# ## The decoder layer
#
# A decoder layer has one part more: self-attention, cross-attention and feed-forward.

# %% picture=true
diagram(
    {
        "x": (0, 0, "x", "plain"),
        "norm 1": (0, 1, "layer norm"),
        "self": (0, 2, "self-attention\nself_mask"),
        "add 1": (0, 3, "+", "sum"),
        "norm 2": (0, 4, "layer norm"),
        "cross": (0, 5, "cross-attention\nmemory_mask", "new"),
        "memory": (1.2, 5, "memory", "plain"),
        "add 2": (0, 6, "+", "sum"),
        "norm 3": (0, 7, "layer norm"),
        "think": (0, 8, "feed-forward"),
        "add 3": (0, 9, "+", "sum"),
    },
    [
        *(pair for n, part in ((1, "self"), (2, "cross"), (3, "think")) for pair in ((f"norm {n}", part), (part, f"add {n}"))),
        ("x", "norm 1"),
        ("add 1", "norm 2"),
        ("add 2", "norm 3"),
        ("memory", "cross"),
        ("x", "add 1", "around"),
        ("add 1", "add 2", "around"),
        ("add 2", "add 3", "around"),
    ],
    alt="A diagram of the decoder layer, from bottom to top. Three times: a layer norm, then a part, then a plus, where what "
    "went in is added again. The parts are self-attention, cross-attention, which also gets the memory, and feed-forward.",
)

# %% [markdown]
# The memory is not normalised here; that was done once, after the encoder layer.
#
# `__init__` is already there, and makes the parts.
# (`nn.ModuleList` is a list whose modules torch can find.)
# Write `forward`, one step per part.
# Call the two attentions with `(query, key=None, value=None, mask=None)`, as in lesson 06.

# %% exercise="DecoderLayer"
class DecoderLayer(nn.Module):
    """Self-attention, cross-attention, feed-forward; each step adds to what was there (pre-norm).

    model_size, heads, hidden_size: integers; if model_size is not a multiple of heads, making the layer raises a ValueError.
    Its parts: self_attention and cross_attention, each a MultiHeadAttention of its own, with biases; feed_forward; and
    three norms, one in front of each part. Later cells use the names self_attention and cross_attention.
    dropout: used on the attention weights (MultiHeadAttention does that) and on the result of each of the three parts
    before it is added, and on nothing else.
    """

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size, bias=True), nn.Linear(hidden_size, model_size, bias=True)
        feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.feed_forward, self.dropout = feed_forward, nn.Dropout(dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """Self-attention, cross-attention, feed-forward, in this order.

        x: (batch, targets, model_size), memory: (batch, sources, model_size) -> (batch, targets, model_size).
        self_mask: broadcastable to (batch, heads, targets, targets); memory_mask: to (batch, heads, targets, sources).
        """
        ### BEGIN SOLUTION
        own, other, think = self.norms
        x = x + self.dropout(self.self_attention(own(x), mask=self_mask))
        asked = self.cross_attention(other(x), memory, mask=memory_mask)
        x = x + self.dropout(asked)
        return x + self.dropout(self.feed_forward(think(x)))
        ### END SOLUTION

# %% [markdown]
# `Translator` puts the pieces together, in lines like those above.
# English goes through an encoder layer with your attention of lesson 06, French through your decoder layer, and each language has tables of its own.
# (Run `Translator??` in a cell to read it.)
#
# ## Train it
#
# The course makes up its own sentences.
# In French a colour *follows* its noun, and articles and colours agree with the noun's gender.
# The model learns from 2,500 pairs of sentences; another 500 are **held out** to test it, and a translation counts only if *every* word is right.

# %%
pairs = corpus(3000)
learned, fresh = pairs[:2500], pairs[2500:]
for english, french in learned[:4]:
    print(f"{english:38} {french}")

# %% [markdown]
# In training the model sees the target shifted by one position, with a start token in front, and at every position it predicts the next token:
#
# | position | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | sees | `<start>` | la | souris | dort |
# | must predict | la | souris | dort | . |
#
# `numbers` turns texts into the numbers of their tokens, padded with 0 where a text is shorter.

# %%
def loss_of(model, pairs):
    """The mean of -log of the probabilities that the model gave to the right next tokens."""
    english = numbers([text for text, _ in pairs], ENGLISH, device)  # (batch, sources)
    french = numbers([text for _, text in pairs], FRENCH, device)  # (batch, targets)
    seen = nn.functional.pad(french, (1, -1), value=FRENCH.index(START))  # a start token in front, the last one off
    logits = model(english, seen)  # (batch, targets, vocabulary)
    return nn.functional.cross_entropy(logits.flatten(0, 1), french.flatten(), ignore_index=0)  # padding does not count

# %% [markdown]
# The training loop is that of lesson 04, but the steps are taken by an **optimizer**, an object that knows all parameters and their gradients.
# This one is called Adam, and chooses the size of the step for each parameter by itself.

# %%
def train(model, steps=training_steps, batch=64):
    random, optimizer = Random(0), torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        loss = loss_of(model, random.sample(learned, batch))
        optimizer.zero_grad()  # else the new gradients would be added to the old ones
        loss.backward()
        optimizer.step()
        show_progress(step + 1, steps, loss.item())

# %% [markdown]
# With equal logits for all 33 tokens the loss would be $\log 33 = 3.5$.
# Now train yours: 300 steps of 64 pairs, in less than ten seconds, or half a minute on a busy machine.

# %%
trained = {}


def when_ready(draw):
    """Show this once the masks and the layer are written."""
    return after(encoder_decoder_masks, lambda: after(DecoderLayer, draw))


def train_a_translator(name, masks=None, positions=True, prepare=lambda model: None):
    """Train a translator, and keep it; return how many of the new sentences it translates exactly."""
    torch.manual_seed(4)
    model = Translator(DecoderLayer, masks or encoder_decoder_masks, positions, attention=MultiHeadAttention)
    model = model.to(device)
    prepare(model)
    train(model)
    trained[name] = model
    return f"{name}: {exact_accuracy(model, fresh):.1%} of the 500 new sentences are exactly right"


when_ready(lambda: train_a_translator("as it should be"))

# %% [markdown]
# In our run all 500 were right.
#
# ## Let it write
#
# How does a trained model write?
# It gets the source and the start token, and returns logits for the next token at each position.
# **Greedy decoding** takes the likeliest token at the last position, appends it, and asks again.
# Begin with a column of start tokens, `torch.full((len(sources), 1), start, device=sources.device)`.
# You also need `.argmax(dim=-1)`, which gives the index of the largest number, and `torch.cat([...], dim=1)`.
# The function always writes `steps` tokens; the course then cuts each text at its first full stop.
# (Chat models usually draw the token at random from its probabilities instead, which is called **sampling**; lesson 09 does that.)

# %% exercise="translate_greedily"
def translate_greedily(model, sources, start, steps):
    """Write the likeliest token again and again, for all texts at once.

    model: a function of sources and targets, both (batch, tokens) -> logits: (batch, targets, vocabulary); at each
    position it predicts the next token.
    sources: (batch, source_tokens), integers; start: the token that every target begins with; steps: how many tokens to write
    -> (batch, steps), integers: what was written, without the start.
    """
    ### BEGIN SOLUTION
    targets = torch.full((len(sources), 1), start, device=sources.device)
    for _ in range(steps):
        logits = model(sources, targets)  # (batch, tokens so far, vocabulary)
        following = logits[:, -1].argmax(dim=-1)
        targets = torch.cat([targets, following[:, None]], dim=1)
    return targets[:, 1:]
    ### END SOLUTION

# %%
def show_translations():
    texts = [english for english, _ in fresh[:5]]
    for english, french in zip(texts, translate(trained["as it should be"], texts, translate_greedily)):
        print(f"{english:38} {french}")


when_ready(lambda: after(translate_greedily, show_translations))

# %% [markdown]
# And where does your own model look, with each of its two heads?
#
# **Draw it.**
# `looks` has a row for each French word and a column for each English one.
# Copy `draw_map` from lesson 05, and change the names and the labels: `french` along the y axis, `english` along the x axis, where `rotation=45` in `plt.xticks` keeps long words apart.

# %% free="draw_alignment"
def draw_alignment(looks, french, english, title):
    """Draw where the model looks: a row before each French word, a column for each English one."""
    ### BEGIN SOLUTION
    plt.imshow(looks, vmin=0, vmax=1)
    plt.xticks(range(len(english)), english, rotation=45)
    plt.yticks(range(len(french)), french)
    plt.xlabel("it looks at")
    plt.ylabel("before it writes")
    plt.title(title)
    plt.show()
    ### END SOLUTION

# %%
def where_it_looks(name, english="the white cat sees a red car ."):
    french = translate(trained[name], [english], translate_greedily)[0]
    for head, looks in enumerate(alignment(trained[name], english, french).cpu()):
        draw_alignment(looks, french.split(), english.split(), f"head {head}")


when_ready(lambda: after(translate_greedily, lambda: after(draw_alignment, lambda: where_it_looks("as it should be"))))

# %% [markdown]
# No one told it which word belongs to which.
# Most rows have one dark square, *chat* at *cat* and *blanc* at *white*, although French puts the colour after the noun.
# Where looking does not help, a row may point anywhere.
#
# ### In your own words
#
# A friend sees your map and says: *"Head 0 has learned which French word means which English word. The map proves it."*
# Tell your friend what head 0 really does, in about four sentences.
# A grader awards up to four points; if you study alone, reread your sentences tomorrow and mark them yourself.
#
# | a point for | what it asks |
# |---|---|
# | reading the map | What a row and a column mean, and what the numbers of a row add up to. |
# | an observation | One thing that you see in *your* map, and one row that does not fit. |
# | the limit | Why looking at a word is not the same as knowing what it means. |
# | a test | One thing to change, and what you would see if your friend is right, and what if not. |

# %% [markdown] written="explain_a_map" points=4
# A row of the map is the moment before one French word is written, a column is an English word, and the weights of a row add up to 1.
# In my map head 0 looks at *cat* before it writes *chat*, and at *white* before *blanc*, although English puts these the other way round.
# The full stop's row does not fit: it looks at *red*, which the full stop does not translate.
#
# The map shows where the head looks, but not what it takes from there.
# The encoder has mixed the vector of *cat* with its neighbours, so it may also hold the colour or the gender.
#
# To test your idea I would hide one English word from the decoder with the third mask and leave the others visible.
# If the head finds the meaning only there, the French word should become wrong, and the others should stay right.
# If the word is still right, the meaning came another way.

# %% [markdown]
# ## Break it: see the future
#
# What if you forget the causal mask?
# (Each of the three experiments trains one more translator, which takes as long as the first.)

# %%
def masks_that_show_the_future(source_lengths, target_lengths, sources, targets):
    source, _, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, padding_mask(target_lengths, targets), cross


# %% [markdown]
# **Predict before you run it.**
# Compared with the right model, how high is its loss in training, and how many new sentences does it translate exactly?
#
# - `"a"`: a high loss, and few sentences
# - `"b"`: a loss as low as before, and no sentence right
# - `"c"`: a loss as low as before, and as many sentences right
# - `"d"`: an error message

# %% exercise="without_the_causal_mask"
without_the_causal_mask = ...  # "a", "b", "c" or "d"
### BEGIN SOLUTION
without_the_causal_mask = "b"
### END SOLUTION

# %%
def see_the_future():
    print(train_a_translator("sees the future", masks_that_show_the_future))
    print(translate(trained["sees the future"], ["the white cat sees a red car .", "a mouse sleeps ."]))


when_ready(see_the_future)

# %% [markdown]
# In our run the loss was as low as before, and **not one** of the 500 sentences was right: the model wrote a full stop, and nothing else.
# In training, the token to predict is there to be copied, one position further on; when the model writes, nothing is there yet.
# The loss cannot warn you, because a leak looks like success.
#
# ## Break it: no positions
#
# This translator gets no information about the order of the words.

# %%
def shuffle_the_sources():
    print(train_a_translator("no positions", positions=False))
    chance, texts = Random(0), [english for english, _ in fresh]
    mixed = [" ".join(chance.sample(text.split(), len(text.split()))) for text in texts]
    for name in ("no positions", "as it should be"):
        same = sum(a == b for a, b in zip(translate(trained[name], texts), translate(trained[name], mixed)))
        print(f"{name}: {same} of 500 translations stay the same when the source is shuffled")


when_ready(shuffle_the_sources)

# %% [markdown]
# Without positions all 500 stay the same, and the model must guess who follows whom.
# Even so, it got 20 to 30 % of the sentences right in each run that we tried: some guesses are lucky.
#
# ## Break it: take out W_O
#
# Does multi-head attention need $W^O$?
# There are two ways to find out: take it *out of* the trained model, or train one that *never had* it.
#
# **Predict.**
# Give two words, each `"ruined"` or `"as good"`: first for the trained model that loses $W^O$, then for the model trained without it.

# %% exercise="without_the_output_weights"
without_the_output_weights = ...  # ("...", "...")
### BEGIN SOLUTION
without_the_output_weights = ("ruined", "as good")
### END SOLUTION

# %%
def take_out_the_output_weights(model):
    """Pass on what the heads have found, unmixed, in every attention."""
    for layer in model.modules():
        if isinstance(layer, MultiHeadAttention):
            layer.output = nn.Identity()


def two_experiments():
    model = copy.deepcopy(trained["as it should be"])
    take_out_the_output_weights(model)
    print(f"lost its W_O: {exact_accuracy(model, fresh):.1%} of the 500 new sentences are exactly right")
    return train_a_translator("never had W_O", prepare=take_out_the_output_weights)


when_ready(two_experiments)

# %% [markdown]
# The model that lost it is ruined, and the one that never had it is as good as the first.
# Without $W^O$ each head writes to its own columns only, as you saw in lesson 05, but here the parts behind it have learned to work with that.
# Taking a part out of a trained model shows what the *other parts have learned to rely on*, not that the part is necessary.
#
# ## Summary
#
# You can now
#
# - write cross-attention, and name the three uses of attention in a translator and the mask of each;
# - write a decoder layer with residual connections, layer norm and a feed-forward part;
# - say how tokens become vectors, and vectors become logits;
# - train a translator and let it write, one token at a time;
# - tell a model that learned from a model that peeked, although their losses are the same;
# - read a map of where a translator looks, and say what it does not show.
#
# The picture is yours now: call `where_it_looks` with a sentence of your own.
# Lesson 08 asks what all this costs.

# %%
progress()
