"""Lesson 08: what attention costs, and what people believe about it."""
