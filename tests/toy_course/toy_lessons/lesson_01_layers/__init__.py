"""Lesson 01: standard scores, as a function and as a layer."""
