"""Lesson 15: masks and weights of other people's layers."""
