"""The content of a page to explore as the file contains it, without a browser."""

from __future__ import annotations

import base64
import io
import json
import zlib
from dataclasses import replace

import html5lib
import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from support.errors import raises
from support.explored import scored_crowns, scored_run

from randcrowns.core.review.verdicts import outline_hashes
from randcrowns.core.scoring.layer import mark_not_judged
from randcrowns.report.explore import leaflet
from randcrowns.report.explore.content import (
    ColumnRole,
    ExploreColumn,
    OutlineReferences,
    PairTable,
)
from randcrowns.report.explore.core_runs import (
    PageTexts,
    ScoredDelineations,
    explore_scored_crowns,
)
from randcrowns.report.explore.leaflet import Leaflet
from randcrowns.report.explore.matched import ExploredInstances, match_views
from randcrowns.report.explore.outlines import encode_outlines
from randcrowns.report.explore.outputs import OutlinedTable, table_views
from randcrowns.report.explore.page import SCRIPTS, render_explorer
from randcrowns.report.explore.tiles import TILE_SIZE, Extent, TileLimits, cut_tiles

#: A library that does nothing, so that the pages are small.
NO_LIBRARY = Leaflet("", "")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    [
        "</script>",
        "<!--<script>",
        "javascript:x",
        "\u202e",
        "]]>",
        "&lt;",
        "{{ x }}",
        "\0",
        "x" * 10_000,
    ]
)


def manifest_of(page):
    """The manifest in a page, as a browser reads it."""
    document = html5lib.parse(page, namespaceHTMLElements=False)
    text = document.find(".//script[@id='data-manifest']").text
    return json.loads(zlib.decompress(base64.b64decode(text)).decode("utf-8"))


@given(TEXTS, TEXTS, TEXTS)
@settings(max_examples=40)
def test_any_text_stays_text(title, name, heading):
    run = scored_run(12, title=title, names=[name], answer=[name], provenance=heading)
    table = PairTable(title, [heading], [[name]])
    page = render_explorer(replace(run, tables=[table]), NO_LIBRARY)
    document = html5lib.parse(page, namespaceHTMLElements=False)
    elements = [element.tag for element in document.iter() if isinstance(element.tag, str)]
    # Three elements of data, Leaflet, and the page's own scripts; nothing that a name has made.
    assert elements.count("script") == 3 + 1 + len(SCRIPTS)
    assert {*elements} <= {
        *("html", "head", "meta", "title", "style", "body", "header", "main"),
        *("h1", "p", "noscript", "script"),
    }
    manifest = manifest_of(page)
    assert manifest["title"] == title
    assert name in manifest["views"][0]["columns"][0]["texts"]
    assert manifest["tables"][0]["headings"] == [heading]


def decoded(encoded):
    """The rings of encoded outlines as polygons, one list per outline."""
    vertices = encoded.coordinates.reshape(-1, 2)
    rings = []
    start = 0
    for size in encoded.ring_sizes:
        rings.append(np.cumsum(vertices[start : start + size], axis=0) * encoded.step)
        start += size
    ends = np.cumsum(encoded.rings_per_outline)
    return [rings[end - count : end] for end, count in zip(ends, encoded.rings_per_outline)]


def test_outlines_keep_their_holes_parts_and_places():
    square = shapely.box(0, 0, 10, 10)
    with_hole = square.difference(shapely.box(4, 4, 6, 6))
    parts = shapely.MultiPolygon([shapely.box(20, 0, 21, 1), shapely.box(30, -5, 31, -4)])
    shapes = np.array([with_hole, None, parts, shapely.Polygon()], dtype=object)
    outlines = decoded(encode_outlines(shapes))
    assert [len(rings) for rings in outlines] == [2, 0, 2, 0]
    areas = [
        sorted(shapely.Polygon(ring).area for ring in rings) for rings in (outlines[0], outlines[2])
    ]
    assert areas == [[pytest.approx(4), pytest.approx(100)], [pytest.approx(1)] * 2]
    assert np.vstack(outlines[2]).min(axis=0).tolist() == [20, -5]


def test_no_outlines_are_no_error():
    encoded = encode_outlines(np.array([None, None], dtype=object))
    assert encoded.rings_per_outline.tolist() == [0, 0]
    assert len(encoded.coordinates) == 0


def test_coordinates_far_away_fit_into_32_bits():
    encoded = encode_outlines(np.array([shapely.box(0, 0, 1e8, 1e8)]))
    assert np.abs(encoded.coordinates).max() < 2**31
    (ring,) = decoded(encoded)[0]
    assert np.allclose(shapely.Polygon(ring).bounds, (0, 0, 1e8, 1e8), rtol=1e-8)


