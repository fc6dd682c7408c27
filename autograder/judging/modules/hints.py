"""What helps against each fault of a class: three hints, the concept, the place, the line, by the fault's name."""

HINTS = {}  # name of a fault -> its three hints


def hints_for(*faults, hints):
    """One set of hints may help against several faults."""
    HINTS.update(dict.fromkeys(faults, hints))


# how a class is built

hints_for(
    "keeps_layers_out_of_sight",
    hints=(
        "A module keeps a list of everything in it that can learn. "
        "It writes this list by itself: whenever an attribute of `self` gets a parameter or another module, that is "
        "put down. "
        "It does not look inside a plain list, tuple or dict, so what stands there is a stranger to it. "
        "Training asks the module for this list, and so does saving.",
        "Print `[name for name, _ in layer.named_parameters()]` for a layer of yours. "
        "Which projections are missing there? "
        "Find the lines in `__init__` that make them. "
        "Is there a square bracket, a brace, or a comma at the end of the line?",
        "Give each projection an attribute with a name of its own. "
        "Where several belong together, and you want to go through them in a loop, take `nn.ModuleList`: it is a "
        "list that a module does look into. "
        "Then print the names once more.",
    ),
)

hints_for(
    "keeps_weights_as_plain_tensors",
    hints=(
        "A tensor is a table of numbers to compute with, and most tensors are gone when the call is over. "
        "A weight is to be learned, saved, and moved to a GPU. "
        "So it has to be marked as a weight, or no training will ever hear of it.",
        "Print how many parameters your layer has: `len(list(layer.parameters()))`. "
        "Are there as many as you make matrices? "
        "Look in `__init__` at each attribute that comes from `torch.randn`, `torch.rand` or `torch.zeros`. "
        "What stands around that call, and does anything tell the module that this is a weight?",
        "There are two ways. "
        "Keep the tensor, and wrap it: `nn.Parameter` goes around the call that makes the numbers. "
        "Or let `nn.Linear` make the matrix, from the two sizes. "
        "To set `requires_grad` is not enough, since the weight would still be missing on the module's list.",
    ),
)

hints_for(
    "shares_one_projection",
    hints=(
        "A query says what a token looks for, a key what it offers, a value what it hands over. "
        "With one matrix for two of them, these two are the same vector. "
        "Training cannot improve one of them then without changing the other. "
        "So each needs numbers of its own.",
        "Look at `__init__`: how often is `nn.Linear` called, and how many names get what it gives? "
        "A line with two signs `=` gives two names to one thing. "
        "A list that is multiplied by 3 holds one thing three times. "
        "Is there such a line?",
        "Let each projection be made by a call of its own, one line for each name. "
        "In a loop, this call has to stand inside the loop, so that it runs once for each. "
        "Then change one number of one matrix by hand, and see that the others stay.",
    ),
)

hints_for(
    "shares_one_attention",
    hints=(
        "The two attentions of a decoder do different work. "
        "One looks back over the words that have been written, the other looks into the memory. "
        "In a single module there is one set of matrices for both, and what helps the one may harm the other.",
        "In `__init__`, count how often `MultiHeadAttention` is called. "
        "Do two names stand in one line, with two signs `=`? "
        "Is the second attribute made from the first? "
        "Then print `layer.self_attention is layer.cross_attention`. "
        "It should be False, as two modules are never the same thing.",
        "Make two layers, by two calls, with the same sizes and the same dropout. "
        "The text of the exercise says which names they have. "
        "In `forward` use each of them once. "
        "Then print the names of all parameters: each of the two has its own four projections.",
    ),
)

hints_for(
    "wraps_the_layer_of_torch",
    hints=(
        "A ready-made layer does in one line what this exercise is about. "
        "The result is right, and how it comes about stays hidden. "
        "A layer that you write yourself lies open: you can look at its weights, change its scores, and find its "
        "mistakes.",
        "Search `__init__` for `nn.MultiheadAttention`. "
        "What does it do for you there? "
        "It projects, makes scores, hides what the mask hides, and mixes the values. "
        "For each of these steps the lessons so far have a function, or an `nn.Linear` does it.",
        "In `__init__` make the modules that the text of the exercise lists, each as an attribute of its own. "
        "In `forward` call them on their inputs, and hand what comes out to the functions of the lessons. "
        "In a decoder layer, the `MultiHeadAttention` of lesson 06 does the attending.",
    ),
)

