"""The page to explore in a real browser: map, table, filters, crown and verdicts."""

from __future__ import annotations

import base64
import io
import json
import re
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import shapely
from PIL import Image
from support.clouds import labelled_cloud, write_cloud
from support.explored import LENGTHS, scored_crowns, scored_run

from randcrowns.core.instances.average_precision import matched_iou, threshold_table
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.review.verdict_exchange import read_verdict_text
from randcrowns.core.scoring.layer import mark_not_judged, summarise
from randcrowns.core.scoring.score import target_regions
from randcrowns.jobs.explored import explored_run
from randcrowns.jobs.point_clouds import evaluate_cloud
from randcrowns.report.colour_classes import variance_classes
from randcrowns.report.colours import SCORE_COLOURS, TARGET_COLOUR, relative_luminance
from randcrowns.report.crown_drawings import score_lines
from randcrowns.report.explore.content import (
    ColumnKind,
    DetectionCurve,
    ExploreColumn,
    ImagePyramid,
    ImageTile,
    PairTable,
    ThresholdSlider,
)
from randcrowns.report.explore.core_runs import (
    PageTexts,
    ScoredDelineations,
    explore_scored_crowns,
)
from randcrowns.report.explore.matched import ExploredInstances, match_views
from randcrowns.report.explore.outputs import OutlinedTable, table_views
from randcrowns.report.explore.tiles import TILE_SIZE, encode_mask
from randcrowns.report.language import cell_decimals, format_value
from randcrowns.report.render import minus_sign

EVIL = "</script><script>window.attacked = 1</script><img src=x onerror='window.attacked = 1'>"
#: The same test in Chromium, the browser of all other tests, and in Firefox.
in_both_browsers = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)
NAMES = (EVIL, "javascript:window.attacked=1", "\u202ereversed\u2066", "x" * 10_000, "=1+1", "<!--")


def shown_names(browser):
    """The names in the visible rows of the table."""
    rows = "[...document.querySelectorAll('.table tr[data-position]')]"
    return browser.run(f"{rows}.map((row) => row.cells[0].textContent)")


def point_of(browser, row):
    """The point of the window where the middle of a crown is drawn."""
    return browser.run(
        f"""(() => {{
          const {{ crownMap, view }} = Explore.page;
          const [left, bottom, right, top] =
            Explore.run.layers[view.layer[{row}]].outlines.boxOf(view.outline[{row}]);
          const at = crownMap.map.latLngToContainerPoint([(bottom + top) / 2, (left + right) / 2]);
          const frame = crownMap.mapElement ?? document.querySelector(".map");
          const box = frame.getBoundingClientRect();
          return [box.left + at.x, box.top + at.y];
        }})()"""
    )


def await_event(browser, name):
    """Have ``window.ended`` become a promise that the map's next event of this name keeps."""
    event = f"new Promise((done) => Explore.page.crownMap.map.once('{name}', () => done()))"
    browser.run(f"window.ended = {event}; 0")


def set_field(browser, selector, value, event="input"):
    """Enter a value into a field."""
    browser.run(
        f"""(() => {{
          const field = document.querySelector({json.dumps(selector)});
          field.value = {json.dumps(value)};
          field.dispatchEvent(new Event("{event}"));
        }})()"""
    )


