"""Generator of the sample plot: simulated crowns, an aerial image, drawings and a point cloud.

Everything follows from a seed. Lengths are in metres, areas in square metres. No tree is real.
``make sample`` writes the files of the plot that RandCrowns ships. Tests and benchmarks simulate
other plots and clouds. Only ``sample.files`` requires QGIS.
"""

from __future__ import annotations

from sample.cloud import SampleCloud, simulate_cloud
from sample.plot import Drawing, SamplePlot, simulate_plot
from sample.trees import Labeler, SampleParameters, read_parameters

__all__ = [
    "Drawing",
    "Labeler",
    "SampleCloud",
    "SampleParameters",
    "SamplePlot",
    "read_parameters",
    "simulate_cloud",
    "simulate_plot",
]
