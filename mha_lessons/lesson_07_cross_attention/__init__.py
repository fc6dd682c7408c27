"""Lesson 07: one sequence looks at another, alone and in a decoder layer, and what people believe about it."""
