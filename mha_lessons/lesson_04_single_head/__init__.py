"""Lesson 04: three learned matrices, what people do with them, and what torch does for them."""