def coloured(extent, width, height):
    """Pixels whose first two numbers are the metres to the right and to the top."""
    x = extent.left + (np.arange(width) + 0.5) * (extent.right - extent.left) / width
    y = extent.top - (np.arange(height) + 0.5) * (extent.top - extent.bottom) / height
    pixels = np.stack([*np.meshgrid(x, y), np.zeros((height, width))], axis=-1)
    return pixels, np.ones((height, width), dtype=bool)


def test_tiles_lie_where_the_map_expects_them():
    corners = []

    def encode(pixels):
        corners.append(pixels[0, 0, :2])
        return b"tile"

    extent = Extent(-10.0, -20.0, 300.0, 200.0)
    pyramid = cut_tiles(coloured, encode, "image/png", extent, TileLimits(pixel_size=0.5))
    zooms = [tile.zoom for tile in pyramid.tiles]
    assert (min(zooms), max(zooms)) == (0, 1)
    for tile, (x, y) in zip(pyramid.tiles, corners):
        pixel = 2.0**-tile.zoom
        assert x == pytest.approx(tile.column * TILE_SIZE * pixel + pixel / 2)
        assert y == pytest.approx(-tile.row * TILE_SIZE * pixel - pixel / 2)
    # 310 by 220 m around the origin, in tiles of 256 m.
    assert {(tile.column, tile.row) for tile in pyramid.tiles if tile.zoom == 1} == {
        (column, row) for column in (-1, 0, 1) for row in (-1, 0)
    }


def test_the_highest_levels_are_omitted_if_they_do_not_fit():
    extent = Extent(0.0, 0.0, 512.0, 512.0)
    limits = TileLimits(pixel_size=0.25, maximum_bytes=8000)
    pyramid = cut_tiles(coloured, lambda _: bytes(1000), "image/png", extent, limits)
    # One tile at level 0 and four at level 1; sixteen more would be 28,000 bytes.
    assert [tile.zoom for tile in pyramid.tiles] == [0, 1, 1, 1, 1]
    assert cut_tiles(coloured, lambda _: bytes(9000), "image/png", extent, limits) is None


def test_a_tile_that_the_image_does_not_fill_has_a_mask():
    """The page has no white ground around the image then, as it would be in JPEG."""

    def partial(extent, width, height):
        pixels, has_pixels = coloured(extent, width, height)
        return pixels, has_pixels & (pixels[:, :, 0] < 700)

    extent = Extent(0.0, 0.0, 1024.0, 512.0)
    limits = TileLimits(pixel_size=1.0)
    pyramid = cut_tiles(partial, lambda _: b"tile", "image/png", extent, limits)
    masks = {tile.column: tile.mask for tile in pyramid.tiles if tile.zoom == 0}
    assert masks[0] == b""
    mask = np.asarray(Image.open(io.BytesIO(masks[1])).convert("RGBA"))
    assert np.flatnonzero(mask[0, :, 3]).tolist() == list(range(700 - TILE_SIZE))


def test_an_empty_extent_has_no_image():
    assert cut_tiles(coloured, bytes, "image/png", Extent(1.0, 1.0, 1.0, 1.0)) is None


def test_a_missing_library_names_what_to_install(tmp_path):
    with raises("explore.no_leaflet", requirement=leaflet.REQUIREMENT):
        leaflet.read_leaflet([str(tmp_path)])


def test_a_changed_library_is_refused(tmp_path):
    package = tmp_path / leaflet.PACKAGE
    files = package / "static" / leaflet.PACKAGE
    files.mkdir(parents=True)
    (package / "__init__.py").touch()
    (files / "leaflet.js").write_text("alert(1)")
    with raises("explore.changed_leaflet", path=files / "leaflet.js"):
        leaflet.read_leaflet([str(tmp_path)])


def test_the_installed_library_is_leaflet():
    library = leaflet.read_leaflet()
    assert "Leaflet 1.9.4" in library.script
    assert ".leaflet-container" in library.style


def test_missing_values_have_no_text():
    run = scored_run(12)
    view = run.views[0]
    rows = view.rows.assign(plot=pd.array([pd.NA] * len(view.rows), dtype="string"))
    page = render_explorer(replace(run, views=[replace(view, rows=rows)]), NO_LIBRARY)
    columns = manifest_of(page)["views"][0]["columns"]
    assert next(column["texts"] for column in columns if column["name"] == "plot") == [""]


def test_delineations_that_are_not_judged_have_an_outline():
    targets, drawn, scores = scored_crowns(12)
    layers = [ScoredDelineations(drawn, mark_not_judged(scores))]
    run = explore_scored_crowns(targets, layers, PageTexts("boxes"))
    review = manifest_of(render_explorer(run, NO_LIBRARY))["views"][0]["review"]
    extras = drawn.geometry[-4:]
    assert review["side"][-4:] == ["delineation"] * 4
    assert review["outlines"][-4:] == list(outline_hashes(extras))
    assert review["matches"][-4:] == [""] * 4
    assert review["problems"][-4:] == ["not judged"] * 4
    assert run.views[0].review.crowns["score"].tolist()[-4:] == [0.0] * 4


