"""Lesson 06: all heads at once, as functions and as a layer, and what people believe about reshaping and masks."""