hints_for(
    "wraps_our_layer",
    hints=(
        "The package `mha_ref` holds our version of each thing in this course, so that later lessons can build on "
        "earlier ones. "
        "A class that hands all its work to ours says nothing about yours. "
        "What you take with you from this exercise is a layer of your own.",
        "Look at your imports, and at what `__init__` makes. "
        "Which attribute is our layer of the same name? "
        "Then look at the functions that the lesson's first cell imports. "
        "You may use all of these, and they are the parts that your layer needs.",
        "Take our layer out, and make the modules that the text of the exercise lists, one attribute for each. "
        "In `forward` go through the steps of the lesson one by one, and use these modules where the lesson writes a "
        "matrix or a part.",
    ),
)

hints_for(
    "always_has_biases",
    hints=(
        "A bias is a row of learned numbers that is added after the product. "
        "It lets a projection shift everything that it gives. "
        "Here no such shift is wanted: a projection is the product with its matrix, and the layer learns as many "
        "numbers as its matrices have.",
        "Print `[name for name, _ in layer.named_parameters()]`: no name should end in `bias`. "
        "Which lines of `__init__` make those that do? "
        "`nn.Linear` makes a bias unless it is told something else. "
        "Do all of your calls tell it what is wanted?",
        "`nn.Linear` has an argument for this, and it is called `bias`. "
        "Where the exercise never wants one, say False in every call. "
        "Where your class itself is asked by `bias`, hand on what came in: then both wishes are obeyed.",
    ),
)

hints_for(
    "never_has_biases",
    "forgets_some_biases",
    hints=(
        "A projection with a bias can shift what it gives, for all tokens alike. "
        "Layers that others have trained have such numbers. "
        "If yours has no place for them, or not for all of them, the weights of others cannot be loaded, and results "
        "would differ.",
        "Print the names of your layer's parameters, as `named_parameters()` gives them. "
        "Beside the weight of each projection should stand its bias. "
        "Which weight is alone? "
        "Then look at the call that makes it: which arguments reach it, and at which places?",
        "Every projection should be told the same about its bias. "
        "In the layer of lesson 06 that is the `bias` which came in. "
        "In a decoder layer biases are always wanted, and `MultiHeadAttention` makes them if nobody says no. "
        "So hand over `dropout` by its name, and not at the place of `bias`.",
    ),
)


# what a layer keeps

hints_for(
    "registers_a_weight_twice",
    hints=(
        "A layer is saved as a table of names and numbers, its `state_dict()`. "
        "A weight with two names stands in it twice. "
        "Somebody may load other numbers under the second name than under the first, and then the last one wins, "
        "without a word. "
        "So one weight should have one name.",
        "Compare two lists: the names in `state_dict()`, and those that `named_parameters()` gives. "
        "The second list leaves out whatever comes again. "
        "Which names stand in the first list only? "
        "They tell you which attribute of `self` holds a thing that has a name already.",
        "Keep one attribute for each module or parameter. "
        "If you want to go through several in a loop, put them together in `forward`, in a variable that is gone "
        "afterwards. "
        "Or keep an `nn.ModuleList` of them, and no single names beside it.",
    ),
)

hints_for(
    "freezes_its_weights",
    hints=(
        "A weight learns by its gradient: training moves each number a small step against it. "
        "Where `requires_grad` is False, torch computes no gradient, and the weight stays as it was drawn. "
        "That is of use for weights that are finished. "
        "These are at their very beginning.",
        "Print `[name for name, p in layer.named_parameters() if not p.requires_grad]`. "
        "Which of your weights are on that list? "
        "Then search `__init__` for `requires_grad`. "
        "It may stand beside the line that makes these weights, or in a loop over all of them.",
        "Leave the weights as `nn.Linear` and `nn.Parameter` make them: they are ready to learn. "
        "If you want to set their first numbers yourself, do that inside `with torch.no_grad():`, which stops the "
        "notes for these lines alone, and leave the switch of each weight on.",
    ),
)

hints_for(
    "shares_weights_among_layers",
    hints=(
        "A model holds many layers of one class, and each of them learns something else. "
        "So the class is no more than a plan. "
        "Every layer that is built from it needs new numbers, and these have to be made while it is being built.",
        "Build two layers, and change one number of a weight in the first. "
        "Does it change in the second, too? "
        "Then look for what is made only once: in the class but above `def __init__`, outside of the class, or as a "
        "default in the line with `def`.",
        "Move what makes the weight into `__init__`, behind `super().__init__()`, and keep it as an attribute of "
        "`self`. "
        "There it runs once for each layer. "
        "What stands as a default in the line with `def` is made a single time, for all calls together.",
    ),
)

