"""What people get wrong about `score_bytes`, and what helps them."""

from ..exercises import score_bytes
from .attention_flops import in_bits


@score_bytes.misconception
def forgets_the_batch(batch, heads, tokens, bytes_per_number=4):
    """Your number stays the same, however many items the batch has.
    Each item is a text of its own, with maps of its own, and all of them are in memory at the same time.
    Which parameter have you not used?"""
    return score_bytes(1, heads, tokens, bytes_per_number)


@score_bytes.misconception
def forgets_the_heads(batch, heads, tokens, bytes_per_number=4):
    """Your number stays the same, however many heads there are.
    Heads share the features among them, but not the map: each head has its own score for each pair of tokens.
    How many maps does one text have?"""
    return score_bytes(batch, 1, tokens, bytes_per_number)


@score_bytes.misconception
def forgets_the_keys(batch, heads, tokens, bytes_per_number=4):
    """In your number each token has one score for each head.
    A score belongs to a *pair*: a query token and a key token, and every query meets every key.
    How many pairs are there?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens


@score_bytes.misconception
def doubles_tokens_instead_of_squaring(batch, heads, tokens, bytes_per_number=4):
    """In your number the tokens count twice, but they are added: 2 · tokens.
    A map is a square, with a row for each query and a column for each key.
    How many fields does a square of 5 by 5 have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * 2 / tokens


@score_bytes.misconception
def counts_numbers_in_place_of_bytes(batch, heads, tokens, bytes_per_number=4):
    """Your number counts scores, not the bytes that they take.
    A number in `float32` takes four bytes, in `float16` two.
    Which parameter have you not used?"""
    return score_bytes(batch, heads, tokens, 1)


@score_bytes.misconception
def counts_bits(batch, heads, tokens, bytes_per_number=4):
    """Your number has a factor of 8 too much: it is in bits.
    `float32` is named after its 32 bits, and a byte is 8 of them.
    In which unit does `bytes_per_number` come?"""
    return 8 * score_bytes(batch, heads, tokens, bytes_per_number)


@score_bytes.misconception
def takes_bytes_for_bits(batch, heads, tokens, bytes_per_number=4):
    """There is a division by 8 in your number.
    That would be right if `bytes_per_number` came in bits; its name says that it does not.
    Use it as it is."""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 8


@score_bytes.misconception(size=(2, 4, 8, 16, 32))
def assumes_the_size_of_a_number(batch, heads, tokens, bytes_per_number=4, *, size):
    """Your result is right where a number takes {size:g} bytes, and stays the same where it takes more or less.
    There are several floating types, and the caller says with `bytes_per_number` how large one number is.
    Where does that parameter enter your product?"""
    return score_bytes(batch, heads, tokens, size)


@score_bytes.misconception(default=(1, 2, 8, 32))
def takes_another_default(batch, heads, tokens, bytes_per_number=None, *, default):
    """Where nobody says how large a number is, your function takes {default:g} bytes.
    The stub says what to assume then: a default is part of what a function promises.
    Compare your first line with the stub's."""
    return score_bytes(batch, heads, tokens, bytes_per_number or default)


@score_bytes.misconception(unit=(1e3, 1e6, 1e9), whole=(False,))
@score_bytes.misconception(unit=(1e6,), whole=(True,))
def counts_in_decimal_units(batch, heads, tokens, bytes_per_number=4, *, unit, whole):
    """Your number comes in units of {unit:,.0f} bytes.
    KB, MB and GB are good for reading. This function is asked for plain bytes.
    Where does your code divide?"""
    units = score_bytes(batch, heads, tokens, bytes_per_number) / unit
    return units // 1 if whole else units