@contextmanager
def window_of(page, width, height, scheme="light"):
    """Have the page in a window of a size, with light or dark colours."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    page.send("Emulation.setDeviceMetricsOverride", **size)
    page.send("Emulation.setEmulatedMedia", features=features)
    try:
        page.settle()
        yield
    finally:
        page.send("Emulation.clearDeviceMetricsOverride")
        page.send("Emulation.setEmulatedMedia", features=[])


def box_of(page, selector):
    """The left, top, right and bottom of an element in the window."""
    return page.run(
        f"(() => {{ const box = document.querySelector({json.dumps(selector)})"
        ".getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })()"
    )


def is_selected_row_in_view(page):
    """Return True if the whole selected row is visible in the table and in the window."""
    page.settle()
    return page.run(
        """(() => {
          const row = document.querySelector("tr[aria-selected=true]")?.getBoundingClientRect();
          const table = document.querySelector(".table");
          const head = table.querySelector("thead").getBoundingClientRect();
          const end = Math.min(innerHeight, table.getBoundingClientRect().top + table.clientHeight + 1);
          return row !== undefined && row.top >= head.bottom - 1 && row.bottom <= end + 1;
        })()"""
    )


def test_a_long_title_is_shown_without_a_scroll_bar(opened):
    title = "crowns of a company, " * 40
    page = opened(replace(scored_run(9), title=title))
    heading = "document.querySelector('h1')"
    assert len(page.run(f"{heading}.textContent")) <= 160
    overflow = page.run(f"getComputedStyle({heading}).overflowY")
    assert overflow == "visible"
    assert page.run("document.title") == title.strip()
    assert page.run(f"{heading}.title") == title
    page = opened(replace(scored_run(9), title="crowns"))
    assert page.run(f"{heading}.hasAttribute('title')") is False


@in_both_browsers
def test_a_page_opens_without_errors_and_without_requests(opened):
    page = opened()
    assert page.run("document.documentElement.dataset.ready") == "true"
    assert page.faults() == []
    assert page.requests() == []
    assert page.run("document.title") == "boxes compared with field crowns"


@in_both_browsers
def test_the_worst_crown_is_first(opened):
    page = opened()
    scores = page.run(
        "Explore.page.rows.shown.map((row) => Explore.page.view.columns[2].values[row])"
        ".map((score) => (Number.isNaN(score) ? null : score))"
    )
    # False detections have no score, and are sorted like scores of 0, as on page Review.
    assert scores.count(None) == 4
    in_order = [0 if score is None else score for score in scores]
    assert in_order == sorted(in_order)


def test_outlines_reach_the_browser_within_a_centimetre(opened):
    run = scored_run(60)
    page = opened(run)
    for number, layer in enumerate(run.layers):
        boxes = page.run(f"[...Explore.run.layers[{number}].outlines.boxes]")
        expected = shapely.bounds(layer.shapes)
        assert np.allclose(np.reshape(boxes, (-1, 4)), expected, atol=0.0051)


@in_both_browsers
def test_the_mouse_moves_the_map_and_the_wheel_zooms_it(opened):
    page = opened()
    centre = page.run("Explore.page.crownMap.map.getCenter()")
    page.drag((400, 400), (500, 430))
    moved = page.run("Explore.page.crownMap.map.getCenter()")
    assert moved["lng"] < centre["lng"]
    assert moved["lat"] > centre["lat"]
    zoom = page.run("Explore.page.crownMap.map.getZoom()")
    await_event(page, "zoomend")
    page.wheel(400, 400, -300)
    page.run("window.ended")
    assert page.run("Explore.page.crownMap.map.getZoom()") > zoom


@in_both_browsers
def test_keys_move_and_zoom_the_map(opened):
    page = opened()
    page.run("document.querySelector('.map').focus()")
    centre = page.run("Explore.page.crownMap.map.getCenter()")
    await_event(page, "moveend")
    page.press("ArrowRight")
    page.run("window.ended")
    assert page.run("Explore.page.crownMap.map.getCenter()")["lng"] > centre["lng"]


@in_both_browsers
def test_a_click_on_the_map_selects_the_row_and_a_click_on_a_row_moves_the_map(opened):
    page = opened()
    page.click(*point_of(page, 17))
    assert page.run("Explore.page.row") == 17
    selected = "document.querySelector('tr[aria-selected=true]').cells[0].textContent"
    assert page.run(selected) == "Target 17"
    assert page.run("document.querySelector('.panel h2').textContent") == "Target 17"

    page.run("document.querySelectorAll('.table tr[data-position]')[2].click()")
    row = page.run("Explore.page.row")
    assert row != 17
    x, y = point_of(page, row)
    left, top, right, bottom = page.run(
        "(() => { const box = document.querySelector('.map').getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]; })()"
    )
    assert left < x < right
    assert top < y < bottom


def test_a_selected_plot_stays_as_large_as_the_whole_run(opened):
    """One plot is the whole run; the other is a twentieth of it, and is enlarged."""
    rows = pd.DataFrame({"area": [1_550.2, 400.0]})
    shapes = np.array([shapely.box(0, 0, 400, 400), shapely.box(0, 0, 20, 20)])
    columns = [ExploreColumn("area", "Area (m²)", ColumnKind.NUMBER, digits=1)]
    parts = table_views([OutlinedTable("Places", rows, shapes, columns)])
    page = opened(replace(scored_run(9), layers=parts.layers, views=parts.views, regions=None))
    hint = page.run("document.querySelector('.panel .quiet:not(:empty)').textContent")
    assert hint == "Click an outline on the map or a row of the table."
    zoom = page.run("Explore.page.crownMap.map.getZoom()")
    page.run("document.querySelector('.table tr[data-position]').click()")
    assert page.run("Explore.page.crownMap.map.getZoom()") == zoom
    assert page.run("document.querySelector('.panel h2').textContent") == "Places, row 1"
    assert page.run("document.querySelector('.panel dd').textContent") == "1,550.2"
    page.run("document.querySelectorAll('.table tr[data-position]')[1].click()")
    assert page.run("Explore.page.crownMap.map.getZoom()") > zoom


def test_numbers_have_the_signs_of_the_report(opened):
    page = opened()
    page.run("Object.assign(Explore.texts, {decimal: ',', thousands: '.'})")
    texts = page.run(
        "[[1550.16, 1], [-1234567, 0], [0.5, 2], [0.019, -3], [0.0123, -2]]"
        ".map(([number, digits]) => Explore.formatNumber(number, digits))"
    )
    assert texts == ["1.550,2", "−1.234.567", "0,50", "0,0190", "0,012"]


def test_numbers_are_written_as_in_the_report(opened):
    """The function of the page and that of the report give the same texts."""
    random = np.random.default_rng(5)
    sizes = 10.0 ** random.integers(-7, 6, 400)
    # Numbers between two texts, such as 0.125, and numbers that only seem so.
    ties = [
        0.125,
        0.375,
        2.5,
        -0.5,
        0.0625,
        0.03125,
        1.005,
        2.675,
        1550.0,
        0.0,
        1.0,
        0.1,
        1234567.0,
    ]
    numbers = [*(random.normal(size=400) * sizes).round(9).tolist(), *ties]
    page = opened()
    for digits in (0, 1, 2, 3, -2, -3, -6, None):
        decimals = [cell_decimals(number, digits) for number in numbers]
        expected = [minus_sign(format_value(*pair)) for pair in zip(numbers, decimals)]
        function = f"(number) => Explore.formatNumber(number, {json.dumps(digits)})"
        assert page.run(f"{json.dumps(numbers)}.map({function})") == expected, digits


def test_the_page_shows_the_warnings_of_the_run(opened):
    warnings = ["Few shared crowns: <b>delineate</b> more.", "Some layers are copies."]
    page = opened(replace(scored_run(9), warnings=warnings))
    shown = page.run(
        "[...document.querySelectorAll('header .warning')].map((one) => one.innerText)"
    )
    assert shown == warnings


def test_the_selected_row_is_in_view(opened):
    page = opened()
    for position in (40, 63, 5):
        page.run(f"Explore.page.select(Explore.page.rows.shown[{position}], true)")
        top, bottom, start, end = page.run(
            """(() => {
              const row = document.querySelector("tr[aria-selected=true]").getBoundingClientRect();
              const table = document.querySelector(".table");
              const head = table.querySelector("thead").getBoundingClientRect();
              return [row.top, row.bottom, head.bottom, table.getBoundingClientRect().bottom];
            })()"""
        )
        assert start - 1 <= top < bottom <= end + 1


def test_a_new_scroll_bar_does_not_cover_the_selected_row(opened):
    """The rows that a selection brings into the table may be wider than those before."""
    run = scored_run(60)
    rows = run.views[0].rows
    last = rows["randcrowns"].idxmax()
    rows.loc[last, "name"] = "a name that is as wide as a column can be " * 3
    page = opened(run)
    with window_of(page, 820, 700):
        page.run("document.querySelector('.table table').style.fontSize = '10px'")
        height = page.run("document.querySelector('.table').clientHeight")
        page.run(f"Explore.page.select({last}, false)")
        assert is_selected_row_in_view(page)
        assert page.run("document.querySelector('.table').clientHeight") != height


@pytest.mark.parametrize("height", [650, 800])
def test_a_click_on_the_map_shows_the_row_in_a_low_window(opened, height):
    """Only the table is scrolled, not the page or the panel with the table."""
    page = opened()
    with window_of(page, 1366, height):
        for row in (17, 55, 3):
            page.click(*point_of(page, row))
            assert page.run("Explore.page.row") == row
            assert is_selected_row_in_view(page)
        page.run("document.querySelector('.panel details').open = true")
        assert is_selected_row_in_view(page)
        assert page.run("[scrollY, document.querySelector('.side').scrollTop]") == [0, 0]
        # The verdict is not hidden by the table.
        _, _, _, verdict_end = box_of(page, ".verdicts")
        assert verdict_end <= box_of(page, ".table")[1]


def test_an_open_table_of_the_run_leaves_the_crown_its_room(opened):
    table = PairTable("Pairs", ["first", "second"], [["Ann", "Ben"]] * 30)
    page = opened(scored_run(60, tables=[table]))
    with window_of(page, 1366, 800):
        page.run("Explore.page.select(3, true)")
        page.run("document.querySelector('.small').open = true")
        crown = "document.querySelector('.crown')"
        assert page.run(f"{crown}.scrollHeight - {crown}.clientHeight") == 0
        assert page.run("document.querySelector('.table').clientHeight") >= 200


def test_a_row_that_was_scrolled_away_stays_away(opened):
    page = opened()
    with window_of(page, 1366, 650):
        page.run("Explore.page.select(Explore.page.rows.shown[60], false)")
        assert is_selected_row_in_view(page)
        page.run("document.querySelector('.table').scrollTop = 0")
        page.settle()
        page.run("document.querySelector('.panel details').open = true")
        page.settle()
        assert page.run("document.querySelector('.table').scrollTop") == 0


def test_a_click_on_a_row_brings_the_map_into_view_on_a_telephone(opened):
    page = opened()
    with window_of(page, 360, 780):
        page.run("document.querySelector('.table').scrollIntoView({ block: 'end' })")
        assert box_of(page, ".map")[1] < 0
        left, top, _, _ = box_of(page, ".table tr[data-position='2']")
        page.click(left + 30, top + 14)
        assert page.run("Explore.page.rows.positionOf(Explore.page.row)") == 2
        _, top, _, bottom = box_of(page, ".map")
        assert -1 <= top < bottom <= 780

        # Arrow keys leave the page where the reader walks through the table.
        page.run("document.querySelector('.table').focus()")
        page.run("document.querySelector('.table').scrollIntoView({ block: 'end' })")
        page.press("ArrowDown")
        assert page.run("Explore.page.rows.positionOf(Explore.page.row)") == 3
        assert is_selected_row_in_view(page)


def test_the_crown_is_beside_the_map_on_a_tablet(opened):
    page = opened()
    with window_of(page, 1600, 900):
        wide_map = box_of(page, ".map")[2]
    with window_of(page, 768, 1024):
        page.run("Explore.page.select(3, true)")
        page.settle()
        _, map_top, map_right, map_bottom = box_of(page, ".map")
        left, top, right, bottom = box_of(page, ".panel")
        assert left >= map_right
        assert top <= map_top
        assert bottom >= map_bottom
        assert right - left >= 270
        table_left, table_top, table_right, _ = box_of(page, ".table")
        assert table_top >= bottom
        assert table_right - table_left > 700
        assert page.run("document.scrollingElement.scrollWidth") <= 768
    # The table has the width that it needs again after the window has become wide.
    with window_of(page, 1600, 900):
        assert box_of(page, ".map")[2] == wide_map
        assert page.run("Explore.page.crownMap.map.getSize().x") == wide_map


def test_controls_on_the_map_and_tags_are_visible_in_dark_windows(opened):
    page = opened()
    with window_of(page, 768, 1024, "dark"):
        page.run("Explore.page.select(Explore.page.rows.shown[0], true)")
        colours = page.run(
            """(() => {
              const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
              const tag = styleOf(".panel .tag");
              return [styleOf(".leaflet-bar a").backgroundColor,
                styleOf(".leaflet-control-scale-line").backgroundColor, styleOf(".leaflet-bar a").color,
                tag.boxShadow.match(/rgb.*?\\)/)?.[0] ?? "rgb(0, 0, 0)"];
            })()"""
        )
        luminances = []
        for colour in colours:
            channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
            luminances.append(relative_luminance(*channels))
        assert max(luminances[:2]) < 0.05
        assert min(luminances[2:]) > 0.2


def test_all_headings_of_the_table_have_room_at_their_sides(opened):
    page = opened()
    paddings = page.run(
        "[...document.querySelectorAll('.table thead th')].map((head) => parseFloat("
        "getComputedStyle(head.querySelector('button') ?? head).paddingRight))"
    )
    assert len(set(paddings)) == 1
    assert paddings[0] > 0


@in_both_browsers
def test_arrow_keys_walk_the_table_and_n_and_b_step_through_it(opened):
    page = opened()
    page.run("document.querySelector('.table').focus()")
    page.press("ArrowDown")
    page.press("ArrowDown")
    assert page.run("Explore.page.rows.positionOf(Explore.page.row)") == 1
    page.press("End")
    assert page.run("Explore.page.rows.positionOf(Explore.page.row)") == 63
    page.press("b", "b")
    assert page.run("Explore.page.rows.positionOf(Explore.page.row)") == 62
    page.press("n", "n")
    assert page.run("Explore.page.rows.positionOf(Explore.page.row)") == 63


@in_both_browsers
def test_a_heading_sorts_the_table_in_both_directions(opened):
    page = opened()
    page.run("document.querySelector('.table th button').click()")
    assert shown_names(page)[:3] == ["Delineation 54", "Delineation 55", "Delineation 56"]
    assert page.run("document.querySelector('th').ariaSort") == "ascending"
    page.run("document.querySelector('.table th button').click()")
    # Numbers in names count as numbers.
    assert shown_names(page)[:2] == ["Target 59", "Target 58"]


@in_both_browsers
def test_filters_by_text_value_and_score_work_together(opened):
    run = scored_run(60, names=["old pine", "The old oak", "oak"])
    rows = run.views[0].rows
    page = opened(run)
    set_field(page, ".search", "  OLD oak ")
    page.run("new Promise((done) => setTimeout(done, 250))")
    assert page.run("Explore.page.rows.shown") == [1]

    page.run("document.querySelector('.filters').reset()")
    assert page.run("Explore.page.rows.shown.length") == len(rows)
    page.run("Explore.page.rows.values.set('plot', 'plot 1')")
    page.run("Explore.page.rows.ranges.set('randcrowns', [0.5, NaN])")
    page.run("Explore.page.rows.update()")
    expected = rows[(rows["plot"] == "plot 1") & (rows["randcrowns"] >= 0.5)]
    shown = page.run("Explore.page.rows.shown")
    assert sorted(shown) == expected.index.tolist()
    page.run("Explore.page.rowsChanged()")
    assert page.run("document.querySelector('.tablehead [role=status]').textContent") == (
        f"{len(expected)} of 64 rows"
    )


@in_both_browsers
def test_controls_of_the_filters_do_what_they_show(opened):
    page = opened()
    set_select = """(() => {
      const select = [...document.querySelectorAll('.filters select')]
        .find((one) => [...one.options].some((option) => option.text === 'plot 2'));
      select.selectedIndex = [...select.options].findIndex((option) => option.text === 'plot 2');
      select.dispatchEvent(new Event('change'));
    })()"""
    page.run(set_select)
    assert (
        page.run("Explore.page.rows.shown.length")
        == (scored_run(60).views[0].rows["plot"] == "plot 2").sum()
    )
    set_field(page, ".filters fieldset input", "0.9")
    assert page.run(
        "Explore.page.rows.shown.every((row) => Explore.page.rows.column('randcrowns').values[row] >= 0.9)"
    )


@in_both_browsers
def test_the_filtered_rows_are_saved_as_csv(opened):
    page = opened(scored_run(60, names=NAMES))
    page.run("Explore.page.rows.values.set('plot', 'plot 0')")
    page.run("Explore.page.rows.sortBy(Explore.page.view.columns[0])")
    page.run("[...document.querySelectorAll('.tablehead button')].pop().click()")
    file = page.downloaded()
    text = file.read_text(encoding="utf-8")
    file.unlink()
    assert text == page.run("Explore.page.rows.csv()").replace("\r\n", "\n")
    assert f"\n{EVIL},plot 0," in text
    assert "'=1+1" in page.run(
        "Explore.page.rows.view.columns[0].textOf(4) && (() => { Explore.page.rows.values.clear(); Explore.page.rows.update(); return Explore.page.rows.csv(); })()"
    )


@in_both_browsers
def test_verdicts_are_kept_saved_and_read_by_the_plugin(opened):
    run = scored_run(60)
    page = opened(run)
    set_field(page, ".verdicts label:last-of-type input", "Ann", "change")
    page.run(
        "Explore.verdicts.setReviewer('Ann'); Explore.page.select(Explore.page.rows.shown[0], true)"
    )
    rows = page.run("Explore.page.rows.shown.slice(0, 3)")
    page.press("2", "2")
    # The page goes on to the next crown.
    assert page.run("Explore.page.row") == rows[1]
    page.run("Explore.page.panel.comment.value = 'too dark'")
    page.press("4", "4")
    page.press("1", "1")
    page.run("Explore.page.select(Explore.page.rows.shown[2], true); Explore.page.panel.give('')")

    page.run("[...document.querySelectorAll('.verdicts button')].pop().click()")
    file = page.downloaded()
    verdicts = read_verdict_text(file.read_text(encoding="utf-8"), file.name)
    file.unlink()
    assert verdicts["verdict"].tolist() == ["rejected", "unsure"]
    assert verdicts["comment"].tolist() == ["", "too dark"]
    assert set(verdicts["reviewer"]) == {"Ann"}
    crowns = run.views[0].review.crowns.iloc[rows[:2]]
    for name in ("side", "feature_id", "outline", "match", "problem"):
        assert verdicts[name].tolist() == crowns[name].tolist()
    assert verdicts["score"].astype(float).tolist() == pytest.approx(crowns["score"].tolist())

    # The browser keeps them.
    file_name = page.run("location.href").removeprefix("file://")
    page.run("window.isBefore = true")
    page.open(file_name)
    assert not page.run("window.isBefore ?? false")
    assert page.run("Explore.verdicts.records.length") == 2
    page.run("localStorage.clear()")
    assert page.faults() == []


def test_a_wrong_class_needs_the_right_one(opened):
    page = opened()
    page.run("Explore.verdicts.setReviewer('Ann'); Explore.page.select(1, true)")
    page.press("5", "5")
    assert page.run("Explore.verdicts.records.length") == 0
    assert page.run("document.activeElement === Explore.page.panel.rightClass")
    page.run("Explore.page.panel.rightClass.value = ' beech '; document.activeElement.blur()")
    page.press("5", "5")
    verdicts = read_verdict_text(page.run("Explore.verdicts.fileText()"), "verdicts.json")
    assert verdicts[["verdict", "right_class"]].to_numpy().tolist() == [["wrong class", "beech"]]


def test_classes_are_judged_only_where_there_are_any(opened):
    run = scored_run(20)
    view = run.views[0]
    columns = [column for column in view.columns if column.name != "class"]
    page = opened(replace(run, views=[replace(view, columns=columns)]))
    assert page.run("Explore.page.panel.offered") == ["accepted", "rejected", "fixed", "unsure"]


def test_no_verdict_is_given_without_a_name(opened):
    page = opened()
    page.run("Explore.page.step(1)")
    page.press("1", "1")
    assert page.run("Explore.verdicts.records.length") == 0
    assert page.run("document.querySelector('.warning').textContent") == (
        "Enter your name before the first verdict."
    )


def test_keys_write_into_fields_and_give_no_verdicts_there(opened):
    page = opened()
    page.run("Explore.verdicts.setReviewer('Ann'); Explore.page.step(1)")
    page.press("c", "")
    assert page.run("document.activeElement === Explore.page.panel.comment")
    page.press("1", "1")
    assert page.run("Explore.verdicts.records.length") == 0
    assert page.run("Explore.page.panel.comment.value") == "1"


@pytest.mark.parametrize("score", ["randcrowns", "iou"])
def test_precision_and_recall_of_scores_are_those_of_the_core(opened, score):
    _, _, scores = scored_crowns(60)
    page = opened()
    number = ["randcrowns", "iou"].index(score)
    # Values themselves are thresholds that are reached, with the core's tolerance.
    values = scores.targets[score].dropna().to_numpy()[:15]
    thresholds = sorted({*np.linspace(0.01, 1, 25).round(2), *values, *(values + 5e-9)})
    rates = page.run(
        f"{json.dumps(thresholds)}.map((threshold) =>"
        f" Explore.ratesAt(Explore.page.view.sliders[{number}], threshold))"
    )
    for threshold, found in zip(thresholds, rates):
        given = {"iou_thresholds": [threshold], "randcrowns_threshold": threshold}
        expected = summarise(scores.targets, scores.delineations, **given).iloc[0]
        name = f"{score}_{threshold:g}"
        for rate in ("precision", "recall", "f1"):
            assert found[rate] == pytest.approx(expected[f"{rate}_{name}"], abs=1e-12), threshold


def test_precision_and_recall_of_matches_are_those_of_the_core(opened):
    targets, predictions, _ = scored_crowns(60)
    overlap = polygon_overlap(targets, predictions)
    target_iou, prediction_iou = matched_iou(overlap)
    run = scored_run(60)
    slider = ThresholdSlider(
        "IoU", target_iou, prediction_iou, np.full(64, np.nan), 0.5, is_rule=True
    )
    page = opened(replace(run, views=[replace(run.views[0], sliders=[slider])]))
    thresholds = sorted({*np.linspace(0.01, 1, 40).round(3), *target_iou[target_iou > 0][:20]})
    table = threshold_table(overlap, thresholds=thresholds)
    rates = page.run(
        f"{json.dumps(thresholds)}.map((threshold) =>"
        " Explore.ratesAt(Explore.page.view.sliders[0], threshold))"
    )
    for found, (_, expected) in zip(rates, table.iterrows()):
        assert found["found"] == found["right"] == expected["tp"]
        assert len(target_iou) - found["found"] == expected["fn"]
        assert len(prediction_iou) - found["right"] == expected["fp"]
        for rate in ("precision", "recall", "f1"):
            assert found[rate] == pytest.approx(expected[rate], abs=1e-12)


def test_counts_have_signs_between_thousands(opened):
    page = opened()
    assert page.run("Explore.text('rowCount', {shown: 4909, total: 1234567})") == (
        "4,909 of 1,234,567 rows"
    )
    counts = page.run("[0, 999, 1000, 100000].map(Explore.formatCount)")
    assert counts == ["0", "999", "1,000", "100,000"]


@pytest.mark.parametrize(
    ("numbers", "entries"),
    [
        ([1, 11], ["1 – 2", "3 – 4", "5 – 6", "7 – 8", "9 – 10", "11"]),
        ([2, 4], ["2", "3", "4"]),
        ([0, 12], ["0 – 2", "3 – 5", "6 – 8", "9 – 11", "12"]),
        ([5, 5], ["5"]),
    ],
)
def test_each_whole_number_has_one_entry_of_the_legend(opened, numbers, entries):
    """The entries are worked out by hand: at most 6 of equally many numbers."""
    lowest, highest = numbers
    values = list(range(lowest, highest + 1))
    column = {"name": "n", "isNumeric": True, "kind": "number", "digits": 0}
    legend = opened().run(
        f"(() => {{ const column = {json.dumps(column | {'values': values})};"
        " const found = Explore.colouring({columns: [column]}, 'n');"
        " return {texts: found.entries.map((entry) => entry.text),"
        " shown: found.entries.map((entry) => entry.symbol.colour),"
        " used: column.values.map((_, row) => found.symbolOf(row).colour)}; })()"
    )
    assert legend["texts"] == entries
    assert len(set(legend["shown"])) == len(entries)
    assert list(dict.fromkeys(legend["used"])) == legend["shown"]


def test_a_single_value_has_a_single_class(opened):
    column = {"name": "n", "isNumeric": True, "kind": "number", "digits": 2}
    column["values"] = [1501.24, 1501.24]
    entries = opened().run(
        f"(() => {{ const column = {json.dumps(column)};"
        " return Explore.colouring({columns: [column]}, 'n').entries; })()"
    )
    assert [entry["text"] for entry in entries] == ["1,501.24"]


def test_the_worst_of_overlapping_crowns_lies_on_top_and_no_fill_mixes_with_another(opened):
    """The later outline of a place lies on top."""
    page = opened()
    page.run("Explore.page.colourName = 'iou'; Explore.page.recolour()")
    drawn = page.run(
        "(() => { const map = Explore.page.crownMap; const groups = new Map();"
        " const [left, bottom, right, top] = map.extent; const scale = 256 / (right - left);"
        " map.collectPaths(0, {scale, left, top}, groups);"
        " return [...groups.values()].map((one) => [one.rank, one.symbol.colour, one.isFilled]); })()"
    )
    by_rank = {colour: rank for rank, colour, _ in drawn}
    shown = [colour for colour in SCORE_COLOURS if colour in by_rank]
    ranks = [by_rank[colour] for colour in shown]
    assert len(shown) > 1
    assert ranks == sorted(ranks, reverse=True)
    assert not any(is_filled for _, _, is_filled in drawn)


def test_scores_have_the_classes_and_colours_of_the_report_and_of_qgis(opened):
    """The limits are those of the layer styles; a score at a limit is in the class above it."""
    column = {"name": "n", "isNumeric": True, "kind": "score", "digits": 2}
    column["values"] = [0, 0.24, 0.25, 0.4999999999, 0.74, 0.75, 0.9, 1]
    legend = opened().run(
        f"(() => {{ const column = {json.dumps(column)};"
        " const found = Explore.colouring({columns: [column]}, 'n');"
        " return [found.entries.map(({symbol, text}) => [symbol.colour, text]),"
        " column.values.map((_, row) => found.symbolOf(row).colour)]; })()"
    )
    names = ["0.00 to 0.25", "0.25 to 0.50", "0.50 to 0.75", "0.75 to 0.90", "0.90 to 1.00"]
    assert legend[0] == [list(entry) for entry in zip(SCORE_COLOURS, names)]
    assert legend[1] == [SCORE_COLOURS[number] for number in (0, 0, 1, 2, 2, 3, 4, 4)]


def test_outlines_are_drawn_at_every_zoom(opened):
    """Leaflet shows no tiles below zoom 0, at which a pixel is a metre, unless its limit is lower."""
    page = opened()
    is_drawn = (
        "[...Explore.page.crownMap.tiles.tiles.keys()].some((tile) => tile.getContext('2d')"
        ".getImageData(0, 0, tile.width, tile.height).data.some((value) => value > 0))"
    )
    for zoom in (1, -1, -2):
        page.run(f"Explore.page.crownMap.map.setZoom({zoom}, {{animate: false}}); 0")
        page.settle()
        assert page.run(is_drawn), zoom


def test_variances_have_the_classes_and_colours_of_qgis(opened):
    """Variances differ by powers of ten: in classes of equal width, nearly all would be in one."""
    classes = variance_classes()
    column = {"name": "n", "isNumeric": True, "kind": "number", "digits": -3}
    column["classes"] = {name: list(values) for name, values in classes._asdict().items()}
    column["values"] = [0, 0.00005, 0.0001, 0.0005, 0.001, 0.02, 0.3]
    legend = opened().run(
        f"(() => {{ const column = {json.dumps(column)};"
        " const found = Explore.colouring({columns: [column]}, 'n');"
        " return [found.entries.map(({symbol, text}) => [symbol.colour, text]),"
        " column.values.map((_, row) => found.symbolOf(row).colour)]; })()"
    )
    assert legend[0] == [list(entry) for entry in zip(classes.colours, classes.labels)]
    assert legend[1] == [classes.colours[number] for number in (0, 0, 1, 1, 2, 3, 3)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_in_the_legend_or_their_casings_contrast_with_the_page(opened, scheme):
    """At least 3:1, as WCAG 2.1 requires of graphical objects (1.4.11)."""
    page = opened()
    page.send(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    try:
        back, symbols = page.run(
            "[getComputedStyle(document.body).backgroundColor,"
            " [...document.querySelectorAll('.legend .symbol')].map((one) =>"
            " [...one.children].map((path) => getComputedStyle(path).stroke))]"
        )
    finally:
        page.send("Emulation.setEmulatedMedia", features=[])
    ground = [float(part) for part in re.findall(r"[\d.]+", back)[:3]]

    def contrast(colour):
        """The contrast of a colour, which may be transparent, with the page."""
        *channels, opacity = [float(part) for part in (*re.findall(r"[\d.]+", colour), "1")][:4]
        mixed = [opacity * one + (1 - opacity) * other for one, other in zip(channels, ground)]
        lights = [relative_luminance(*(one / 255 for one in rgb)) for rgb in (mixed, ground)]
        return (max(lights) + 0.05) / (min(lights) + 0.05)

    # Five classes, targets that were not detected, false detections, and the delineations.
    assert len(symbols) == 8
    for symbol in symbols:
        assert max(map(contrast, symbol)) >= 3, symbol


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ground_beyond_an_image_is_that_of_the_page(opened, scheme):
    has_pixels = np.arange(TILE_SIZE * TILE_SIZE).reshape(TILE_SIZE, TILE_SIZE) % TILE_SIZE < 200
    tile = ImageTile(0, 0, -1, encode_mask(has_pixels), encode_mask(has_pixels))
    page = opened(scored_run(9, image=ImagePyramid("image/png", [tile])))
    page.send(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    try:
        colours = page.run(
            "[getComputedStyle(document.querySelector('.map')).backgroundColor,"
            " getComputedStyle(document.documentElement).getPropertyValue('--raised').trim()]"
        )
        masks = page.run(
            "[...document.querySelectorAll('.map img.leaflet-tile')]"
            ".map((tile) => getComputedStyle(tile).maskImage).filter((one) => one !== 'none')"
        )
    finally:
        page.send("Emulation.setEmulatedMedia", features=[])
    ground, raised = colours
    digits = [int(part) for part in re.findall(r"\d+", ground)[:3]]
    assert digits == [int(raised[start : start + 2], 16) for start in (1, 3, 5)]
    assert masks
    assert all(mask.startswith('url("data:image/png;base64,') for mask in masks)
    assert page.faults() == []


def test_the_slider_colours_the_map_by_its_threshold(opened):
    page = opened()
    view = scored_run(60).views[0]
    page.run("Explore.page.colourName = 'state 1'; Explore.page.recolour()")
    set_field(page, ".slider:nth-of-type(2) input[type=number]", "0.6")
    legend = page.run("document.querySelector('.legend').innerText")
    assert "score below the minimum" in legend
    states = page.run(
        "[...Array(64).keys()].map((row) => Explore.stateOf(Explore.page.view,"
        " Explore.page.view.sliders[1], row))"
    )
    is_target = (view.rows["kind"] == "target").to_numpy()
    expected = np.select(
        [view.rows["iou"] >= 0.6, view.rows["iou"] > 0], ["reaching", "low"], "missed"
    )
    assert {"reaching", "low", "missed"} <= set(expected)
    assert states == np.where(is_target, expected, "false").tolist()


def test_delineations_that_are_not_judged_have_a_neutral_colour_and_no_count(opened):
    targets, drawn, scores = scored_crowns(20)
    layers = [ScoredDelineations(drawn, mark_not_judged(scores))]
    page = opened(explore_scored_crowns(targets, layers, PageTexts("boxes")))
    last = "Explore.page.view.layer.length - 1"
    assert page.run(f"Explore.page.rows.column('randcrowns').textOf({last})") == "n/a"
    page.run("Explore.page.colourName = 'randcrowns'; Explore.page.recolour()")
    legend = "document.querySelector('.legend').innerText"
    assert "not judged" in page.run(legend)
    assert "no value" not in page.run(legend)
    symbol = page.run(f"Explore.colouring(Explore.page.view, 'randcrowns').symbolOf({last})")
    line = score_lines().others["not_judged"]
    assert (symbol["colour"], symbol["dashes"]) == (line.colour, list(line.dashes))
    page.run("Explore.page.colourName = 'state 1'; Explore.page.recolour()")
    assert "not judged" in page.run(legend)
    assert "false detection" not in page.run(legend)
    numbers = page.run("document.querySelector('.slider output').textContent")
    assert numbers.startswith("Precision n/aRecall")
    assert "delineations" not in numbers
    assert page.faults() == []


def test_the_counts_of_a_rule_are_those_of_the_answer(opened):
    boxes = [shapely.box(10 * number, 0, 10 * number + 8, 8) for number in range(3)]
    # Prediction 8 covers a third of target 1 and nothing else; prediction 9 is target 2.
    predicted = [shapely.box(0, 0, 8, 2.4), boxes[1]]
    statuses = ["false_negative", "true_positive", "false_negative"]
    targets = ExploredInstances(
        "targets",
        pd.DataFrame(
            {
                "id": [1, 2, 3],
                "match_id": [None, 9, None],
                "status": statuses,
                "iou": [0.3, 1.0, 0.0],
                "precision": [1.0, 1.0, 0.0],
                "recall": [0.3, 1.0, 0.0],
            }
        ),
        np.array(boxes),
        pd.DataFrame(index=range(3)),
    )
    predictions = ExploredInstances(
        "predictions",
        pd.DataFrame(
            {
                "id": [8, 9],
                "match_id": [None, 2],
                "status": ["false_positive", "true_positive"],
                "iou": [0.0, 1.0],
                "precision": [0.0, 1.0],
                "recall": [0.0, 1.0],
            }
        ),
        np.array(predicted),
        pd.DataFrame(index=range(2)),
    )
    layers, (view,) = match_views(targets, predictions)
    # The run compares prediction 8 with no target.
    assert view.rows[["iou", "precision", "recall"]].iloc[3].isna().all()
    assert view.sliders[0].note == ""
    page = opened(replace(scored_run(9), layers=layers, views=[view], regions=None))
    spans = "[...document.querySelectorAll('.slider output span')]"
    numbers = page.run(f"{spans}.map((span) => span.textContent)")
    counted = ["Precision 0.500 (1 of 2 delineations)", "Recall 0.333 (1 of 3 targets)"]
    assert numbers == [*counted, "F1 0.400"]
    states = (
        "[0, 1, 2, 3].map((row) => Explore.stateOf(Explore.page.view,"
        " Explore.page.view.sliders[0], row))"
    )
    assert page.run(states) == ["missed", "found", "missed", "false"]
    # False detections are sorted like scores of 0, as in the tables of scored crowns.
    assert page.run("Explore.page.rows.shown") == [2, 3, 0, 1]
    set_field(page, ".slider input[type=number]", "0.2")
    assert page.run(states) == ["found", "found", "missed", "found"]

    # A run with another rule has other counts, which the page explains.
    targets.rows["status"] = "true_positive"
    (other,) = match_views(targets, predictions)[1]
    assert "rule of the run" in other.sliders[0].note


def test_the_data_says_which_rows_are_false_detections(opened):
    """Only they are sorted like scores of 0: other rows without a score come last."""
    run = scored_run(60)
    view = run.views[0]
    assert view.false_detections.tolist() == [60, 61, 62, 63]
    assert sorted(opened(run).run("Explore.page.rows.shown.slice(0, 10)"))[-4:] == [60, 61, 62, 63]
    page = opened(replace(run, views=[replace(view, false_detections=np.array([62]))]))
    assert page.run("Explore.page.rows.shown.slice(-3)") == [60, 61, 63]


def test_the_curve_of_a_detector_is_read_at_any_score(opened):
    curve = DetectionCurve(
        "detector, Ann",
        np.array([0.9, 0.7, 0.4]),
        np.array([1.0, 0.8, 0.5]),
        np.array([0.2, 0.6, 0.9]),
    )
    page = opened(scored_run(20, curves=[curve]))
    for threshold, expected in (
        (0.9, [1.0, 0.2]),
        (0.8, [1.0, 0.2]),
        (0.7, [0.8, 0.6]),
        (0, [0.5, 0.9]),
    ):
        rates = page.run(f"Explore.curveAt(Explore.run.curves[0], {threshold})")
        assert [rates["precision"], rates["recall"]] == expected


def test_a_run_without_outlines_shows_its_curves_and_tables(opened):
    """For example a ranking of detectors whose ground truths were not written."""
    curve = DetectionCurve("detector, Ann", np.array([0.9]), np.array([1.0]), np.array([0.2]))
    helps = ["Name of the detector.", EVIL]
    table = PairTable("Detector scores", ["Detector", EVIL], [["net", EVIL]], helps)
    page = opened(scored_run(20, views=[], layers=[], curves=[curve], tables=[table]))
    assert page.run("document.documentElement.dataset.ready") == "true"
    assert page.run(
        "[...document.querySelectorAll('main > details')].map((part) => part.open)"
    ) == [
        True,
        True,
    ]
    assert "Precision 1.000" in page.run("document.querySelector('.slider output').textContent")
    cells = page.run("[...document.querySelectorAll('.small td')].map((cell) => cell.textContent)")
    assert cells == ["net", EVIL]
    # Each column is explained by a tooltip and below the table.
    tips = page.run("[...document.querySelectorAll('.small th')].map((head) => head.title)")
    assert tips == helps
    notes = page.run("[...document.querySelectorAll('.meaning')].map((part) => part.textContent)")
    assert notes == ["Detector: Name of the detector.", f"{EVIL}: {EVIL}"]
    assert page.faults() == []
    assert page.requests() == []


@in_both_browsers
def test_small_tables_break_no_number_and_no_usual_name(opened):
    """The panel was narrow enough to write a score as "0.68" and "9"."""
    cells = ["AUCR", "annotator_1", "detector_2", "0.689", "1,448.9", "0.968", "0.668", "0.804"]
    table = PairTable("Scores", [str(n) for n in range(9)], [[*cells, "a long name " * 9]])
    page = opened(scored_run(20, tables=[table]))
    page.run("document.querySelectorAll('.small').forEach((one) => { one.open = true; })")
    lines = page.run(
        """[...document.querySelectorAll('.small td')].map((cell) => {
             const range = document.createRange();
             range.selectNodeContents(cell);
             return new Set([...range.getClientRects()].map((box) => box.top)).size;
           })"""
    )
    assert lines[:-1] == [1] * len(cells)
    assert lines[-1] > 1


def test_sliders_are_large_enough_and_scrolled_parts_are_reached_by_keys(opened):
    page = opened()
    page.run("Explore.page.select(0, true)")
    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    heights = page.run(
        "[...document.querySelectorAll('input[type=range]')].map((one) => one.clientHeight)"
    )
    assert len(heights) == 2
    assert min(heights) >= 24
    lists = page.run("[...document.querySelectorAll('.panel dl')].map((one) => one.tabIndex)")
    assert set(lists) == {0}


@pytest.mark.parametrize("n_targets", [2, 60])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shade_is_at_the_side_where_the_table_continues(opened, scheme, n_targets):
    """With 60 targets, there is a vertical scroll bar, too."""
    page = opened(scored_run(n_targets))
    page.send(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )

    def colours_of_edges():
        """The colours at the left and the right edge of the table, above a row's texts."""
        left, right, y = page.run(
            "(() => { const table = document.querySelector('.table');"
            " const box = table.getBoundingClientRect();"
            " return [box.left + 2, box.left + table.clientWidth - 1,"
            " table.querySelector('tr[data-position]').getBoundingClientRect().top + 4]; })()"
        )
        shot = page.send("Page.captureScreenshot", format="png")["data"]
        image = Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGB")
        return [image.getpixel((round(x), round(y))) for x in (left, right)]

    try:
        page.run("document.querySelector('.table table').style.width = '900px'")
        ground = {"light": (255, 255, 255), "dark": (23, 25, 26)}[scheme]
        at_start = colours_of_edges()
        page.run("document.querySelector('.table').scrollLeft = 900")
        at_end = colours_of_edges()
    finally:
        page.send("Emulation.setEmulatedMedia", features=[])
    assert at_start[0] == ground != at_start[1]
    assert at_end[0] != ground == at_end[1]


