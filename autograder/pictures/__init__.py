"""Pictures of the arrays at hand: legible on light and dark pages, always with words for those who cannot see them."""

from .bars import bars
from .boxes import shapes
from .curves import curves
from .grids import heatmap, heatmaps
from .picture import Picture
from .products import matrix_product
from .steps import steps

__all__ = ["Picture", "bars", "curves", "heatmap", "heatmaps", "matrix_product", "shapes", "steps"]
