"""All attacks of all families, in the order of their names."""

from importlib import import_module
from pathlib import Path

NO_FAMILIES = ("__init__", "attack", "arena", "compare")
FAMILIES = [f.stem for f in sorted(Path(__file__).parent.glob("*.py")) if f.stem not in NO_FAMILIES]
ATTACKS = {attack.name: attack for family in FAMILIES for attack in import_module(f"attacks.{family}").ATTACKS}
