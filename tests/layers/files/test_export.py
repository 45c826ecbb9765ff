"""What is looked at after a file was written."""

from __future__ import annotations

import pytest
from support.layers import crowns_at, layer_of, save

from randcrowns.layers.files.export import count_written_rows


@pytest.mark.parametrize(("name", "driver"), [("a.gpkg", "GPKG"), ("a.geojson", "GeoJSON")])
def test_rows_that_can_be_read_are_counted(qgis_app, tmp_path, name, driver):
    path = tmp_path / name
    assert count_written_rows(str(path)) == 0
    save(layer_of("trees", crowns_at([(0, 0), (20, 0), (40, 0)])), path, driver)
    assert count_written_rows(str(path)) == 3
