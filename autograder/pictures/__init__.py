"""Pictures of the arrays at hand: legible on light and dark pages, always with words for those who cannot see them."""

from .charts import bars, curves
from .grids import heatmap, heatmaps
from .picture import Picture
from .tensors import shapes, steps

__all__ = ["Picture", "bars", "curves", "heatmap", "heatmaps", "shapes", "steps"]
