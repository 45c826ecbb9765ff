"""Tests of the gallery of pairs over images of several types, and of variance figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from osgeo import gdal, osr
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsRasterLayer
from support.layers import EAST, NORTH, crowns_at

from randcrowns.core.errors import Cancelled
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.core.tuning.search import search_grid
from randcrowns.core.tuning.variance import annotator_variance, select_pairs
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.styles import figures as gallery
from randcrowns.layers.styles.figures import (
    draw_scatter,
    draw_variances,
    encode_figure,
    new_figure,
    render_gallery,
    render_variances,
)

PLACES = [(14 * column, 14 * row) for row in range(2) for column in range(3)]


@pytest.fixture
def working(qgis_app):
    return WorkingCrs(
        QgsCoordinateReferenceSystem("EPSG:32617"), 1.0, "", QgsCoordinateTransformContext()
    )


@pytest.fixture(scope="module")
def variance():
    return annotator_variance(
        [crowns_at(PLACES, seed=seed) for seed in (1, 2, 3)], PRESETS["image_boxes"]
    )


def picks_of(variance):
    scores = variance.scores.assign(row=np.arange(len(variance.scores)))
    picks = select_pairs(scores, 2)
    drawn = variance.experiment.geometry.ravel()[variance.experiment.delineation_index.T.ravel()]
    targets = variance.experiment.targets
    return picks, targets[picks["row"] // 2], drawn[picks["row"]]


def image(
    folder, values, kind=gdal.GDT_Byte, epsg=32617, place=(EAST - 10, 0.5, 0, NORTH + 40, 0, -0.5)
):
    path = str(folder / "image.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(
        path, values.shape[2], values.shape[1], values.shape[0], kind
    )
    dataset.SetGeoTransform(place)
    system = osr.SpatialReference()
    system.ImportFromEPSG(epsg)
    dataset.SetProjection(system.ExportToWkt())
    for band, plane in enumerate(values, 1):
        dataset.GetRasterBand(band).WriteArray(plane)
    dataset.FlushCache()
    del dataset
    return RasterSnapshot.from_layer(QgsRasterLayer(path, "image"))


def bands(number):
    return (np.arange(number * 90 * 120) % 251).reshape(number, 90, 120)


@pytest.mark.parametrize(
    ("number", "kind", "scale"),
    [(3, gdal.GDT_Byte, 1), (4, gdal.GDT_UInt16, 40), (1, gdal.GDT_Float32, 0.001)],
)
def test_images_of_every_kind(working, variance, tmp_path, number, kind, scale):
    found = image(tmp_path, bands(number) * scale, kind)
    made = render_gallery(*picks_of(variance), working, found, "png")
    assert made.startswith(b"\x89PNG")


def test_bytes_of_0_and_1_are_black_and_white(working, variance, tmp_path):
    """Masks have such values; other bytes are used as colours without stretching."""
    parts, made = (bands(3) > 125).astype(np.uint8), []
    for scale in (1, 255):
        made.append(
            render_gallery(*picks_of(variance), working, image(tmp_path, parts * scale), "png")
        )
    assert made[0] == made[1]


def test_the_image_is_really_drawn(working, variance, tmp_path):
    picks, targets, drawn = picks_of(variance)
    without = render_gallery(picks, targets, drawn, working, None, "png")
    grey = render_gallery(picks, targets, drawn, working, image(tmp_path, bands(3)), "png")
    assert len(grey) > 2 * len(without)


def test_long_names_below_the_maps_do_not_run_into_each_other(working, variance, monkeypatch):
    figures = []
    monkeypatch.setattr(
        gallery,
        "encode_figure",
        lambda figure, *how: figures.append(figure) or encode_figure(figure, *how),
    )
    picks, targets, drawn = picks_of(variance)
    whole = {
        f"annotator {n}": f"crowns_plot12_{who}_2023"
        for n, who in enumerate(("anna", "benjamin", "carla"), 1)
    }
    picks = picks.replace(dict.fromkeys(("target_annotator", "delineation_annotator"), whole))
    render_gallery(picks, targets, drawn, working, None, "png")
    labels = []
    for part in figures[0].subfigs:
        axes = [one for one in part.axes if one.get_xlabel()]
        labels += [one.get_xlabel() for one in axes]
        boxes = [one.xaxis.label.get_window_extent() for one in axes]
        assert all(left.x1 < right.x0 for left, right in zip(boxes, boxes[1:]))
        assert all(figures[0].bbox.x0 <= box.x0 < box.x1 <= figures[0].bbox.x1 for box in boxes)
        assert all(box.y0 >= part.bbox.y0 for box in boxes)
    assert len(labels) == len(picks) == 2
    assert all("benjamin" in label or "anna" in label or "carla" in label for label in labels)


def test_a_crown_outside_of_the_image_is_drawn_on_white(working, variance, tmp_path):
    elsewhere = image(tmp_path, bands(3), place=(EAST + 5000, 0.5, 0, NORTH, 0, -0.5))
    assert render_gallery(*picks_of(variance), working, elsewhere, "png").startswith(b"\x89PNG")


def test_scores_and_names_stand_on_the_sheet(working, variance):
    picks, targets, drawn = picks_of(variance)
    sheet = render_gallery(
        picks, targets, drawn, working, None, "svg", title="alpha 0.7 m"
    ).decode()
    assert "alpha 0.7 m · red: target, black: delineation, RC: RandCrowns" in sheet.replace(
        "\u00a0", " "
    )
    first = picks.iloc[0]
    assert f"RC {first['randcrowns']:.2f}   IoU {first['iou']:.2f}" in sheet.replace("\u00a0", " ")
    assert "annotator 1" in sheet


def test_a_sheet_is_as_high_as_it_has_kinds_of_pairs(working, variance):
    picks, targets, drawn = picks_of(variance)
    heights = []
    for kinds in (["both_high"] * 2, ["both_high", "forgiven_larger"]):
        some = picks[:2].assign(kind=kinds)
        sheet = render_gallery(some, targets[:2], drawn[:2], working, None, "png")
        heights.append(int.from_bytes(sheet[20:24], "big"))
    one, two = heights
    assert 1.5 * one < two < 2 * one


def test_nothing_to_show_is_said(working, variance):
    none = select_pairs(variance.scores.iloc[:0])
    empty = np.empty(0, dtype=object)
    assert (
        "No pair has a score" in render_gallery(none, empty, empty, working, None, "svg").decode()
    )


def test_the_gallery_can_be_cancelled(working, variance):
    def stop(_fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        render_gallery(*picks_of(variance), working, None, "png", stop)


def test_refused_sets_are_hatched_and_the_chosen_framed(variance):
    drawn = [crowns_at(PLACES, seed=seed) for seed in (1, 2, 3)]
    grid = search_grid(drawn, [0.3, 0.7], [0.3, 1.2, 1.5], [1, 7], max_wrong_score=0.4).grid
    assert (grid["assessment"] != "offered").any()
    axes = new_figure(4, 3).add_subplot()
    alphas, omegas = draw_variances(axes, grid, 7.0, (0.7, 1.2))
    assert alphas.tolist() == [0.3, 0.7]
    assert omegas.tolist() == [0.3, 1.2, 1.5]
    assert axes.get_xticks().tolist() == [0.5, 1.5, 2.5]
    assert axes.get_yticks().tolist() == [0.5, 1.5]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.3", "1.2", "1.5"]
    hatched = [item for item in axes.collections if item.get_hatch()]
    refused = ((grid["gamma"] == 7) & (grid["assessment"] != "offered")).sum()
    assert sum(len(item.get_paths()) for item in hatched) >= refused > 0
    np.testing.assert_allclose(
        axes.collections[0].get_array().ravel(),
        np.maximum(grid[grid["gamma"] == 7].sort_values(["alpha", "omega"])["variance"], 1e-9),
    )


def test_each_reason_for_refusing_a_set_has_a_hatching_of_its_own():
    assessments = [
        "offered",
        "wrong_pairs_too_high",
        "degenerate",
        "right_pairs_too_low",
        "too_many_excluded",
    ]
    sets = [
        {
            "alpha": 0.1 * i,
            "omega": 1.2,
            "gamma": 3.0,
            "variance": 1e-3,
            "assessment": assessment,
            "rank": np.nan,
        }
        for i, assessment in enumerate(assessments, 1)
    ]
    axes = new_figure(4, 3).add_subplot()
    draw_variances(axes, pd.DataFrame(sets), 3.0)
    found = {
        item.get_hatch(): len(item.get_paths()) for item in axes.collections if item.get_hatch()
    }
    assert set(found) == {"////", "\\\\\\\\", "xx"}
    picture = render_variances(pd.DataFrame(sets), "svg").decode().replace("\u00a0", " ")
    assert (
        "/ wrong pairs score too high, \\ right pairs too low, x too many crowns too small"
        in picture
    )
    assert "values of gamma" not in picture


def test_of_many_gammas_some_are_shown_and_it_is_said(monkeypatch):
    monkeypatch.setattr(gallery, "MAX_PANELS", 3)
    row = {"alpha": 0.7, "omega": 1.2, "variance": 1e-3, "assessment": "offered", "rank": np.nan}
    sets = [{**row, "gamma": float(gamma)} for gamma in range(1, 5)]
    picture = render_variances(pd.DataFrame(sets), "svg").decode().replace("\u00a0", " ")
    assert "3 of 4 values of gamma." in picture


def test_a_grid_of_one_set_and_one_without_variance_can_be_drawn():
    row = {
        "alpha": 0.7,
        "omega": 1.2,
        "gamma": 3.0,
        "variance": np.nan,
        "assessment": "too_many_excluded",
        "rank": np.nan,
    }
    told = []
    assert render_variances(pd.DataFrame([row]), "png", told.append).startswith(b"\x89PNG")
    assert told == sorted(told)
    assert told[0] == 0.4
    assert render_variances(
        pd.DataFrame([{**row, "variance": 0.0, "assessment": "offered"}]), "png"
    )


def test_series_of_the_scatter_are_told_apart():
    frame = pd.DataFrame(
        {"iou": [0.1, 0.5, np.nan], "randcrowns": [0.2, 0.9, np.nan], "series": ["a", "b", "b"]}
    )
    figure = new_figure(3, 3)
    axes = figure.add_subplot()
    draw_scatter(axes, frame, "title", 1)
    assert axes.get_axisbelow() is True  # the grid
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]
    assert b"<svg" in encode_figure(figure, "svg")
    draw_scatter(new_figure(3, 3).add_subplot(), frame.drop(columns="series"))
