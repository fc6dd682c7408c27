"""Judge an answer: run it, compare, and find out what is wrong. Nothing is printed, and no notebook is needed."""
