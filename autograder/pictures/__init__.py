"""Pictures of the arrays at hand: legible on light and dark pages, always with words for those who cannot see them."""

from .arrows import arrows
from .bars import bars
from .boxes import shapes
from .curves import curves
from .diagram import diagram
from .grids import heatmap, heatmaps
from .operations import matrix_product, steps
from .picture import Picture

__all__ = ["Picture", "arrows", "bars", "curves", "diagram", "heatmap", "heatmaps", "matrix_product", "shapes", "steps"]
