"""Pictures of the arrays at hand: legible on light and dark pages, always with words for those who cannot see them."""

from .boxes import diagram
from .grids import heatmap, heatmaps
from .operations import matrix_product, steps
from .picture import Picture
from .plots import arrows, bars, curves
from .pyplot import use_our_look
