"""Lesson 10: what heads learn, and what a map does not tell."""