hints_for(
    "has_weights_without_effect",
    hints=(
        "Training asks of each weight how the result moves if the weight moves. "
        "For this one nothing moves. "
        "It takes room, it is saved and loaded, and whoever counts parameters counts it. "
        "Perhaps another weight does the work that it was made for.",
        "Take a layer, run it, and call `backward()` on the sum of what comes out. "
        "Then print the names of the parameters whose `grad` is None. "
        "Search `forward` for these names: are they missing, or is what they make never read again?",
        "Call the module in `forward` at the place that its name speaks of, on the input that its name speaks of, "
        "and go on with what it gives. "
        "If no work is left for it, take it out of `__init__`. "
        "Every name made there should be used.",
    ),
)

hints_for(
    "shares_one_norm",
    "has_too_few_norms",
    hints=(
        "A fresh norm has the factor 1 and adds 0, so one norm gives the same numbers as three. "
        "Training changes that: each part comes to want its features larger or smaller in its own way. "
        "With one norm for several parts, they have to agree on one way. "
        "A norm of its own costs little: two numbers for each feature.",
        "Print those names in `named_parameters()` that belong to norms. "
        "Three norms have six such names, a factor and a number to add for each of them. "
        "Which ones are missing? "
        "Then look at how `__init__` makes its norms: a list times three holds one thing three times.",
        "Let `nn.LayerNorm` be called three times: in three lines, or in a comprehension, whose body runs anew in "
        "each round. "
        "Keep them as three attributes, or in an `nn.ModuleList`. "
        "In `forward` each part reads through a norm of its own, and none is used twice.",
    ),
)

hints_for(
    "has_too_many_norms",
    hints=(
        "A norm in front of a part keeps the numbers that this part reads at a moderate size. "
        "There are three parts, so there are three norms. "
        "The memory comes ready to use, and what the last sum gives is handed on as it is.",
        "Count the norms in `__init__`, and look in `forward` where each of them is used. "
        "Each of the three parts has one in front. "
        "Do you find a further one: behind the last sum, for the memory, around what a part gives, or one that "
        "nobody calls?",
        "Keep three norms, each for the copy of `x` that goes into its part. "
        "The second attention gets the memory as it came in. "
        "What the third sum gives is what you return. "
        "If you keep the norms in a list, let it have three of them.",
    ),
)

hints_for(
    "remembers_an_earlier_call",
    hints=(
        "A layer is called many times, on other texts and with other masks. "
        "What it finds in one of them must not depend on which came before. "
        "So a call keeps what it makes in variables of its own. "
        "Only weights and sizes live longer. "
        "Then the same text gets the same answer in use, whoever has asked before.",
        "Search `forward` for each line that gives something to an attribute of `self` or of the class, and for each "
        "`if` that asks whether something is there already. "
        "Then call one layer twice, with a mask and then without, and compare with a new layer.",
        "Give what belongs to one call a plain name, without `self.`: it is gone when `forward` ends. "
        "Sizes and modules are made in `__init__`, kept with `self.`, and only read in `forward`. "
        "A list or a dict outside of the class takes no part.",
    ),
)

hints_for(
    "takes_equal_shapes_for_equal_numbers",
    hints=(
        "A shape says how many numbers there are, and nothing of what they are. "
        "Two texts of five words have the same shape, and so have the masks that hide their padding. "
        "What is kept may be used again only if it depends on the sizes alone, as a causal mask does. "
        "Whatever depends on numbers has to be computed from those that come in.",
        "Search `forward` for each `if` that compares a `shape`, or asks whether something is there already, and for "
        "each dict whose keys are shapes. "
        "What is kept there: does it depend on sizes alone, or on the numbers of an input? "
        "Call one layer twice, with two random inputs of one shape, and compare the second result with that of a new "
        "layer.",
        "Take out the condition, and compute what stands behind it in every call, under a plain name without `self.`. "
        "It costs little: the input has to be read anyway. "
        "Then repeat the comparison for each input by itself, for the mask above all.",
    ),
)

