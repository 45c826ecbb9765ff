"""Names of plots in page Annotators that differ in spelling only."""

from __future__ import annotations

import pytest
from support.errors import find_message
from support.layers import TARGET_BOXES, box_layer

#: U+00F6, and the letter o with the accent U+0308.
PLOTS = ["N\u00f6rd", "No\u0308rd"]


@pytest.mark.parametrize(
    ("algorithm", "output"), [("compareannotators", "SUMMARY"), ("consensus", "CONSENSUS")]
)
def test_plots_that_differ_in_encoding_only_are_noted_once_and_stay_apart(
    run, qgis_new_project, algorithm, output
):
    layers = [
        box_layer(name, TARGET_BOXES[:2], fields="&field=plot:string", rows=[[p] for p in PLOTS])
        for name in ("ann", "ben")
    ]
    done = run(algorithm, {"ANNOTATORS": layers, "PLOT_FIELD": "plot"}, None, (output,))
    assert done.ok, done.error
    find_message(done.messages, "plots.spelling", names=sorted(PLOTS))
    find_message(done.messages, "images.several", count=2)
