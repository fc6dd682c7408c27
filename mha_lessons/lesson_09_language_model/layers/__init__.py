"""How the judge looks at the block of a language model."""