hints_for(
    "changes_what_it_saves",
    hints=(
        "The `state_dict()` is what remains of a training: parameters, and those buffers that are registered to be "
        "saved. "
        "Only training changes it. "
        "If a call puts something in, two copies of one model no longer fit each other, and a new layer refuses a "
        "file with names that it does not know.",
        "Print the names and the numbers of `state_dict()` before and after one call. "
        "Which of them is new, or another? "
        "Then search `forward`, and what it calls, for `register_buffer`, for `nn.Parameter`, for `.data`, and for "
        "methods with a `_` at their end.",
        "What one call needs gets a plain name in `forward`, and is gone afterwards. "
        "What depends on sizes alone may be a buffer that is not saved: `register_buffer` has an argument "
        "`persistent` for that. "
        "Parameters are made in `__init__`, and only read in `forward`.",
    ),
)

hints_for(
    "changes_its_mode",
    hints=(
        "A module is in train mode or in evaluation mode, and so are all its parts. "
        "Whoever uses it chooses: `train()` at the start of an epoch, `eval()` before looking at results. "
        "A layer that changes the mode by itself ends the training of its own dropout without a word.",
        "Print `layer.training` before and after a call, and the same of its parts: "
        "`[part.training for part in layer.modules()]`. "
        "Search `forward` for `self.eval()`, for `self.train()`, and for each line that gives something to `training`. "
        "Look into the methods that `forward` calls, too: which of these lines runs in an ordinary call?",
        "Take that line out: `forward` only reads `self.training`, if it needs it at all. "
        "An `nn.Dropout` that is made in `__init__` reads its own. "
        "To have a result without dropout, call `layer.eval()` outside of the class, before you call the layer.",
    ),
)

hints_for(
    "stops_dropping_after_a_call",
    "stops_dropping_after_evaluation",
    hints=(
        "A training has many epochs, and after each one looks at how good the model is: train, evaluate, train again. "
        "Dropout falls in every call in train mode, in the last epoch as in the first. "
        "So nothing that turns it off may last longer than the mode itself.",
        "Call your layer in train mode, then after `eval()`, then after `train()`, several times each, and print the "
        "probability of each dropout every time. "
        "Where does it become 0, or the dropout another module? "
        "Look in `forward`, and in `train` and `eval` if you have written these.",
        "Leave the dropout as `__init__` made it: in evaluation mode an `nn.Dropout` hands on what it gets. "
        "So `train` and `eval` of your own can go. "
        "If you need them for something else, let them call those of `super()`, and change nothing that does not come "
        "back.",
    ),
)

hints_for(
    "loses_something_when_saved",
    hints=(
        "Training can take weeks, and what is kept of it is the `state_dict()`. "
        "All numbers that a layer computes with, learned or drawn by chance, have to stand in it. "
        "If one is missing, the layer that is loaded is not the layer that was saved.",
        "Print the names in `state_dict()`, and write beside them the attributes that `forward` uses. "
        "Which attribute holds numbers, and stands in no name of the list? "
        "It may be a tensor that was drawn with `torch.randn`, or a layer that is made inside `forward`.",
        "Numbers that are learned are wrapped by `nn.Parameter`, or live in a module such as `nn.Linear`. "
        "Make them in `__init__`, and keep them with `self.`. "
        "Then build a second layer, load the first one's `state_dict()` into it, and compare both on one input.",
    ),
)

hints_for(
    "accepts_heads_that_do_not_divide",
    hints=(
        "Heads share out the columns evenly. "
        "Ten columns cannot be shared by three heads: one column is left over, and is either lost or the reason of "
        "an error much later. "
        "A layer that can never work should say so at the moment when somebody makes it.",
        "Make a layer with a model size of 10 and 3 heads: your class accepts it. "
        "Where in `__init__` do you know both numbers? "
        "The sign `%` gives the remainder of a division. "
        "What does it give for 10 and 3, and what for 12 and 3?",
        "At the beginning of `__init__`, look at the remainder. "
        "If it is anything but 0, `raise` a ValueError, with a sentence that holds both numbers, so that the reader "
        "sees which ones do not fit. "
        "A `print` would not do: after it the layer is made all the same.",
    ),
)


# when dropout falls

hints_for(
    "drops_though_nobody_asked",
    hints=(
        "In train mode a layer may do something else than in use only if somebody asked for it. "
        "At a dropout of 0, or where there is no such argument, both modes compute the same. "
        "Then two calls on one input agree, and others can test your layer. "
        "Dropout, noise and random signs are all of one kind: whoever makes the layer asks for them, or they are not "
        "there.",
        "Call your layer twice on one input, after `layer.train()`: the results differ. "
        "Search your code for `dropout`, `rand` and `bernoulli`. "
        "Which number is given there? "
        "Is it the one that came in, or is it a number that is written into the code?",
        "Where the class has an argument `dropout`, this is the number that dropout gets, and at 0 nothing falls. "
        "Where the class has no such argument, take the random step out. "
        "After that, two calls in train mode should give the same numbers.",
    ),
)

