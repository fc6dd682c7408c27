"""How the judge looks at a layer of parts, as in a decoder or a language model: attentions, norms, dropout."""
