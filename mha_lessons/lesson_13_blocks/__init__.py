"""Lesson 13: attention without its whole table of weights."""