hints_for(
    "starts_in_evaluation_mode",
    hints=(
        "Every module begins in train mode. "
        "Whoever works with a model says when it learns and when it is used, with `train()` and `eval()`, for all "
        "its parts at once. "
        "A part that chooses for itself does not fit into that.",
        "Build a layer, and print `[part.training for part in layer.modules()]`: every part should say True. "
        "Then search `__init__` for `eval()`, for `train(False)`, and for a line that gives something to an "
        "attribute called `training`. "
        "One of your modules may also have been made inside a helper of yours: look there, too.",
        "Take that line out, and put nothing in its place. "
        "`super().__init__()` has turned the switch on already, for the layer and for each of its modules. "
        "Whoever uses the model later calls `eval()` on the whole, and that reaches all parts.",
    ),
)

hints_for(
    "drops_in_evaluation",
    hints=(
        "Dropout makes it harder to learn, on purpose, so that a model does not rely on a few connections. "
        "In use the model should have all of them. "
        "The switch between the two is `self.training`, and `train()` and `eval()` turn it in all modules at once.",
        "Find the line in which dropout falls. "
        "If it is `F.dropout`, what tells this function about the switch? "
        "If it is an `nn.Dropout`, where is that made? "
        "One that is made inside `forward` is new in every call, and a new module is in train mode. "
        "So it drops, whatever mode your layer is in. "
        "Print its `training` there to see it.",
        "Make an `nn.Dropout` in `__init__`, keep it with `self.`, and call it in `forward`: it looks at its switch "
        "by itself. "
        "Or stay with the function, and hand it the switch of your layer. "
        "Its argument for this is called `training`.",
    ),
)

hints_for(
    "computes_otherwise_in_evaluation",
    "computes_otherwise_in_training",
    hints=(
        "The mode of a layer decides one thing alone: whether dropout falls. "
        "Where nothing falls, in evaluation or at a dropout of 0, the result is that of the formula, with all weights "
        "as softmax made them. "
        "What dropout takes away is made up for in training, where it happens: what is kept is divided by 1 - p there.",
        "Search your code for `dropout`, for its number under another name, and for `self.training`. "
        "Which lines multiply or divide by 1 - p? "
        "Run your layer in both modes with a dropout of 0, and in evaluation with a dropout of 0.3: "
        "all three results should be the same numbers.",
        "Take out every factor that holds the number of the dropout, and every `if` about the mode. "
        "An `nn.Dropout` that is an attribute of `self`, applied to the finished weights, knows the mode and scales "
        "what it keeps. "
        "Nothing has to be added for evaluation.",
    ),
)

hints_for(
    "never_drops",
    hints=(
        "The argument `dropout` is a promise: with 0.3, three numbers in ten fall out, by chance, in every call in "
        "train mode. "
        "If nothing falls out, no result looks wrong. "
        "But the model learns to rely on a few connections, and that was to be avoided.",
        "Follow the number `dropout` through your class. "
        "Does `__init__` hand it on to something? "
        "Is this kept with `self.`? "
        "Is it called in `forward`? "
        "Does a later line use what it gives back? "
        "At one of these four places the way ends.",
        "A dropout gives back a new tensor, and leaves the old one as it was. "
        "So its result needs a name, and the next step has to use that name. "
        "Try `dropout=0.9` in train mode: the result should be another one in each call.",
    ),
)

hints_for(
    "drops_only_without_returned_weights",
    hints=(
        "To ask for the weights is to look over the layer's shoulder, and looking must not change what it does. "
        "With `return_weights` or without it, the same steps make the output, dropout among them. "
        "The only difference is what is handed out at the end.",
        "Look for an `if` in `forward` that asks for `return_weights`, and go down both ways. "
        "On which of them is dropout applied to the weights, before they mix the values? "
        "Is there a second computation, or another function, on the way with the weights?",
        "Compute on one way only: weights, dropout, mix, output. "
        "Keep the weights as they were before dropout under a name of their own. "
        "At the very end ask whether they are wanted, and return either the output alone or both.",
    ),
)

