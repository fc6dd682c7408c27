"""Lesson 01: from scores to weights."""
