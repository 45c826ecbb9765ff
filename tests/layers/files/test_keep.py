from __future__ import annotations

from support.layers import CROWN, layer_of

from randcrowns.layers.files.geopackage import keep_in_file


def test_a_table_of_the_same_name_is_not_written_over(tmp_path):
    file = tmp_path / "kept ä'.gpkg"
    kept = [keep_in_file(layer_of(f"crowns {n}", [CROWN] * n), file, "crowns_20260101_120000") for n in (1, 2, 3)]
    assert [layer.featureCount() for layer in kept] == [1, 2, 3]
    assert len({layer.source() for layer in kept}) == 3
    assert kept[2].source().endswith("layername=crowns_20260101_120000_3")