hints_for(
    "throws_the_dice_once",
    hints=(
        "Dropout helps because nobody can foresee what will be missing: in every call it is something else. "
        "If the same weights are missing each time, they are lost for good, and the others are always there. "
        "Then the model can rely on those.",
        "Call the layer twice in train mode, on one input, and compare: the results are equal, so the same numbers "
        "were dropped. "
        "Search your code for `manual_seed`, for a generator, and for a pattern of zeros that `__init__` makes and "
        "keeps.",
        "Throw the dice inside `forward`, anew in every call, and set no seed there. "
        "An `nn.Dropout` that is made once in `__init__` works like this: it keeps the probability, and not what "
        "fell the last time. "
        "So take the pattern or the seed out.",
    ),
)


# dropout on the attention weights

hints_for(
    "drops_something_else_than_weights",
    hints=(
        "Dropout on a weight takes one key away from one query, for one call. "
        "Whatever else you drop does something else. "
        "If a score is dropped, softmax still gives that key a share. "
        "If a value or an output is dropped, all queries or all keys feel it.",
        "Go through `forward` from the scores to the output, and mark each line in which dropout falls. "
        "What is in its brackets: scores, finished weights, values, or the result? "
        "Does it fall more than once on the way to the output?",
        "There is one place for it: softmax has made the weights, and they have not met the values yet. "
        "Drop there, once, give the result a name of its own, and mix with that. "
        "All other steps stay as they are without dropout. "
        "In train mode each row then has some zeros, and its other weights are larger than before, all by the same "
        "factor.",
    ),
)

hints_for(
    "renormalises_after_dropout",
    hints=(
        "Dropout leaves the *average* over many calls as it is, and single rows need not sum to 1. "
        "What is kept grows by a fixed factor, 1 / (1 - p). "
        "So a row may sum to 0.6 in one call and to 1.4 in the next. "
        "If rows were made to sum to 1 again, the factor would be another one in each row.",
        "Look at what happens between dropout and the mix. "
        "Is there a sum over the keys, a division, or a second softmax? "
        "Try the row 0.5, 0.3, 0.2 with p = 0.5, where the second weight falls: it should become 1, 0, 0.4.",
        "Take out the step that makes the rows sum to 1 again. "
        "`nn.Dropout` has brought in the right factor already, and what it gives goes to the mix as it is. "
        "If you drop by hand, divide what is kept by 1 - p, and by nothing else.",
    ),
)

hints_for(
    "does_not_make_up_for_what_it_drops",
    hints=(
        "If three weights in ten fall out, and the others stay as they are, outputs are smaller in training than in "
        "use, by about three tenths. "
        "The parts behind would learn with small numbers and get larger ones later. "
        "So what is kept has to grow.",
        "Find the line in which weights become 0. "
        "Is there also a factor for the weights that are kept? "
        "Try many weights of 0.25, with p = 0.3: their mean after dropout should still be 0.25, so those that are "
        "kept must be about 0.357. "
        "That is 0.25 divided by the share that stays.",
        "Let `nn.Dropout` do all of it: it sets some numbers to 0, and divides the others by 1 - p. "
        "If you throw the dice by hand, add this division yourself. "
        "The number is the same for all weights, however many of them have fallen.",
    ),
)

hints_for(
    "drops_what_it_should_keep",
    hints=(
        "One can name the share that falls out, or the share that stays. "
        "Together they are 1, and it is easy to take one for the other. "
        "In torch, and in this exercise, the number called dropout is the share that falls out.",
        "Look at the place where `dropout` is used. "
        "Does 1 minus that number stand there? "
        "Or do you throw by hand: for which random numbers is a weight kept? "
        "Of many random numbers between 0 and 1, about three in ten lie below 0.3.",
        "Give `nn.Dropout` the number as it came in. "
        "If you throw by hand, keep a weight where its random number is *not* below that number. "
        "Then try 0.9 in train mode: nine weights in ten should be 0, and the others should be large.",
    ),
)

hints_for(
    "drops_another_share",
    hints=(
        "Whoever makes a layer says by `dropout` how much shall fall out, and may change it from one training to the "
        "next. "
        "A number in the code cannot be changed from outside. "
        "And two dropouts in a row take more than each of them says.",
        "Search for `nn.Dropout` and `F.dropout`, and look at what is in their brackets. "
        "Is it the number that came in? "
        "`F.dropout` takes 0.5 if nobody tells it. "
        "Then count how often dropout falls on the weights: with 0.3 twice, half of them are gone.",
        "Hand the number that came in to one dropout, and let that fall once, on the finished weights. "
        "Then count zeros, with 0.3 and many weights: about 30 in a hundred should be 0. "
        "Try another number as well, and count again.",
    ),
)

