"""Parameters and output of randcrowns:explore."""

from __future__ import annotations

from dataclasses import replace

from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import FloatParameter
from randcrowns.algorithms.report.schema.parameters import IMAGE, RUNS, TITLE
from randcrowns.layers.localization import tr

RUN = replace(
    RUNS,
    label=tr("Run to explore"),
    help=tr(
        "A layer or table of the run to explore. All other results of this run are found from it. "
        "Default: the project's last run."
    ),
)
RESOLUTION = FloatParameter(
    "resolution",
    tr("Resolution of the image"),
    tr(
        "Size of a pixel of the image on the ground. Automatic: that of the image, or coarser for "
        "large extents. The file contains at most 14 MB of image."
    ),
    0.0,
    minimum=0.0,
    maximum=1000.0,
    unit="m",
    minimum_label=tr("automatic"),
    advanced=True,
)
#: Parameters in the order of the dialog.
EXPLORE_PARAMETERS = (RUN, TITLE, IMAGE, RESOLUTION)

EXPLORER = Output(
    "EXPLORER",
    tr("Page to explore (HTML)"),
    tr("One file that contains the image and all outlines, for any browser."),
    "explorer",
)
