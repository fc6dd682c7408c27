"""What people get wrong about `to_allowed`, and what helps them."""

import numpy as np

from autograder.exercise import Refused
from mha_lessons.lesson_01_softmax.exercises import softmax

from ..exercises import to_allowed


@to_allowed.misconception
def takes_every_mask_as_allowed(mask, convention):
    """Your result is the mask as booleans, whatever the convention is.
    As a boolean, every number but 0 is True, minus infinity included.
    In three of the four conventions this turns the meaning round.
    Ask for each convention which entry means "may look"."""
    return mask != 0


@to_allowed.misconception
def leaves_blocked_as_it_is(mask, convention):
    """In the convention "blocked" your result still has True where a key is blocked.
    There, True is a barrier; here it is a permission.
    Which operator turns booleans round?"""
    return mask if convention == "blocked" else to_allowed(mask, convention)


@to_allowed.misconception
def turns_allowed_round(mask, convention):
    """A mask in the convention "allowed" came back turned round.
    That convention is ours already: True means "may look".
    For this one there is nothing to do."""
    return ~mask if convention == "allowed" else to_allowed(mask, convention)


@to_allowed.misconception
def exchanges_allowed_and_blocked(mask, convention):
    """Your two boolean conventions are exchanged: "allowed" was turned round, "blocked" was not.
    The name says what True means there.
    The result always has True where a query may look."""
    other = {"allowed": "blocked", "blocked": "allowed"}
    return to_allowed(mask, other.get(convention, convention))


@to_allowed.misconception
def reads_additive_as_a_switch(mask, convention):
    """In the convention "additive" your result is turned round: True stands where a key is blocked.
    There 0 is added to what may be seen, and adding 0 changes nothing.
    Made boolean, 0 is False and minus infinity is True. So which entry means "may look"?"""
    return mask != 0 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def reads_one_as_allowed(mask, convention):
    """In the convention "blocked_float" your result is turned round: 1 was taken for "may look".
    There a 1 is multiplied by -1e9 and added to the score, so that the key is lost.
    Which number leaves the score as it is?"""
    return mask == 1 if convention == "blocked_float" else to_allowed(mask, convention)


@to_allowed.misconception
def reads_both_kinds_of_numbers_as_switches(mask, convention):
    """In both conventions with numbers your result is turned round: True stands where the number is not 0.
    In both of them 0 is the entry that leaves a score as it is.
    So which entries mean "may look"?"""
    return mask != 0 if convention in ("additive", "blocked_float") else to_allowed(mask, convention)


@to_allowed.misconception
def asks_for_numbers_above_zero(mask, convention):
    """In the convention "additive" nothing is allowed any more in your result.
    Its entries are 0 or far below 0, and what you ask for is neither: a number above 0, a 1 for example.
    The 0 itself is the entry that lets a query look."""
    return mask > 0 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def lets_every_one_through(mask, convention):
    """In the convention "blocked_float" everything is allowed in your result.
    Your comparison asks for numbers that are not far below 0, as suits "additive", and here a blocked key is a 1.
    Which single number means "may look" in both conventions?"""
    return mask >= 0 if convention == "blocked_float" else to_allowed(mask, convention)


@to_allowed.misconception(number=(1, 1.0))
def answers_in_numbers(mask, convention, *, number):
    """Your result holds the numbers 1 and 0, not True and False.
    A mask of this course is boolean: numbers would be added or multiplied by the next line that meets them.
    A comparison gives booleans by itself."""
    return to_allowed(mask, convention) * number


@to_allowed.misconception
def answers_in_numbers_to_add(mask, convention):
    """Your result is a mask to be added to scores, with 0 and minus infinity.
    You translated the other way: into "additive".
    The result should be ours, boolean, with True where a query may look."""
    return np.where(to_allowed(mask, convention), 0.0, -np.inf)


@to_allowed.misconception
def answers_what_is_blocked(mask, convention):
    """All your results are turned round: True stands where a key is blocked.
    You translated into the convention of `nn.MultiheadAttention`.
    Ours is the other one: True means "may look"."""
    return ~to_allowed(mask, convention)


