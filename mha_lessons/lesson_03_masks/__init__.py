"""Lesson 03: who may look at what, and what people believe about it."""
