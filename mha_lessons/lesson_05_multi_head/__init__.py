"""Lesson 05: several heads beside each other, what they cost, and what people believe about them."""
