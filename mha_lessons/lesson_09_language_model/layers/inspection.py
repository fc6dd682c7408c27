"""How the judge looks at a block: as at any layer of parts, but with a single attention."""

from mha_lessons.lesson_07_cross_attention.layers.dropout import ON_PARTS, forgets_dropout_of_an_attention
from mha_lessons.lesson_07_cross_attention.layers.inspection import layer_of_parts

block = layer_of_parts(tuple(fault for fault in ON_PARTS if fault is not forgets_dropout_of_an_attention))
