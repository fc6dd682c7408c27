"""How the judge looks at a layer of several heads, and at dropout on its weights."""
