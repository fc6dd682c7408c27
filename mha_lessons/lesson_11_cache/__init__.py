"""Lesson 11: keys and values that are kept."""