@to_allowed.misconception(on="finite_fill")
def knows_minus_infinity_only(mask, convention):
    """A mask to add may hold a very large negative number, such as -1e9, in place of minus infinity; your code takes
    that for "may look".
    What softmax makes of it is 0 all the same.
    Ask for the entry that allows, instead of one of those that block."""
    return mask != -np.inf if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def knows_minus_a_billion_only(mask, convention):
    """In the convention "additive" your code looks for one number, -1e9, and takes minus infinity for "may look".
    There are many ways to write "very negative", and a single one to write "may look".
    Ask for the entry that allows, instead of one of those that block."""
    return mask != -1e9 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def lets_every_number_to_add_through(mask, convention):
    """In the convention "additive" everything is allowed in your result, whatever is added to a score.
    Its entries are 0 or far below 0, and your comparison lets both through.
    One of the two leaves a score as it is. Which question is true for that one alone?"""
    return mask <= 0 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def exchanges_the_two_kinds_of_numbers(mask, convention):
    """In both conventions with numbers everything is allowed in your result.
    "additive" marks a blocked key by a very negative number, "blocked_float" by a 1, and your code looks for each of
    them in the other's masks.
    Which single number means "may look" in both?"""
    exchanged = {"additive": mask != 1, "blocked_float": mask >= 0}
    return exchanged[convention] if convention in exchanged else to_allowed(mask, convention)


@to_allowed.misconception(on="finite_fill")
def asks_for_a_billion(mask, convention):
    """A mask to add may block with -1e4 or -65504, as models in float16 do, and your code takes these for "may look".
    Its bound is too far below zero: such a score is lost in softmax all the same.
    Which number adds nothing to a score? Compare with that."""
    return mask > -1e8 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception(on="finite_fill")
def lets_the_bound_itself_through(mask, convention):
    """A mask to add blocks with -1e4 or less; your code takes an entry of exactly -1e4 for "may look".
    Its bound is a little too low.
    It need not lie so near to what is blocked: which number adds nothing to a score?"""
    return mask >= -1e4 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception(on="dead_row", place=("a row", "the mask"))
def compares_entries_with_each_other(mask, convention, *, place):
    """Where all entries of {place} block, with a large negative number, they became allowed.
    They were looked at together, by softmax or a comparison, or opened on purpose.
    Each entry says by itself what it means. Ask it, without its neighbours."""
    if convention != "additive":
        return to_allowed(mask, convention)
    compared = mask if place == "a row" else mask.reshape(-1)
    return (softmax(compared) > 0).reshape(mask.shape)


@to_allowed.misconception(constant=("allowed", "blocked", "additive", "blocked_float"))
def refuses_a_convention(mask, convention, *, constant):
    """Your code says no to the convention "{constant}", though it is one of the four.
    Does one of your questions ask for it, with the same spelling, and with `==`?
    `is` asks whether two texts are one and the same object in memory, and two equal texts need not be."""
    if convention == constant:
        raise Refused(convention)
    return to_allowed(mask, convention)


_CONVENTIONS = ("allowed", "blocked", "additive", "blocked_float")


@to_allowed.misconception(on="unknown")
def lets_an_unknown_convention_through(mask, convention):
    """For a convention that nobody has heard of, your code returns the mask as it is.
    A typing mistake in that text would then turn a model's masks round, and nobody would be told.
    Refuse it, with a ValueError that names the four that you know."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else mask


@to_allowed.misconception(on="unknown")
def turns_an_unknown_convention_round(mask, convention):
    """For a convention that nobody has heard of, your code turns the mask round: its last branch takes all that is
    left over.
    A typing mistake in that text would then turn a model's masks round, and nobody would be told.
    Give the fourth convention a branch of its own, and refuse the rest."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else ~mask