#: The symbols that a page draws on its map, and those of its legend with their texts; a symbol is its
#: colour and the dashes of its line.
DRAWN = """(() => {
  const map = Explore.page.crownMap;
  const [left, bottom, right, top] = map.extent;
  const groups = new Map();
  const scale = 256 / Math.max(right - left, top - bottom);
  map.layers.forEach((_, index) => {
    if (map.isLayerShown[index]) {
      map.collectPaths(index, {scale, left, top}, groups);
    }
  });
  return [...new Set([...groups.values()]
    .map(({symbol}) => `${symbol.colour} ${symbol.dashes.join(" ") || "none"}`))].sort();
})()"""
SYMBOLS = """[...document.querySelectorAll(".PLACE")].filter((item) => item.querySelector(".symbol"))
  .map((item) => [[...item.querySelectorAll(".symbol path:nth-child(2n)")]
    .map((path) => `${path.getAttribute("stroke")} ${path.getAttribute("stroke-dasharray")}`),
    item.textContent])"""


def two_layer_run():
    """A run with two equal delineation layers."""
    targets, drawn, scores = scored_crowns(60)
    layers = [
        ScoredDelineations(replace(drawn, name=name), scores) for name in ("boxes", "other boxes")
    ]
    return explore_scored_crowns(targets, layers, PageTexts("boxes"))


