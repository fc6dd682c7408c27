"""Collect what a class handed in: whose it is, each file as it came, and a notebook where nbgrader looks for it."""
