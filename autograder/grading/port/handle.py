"""What the judge asks of one object that lives in a worker."""

import sys
from typing import Annotated, Any

from msgspec import UNSET, Meta, convert

from ...judging.line_by_line import MOST_LINES
from ...judging.running import PRINT_LIMIT
from .replies import Names, Number, write_back

LONGEST_LINE = 1000  # characters, of source


class Handle:
    """What the worker knows under a number, and what one can ask about it."""

    def __init__(self, remote, said):
        self.remote, self.number, self.name, self.stub = remote, said.number, said.name, said.stub
        self.is_layer, self.missing = getattr(said, "is_layer", False), getattr(said, "missing", "")
        self.watched, self.noted, self.views = None, (), ((), ())

    def call(self, inputs, options, **layer):
        """Return what the learner's function makes of these; what it prints, and changes, is so here as well.

        layer: the number of a layer in the function's place, and its weights.
        """
        look, self.watched = self.watched, None
        leaves = [*inputs, *options.values(), *layer.get("weights", {}).values()]
        details = {"at": self.number, "inputs": list(inputs), "options": options, "look": look}
        reply = self.remote.reply("call", **details | layer)
        if reply.printed is UNSET:  # it was stopped, or what came out cannot be handed over
            self.remote.raised_in(reply)
        with self.remote.distrusted():
            self.noted = convert(reply.noted, WATCHED[look]) if look and reply.noted else ()
            write_back(leaves, reply.changed)
            self.views = tuple(reply.views), tuple(reply.shared)
        sys.stdout.write(reply.printed[:PRINT_LIMIT])
        self.remote.raised_in(reply)
        return reply.value

    def gradients(self, leaves, inputs, options):
        """Return what reaches each leaf, of which inputs or models among them are made, from a mix of all results."""
        from .remote_layer import flowing  # here: it imports torch

        return flowing(leaves, self, self.number, inputs, options)

    def build(self, of, inputs, options):
        """Build a layer of the learner's class; `of` is the class that represents it here."""
        from .remote_layer import RemoteLayer, dice  # here: it imports torch

        reply = self.remote.ask("build", at=self.number, inputs=inputs, options=options, seed=dice())
        with self.remote.distrusted():
            return RemoteLayer(of, self, convert(reply.value, Number))

    def look(self, question):
        """Return what the worker finds in the code; nothing of it matters for a score."""
        found = self.seen(LOOKS[question], question, self.number)
        return found[:LONGEST_LINE] if question == "overlooked" else found

    def seen(self, kind, question, at, *inputs):
        """Return what the worker sees in the object of a number, if it is of this kind."""
        reply = self.remote.ask("look", at=at, question=question, inputs=list(inputs))
        with self.remote.distrusted():
            return convert(reply.value, kind)

    def watch(self, what, run):
        """Return what the worker notes during the first call that `run` makes."""
        self.watched, self.noted = what, ()
        run()
        self.watched = None
        if what == "line_by_line":
            return tuple((line[:LONGEST_LINE], made[:LONGEST_LINE]) for line, made in self.noted)
        return self.noted or NOTHING[what]


LOOKS = {
    "overlooked": str,
    "without_memory": tuple[str, Any],
    "arrays_named": Names,
    "names_called": Names,
    "names_used": Names,
}
WATCHED = {
    "tensors_made": tuple[Number, Number],
    "line_by_line": Annotated[list[tuple[str, str]], Meta(max_length=MOST_LINES)],
    "swallows": bool,
}
NOTHING = {"tensors_made": (0, 0), "swallows": False}