@score_bytes.misconception(power=(10, 20, 30))
def counts_in_binary_units(batch, heads, tokens, bytes_per_number=4, *, power):
    """Your number comes in units of 2 to the power of {power:g} bytes.
    Such units, made of steps of 1024, are good for reading. This function is asked for plain bytes.
    Where does your code divide?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 2**power


@score_bytes.misconception
def shares_the_map_among_the_heads(batch, heads, tokens, bytes_per_number=4):
    """In your number more heads need *less* memory: it is divided by the heads.
    What heads share are the features, model_size / heads each. A score has no features left; they were summed away.
    How large is the map of one head?"""
    return score_bytes(batch, 1, tokens, bytes_per_number) / heads


@score_bytes.misconception
def squares_the_heads(batch, heads, tokens, bytes_per_number=4):
    """In your number the heads stand twice.
    No head meets another one in the scores; each makes its own map of tokens by tokens.
    Twice the heads, how many times the maps?"""
    return score_bytes(batch, heads**2, tokens, bytes_per_number)


@score_bytes.misconception
def squares_the_batch(batch, heads, tokens, bytes_per_number=4):
    """In your number the batch stands twice.
    Texts of a batch do not meet; each has its own maps.
    Twice the texts, how many times the maps?"""
    return score_bytes(batch**2, heads, tokens, bytes_per_number)


@score_bytes.misconception
def cubes_the_tokens_of_a_map(batch, heads, tokens, bytes_per_number=4):
    """In your number the tokens stand three times.
    A map has two sides, queries and keys, and both are tokens.
    Which third side did you count?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * tokens


@score_bytes.misconception(factor=(2, 3, 4))
def stores_several_copies(batch, heads, tokens, bytes_per_number=4, *, factor):
    """Your product has a factor of {factor:g} too much.
    A program may well keep the scores, the weights, and gradients for both. This function counts the scores once, and
    nothing else.
    Which factor in your product does not belong to a size?"""
    return factor * score_bytes(batch, heads, tokens, bytes_per_number)


@score_bytes.misconception
def stores_half_of_the_map(batch, heads, tokens, bytes_per_number=4):
    """Your product has a factor of 1/2 too much, as if a causal mask had saved one half of each map.
    A mask hides scores, it does not make them smaller: a blocked score still has its place in the array.
    How many fields does the whole map have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 2


@score_bytes.misconception(diagonal=(1, -1))
def stores_a_triangle(batch, heads, tokens, bytes_per_number=4, *, diagonal):
    """In your number the map is a triangle: half of it, with or without the diagonal.
    A causal mask blocks the other half, but the array keeps a place for it, and no mask saves anything here.
    How many fields does the whole map have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * (tokens + diagonal) / (2 * tokens)


@score_bytes.misconception
def leaves_out_the_diagonal(batch, heads, tokens, bytes_per_number=4):
    """In your number a token does not meet itself: tokens · (tokens - 1) pairs.
    Its own key is one of the keys that a query looks at, so there is a score for it, too.
    How many columns does each row have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * (tokens - 1) / tokens


@score_bytes.misconception(sides=(1, 2))
def adds_a_row_to_the_map(batch, heads, tokens, bytes_per_number=4, *, sides):
    """In your number each map is larger than tokens by tokens: by one row or one column, or by both.
    Or something else is stored beside each row, such as its maximum or its sum.
    Rows are queries, columns are keys, and in self-attention both are the tokens themselves.
    Where does one more come from?"""
    row = score_bytes(batch, heads, tokens, bytes_per_number) / tokens
    return row * (tokens + 1) if sides == 1 else row * (tokens + 1) ** 2 / tokens


@score_bytes.misconception(bits=(16,))
@score_bytes.misconception(on="huge", bits=(32,))
def measures_in_too_few_bits(batch, heads, tokens, bytes_per_number=4, *, bits):
    """Your number is right while it is small.
    A large one has no room in an integer of {bits:g} bits: its upper bits are lost, without an error.
    Python's own whole numbers have no end.
    Which line makes another kind of number of the sizes?"""
    return in_bits(score_bytes(batch, heads, tokens, bytes_per_number), bits)


@score_bytes.misconception
def adds_in_place_of_multiplying(batch, heads, tokens, bytes_per_number=4):
    """In your number batch, heads and the map are added up.
    For each item of the batch there is every head, and for each head a whole map: choices multiply.
    How many maps are there with 2 items and 3 heads?"""
    return (batch + heads + tokens**2) * bytes_per_number


@score_bytes.misconception(features=(32, 64, 128))
def gives_scores_features(batch, heads, tokens, bytes_per_number=4, *, features):
    """Your product has a factor of {features:g} too much, as if each score had {features:g} features.
    Queries and keys have features. A score is one number: the dot product has summed over them.
    What is the shape of the scores?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * features


