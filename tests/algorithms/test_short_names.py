"""The name of a run is short, and tells its layers apart."""

from __future__ import annotations

import pytest
from qgis.core import QgsVectorLayer

from randcrowns.algorithms import short_names
from randcrowns.algorithms.agreement.schema.parameters import ANNOTATORS
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.algorithms.short_names import MAX_NAME_LENGTH, short_run_name

LONG = " ".join(["trained on plots"] * 7)
SITE = "TEAK_2018_plot_043_RGB_image_"


@pytest.mark.parametrize(
    ("sides", "layers", "name"),
    [
        # A name that is short enough stays as it is, whatever its layers have in common.
        (["annotator_1", "annotator_2"], ["annotator_1", "annotator_2"], None),
        (["crowns", "3 delineations"], ["crowns", "a", "b", "c"], None),
        (["only"], ["only"], None),
        ([], [], ""),
        # The common beginning of long names is removed.
        ([SITE + "field", SITE + "boxes"], [SITE + "field", SITE + "boxes"], "field vs boxes"),
        (
            [SITE + "field", f"{SITE}ann, {SITE}bob"],
            [SITE + "field", SITE + "ann", SITE + "bob"],
            "field vs ann, bob",
        ),
        # Two long names on one side are shortened until both fit, so that none is cut within.
        (
            ["crowns", f"net 1 {LONG}, net 2 {LONG}"],
            ["crowns", f"net 1 {LONG}", f"net 2 {LONG}"],
            "crowns vs net 1…lots, net 2…lots",
        ),
    ],
)
def test_names_without_what_all_layers_share(sides, layers, name):
    expected = " vs ".join(sides) if name is None else name
    assert short_run_name(sides, layers) == expected


@pytest.mark.parametrize("sides", [["a" * 90, "b" * 90], ["x" * 200], ["a" * 30] * 4])
def test_a_name_has_at_most_40_letters(sides):
    name = short_run_name(sides, sides)
    assert 20 < len(name) <= MAX_NAME_LENGTH == 40
    assert name[0] == sides[0][0]
    assert name[-1] == sides[-1][-1]


def test_long_words_between_the_layers_cut_no_name_twice(monkeypatch):
    def in_spanish(text, **values):
        return text.replace(" vs ", " frente a ").format(**values)

    monkeypatch.setattr(short_names, "tr", in_spanish)
    layers = ["annotator_1", "annotator_2", "annotator_3"]
    name = short_run_name([layers[0], ", ".join(layers[1:])], layers)
    assert name.count("…") == len(layers)
    assert len(name) <= MAX_NAME_LENGTH


def test_several_layers_are_counted_as_layers():
    layers = [QgsVectorLayer("Polygon", f"layer {number}", "memory") for number in range(4)]
    assert DELINEATIONS.describe_briefly({DELINEATIONS: layers}) == "4 delineation layers"
    assert ANNOTATORS.describe_briefly({ANNOTATORS: layers}) == "4 annotators"