@pytest.mark.parametrize("colour", ["randcrowns", "status", "problem", "plot", "state 0", ""])
@pytest.mark.parametrize("hides_targets", [False, True])
def test_each_symbol_of_the_map_has_one_entry_of_the_legend(opened, colour, hides_targets):
    page = opened(two_layer_run())
    page.run(f"Explore.page.colourName = {json.dumps(colour)}; Explore.page.recolour()")
    page.run("document.querySelectorAll('.layers input')[2].click()")
    if hides_targets:
        page.run("document.querySelectorAll('.layers input')[0].click()")
    drawn = page.run(DRAWN)
    legend = page.run(SYMBOLS.replace("PLACE", "legend li"))
    shown = [symbol for symbols, _ in legend for symbol in symbols]
    # Classes that no crown has are listed, too.
    classes = {f"{colour} none" for colour in SCORE_COLOURS} if colour == "randcrowns" else set()
    assert set(drawn) <= set(shown) <= {*drawn, *classes}
    assert len(set(shown)) == len(shown)
    texts = [text for _, text in legend]
    assert texts.count("boxes") == texts.count("other boxes") == 1
    assert page.faults() == []


def test_false_detections_and_targets_not_detected_have_the_lines_of_the_report(opened):
    page = opened()
    lines = score_lines()
    texts = {text: symbols for symbols, text in page.run(SYMBOLS.replace("PLACE", "legend li"))}
    for line in (lines.targets["unmatched"], lines.others["unmatched"]):
        dashes = " ".join(f"{length:g}" for length in line.dashes)
        assert texts[line.label] == [f"{line.colour} {dashes}"]
    assert "no value" not in texts
    page.run("document.querySelectorAll('.layers input')[1].click()")
    texts = [text for _, text in page.run(SYMBOLS.replace("PLACE", "legend li"))]
    assert "false detection" not in texts
    assert "boxes" not in texts


