"""Wrong answers to lesson 08 (round 9)."""


def attention_flops__1(tokens, model_size):
    projections = 4 * 2 * tokens * model_size ^ 2
    mixing = 2 * 2 * model_size * tokens ^ 2
    return projections + mixing


TRUTH = {
    "attention_flops__1": "^ is exclusive or, not a power, and binds more weakly than the product: 16 instead of 12 for 1 token and size 1, 52 instead of 96 for (2, 2), 1179652 instead of 654311424 for (128, 768).",
}
