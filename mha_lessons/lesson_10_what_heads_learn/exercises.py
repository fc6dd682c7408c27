"""Lesson 10: what heads learn, and what a map of weights does not tell."""

from autograder.exercise import Question

equal_start = Question(
    answer="b",
    wrong={
        "a": "Each has matrices of its own, but equal numbers in them. "
        "Equal numbers get equal slopes. What could make the first difference?",
        "c": "A slope knows nothing of waste: it tells each parameter where downhill is. "
        "What does it tell two parameters that are in the same position?",
        "d": "Nothing is forbidden here. Every slope exists, and every step can be taken.",
    },
)


equal_maps = Question(
    answer="c",
    wrong={
        "a": "Values are what is mixed. They have no part in the shares, so the maps may well differ.",
        "b": "The keys are then equal, but each head still asks with queries of its own.",
        "d": "Keys and values are then equal, but each head still asks with queries of its own.",
    },
)


rank_of_scores = Question(
    answer=3,
    wrong={
        10: "The table is 10 by 10, but look at the sum above the code: of how many rows is every row a mixture? "
        "(After softmax the rank would be 10.)",
        30: "30 is how many numbers the queries hold, or the keys. A rank counts rows: how many are enough?",
        100: "100 is how many scores there are. A rank counts rows: how many are enough to make all the others?",
        0: "With no rows one can mix only zeros. Look at the sum above the code: of what is each row made?",
        2: "Two rows are too few. Look at the sum above the code: how many columns of the keys are mixed?",
        4: "Four are more than needed. Look at the sum above the code: how many terms has it?",
        6: "Queries and keys have 3 features each, but these meet, and do not add up.",
        1: "One row is enough only if all rows are multiples of each other. Here each query has 3 features.",
        9: "The rank of a product is at most that of its thinner factor. How many columns has the query?",
    },
)


favourites_of_a_thin_head = Question(
    answer=2,
    wrong={
        64: "With one feature a query can say only two things: the larger the better, or the smaller the better.",
        1: "A positive query and a negative one do not choose the same key.",
        32: "Think of the keys in a row, from the smallest to the largest. Which of them does a positive query choose?",
        63: "Think of the keys in a row, from the smallest to the largest. Which of them does a positive query choose?",
        62: "Those are the keys that *cannot* win. The question asks for the others.",
        8: "8 is what you will measure with two features. Here there is one.",
        0: "Each query has a favourite, so there is one at least. Is it the same for all queries?",
        10: "The 10 keys were those of the example above. Here are 64, on one line. Which one does the query 2 choose?",
        128: "There are only 64 keys. Which of them does a positive query choose, and which a negative one?",
        3: "Can a key between two others ever have the largest product with one number?",
    },
)


why_more_heads = Question(
    answer="b",
    wrong={
        "a": "No one has such a list, and heads do not work like that: one head may serve several relations, "
        "and many heads turn out to be superfluous. Look at the table of models: which column hardly changed?",
        "c": "It is the other way round: each head has a map of its own.",
        "d": "The matrix products cost the same, whatever the number of heads: you have proved it above.",
    },
)


what_one_head_can_do = Question(
    answer="b",
    wrong={
        "a": "The map shows one head that serves two relations: *I* looks at its verb, *love* at its object. "
        "Each query has a row of its own.",
        "c": "Width does not help here. A query has one row of weights in each head, and all features are mixed by it. "
        "To keep two mixtures apart, a query needs two heads.",
    },
)


what_keeps_heads_apart = Question(
    answer="d",
    wrong={
        "a": "The usual loss looks at the model's output only. It knows nothing of heads. "
        "(Some researchers have added such a term; the models in this lesson do without.)",
        "b": "Softmax runs within one row of one head. No head appears in another one's sum.",
        "c": "W_O comes after the maps, and takes whatever the heads hand on. Nothing in it forbids two equal heads.",
    },
)


dog_against_sep = Question(
    answer=10,
    wrong={
        9: "9 is the ratio of the weights, 0.9 to 0.1, and it speaks for [SEP]. "
        "Or you have 90 times 0.1: there, the weight of [SEP] is missing. "
        "Each of the two tokens needs its weight *and* the length of its value.",
        0.009: "That is how far [SEP] moves the output. How many times as far does *dog* move it?",
        81: "That gives the weight of 0.9 to *dog*. In the question [SEP] has it, and *dog* has 0.1.",
        90: "90 is the ratio of the lengths. The weights count as well, and [SEP] has the larger one.",
        0.1: "You divided the smaller by the larger. How many times as far does *dog* move it?",
        0.111: "That is the ratio of the weights. The lengths of the values count as well.",
        810: "The ratio of the lengths is 90 for *dog*, that of the weights is 9 against it. So divide.",
        0.09: "That is how far *dog* moves the output. Compare it with how far [SEP] does.",
        0.081: "That is a difference. *How many times as far* asks for a ratio.",
        1: "A larger weight does not always balance a shorter value. Multiply each weight with its length.",
        100: "The weight of *dog* is missing: its value has length 0.9, and only a part of it is taken.",
        0.9: "0.9 is the length of one value, and the weight of the other token. Multiply weight and length for each.",
        0.81: "That is 0.9 times 0.9, and these belong to different tokens. Which weight has *dog*?",
    },
)


who_tells_the_article = Question(
    answer="b",
    wrong={
        "a": "The article is the first word of the sentence: before it, nothing is written but the start sign.",
        "c": "Then half of all first articles would have the other gender, and in our run none of them had.",
        "d": "The feed-forward part sees one token at a time. If the gender is not in what this token has gathered, "
        "it cannot find it.",
    },
)