def test_the_list_of_layers_has_the_symbols_of_the_map(opened):
    page = opened()
    (targets, name), (boxes, _) = page.run(SYMBOLS.replace("PLACE", "layers .switch"))
    legend = {text: symbols for symbols, text in page.run(SYMBOLS.replace("PLACE", "legend li"))}
    assert name == "field crowns"
    assert f"{TARGET_COLOUR} none" not in targets
    assert len(targets) > 1
    assert {*targets} <= {symbol for symbols in legend.values() for symbol in symbols}
    assert boxes == legend["boxes"]
    page.run("Explore.page.colourName = ''; Explore.page.recolour()")
    (targets, _), _ = page.run(SYMBOLS.replace("PLACE", "layers .switch"))
    assert targets == [f"{TARGET_COLOUR} none"]


def test_the_legend_names_what_a_filter_excludes_and_what_is_selected(opened):
    page = opened(scored_run(9))
    texts = "[...document.querySelectorAll('.legend li')].map((one) => one.textContent)"
    before = page.run(texts)
    assert before[0] == "RandCrowns:"
    page.run("Explore.page.select(0, true)")
    regions = page.run(texts)[len(before) :]
    assert regions[:2] == ["selected outline", "match of the selected outline"]
    assert [text[:2] for text in regions[2:]] == ["a:", "b:", "c:", "d:"]
    page.run("Explore.page.rows.values.set('plot', 'plot 1'); Explore.page.rows.update()")
    page.run("Explore.page.rowsChanged()")
    assert "excluded by a filter" in page.run(texts)


