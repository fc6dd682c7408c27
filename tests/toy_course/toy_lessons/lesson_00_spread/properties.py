"""What holds for means and variances, whatever the numbers are."""

from autograder.cases import near


def the_mean_moves_with_the_numbers(run, inputs):
    """A mean lies among its numbers, so it moves with them."""
    moved = run(**inputs | {"numbers": inputs["numbers"] + 3})
    if not near(moved, run(**inputs) + 3):
        return "We added 3 to every number, and the mean did not rise by 3."


def the_spread_stays_where_numbers_move(run, inputs):
    """Distances do not change when all numbers move together."""
    if not near(run(**inputs | {"numbers": inputs["numbers"] + 3}), run(**inputs)):
        return "We added 3 to every number, and the variance changed."