@to_allowed.misconception(on="unknown")
def says_nothing_about_an_unknown_convention(mask, convention):
    """For a convention that nobody has heard of, your code returns None.
    In our functions None means "everything is allowed", so a typing mistake would take the mask away, and nobody
    would be told.
    After the last branch, raise a ValueError that names all four."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else None


@to_allowed.misconception(on="misspelled")
def takes_a_piece_for_a_name(mask, convention):
    """A convention that does not exist passes, since it is a piece of a name, as "allow" is of "allowed".
    Between two texts, `in` asks whether one is a piece of the other, and brackets around a single text make no tuple.
    Which question is true for equal texts only?"""
    return to_allowed(mask, next((name for name in _CONVENTIONS if convention in name), convention))


@to_allowed.misconception(on="misspelled")
def finds_a_name_in_a_longer_text(mask, convention):
    """A convention that does not exist passes, since it has a name in it, as "blocked_bool" has "blocked".
    Your code looks for that name in the text, or at how the text begins, and not at the whole of it.
    Which question is true for equal texts only?"""
    return to_allowed(mask, next((name for name in _CONVENTIONS[::-1] if name in convention), convention))


to_allowed.hints_for(
    "leaves_blocked_as_it_is",
    "turns_allowed_round",
    "exchanges_allowed_and_blocked",
    hints=(
        "Both conventions are boolean, and each has its name from what True means in it. "
        "Our masks have one meaning for True: may look. "
        "So ask of each of the two whether its True says the same as ours or the opposite. "
        "One can pass as it is, and one cannot.",
        "Try a mask with two entries, True and False, in both conventions. "
        'From "allowed" it should come back as True, False, and from "blocked" as False, True. '
        "Compare your branches with that: which of them turns its mask round? "
        "And does each branch ask for the text that you think?",
        'In the branch for "allowed", the mask is returned as it came. '
        'In the branch for "blocked", each entry is turned round before it is returned. '
        "For a boolean tensor `~` does this, entry by entry; `not` cannot, since it wants a single True or False.",
    ),
)

to_allowed.hints_for(
    "takes_every_mask_as_allowed",
    "reads_additive_as_a_switch",
    "reads_one_as_allowed",
    "reads_both_kinds_of_numbers_as_switches",
    hints=(
        "Made boolean, a number tells whether something is there. "
        "That says how a mask is written, and not what it means. "
        "In three of the four conventions, something there means that a key is blocked: a True, a 1, a very negative "
        "number. "
        "Nothing there, a False or a 0, means that it may be seen.",
        "Make a small table. "
        "For each convention write down one entry that lets a query look, and one that blocks. "
        "Beside them write what your code makes of the two. "
        "Where the answers are exchanged, look for `.bool()`, `!= 0` or `== 1` in that branch, or for one branch that "
        "does the work of several.",
        'For both kinds of numbers, compare each entry with the one number that means "may look". '
        "The comparison is True there and False everywhere else, whatever stands for blocked. "
        'For "blocked", turn the booleans round. '
        'Only "allowed" can pass as it is.',
    ),
)

to_allowed.hints_for(
    "asks_for_numbers_above_zero",
    "lets_every_one_through",
    "lets_every_number_to_add_through",
    "exchanges_the_two_kinds_of_numbers",
    hints=(
        "The two conventions with numbers agree on who may look, and differ in how they block: one by a very negative "
        "number, the other by a 1. "
        "A comparison made to find the blocked entries of one says nothing about the other. "
        "It is safer to ask for what they have in common.",
        'Write down four entries: 0 and minus infinity for "additive", 0 and 1 for "blocked_float". '
        "Put each into the comparison of its branch, by hand, and note True or False. "
        "Both zeros should give True, and the other two False. "
        "Which of the four is not so?",
        "One branch can serve both kinds of numbers, with one comparison: is the entry equal to the number that "
        "changes no score? "
        'Equal is enough, for no other number means "may look". '
        "With `<` or `>` you would also have to know on which side the blocked ones lie.",
    ),
)

to_allowed.hints_for(
    "knows_minus_infinity_only",
    "knows_minus_a_billion_only",
    "asks_for_a_billion",
    "lets_the_bound_itself_through",
    "compares_entries_with_each_other",
    hints=(
        "There are many ways to write that a key is blocked: minus infinity, -1e9, -65504, -1e4. "
        "There is one way to write that it may be seen. "
        "A rule about the one way misses none of the others. "
        "And it needs no neighbours, because each entry answers for itself.",
        'Try a row with the entries 0, -10000, -1e9 and minus infinity, in the convention "additive": the first '
        "should be True, and the other three False. "
        "Then try a row of -1e9 only, where all should be False. "
        "Which entry comes out wrong, and what does your comparison say about it?",
        "Special numbers, bounds and softmax are not needed. "
        'In the branch for "additive", compare each entry with 0. '
        "Equal means that it may be seen, unequal means blocked, however far below 0 it lies. "
        'The same comparison is right for "blocked_float".',
    ),
)

to_allowed.hints_for(
    "answers_in_numbers",
    "answers_in_numbers_to_add",
    "answers_what_is_blocked",
    hints=(
        "Four languages come in, and one goes out: the mask of this course. "
        'It is boolean, and its True means "may look". '
        "The functions that take it count on both, on the dtype and on the meaning. "
        "So the result is checked against ours, whichever convention came in.",
        "Print your result and its dtype for one mask in each convention. "
        "The dtype should be `torch.bool`, and True should stand where the entry that came in lets a query look. "
        "Then look at the last step of each branch, or at a step after all branches. "
        "What does it change?",
        "Each branch gives the mask itself, the mask turned round, or a comparison, and this is returned as it is. "
        "No `.float()`, no product and no `torch.where` with numbers comes after it. "
        "If True and False are exchanged everywhere, let each branch ask for the opposite.",
    ),
)

to_allowed.hints_for(
    "refuses_a_convention",
    hints=(
        "Four words have to be known, and each of them needs a question that it can answer with yes. "
        "A word that gets no yes anywhere runs on to the end, where the unknown ones are refused. "
        "So there are two ways to lose one: nobody asks for it, or the question is put so that it says no.",
        "Print each of your comparisons for the word that is refused, just before the error: which one should be "
        "True? "
        "Compare the spelling letter by letter, the underscore in `blocked_float` included. "
        "Then look at the sign between the two texts. "
        "Python warns at `is` beside a text in quotes, above the output of the cell.",
        "Give the word a branch, or a place in a branch that two words share: `in` asks for several at once. "
        "Equal texts are found with `==`. "
        "An `is` may work by luck when both texts stand in your own code, and fails for one that was read from a "
        "file or put together. "
        "Keep `is` for None.",
    ),
)

to_allowed.hints_for(
    "lets_an_unknown_convention_through",
    "turns_an_unknown_convention_round",
    "says_nothing_about_an_unknown_convention",
    hints=(
        "A mask that is read in a wrong way makes no noise: the model runs, and learns the wrong thing. "
        "An error at once, with the words that are known, saves somebody days of searching. "
        "So each of the four words has a door of its own, and for any other word there is none.",
        'Call your function with the convention "alowed", with a single l. '
        "Which line answers? "
        "It may be an `else`, a `return` behind all questions, or the end of the function, where Python returns None "
        "by itself. "
        "What should answer there?",
        "Ask for each of the four words by name, the last one included. "
        "What stands behind the last question is then reached by unknown words only. "
        "There stands no `return`: it is the place of the ValueError. "
        "A message that holds the word that came in helps whoever mistyped it.",
    ),
)

to_allowed.hints_for(
    "takes_a_piece_for_a_name",
    "finds_a_name_in_a_longer_text",
    hints=(
        "That two texts have something in common does not make them equal. "
        "A piece of a name is another text, and so is a name with something behind it. "
        "A letter too few is a frequent typing slip, and such a slip would go through. "
        "Each of the four names is known letter by letter, or it is not known.",
        'Call your function with the conventions "allow", "float", "blocked_bool" and "", an empty text. '
        "Each of the four should be refused. "
        "For each that is not, find the question that said yes, and print the two texts on both sides of its `in`. "
        "Is the right one a tuple of names, or one name? "
        "And does `startswith`, an index or a slice look at a part only?",
        "Ask with `==`, once for each name. "
        "If you like `in`, put at least two names on its right, with a comma between them: the comma makes the tuple, "
        "and the brackets do not. "
        "For a single name that would be a comma behind it. "
        "A dictionary with the four names as its keys knows no pieces either.",
    ),
)