def test_delineations_that_are_not_judged_have_no_score():
    targets, drawn, scores = scored_crowns(12)
    layers = [ScoredDelineations(drawn, mark_not_judged(scores))]
    view = explore_scored_crowns(targets, layers, PageTexts("boxes")).views[0]
    assert view.rows[["randcrowns", "iou", "iou_crowns"]][-4:].isna().all(axis=None)
    assert len(view.false_detections) == 0
    # False detections have none either: the score is that of a target.
    assert scored_run(12).views[0].rows["randcrowns"][-4:].isna().all()


@pytest.mark.parametrize("status", ["false_positive", "not_judged"])
def test_predictions_without_a_target_have_no_iou(status):
    boxes = [shapely.box(0, 0, 4, 4), shapely.box(0, 0, 4, 4), shapely.box(0, 0, 2, 2)]
    table = {"id": [1, 2], "match_id": [1, None], "status": ["true_positive", status]}
    numbers = dict.fromkeys(("iou", "precision", "recall"), 1.0)
    rows = pd.DataFrame({**table, **numbers})
    shapes = np.array(boxes, dtype=object)
    nothing = pd.DataFrame(index=range(2))
    targets = ExploredInstances("trees", rows[:1], shapes[:1], nothing[:1])
    _, (view,) = match_views(targets, ExploredInstances("boxes", rows, shapes[1:], nothing))
    assert view.rows["iou"].tolist() == pytest.approx([1.0, np.nan], nan_ok=True)
    assert view.false_detections.tolist() == ([1] if status == "false_positive" else [])


def test_extra_delineations_are_false_detections_and_no_missed_targets():
    """Every tenth of the 60 targets has no delineation, and four delineations have no target."""
    view = scored_run(60).views[0]
    column = next(column for column in view.columns if column.name == "status")
    labels = view.rows["status"].map(lambda status: column.labels[status])
    assert (labels == "not detected (no pair)").sum() == 6
    assert labels[-4:].tolist() == ["false detection"] * 4
    assert (labels == "false detection").sum() == 4
    # Each status that occurs has a line or a colour of its own.
    statuses = view.rows["status"].unique()
    symbols = [column.lines.get(status) or column.colours[status] for status in statuses]
    assert len(set(symbols)) == len(symbols) == 3


def test_crowns_of_annotators_are_named_and_listed_as_in_the_report():
    """Numbers of the run's own arrays are not shown; details are in the panel of the crown."""
    rows = pd.DataFrame(
        {
            "target": [1],
            "crown": [7],
            "target_annotator": ["anna"],
            "target_id": [15.0],
            "randcrowns_mean": [0.75],
            "randcrowns_variance": [0.0559],
            "iou_variance": [0.01],
            "example": ["worst"],
        }
    )
    columns = [ExploreColumn(name, name) for name in rows]
    shapes = np.array([shapely.box(0, 0, 1, 1)], dtype=object)
    (view,) = table_views([OutlinedTable("Targets", rows, shapes, columns)]).views
    names = next(column.name for column in view.columns if column.role is ColumnRole.NAME)
    assert view.rows[names].tolist() == ["anna 15"]
    assert [(column.name, column.is_listed) for column in view.columns[1:]] == [
        ("randcrowns_mean", True),
        ("randcrowns_variance", True),
        ("iou_variance", False),
        ("example", False),
    ]


def test_rows_without_an_outline_are_allowed():
    run = scored_run(12)
    view = run.views[0]
    nowhere = np.full(len(view.rows), -1)
    outlines = OutlineReferences(view.outlines.layer, nowhere, 1, nowhere)
    page = render_explorer(replace(run, views=[replace(view, outlines=outlines)]), NO_LIBRARY)
    assert manifest_of(page)["views"][0]["rows"] == len(view.rows)


def test_a_page_of_10_000_crowns_is_small():
    assert len(render_explorer(scored_run(400), NO_LIBRARY)) / 400 * 10_000 < 20e6


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["area", "yes", "no", "votes"], ["area", "yes", "no"]),
        (["area", "votes"], ["area", "votes"]),
    ],
)
def test_digits_of_votes_are_left_out_where_the_annotators_are_named(names, shown):
    """Votes of a consensus are a number, which nothing else states."""
    rows = pd.DataFrame([dict.fromkeys(names, 1)])
    columns = [ExploreColumn(name, name) for name in names]
    shapes = np.array([shapely.box(0, 0, 2, 2)])
    (view,) = table_views([OutlinedTable("areas", rows, shapes, columns)]).views
    assert [column.name for column in view.columns][1:] == shown