hints_for(
    "drops_in_rows",
    hints=(
        "Each weight has a throw of its own: this query loses this key, in this head, in this text. "
        "If one throw decides for several, a query may lose all its keys at once, or all queries lose the same key. "
        "That is much rougher.",
        "Look at the shape of what the dice give. "
        "It should be that of the weights: batch, heads, queries, keys. "
        "Does one of its axes have the length 1, so that it gets stretched? "
        "`nn.Dropout1d` and `nn.Dropout2d` drop whole blocks, too.",
        "Take the plain `nn.Dropout`, and call it on the weights with all their four axes. "
        "If you throw by hand, let the random numbers have the shape of the weights: `torch.rand_like` takes it over "
        "from a tensor. "
        "Then nothing is stretched.",
    ),
)

hints_for(
    "drops_only_without_returned_weights",
    hints=(
        "There is one way through the layer, and `return_weights` says only what comes out at its end. "
        "Whoever asks for the weights wants to see this way, and not another one. "
        "So the values should be mixed by the same dropped weights, whether the caller looks at the others or not. "
        "A layer that works otherwise when one looks shows nothing of how it works.",
        "Search `forward` for `return_weights`. "
        "Is it asked at the very end, or does an `if` divide the code earlier? "
        "Follow the side on which it is True: on which weights does the mix work there? "
        "Compare both outputs in train mode, with `dropout=0.9`.",
        "Keep two names all the way: the weights as softmax made them, and the weights that dropout has thinned out. "
        "The values meet the second on every way. "
        "Ask for `return_weights` in the last line, where you decide whether the first go out beside the output.",
    ),
)

hints_for(
    "returns_weights_after_dropout",
    hints=(
        "Who asks for the weights wants to see where the heads look: a map whose rows sum to 1. "
        "Dropout comes after that, as a part of training, and makes other holes in every call. "
        "So there are two arrays, and each has its use.",
        "Under which name do you keep what dropout gives? "
        "If it is the name of the weights, the weights without holes are gone. "
        "Follow both arrays through `forward`: one of them goes to the mix, and one to the caller. "
        "Print the sums of the rows that you return.",
        "Give what dropout gives a name of its own, and mix the values with it. "
        "Return what softmax, or `masked_softmax`, has made. "
        "After `eval()` both arrays are the same, so look at it in train mode, with a dropout above 0.",
    ),
)


# dropout in a decoder layer

hints_for(
    "drops_elsewhere_than_on_results",
    hints=(
        "The three steps have the same form: the new `x` is the old `x`, plus what a part has found. "
        "Dropout makes the finding unreliable, and leaves the old `x` alone. "
        "So there is one straight path through the layer that nothing interrupts. "
        "On this path a token keeps what it knew before, in training as in use.",
        "Look at the three sums in `forward`. "
        "On which side of the plus does dropout fall, and where does its bracket end? "
        "If the whole sum stands in it, `x` falls out as well. "
        "Is there one more dropout, on what comes in or on what is returned?",
        "Close the bracket of dropout before `x` is added: only what one part gives stands inside. "
        "Do that in all three sums. "
        "The factor for what is kept is in `nn.Dropout` already. "
        "What the third sum gives is returned as it is.",
    ),
)

hints_for(
    "drops_what_a_part_reads",
    hints=(
        "A part should read its input whole, and what it says about it may then get lost. "
        "If dropout falls on what it reads, scores and values are made from vectors with holes, and each head works "
        "on something that no token ever was.",
        "Read each of your three lines from the innermost bracket outwards: the norm of `x`, then the part, then "
        "dropout. "
        "In which line do the last two stand the other way round? "
        "Look at the memory as well: does dropout fall on it anywhere? "
        "In a right line dropout stands outermost, next to the plus sign of the sum.",
        "The copy that the norm gives goes into its part as it is, and so does the memory. "
        "Only what the part gives back goes through dropout, and after that it is added. "
        "Check all three lines for this order, the one with the memory too.",
    ),
)

