"""A whole class: one submission after the other, on all cores, again where something has changed."""
