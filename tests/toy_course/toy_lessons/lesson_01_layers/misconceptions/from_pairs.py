"""What people get wrong about the weights of another layer."""


def exchanges_gain_and_bias(state):
    """Gain and bias are exchanged. A pair begins with the factor. Which column is that?"""
    return {"gain": 1 * state["pairs"][:, 1], "bias": 1 * state["pairs"][:, 0]}