@score_bytes.misconception(form=(0, 1, 2, 3, 4))
def takes_the_caret_for_a_power_of_tokens(batch, heads, tokens, bytes_per_number=4, *, form):
    """Your numbers are those of a formula with `^` in it.
    In Python this sign is no power: it compares two numbers bit by bit, and it does so after all products of its line.
    Look up how Python writes a power; a product of the number with itself will do as well."""
    return (
        batch * heads * tokens ^ 2 * bytes_per_number,
        batch * heads * (tokens ^ 2) * bytes_per_number,
        bytes_per_number * batch * heads * tokens ^ 2,
        tokens ^ 2 * batch * heads * bytes_per_number,
        (batch * heads * tokens ^ 2) * bytes_per_number,
    )[form]


@score_bytes.misconception(features=(32, 64, 128))
def gives_the_bytes_of_keys_and_values(batch, heads, tokens, bytes_per_number=4, *, features):
    """In your number each token has 2 · {features:g} numbers in each head: a key and a value, say.
    Keys and values are what a model keeps while it writes. The scores are something else: one number for every *pair*
    of tokens.
    Where do the tokens stand in your product a second time?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens * 2 * features


score_bytes.hints_for(
    "forgets_the_batch",
    "forgets_the_heads",
    "squares_the_heads",
    "squares_the_batch",
    "shares_the_map_among_the_heads",
    hints=(
        "Count the maps first, and what one of them holds later. "
        "Every head of every text makes a map of its own. "
        "So maps are like the rooms of a hotel, floors times rooms on a floor. "
        "With twice the floors there are twice the rooms, and with twice the rooms on a floor as well. "
        "Neither of the two numbers makes a room smaller.",
        "Change one thing at a time. "
        "Call your function with a batch of 1, 2 and 4 and all else equal, and then with 1, 2 and 4 heads. "
        "Each time the result should be doubled, and doubled again. "
        "Which of the two does something else: does it stay, fall, or grow too fast? "
        "How often does this name stand in your code, and behind which sign?",
        "In the product, the batch is a factor once, and the heads are a factor once. "
        "Nothing is divided by either of them, and neither is squared. "
        "A loop over one of them does the same, if it adds whole maps in every turn. "
        "The tokens and the bytes have nothing to do with this.",
    ),
)

score_bytes.hints_for(
    "counts_numbers_in_place_of_bytes",
    "assumes_the_size_of_a_number",
    "takes_another_default",
    hints=(
        "How many numbers there are, and how large each of them is, are two questions. "
        "The shape answers the first, and the type answers the second: in `float16` the same map takes half of what "
        "it takes in `float32`. "
        "So the size of a number is a parameter. "
        "Its default belongs to the promise as well: it holds for all who do not mention a type.",
        "Call your function with one item, one head and one token, so that there is a single score. "
        "Try 2, 4 and 8 bytes for a number, and then leave this argument out. "
        "You should get 2, 4, 8, and the default of the stub. "
        "Which of them differs? "
        "Look at your first line, and where `bytes_per_number` stands below it.",
        "Leave the first line as the stub has it, with its default. "
        "In the body the parameter `bytes_per_number` is one factor of the product. "
        "No written number takes its place or stands in for its default, and no line gives it a new value. "
        "Then a single score takes as many bytes as the caller says.",
    ),
)

score_bytes.hints_for(
    "counts_bits",
    "takes_bytes_for_bits",
    "counts_in_decimal_units",
    "counts_in_binary_units",
    hints=(
        "The same amount of memory can be written in bits, in bytes, in megabytes. "
        "A function on which others build gives it in one agreed unit, and leaves it to them to write it nicely. "
        "Here numbers come in with their size in bytes, and the result goes out in bytes. "
        "So on the way no unit has to be turned into another.",
        "Call your function with one item, one head and one token, at 4 bytes for a number. "
        "One score takes 4 bytes, so 4 should come out. "
        "A 32 speaks of bits, a 0.5 of a division by 8, and a very small number of larger units. "
        "Then look for 8, 1000, 1024, `1e6` or `2**20`, in the product and behind it.",
        "Return the product of all sizes and the bytes of a number as it is. "
        "It is not multiplied by 8, and not divided by 8, by a thousand or by 1024. "
        "If you want to read it in megabytes, divide in the cell in which you print it.",
    ),
)

score_bytes.hints_for(
    "forgets_the_keys",
    "doubles_tokens_instead_of_squaring",
    "cubes_the_tokens_of_a_map",
    hints=(
        "Draw the map: a row for each token that looks, and a column for each token that is looked at. "
        "In self-attention these are the same tokens, so the map is as high as it is wide. "
        "How many fields it has is its height times its width. "
        "A field holds one number, so there is no depth to it.",
        "Call your function with one item, one head, 6 tokens, and 1 byte for a number. "
        "The map has 36 fields, so 36 should come out. "
        "A 6 means that one side is missing, a 12 that the sides were added, and a 216 that there is a third one. "
        "Then look at each place where `tokens` stands in your code.",
        "In your product the tokens are a factor two times, once for the queries and once for the keys. "
        "Write the name twice with a star between, or a power with two stars. "
        "The batch, the heads and the bytes of a number stand beside it once each.",
    ),
)

score_bytes.hints_for(
    "adds_a_row_to_the_map",
    hints=(
        "A map of scores is a table whose rows and whose columns are the same tokens. "
        "So it has as many rows as columns, and as many of both as there are tokens. "
        "What softmax makes of a row, a maximum or a sum, is a number of its own and no score. "
        "This function counts the scores and nothing beside them.",
        "Call your function with one item, one head, and 1 byte for a number, for 1, 2 and 3 tokens. "
        "It should give 1, 4 and 9. "
        "How much more do you get each time: always as much as there are tokens, or more? "
        "Then look for a + in your code, or for a `range` that goes one step too far.",
        "The tokens stand twice in the product, both times as they come in, with nothing added. "
        "If you count in loops, both loops make as many turns as there are tokens. "
        "If you build an array, its last two sizes are equal.",
    ),
)

score_bytes.hints_for(
    "measures_in_too_few_bits",
    hints=(
        "A number in an array has a fixed number of bits, like the wheels of a meter in an old car. "
        "After the largest number comes the smallest one, and nobody is told. "
        "Scores fill memory so fast that their bytes soon need more than 32 bits. "
        "Python's own whole numbers get more wheels when they need them.",
        "Call your function with 16 items, 32 heads, 256 tokens and 128 bytes for a number: "
        "it should be 4294967296. "
        "Then print the type of each step, with `type(...)` or `.dtype`. "
        "Where does a type such as `int32` or `int16` come in: in an array, in a tensor, in a conversion?",
        "Multiply the parameters as they come in, with stars and without any array; then every step is Python's. "
        "If you want an array of the sizes, give it a type with room, `int64` or `float64`, "
        "before anything is multiplied, and not after it.",
    ),
)

score_bytes.hints_for(
    "stores_half_of_the_map",
    "stores_a_triangle",
    "leaves_out_the_diagonal",
    hints=(
        "An array is a rectangle, and memory is set aside for all of it. "
        "A mask takes no places out: it writes something else into them, and minus infinity takes as many bytes as "
        "any other number. "
        "The diagonal belongs to the map like the rest. "
        "So what counts is how many places there are, and not how many of them are used.",
        "Call your function with one item, one head, 4 tokens, and 1 byte for a number. "
        "The map has 16 fields. "
        "An 8 is half of it, a 10 and a 6 are the triangles with and without the diagonal, and a 12 is the square "
        "without it. "
        "Then find the line: a division by 2, a plus or minus 1, a loop that stops at the query, a `tril`.",
        "The number of fields is the tokens times the tokens, the full square, with nothing taken off. "
        "If you count in loops, both of them run over all tokens, from the first to the last. "
        "Whether a mask is used later makes no difference here: each score has its place before a mask comes.",
    ),
)

score_bytes.hints_for(
    "adds_in_place_of_multiplying",
    hints=(
        "Where something is chosen in several steps, the numbers of choices are multiplied. "
        "Two shirts and three pairs of trousers make six outfits, and not five. "
        "A score is chosen in four steps: which text, which head, which query, which key. "
        "A plus is for things that lie side by side, such as two arrays that are stored both.",
        "Call your function with 3 items, 4 heads, 1 token, and 1 byte for a number. "
        "There are twelve maps with one field each, so 12 should come out. "
        "Then ask torch how many numbers a shape has: `torch.zeros(3, 4, 5, 5).numel()`. "
        "How does what it says come from the four sizes?",
        "Exchange every plus between two sizes for a star: batch, heads, tokens, tokens and bytes are the factors of "
        "one product. "
        "If you count in loops, put the loop over the heads inside the one over the batch, and add a whole map in "
        "each turn. "
        "Then every text gets all of its heads.",
    ),
)

score_bytes.hints_for(
    "stores_several_copies",
    hints=(
        "How much a program keeps depends on how it is written: scores, weights, a mask, gradients. "
        "Two people who count all of that seldom agree. "
        "So this function asks for one thing, the scores, once. "
        "That makes it a good measure: who stores two arrays of this size takes its result twice.",
        "Call your function with one item, one head, one token, and 1 byte for a number. "
        "There is a single score of one byte, so 1 should come out; what you get is the factor that is too much. "
        "Then look for it: a written number, a sum of two equal things, or a size in bytes beside the parameter that "
        "says it already.",
        "Each factor of the product is a parameter: the batch, the heads, the tokens as queries, the tokens as keys, "
        "the bytes of a number. "
        "No written number is needed beside them. "
        "If you add up several arrays, keep the scores and leave out the rest.",
    ),
)

score_bytes.hints_for(
    "gives_scores_features",
    "gives_the_bytes_of_keys_and_values",
    hints=(
        "Here lists become numbers. "
        "A query and a key have a list of features each; their dot product adds up along this list, and one number is "
        "left for the pair. "
        "So features decide how long it takes to make a score, and not how much room it takes afterwards. "
        "What the scores have many of are pairs.",
        "Make some scores and look at their shape: a tensor of shape (1, 2, 5, 64) times another one with its last "
        "two axes swapped. "
        "Where has the 64 gone, and what do the last two numbers count? "
        "Then look in your code for a 32, a 64 or a 128, for a name such as `head_size`, and for a 2 that counts keys "
        "and values.",
        "The factors are the four axes of the scores, and then the bytes: batch, heads, queries, keys. "
        "The last two are both the tokens, so the tokens stand in the product twice. "
        "The size of a head is not among them, and the function does not even get it; whatever stands for it goes.",
    ),
)

score_bytes.hints_for(
    "takes_the_caret_for_a_power_of_tokens",
    hints=(
        "Python reads a line in its own order, and this sign comes after the products. "
        "So on its two sides may stand whole products, and not the small pieces that you meant. "
        "With brackets around it other numbers meet, but it works on their bits all the same, and that is no power. "
        "There is no error, because all whole numbers have bits.",
        "Try the piece by itself, in a cell of its own: what does your way of writing a square make of 5, and of 10? "
        "It should be 25 and 100. "
        "Then look at the whole line, and ask of each sign what stands on its two sides. "
        "Is the square worked out before all the rest?",
        "The tokens are to be multiplied by themselves. "
        "A power has two stars in Python; it is worked out before the products, and needs no brackets. "
        "Or write the name twice, with one star between. "
        "The other factors of the line, batch, heads and bytes, are fine as they are.",
    ),
)