@pytest.mark.parametrize("colour", ["randcrowns", "problem"])
def test_the_page_has_room_for_twelve_layers_whose_lines_differ(opened, colour):
    targets, drawn, scores = scored_crowns(20)
    layers = [ScoredDelineations(replace(drawn, name=f"layer {n}"), scores) for n in range(12)]
    page = opened(explore_scored_crowns(targets, layers, PageTexts("boxes")))
    page.run(f"Explore.page.colourName = {json.dumps(colour)}; Explore.page.recolour()")
    page.run("document.querySelector('.layers').open = true")
    page.run(
        "document.querySelectorAll('.layers input').forEach((one) => one.checked || one.click())"
    )
    legend = page.run(SYMBOLS.replace("PLACE", "legend li"))
    symbols = [symbol for entry, _ in legend for symbol in entry]
    assert {f"layer {n}" for n in range(12)} <= {text for _, text in legend}
    assert len(set(symbols)) == len(symbols)
    # The list of layers and the legend scroll, rather than the page.
    assert page.run("document.scrollingElement.scrollHeight - innerHeight") <= 0
    assert page.run("document.querySelector('.map').offsetHeight") >= 300


@pytest.mark.parametrize("is_filterable", [True, False])
def test_filters_are_offered_only_if_there_are_any(opened, is_filterable):
    run = scored_run(9)
    view = run.views[0]
    columns = view.columns if is_filterable else view.columns[:1]
    review = view.review if is_filterable else None
    page = opened(replace(run, views=[replace(view, columns=columns, review=review)]))
    assert page.run("document.querySelector('.filters details') !== null") == is_filterable
    assert page.run("document.querySelector('.filters .search') !== null")


