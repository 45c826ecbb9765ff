"""Crowns in vector files: fields whose names and texts are in another encoding."""

from __future__ import annotations

from pathlib import Path

from support.layers import crowns_at, layer_of, save

from randcrowns.core.progress import no_progress
from randcrowns.layers.files.vector_files import read_vector_file


def test_names_and_texts_of_fields_that_are_not_utf8_are_read(qgis_app, tmp_path: Path) -> None:
    crowns = layer_of(
        "crowns",
        crowns_at([(0, 0)]),
        kind="Polygon",
        fields="&field=species:string",
        rows=[["Eiche"]],
    )
    save(crowns, tmp_path / "crowns.shp", "ESRI Shapefile")
    table = tmp_path / "crowns.dbf"
    content = table.read_bytes()
    table.write_bytes(content.replace(b"species", b"\xffpecies").replace(b"Eiche", b"\xffiche"))
    (tmp_path / "crowns.cpg").write_text("UTF-8")

    found = read_vector_file(tmp_path / "crowns.shp", no_progress).annotations
    assert found.fields["\ufffdpecies"].tolist() == ["\ufffdiche"]
