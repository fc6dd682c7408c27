"""Lesson 00: the mean, and how far numbers lie from it."""
