"""Lesson 14: attention's gradients by hand."""
