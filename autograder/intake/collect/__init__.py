"""What a class handed in: who is who, each file kept as it came, and a notebook where nbgrader looks for it."""
