"""What else people get wrong about the distances from the mean, where numbers are a table."""


def measures_from_the_mean_of_the_table(numbers, counts=None):
    """Your distances are measured from one mean of the whole table.
    Each row has a mean of its own.
    Along which axis does your mean run?"""
    return numbers - numbers.mean()
