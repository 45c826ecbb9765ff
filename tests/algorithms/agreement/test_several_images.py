"""Rasters of several images compared as one, against the pixels of all of them laid end to end."""

from __future__ import annotations

import numpy as np
import pytest
from support.marks import f1, image_case, plain_rasters, smyth
from support.processing import run_algorithm

from randcrowns.algorithms.agreement.choices import by_image
from randcrowns.core.errors import InputError

OUTPUTS = ("AGREEMENT", "DISAGREEMENTS", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY", "RATIO")
PATTERN = "{image}_{annotator}.tif"


@pytest.fixture
def compare(algorithms, qgis_new_project):
    def run_it(**parameters):
        return run_algorithm("compareannotators", {"IMAGES": PATTERN, **parameters}, outputs=OUTPUTS)

    return run_it


def several(count: int) -> dict[str, dict[str, np.ndarray]]:
    """Decisions by image and annotator; the images differ in size."""
    cases = {f"{n:02d}": image_case(30 + n, (40 + n, 50 - n), people=3).annotators for n in range(1, count + 1)}
    return {image: dict(zip(("ann", "ben", "cleo"), drawn.values())) for image, drawn in cases.items()}


def test_images_are_one_vote_table_with_rows_for_each(compare, tmp_path):
    images = several(12)
    rasters = plain_rasters(tmp_path, {f"{i}_{who}": m for i, drawn in images.items() for who, m in drawn.items()})
    done = compare(ANNOTATORS=rasters[::-1])
    assert done.ok, done.refused or done.error
    whole = {who: np.concatenate([drawn[who].ravel() for drawn in images.values()]) for who in ("ann", "ben", "cleo")}
    summary = done.table("SUMMARY").set_index(["image", "statistic"])
    over_all = summary.loc["all images"]
    assert over_all.loc["smyth_bound", "value"] == pytest.approx(smyth(whole), abs=1e-12)
    assert over_all.loc["study_area", ["value", "unit"]].tolist() == [whole["ann"].size, "px²"]
    assert over_all.loc["smyth_bound", "blocks"] == 12  # images are resampled
    assert (
        over_all.loc["smyth_bound", "low"] < over_all.loc["smyth_bound", "value"] < over_all.loc["smyth_bound", "high"]
    )
    for image, drawn in images.items():
        assert summary.loc[(image, "smyth_bound"), "value"] == pytest.approx(smyth(drawn), abs=1e-12)
    pairs = done.table("ANNOTATOR_PAIRS")
    assert dict(zip(zip(pairs["first"], pairs["second"]), pairs["f1"])) == pytest.approx(f1(whole))
    faces = done.table("AGREEMENT")
    for image, drawn in images.items():
        own = faces[faces["image"] == image]
        assert own["area"].sum() == sum(drawn.values()).astype(bool).sum()
        assert (own["area"] * own["n_yes"]).sum() == sum(marks.sum() for marks in drawn.values())
    assert "12 images were compared together" in done.said("votes.images")


def test_names_by_pattern():
    names = ["02_ann", "10_ann", "02_ben b", "10_ben b"]
    assert by_image("{image}_{annotator}.png", names) == {
        "02": {"ann": "02_ann", "ben b": "02_ben b"},
        "10": {"ann": "10_ann", "ben b": "10_ben b"},
    }
    assert by_image("{annotator} on {image}", ["a on 1"]) == {"1": {"a": "a on 1"}}
    for pattern, told in (("{image}", "must hold"), ("{image}-{annotator}", "does not fit"), ("", "must hold")):
        with pytest.raises(InputError, match=told):
            by_image(pattern, names)
    with pytest.raises(InputError, match="Image '10' has no raster of ben b"):
        by_image(PATTERN, names[:3])


def test_what_several_images_do_not_have_is_refused(compare, tmp_path):
    rasters = plain_rasters(tmp_path, {"1_ann": np.eye(9, dtype=bool), "2_ann": np.eye(9, dtype=bool)})
    assert "Image" in compare(ANNOTATORS=rasters, IMAGE=rasters[0]).refused
    assert "raster" in compare(ANNOTATORS=rasters, AGREEMENT_RASTER=str(tmp_path / "a.tif")).refused
    assert "does not fit" in compare(ANNOTATORS=rasters, IMAGES="{image}-{annotator}").refused
