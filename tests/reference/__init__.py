"""mha_ref against oracles that share nothing with it: loops, torch's own attention, numerical gradients."""
