from __future__ import annotations

from pathlib import Path

import pytest

from randcrowns.layers.files.places import OutputPlace, file_place, table_place


@pytest.mark.parametrize(
    ("destination", "file"),
    [
        ("TEMPORARY_OUTPUT", None),
        ("memory:Scored", None),
        ("", None),
        ('postgis:dbname=\'x\' table="public"."t"', None),
        ("/a/b.gpkg", "/a/b.gpkg"),
        ("/a/b", "/a/b.gpkg"),
        ("/a/b.v2", "/a/b.v2.gpkg"),
        ("/a/crowns_0.5m", "/a/crowns_0.5m.gpkg"),
        ("/a/plot.laz", "/a/plot.laz.gpkg"),
        ("/a/b.csv", "/a/b.csv"),
        ("/a/b.gpkg|layername=c", "/a/b.gpkg"),
        ("ogr:dbname='/a/b c.gpkg' table=\"t\" (geom)", "/a/b c.gpkg"),
    ],
)
def test_tables(destination, file):
    place = table_place(destination)
    assert (None if place is None else place.file) == (None if file is None else Path(file))


def test_places_on_a_server_meet_where_their_tables_are_the_same():
    crowns = OutputPlace(None, "crowns", "host/trees")
    assert crowns.meets(OutputPlace(None, "crowns", "host/trees"))
    assert not crowns.meets(OutputPlace(None, "crowns", "host/others"))
    assert not crowns.meets(OutputPlace(None, "scores", "host/trees"))
    assert not crowns.meets(OutputPlace(Path("a.gpkg"), "crowns"))


def test_other_files_keep_their_names():
    assert file_place("/a/b.tif") == OutputPlace(Path("/a/b.tif"))
    assert file_place("TEMPORARY_OUTPUT") is None
