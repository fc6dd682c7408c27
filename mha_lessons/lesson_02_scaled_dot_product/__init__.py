"""Lesson 02: from queries and keys to scores, from scores to weights, from weights to a mean of values."""
