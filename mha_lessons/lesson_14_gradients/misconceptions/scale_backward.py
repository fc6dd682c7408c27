"""What people get wrong about the way back through the division by √features."""

import math


def forgets_the_scale_on_the_way_back(grad_output, features):
    """Your gradients of query and key are too large by a factor of √features.
    The products were divided by it on their way to softmax, so a nudge to a product moves a score by less.
    The same division lies on the way back. Between which two of your lines?"""
    return grad_output * 1


def multiplies_on_the_way_back(grad_output, features):
    """You multiply by √features on the way back, as if the division had to be undone.
    The way back does not undo anything: it asks how far a score moves when a product does.
    By what factor did the product become smaller?"""
    return grad_output * math.sqrt(features)


def scales_twice_on_the_way_back(grad_output, features):
    """You divide by √features twice on the way back, so the gradients of query and key are too small by that factor.
    On the way forward there was one division, of the products of query and key.
    Which two of your lines divide?"""
    return grad_output / features
