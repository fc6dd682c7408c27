"""What people get wrong about the distances from the mean."""


def stays_where_the_numbers_are(numbers, counts=None):
    """Your distances are the numbers themselves.
    A distance is measured from the mean.
    Did you take it away from the numbers?"""
    return numbers
