"""How the judge looks at a decoder layer: its two attentions, its norms, and dropout on its parts."""
