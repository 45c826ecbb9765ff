"""Python examples of the pages of the documentation, and the files that they read.

As a command, for any environment: ``python run_pages.py PAGE...`` in an empty folder. Each page runs
in a folder of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import geopandas
import shapely

from randcrowns.core.exchange import Annotations, Image, write_deepforest
from randcrowns.core.sample import TRUE_CROWNS, sample_files

#: Pixel (m), number of rows and columns, west and north edge (m) of the image of the sample plot.
_PIXEL, _SIDE, _WEST, _NORTH = 0.1, 400, 403560.0, 3285200.0
_BLOCK = re.compile(r"(?ms)^```python\n(.*?)^```")


def write_files(folder: Path) -> None:
    """Write the files that the examples read, from the tables of the sample plot."""
    tables = {
        name: geopandas.read_file(sample_files().crowns, layer=table)
        for name, table in (
            ("crowns", TRUE_CROWNS),
            ("anna", "annotator_1"),
            ("ben", "annotator_2"),
            ("cleo", "annotator_3"),
        )
    }
    for name, table in tables.items():
        frame = geopandas.GeoDataFrame({"plot": ["a"] * len(table)}, geometry=table.geometry)
        frame.to_file(folder / f"{name}.gpkg")
    images = [Image("plot.tif", _SIDE, _SIDE)]
    detector = geopandas.read_file(sample_files().crowns, layer="detector")
    for name, shapes, score in (
        ("truth", tables["anna"].geometry, None),
        ("predictions", detector.geometry, detector["score"].to_numpy()),
    ):
        in_pixels = shapely.transform(
            shapes.to_numpy(), lambda xy: (xy - [_WEST, _NORTH]) / [_PIXEL, -_PIXEL]
        )
        found = Annotations.from_shapes(in_pixels, images, score=score)
        (folder / f"{name}.csv").write_text(write_deepforest(found), encoding="utf-8")


def run(page: Path, names: dict[str, Any]) -> None:
    """Run the page's examples one after another, with the line of the page in what fails."""
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        above = "\n" * text[: block.start(1)].count("\n")
        exec(compile(above + block[1], str(page), "exec"), names)


if __name__ == "__main__":
    home, read = Path.cwd(), Path.cwd() / "read"
    read.mkdir()
    write_files(read)
    for number, page in enumerate(sys.argv[1:]):
        shutil.copytree(read, home / str(number))
        os.chdir(home / str(number))
        run(Path(page), {})
