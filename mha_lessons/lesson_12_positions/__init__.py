"""Lesson 12: where tokens are, told to attention in four ways."""