def test_a_false_detection_has_no_score_but_a_reason(opened):
    page = opened()
    last = page.run("Explore.page.view.rows - 1")
    page.run(f"Explore.page.select({last}, true)")
    panel = page.run("[...document.querySelectorAll('.panel dd')].map((one) => one.textContent)")
    assert panel[1:4] == ["n/a (false detection)"] * 3
    cell = "document.querySelector('tr[aria-selected=true]').cells[2]"
    assert page.run(f"[{cell}.textContent, {cell}.title]") == ["n/a", "false detection"]
    # Page Review counts it as a crown with the score 0.
    assert page.run(f"Explore.page.view.review.scores[{last}]") == 0
    # A target that was not detected has the score 0.
    target = page.run("Explore.page.rows.column('status').keyOf(3)")
    assert target == "unmatched"
    assert page.run("Explore.page.rows.column('randcrowns').textOf(3)") == "0.00"


def test_labels_in_the_panel_and_headings_are_whole(opened):
    """The panel cut labels at 12 em although there was room to the right of them."""
    run = scored_run(9)
    label = "Annotators who did not mark this place"
    column = ExploreColumn("number", label, ColumnKind.NUMBER)
    view = replace(run.views[0], rows=run.views[0].rows.assign(number=1.0))
    page = opened(replace(run, views=[replace(view, columns=[*view.columns, column])]))
    page.run("Explore.page.select(0, true)")
    cut = page.run(
        "[...document.querySelectorAll('.panel dt, .table th button')]"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    )
    assert cut == []
    height = page.run(
        f"[...document.querySelectorAll('.panel dt')].find((one) => one.textContent === '{label}')"
        ".offsetHeight"
    )
    assert height < 30


