"""Lesson 09: your layer becomes a language model."""
