"""The map tips in the QML files are those that are declared with the columns."""

from __future__ import annotations

from html import unescape

import pytest
from map_tips import MAP_TIP, MAP_TIPS, RESOURCES, with_map_tip

from randcrowns.algorithms.map_tips import number, score_table, show, words
from randcrowns.algorithms.output_types import Column
from randcrowns.algorithms.scoring.schema import map_tips


@pytest.mark.parametrize("path", sorted(RESOURCES.glob("*.qml")), ids=lambda path: path.stem)
def test_map_tips_of_files_are_those_of_the_declared_columns(path) -> None:
    style = path.read_text(encoding="utf-8")
    assert bool(MAP_TIP.search(style)) == (path.stem in MAP_TIPS)
    if path.stem in MAP_TIPS:
        assert with_map_tip(style, MAP_TIPS[path.stem]) == style, "run make styles"


def test_a_map_tip_has_the_names_and_units_of_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = (
        Column("target_id", "Target"),
        Column("region", "Region"),
        Column("tau", "width", unit="px"),
        Column("area", "Area", unit="px²"),
    )
    monkeypatch.setattr(map_tips, "REGIONS", type("Layer", (), {"columns": columns}))
    assert map_tips._describe_regions() == (
        '<b>[% "target_id" %] [% represent_value("region") %]</b><br>'
        '[% format_number("area", 2) %] px²<br>width [% format_number("tau", 2) %] px'
    )


def test_parts_of_a_map_tip() -> None:
    assert show(words('"status"')) == "[% replace(\"status\", '_', ' ') %]"
    assert score_table({"IoU": number('"iou"', 3), "R": '"r"'}) == (
        "<table><tr><td>IoU</td><td>&nbsp;<b>"
        "[% coalesce(format_number(\"iou\", 3), 'n/a') %]</b></td></tr>"
        '<tr><td>R</td><td>&nbsp;<b>[% "r" %]</b></td></tr></table>'
    )


def test_a_style_gets_another_map_tip_and_stays_as_it_is_otherwise() -> None:
    style = '<qgis>\n <mapTip>&lt;b>old&lt;/b></mapTip>\n <a label="x"/>\n</qgis>\n'
    changed = with_map_tip(style, '<i>[% "a" %] & more</i>')
    assert changed.startswith("<qgis>\n <mapTip>&lt;i>[% replace(")
    assert changed.endswith('%] &amp; more&lt;/i></mapTip>\n <a label="x"/>\n</qgis>\n')
    (tip,) = MAP_TIP.findall(changed)
    assert unescape(tip).startswith("<i>[% replace(replace(replace(replace(\"a\", '&', '&amp;')")
