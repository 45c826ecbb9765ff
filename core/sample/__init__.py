"""A simulated forest plot: crowns, an aerial image, and drawings of annotators and detectors.

Everything follows from a seed. Lengths are in metres, areas in square metres. No tree is real: the
plot is for trying things out, and for tests and pictures that need the same input everywhere.
"""

from __future__ import annotations

from randcrowns.core.sample.plot import DEFAULT_SEED, Drawing, SamplePlot, simulate_plot
from randcrowns.core.sample.trees import Labeler, SampleParameters, read_parameters

__all__ = [
    "DEFAULT_SEED",
    "Drawing",
    "Labeler",
    "SampleParameters",
    "SamplePlot",
    "read_parameters",
    "simulate_plot",
]
