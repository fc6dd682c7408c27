"""What a learner calls and sees: checks, hints, solutions, progress, and the cards that show them."""
