"""Pictures of the arrays at hand: legible on light and dark pages, always with words for those who cannot see them."""

from .diagrams import arrows, diagram
from .grids import heatmap, heatmaps, matrix_product, steps
from .picture import Picture
from .plots import bars, curves, use_our_look
