"""From an answer to a Verdict: run it, compare, and find out what is wrong. Pure: no printing, no notebook."""
