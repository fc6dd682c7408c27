"""What people get wrong about the learned factors and numbers."""


def adds_before_it_multiplies(x, gain, bias):
    """Your bias is multiplied by the gain, too.
    The factor comes first, and the number is added to the product.
    Which of the two does your line do first?"""
    return (x + bias) * gain
