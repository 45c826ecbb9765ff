"""Figures of reports on the variance between annotators."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.algorithms.tuning.schema.outputs import DELINEATIONS
from randcrowns.algorithms.tuning.schema.report_content import VARIANCE_CONTENT
from randcrowns.report.theme import new_figure


@pytest.mark.parametrize(
    ("n_series", "named"),
    [(1, None), (2, "Colours show"), (6, "Colours show"), (7, "Colours and markers show")],
)
def test_the_caption_names_markers_only_where_points_differ_by_them(n_series, named):
    """There are six colours; from the seventh series on, points are triangles."""
    pairs = pd.DataFrame({"series": [f"pair {number}" for number in range(n_series)]})
    pairs = pairs.assign(iou=0.5, randcrowns=0.6)
    (figure,) = VARIANCE_CONTENT.plots(RunOutputs(None, {DELINEATIONS.id: pairs}))
    assert ("show by whom" in figure.caption) == (named is not None)
    assert (named or "Each of the") in figure.caption

    axes = new_figure(4, 4).add_subplot()
    figure.panels[0].draw(axes)
    shapes = {np.asarray(one.get_paths()[0].vertices).tobytes() for one in axes.collections}
    assert (len(shapes) > 1) == ("markers" in figure.caption)