def test_values_without_a_colour_of_their_own_share_an_entry(opened):
    plots = [f"plot {row % 9}" for row in range(60)]
    run = scored_run(60)
    view = run.views[0]
    rows = view.rows.assign(plot=[*plots, *[None] * 4])
    page = opened(replace(run, views=[replace(view, rows=rows)]))
    page.run("Explore.page.colourName = 'plot'; Explore.page.recolour()")
    legend = page.run(SYMBOLS.replace("PLACE", "legend li"))
    texts = [text for _, text in legend]
    assert texts[-2:] == ["other values (18)", "boxes"]
    assert "no value (4)" in texts
    symbols = [symbol for entry, _ in legend for symbol in entry]
    assert len(set(symbols)) == len(symbols) == 9


def test_the_regions_have_the_width_that_the_core_computes(opened):
    run = scored_run(9)
    page = opened(run)
    expected = target_regions(run.layers[0].shapes, LENGTHS).tau
    widths = page.run(
        "[...Array(9).keys()].map((target) => new Explore.RegionsPicture("
        "Explore.run.layers[0].outlines, target, null, -1, Explore.run.regions).tau)"
    )
    assert np.allclose(widths, expected, rtol=0.03)


def test_the_table_has_the_room_that_its_columns_need_up_to_half_of_the_window(opened):
    run = scored_run(9)
    view = run.views[0]
    numbers = [ExploreColumn(f"more {n}", f"column {n}", ColumnKind.NUMBER) for n in range(20)]
    rows = view.rows.assign(**{column.name: 1234.5 for column in numbers})
    widths = []
    for columns in (numbers[:5], numbers):
        page = opened(replace(run, views=[replace(view, rows=rows, columns=columns)]))
        widths.append(
            page.run(
                "(() => { const side = document.querySelector('.side'); const table ="
                " document.querySelector('.table'); return [side.offsetWidth, innerWidth,"
                " table.scrollWidth > table.clientWidth, document.querySelector('.map')"
                ".offsetWidth - Explore.page.crownMap.map.getSize().x]; })()"
            )
        )
    (few, window, is_cut, map_gap), (many, _, many_are_cut, many_gap) = widths
    assert 450 < few < window / 2
    assert not is_cut
    assert many == pytest.approx(window / 2, abs=1)
    assert many_are_cut
    assert map_gap == many_gap == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_window(opened, width, scheme):
    page = opened(scored_run(60, title=NAMES[3], names=NAMES))
    page.send(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=740,
        deviceScaleFactor=1,
        mobile=False,
    )
    page.send(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    page.run("Explore.page.select(0, true)")
    page.run(
        "document.querySelectorAll('.controls select').forEach("
        "(choice) => choice.append(new Option('long name '.repeat(12))))"
    )
    try:
        assert page.run("document.scrollingElement.scrollWidth") <= width
        page.run(
            "document.querySelectorAll('.layers .switch').forEach("
            "(label) => label.append('long name '.repeat(12)))"
        )
        page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.run("document.scrollingElement.scrollWidth") <= width
    finally:
        page.send("Emulation.clearDeviceMetricsOverride")
        page.send("Emulation.setEmulatedMedia", features=[])


@in_both_browsers
def test_hostile_names_stay_text_in_every_part(opened):
    run = scored_run(60, title=EVIL, names=NAMES, answer=[EVIL], provenance=EVIL)
    page = opened(run)
    for row in range(len(NAMES)):
        page.run(f"Explore.page.select({row}, true)")
        assert page.run("document.querySelector('.panel h2').textContent") == NAMES[row]
    assert page.run("document.querySelector('h1').textContent") == EVIL
    assert (
        page.run(
            "document.querySelectorAll('img:not(.leaflet-tile):not(.leaflet-image-layer)').length"
        )
        == 0
    )
    assert page.run("window.attacked ?? 0") == 0
    assert page.faults() == []
    assert page.requests() == []


@in_both_browsers
def test_trees_of_a_point_cloud_are_shown(opened, tmp_path):
    xyz, trees, found = labelled_cloud()
    path = write_cloud(tmp_path / "plot.las", xyz, {"tree": trees, "found": found})
    result = evaluate_cloud(path, target_attribute="tree", prediction_attribute="found")
    page = opened(explored_run(result))
    assert page.faults() == []
    assert page.requests() == []
    # Three targets; both halves of the second, and what is no target, match none.
    names = [f"Target {number}" for number in range(3)]
    extras = [f"Prediction {number}" for number in range(1, 4)]
    assert sorted(shown_names(page)) == sorted([*names, *extras])
    page.click(*point_of(page, 2))
    assert page.run("document.querySelector('.panel h2').textContent") == "Target 2"
    assert "not detected" in page.run("document.querySelector('.panel').textContent")
    assert page.run("document.querySelectorAll('input[type=range]').length") == 0
