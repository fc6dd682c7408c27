"""Broken notebooks and exports, made from a solved one: name -> Broken."""

from importlib import import_module

FAMILIES = ("doubled", "deleted", "marks", "pasted", "files", "zips", "text", "shape")
BROKEN = {broken.name: broken for family in FAMILIES for broken in import_module(f"corpus.{family}").BROKEN}
