"""What one can do after the course: for every ability there is something graded, in the lesson that teaches it."""

from autograder import EXERCISES

ABILITIES = {  # ability -> lessons -> what asks for it there
    "write a stable softmax and say why; use temperature": {
        "01": ["softmax", "softmax_bug", "added_thousand"],
        "09": ["softmax_with_temperature"],
    },
    "write scaled dot-product attention; show why 1/sqrt(d_k)": {
        "02": ["attention_scores", "scaled_dot_product_attention", "score_variance", "why_scale"],
    },
    "build, combine and debug masks; prove there is no leak; handle rows with nothing allowed": {
        "03": ["causal_mask", "padding_mask", "masked_softmax", "masked_attention", "test_causal_attention"],
        "07": ["combine_masks"],
    },
    "translate between four mask conventions": {"15": ["to_allowed", "misread_mask", "padding_for_torch"]},
    "write a head with learned projections; check its gradients": {
        "04": ["attention_head", "AttentionHead"],
        "14": ["slopes_for_one_word", "softmax_backward", "needless_bias"],
    },
    "differentiate attention by hand": {
        "14": [
            "softmax_backward",
            "attention_backward",
            "gradient_of_three_scores",
            "line_where_it_dies",
            "masked_or_dropped",
            "repaired_rows",
            "zero_output_matrix",
        ],
    },
    "split, attend, merge, mix; see the silent reshape bug": {
        "05": ["multi_head_by_loop"],
        "06": ["split_heads", "merge_heads", "multi_head_attention", "split_by_reshape", "test_split_heads"],
    },
    "write the whole module with biases, W_O, dropout, in train and eval": {
        "06": ["MultiHeadAttention", "restless_line"],
    },
    "give the shape at every step, for any sizes": {
        "05": ["shapes_in_a_layer"],
        "06": ["shapes_on_the_way"],
    },
    "use torch's layer and fused function, carry weights over, get equal outputs; the same for Keras and GPT-2": {
        "11": ["seen_by_one_query"],
        "15": ["from_torch", "from_gpt2", "rows_of_the_keys", "arguments_of_the_other_layer"],
    },
    "write cross-attention with different lengths and padding; name the three uses": {
        "07": ["cross_weights_shape", "cross_attention", "encoder_decoder_masks", "DecoderLayer"],
    },
    "train a translator, and write with it": {
        "07": ["translate_greedily"],
    },
    "train a language model with one's own layer, and generate from it": {
        "09": ["next_token_loss", "sample", "generate", "loss_before_training", "untrained_place"],
    },
    "name each part of a GPT in the field's own words": {"09": ["sizes_of_gpt2"]},
    "cache keys and values; share them among heads": {
        "11": [
            "attend_with_cache",
            "cache_bytes",
            "repeat_heads",
            "grouped_query_attention",
            "seen_by_one_query",
            "broken_by_the_next_token",
            "factor_for_the_cache",
            "texts_at_a_time",
        ],
    },
    "give tokens positions, and prove that rotary scores depend on distance alone": {
        "12": ["sinusoidal_positions", "apply_rotary", "test_apply_rotary", "alibi_bias", "window_mask"],
    },
    "compute attention without its (n, n) matrix": {
        "13": ["log_sum_exp", "merge_attention", "attention_in_blocks", "mebibytes_of_a_block"],
    },
    "compute the analogy sentences instead of asserting them": {
        "04": ["share_of_street"],
        "05": ["love_from_two_heads"],
    },
    "count parameters, FLOPs, memory; choose h; say where each term rules": {
        "05": ["parameter_count", "parameters_of_512"],
        "08": ["attention_flops", "score_bytes", "crossover_length", "share_of_projections"],
        "10": ["why_more_heads", "favourites_of_a_thin_head"],
    },
    "say what heads do and do not tell; find an induction head; take a head away and measure": {
        "10": [
            "without_head",
            "previous_token_score",
            "induction_score",
            "head_similarity",
            "why_one_layer_fails",
            "equal_start",
            "dog_against_sep",
        ],
    },
}


def test_something_graded_asks_for_it():
    """In each lesson that the table of abilities names."""
    asked = {(n, name) for lessons in ABILITIES.values() for n, names in lessons.items() for name in names}
    assert asked <= {(task.lesson[7:9], name) for name, task in EXERCISES.items() if task.points > 0}
