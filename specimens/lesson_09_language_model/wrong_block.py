"""Wrong blocks of lesson 09, as learners write them: exercise, what the judge should name, style."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import causal_mask
from mha_ref.layer import MultiHeadAttention


class _Block(nn.Module):
    """Parts that are right; each class below puts them together in its own way."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), self.bend(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList([self.norm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def bend(self):
        return nn.GELU()

    def norm(self, model_size):
        return nn.LayerNorm(model_size)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


# what the two lines make of it


class Block__norms_after_each_sum__as_in_2017(_Block):
    def forward(self, x, mask=None):
        x = self.norms[0](x + self.dropout(self.attention(x, mask=mask)))
        return self.norms[1](x + self.dropout(self.feed_forward(x)))


class Block__norms_one_of_the_sums__the_second(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return self.norms[1](x + self.dropout(self.feed_forward(x)))


class Block__norms_what_the_parts_give__norm_outside(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.norms[0](self.attention(x, mask=mask)))
        return x + self.dropout(self.norms[1](self.feed_forward(x)))


class Block__adds_to_the_normed_copy__overwrites_x(_Block):
    def forward(self, x, mask=None):
        x = self.norms[0](x)
        x = x + self.dropout(self.attention(x, mask=mask))
        x = self.norms[1](x)
        return x + self.dropout(self.feed_forward(x))


class Block__overwrites_x_before_one_part__attention(_Block):
    def forward(self, x, mask=None):
        x = self.norms[0](x)
        x = x + self.dropout(self.attention(x, mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__forgets_one_norm__the_second(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(x))


class Block__leaves_out_the_norms__made_but_not_called(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(x, mask=mask))
        return x + self.dropout(self.feed_forward(x))


class Block__divides_without_centring__rms_norm(_Block):
    def norm(self, model_size):
        return nn.RMSNorm(model_size)


class Block__forgets_one_residual__the_last(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return self.dropout(self.feed_forward(self.norms[1](x)))


class Block__leaves_out_the_residuals__plain_chain(_Block):
    def forward(self, x, mask=None):
        x = self.dropout(self.attention(self.norms[0](x), mask=mask))
        return self.dropout(self.feed_forward(self.norms[1](x)))


class Block__leaves_out_one_part__result_not_kept(_Block):
    def forward(self, x, mask=None):
        self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__thinks_before_it_looks__lines_exchanged(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.feed_forward(self.norms[0](x)))
        return x + self.dropout(self.attention(self.norms[1](x), mask=mask))


class Block__lets_both_parts_read_the_same__in_one_line(_Block):
    def forward(self, x, mask=None):
        found = self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + found + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__adds_to_the_stream_from_the_start__residual_kept(_Block):
    def forward(self, x, mask=None):
        residual = x
        x = residual + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return residual + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__thinks_about_the_finding_alone__two_names(_Block):
    def forward(self, x, mask=None):
        found = self.dropout(self.attention(self.norms[0](x), mask=mask))
        thought = self.dropout(self.feed_forward(self.norms[1](found)))
        return x + found + thought


class Block__adds_once_at_the_end__nested(_Block):
    def forward(self, x, mask=None):
        return x + self.dropout(self.feed_forward(self.norms[1](self.attention(self.norms[0](x), mask=mask))))


class Block__leaves_a_role_unnormalised__keys_and_values(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), x, x, mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__reason_mutated__in_place(_Block):
    def forward(self, x, mask=None):
        x += self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


# masks and heads


class Block__keeps_the_mask_to_itself__not_handed_on(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x)))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__hands_on_the_opposite_mask__torch_habit(_Block):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else ~mask)


class Block__stops_at_a_mask__in_second_place(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__always_hides_what_follows__as_in_gpt(_Block):
    def forward(self, x, mask=None):
        past = causal_mask(x.shape[1], x.shape[1], like=x)
        return super().forward(x, past if mask is None else mask & past)


class Block__gives_its_attention_one_head__a_constant(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.attention = MultiHeadAttention(model_size, 1, dropout=dropout)


class Block__never_has_biases__dropout_in_third_place(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.attention = MultiHeadAttention(model_size, heads, dropout)


class Block__wraps_the_layer_of_torch__encoder_layer(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(
            model_size, heads, hidden_size, dropout, "gelu", batch_first=True, norm_first=True
        )

    def forward(self, x, mask=None):
        return self.layer(x, src_mask=None if mask is None else ~mask)


# between the two linear layers


class Block__bends_by_a_relu__as_in_lesson_07(_Block):
    def bend(self):
        return nn.ReLU()


class Block__leaves_out_the_gelu__two_linears(_Block):
    def bend(self):
        return nn.Identity()


class Block__approximates_the_gelu__as_in_gpt_2(_Block):
    def bend(self):
        return nn.GELU(approximate="tanh")


class Block__bends_by_no_gelu__silu(_Block):
    def bend(self):
        return nn.SiLU()


class Block__bends_at_the_end__last_module(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        widen, bend, narrow = self.feed_forward
        self.feed_forward = nn.Sequential(widen, narrow, bend)


# norms that are shared, or too many


class Block__shares_one_norm__list_times_two(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 2)


class Block__has_too_few_norms__one_for_both(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)])

    def forward(self, x, mask=None):
        (norm,) = self.norms
        x = x + self.dropout(self.attention(norm(x), mask=mask))
        return x + self.dropout(self.feed_forward(norm(x)))


class Block__has_weights_without_effect__the_first_norm_twice(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[0](x)))


class Block__has_too_many_norms__three_as_in_lesson_07(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.norms.append(nn.LayerNorm(model_size))


# dropout


class _Dropping(_Block):
    """Where dropout falls can be chosen: on the weights, on copies before a part, in the hidden layer, on results."""

    weights, copies, hidden, results = 1.0, 0.0, 0.0, (1.0, 1.0)  # shares of what was asked for

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout * self.weights)
        self.feed_forward.insert(2, nn.Dropout(dropout * self.hidden))
        self.before = nn.Dropout(dropout * self.copies)
        self.after = nn.ModuleList([nn.Dropout(dropout * share) for share in self.results])

    def forward(self, x, mask=None):
        x = x + self.after[0](self.attention(self.before(self.norms[0](x)), mask=mask))
        return x + self.after[1](self.feed_forward(self.before(self.norms[1](x))))


class Block__never_drops__argument_unused(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size)


class Block__drops_no_weights__results_only(_Dropping):
    weights = 0.0


class Block__drops_another_share_of_weights__half(_Dropping):
    weights = 0.5


class Block__drops_no_results__weights_only(_Dropping):
    results = (0.0, 0.0)


class Block__forgets_dropout_of_a_part__the_last(_Dropping):
    results = (1.0, 0.0)


class Block__drops_another_share_of_results__half(_Dropping):
    results = (0.5, 0.5)


class Block__drops_a_result_as_a_whole__a_coin_for_each_token(_Block):
    def drop(self, found):
        return found * self.dropout(torch.ones_like(found[..., :1]))

    def forward(self, x, mask=None):
        x = x + self.drop(self.attention(self.norms[0](x), mask=mask))
        return x + self.drop(self.feed_forward(self.norms[1](x)))


class Block__drops_in_the_hidden_layer__as_torch_does(_Dropping):
    hidden = 1.0


class Block__drops_what_a_part_reads__instead_of_results(_Dropping):
    copies, results = 1.0, (0.0, 0.0)


class Block__drops_elsewhere_than_on_results__the_sums(_Block):
    def forward(self, x, mask=None):
        x = self.dropout(x + self.attention(self.norms[0](x), mask=mask))
        return self.dropout(x + self.feed_forward(self.norms[1](x)))


class Block__drops_in_evaluation__functional(_Block):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.p = dropout

    def forward(self, x, mask=None):
        x = x + F.dropout(self.attention(self.norms[0](x), mask=mask), self.p)
        return x + F.dropout(self.feed_forward(self.norms[1](x)), self.p)


class Block__drops_in_evaluation__made_in_forward(_Block):
    def forward(self, x, mask=None):
        drop = nn.Dropout(self.dropout.p)
        x = x + drop(self.attention(self.norms[0](x), mask=mask))
        return torch.add(x, drop(self.feed_forward(self.norms[1](x))))


class Block__stops_dropping_after_evaluation__in_forward(_Block):
    def forward(self, x, mask=None):
        if not self.training:
            self.dropout.p = 0
        return super().forward(x, mask)


class Block__stops_dropping_after_a_call__the_first_epochs(_Block):
    calls = 0

    def forward(self, x, mask=None):
        self.calls += self.training
        if self.calls > 5:
            self.dropout.p = 0.0
        return super().forward(x, mask)


class Block__drops_in_evaluation__once_it_has_trained(_Block):
    has_trained = False

    def forward(self, x, mask=None):
        self.has_trained |= self.training
        x = x + F.dropout(self.attention(self.norms[0](x), mask=mask), self.dropout.p, self.has_trained)
        return x + F.dropout(self.feed_forward(self.norms[1](x)), self.dropout.p, self.has_trained)


class Block__normalises_over_a_batch__of_one_axis(_Block):
    def norm(self, model_size):
        return nn.BatchNorm1d(model_size)