hints_for(
    "drops_in_the_hidden_layer",
    hints=(
        "The feed-forward part widens a token, sets to 0 what is negative, and makes it narrow again. "
        "Some layers let hidden features fall out in the middle. "
        "In this exercise the part works undisturbed, and dropout waits for its result. "
        "So dropout falls in three places of this layer, behind each of the parts, and not inside of this one.",
        "Print your feed-forward part, and you see its modules: two `nn.Linear`, with a ReLU between them. "
        "Does an `nn.Dropout` stand among them? "
        "If you call the linear layers one by one in `forward`, is there a dropout between the two calls?",
        "Take dropout out of the feed-forward part, so that three modules are left in it. "
        "The dropout in the third sum of `forward` stays: it falls on what the second linear layer gives, right "
        "before that is added to `x`.",
    ),
)

hints_for(
    "drops_no_results",
    hints=(
        "This layer has two kinds of dropout. "
        "The attentions drop weights, inside, and do it by themselves. "
        "And the layer drops some of what its three parts have found, before it is added to `x`. "
        "This second kind is yours to write. "
        "Both kinds fall in train mode only, and both use the number that came in as `dropout`.",
        "Look at the three sums in `forward`: `x`, plus something. "
        "Does dropout stand around the something? "
        "Then look at `__init__`: is there an `nn.Dropout` of the layer itself, beside those inside the attentions, "
        "and has it got the number that came in?",
        "Make an `nn.Dropout` in `__init__`, and give it the number that came in. "
        "In `forward` put it around what each part gives, inside of the sum, three times. "
        "It may be the same module each time, since it throws anew whenever it is called.",
    ),
)

hints_for(
    "forgets_dropout_of_a_part",
    hints=(
        "All three parts are treated alike: first norm, then part, dropout, sum. "
        "A part without dropout is the one that never fails in training. "
        "So the layer comes to rely on it, and the other two learn less than they could.",
        "Write your three sums below each other, and compare them from left to right. "
        "Which piece is there in one of them, and missing in another? "
        "Look at the feed-forward part twice: it is no attention, so its line looks a little different, and a gap is "
        "not noticed there.",
        "Put the same dropout around what that part gives, inside of the sum. "
        "One `nn.Dropout` serves all three sums, since it throws anew whenever it is called. "
        "When all three lines have the same form, nothing is missing any more.",
    ),
)

hints_for(
    "drops_another_share_of_results",
    hints=(
        "With `dropout=0.3`, three numbers in ten of each result should be 0 in train mode. "
        "If it is more, dropout may fall twice: what the first throw has left, the second thins out again. "
        "With 0.3 twice, about half is gone.",
        "Which number does the dropout of your layer get: the one that came in, or one that is written into the "
        "code? "
        "Then follow what each part gives, up to its sum. "
        "How often does dropout fall on it, inside the part and outside? "
        "Inside the feed-forward part there should be none.",
        "Give the number that came in to one `nn.Dropout`, and call it once for each part, on its result. "
        "The feed-forward part has none at its end. "
        "Try 0.9 in train mode: of what is added to `x`, one number in ten should be left.",
    ),
)

hints_for(
    "drops_no_weights",
    "forgets_dropout_of_an_attention",
    hints=(
        "`MultiHeadAttention` knows about dropout only what it is told when it is made. "
        "If nobody tells it, the number is 0, and no weight is ever dropped. "
        "The dropout of your own layer falls on results, and does not reach into the attentions.",
        "Look at the two calls in `__init__` that make the attentions. "
        "Both need the two sizes, and the number for dropout. "
        "Compare what stands in their brackets, word by word. "
        "Is the number missing in one of them, or in both?",
        "Hand the number to both attentions, by its name. "
        "Without the name it would stand at the third place, and that is the place of the bias. "
        "Then print your layer: each of the two attentions should show a dropout with your number.",
    ),
)

hints_for(
    "drops_another_share_of_weights",
    hints=(
        "The number that came in is meant for the whole layer: for what its parts find, and for the weights of both "
        "attentions. "
        "If one of these places has a number of its own, whoever changes `dropout` changes one half of the layer "
        "only.",
        "Look at the two calls of `MultiHeadAttention` in `__init__`. "
        "Which number do they get for dropout: the one that came in, a part of it, 1 minus it, or a number such as "
        "0.1? "
        "Does a second dropout fall on weights anywhere?",
        "Give both attentions the number as it came in, by its name. "
        "They drop their weights by themselves, once, so nothing is to be added in `forward`. "
        "Then print your layer: wherever dropout is mentioned, the same number should stand beside it.",
    ),
)
