"""The examples in Python of a page of the docs, and the files that they read; also a command,
for any environment:
in an empty folder ``python docs_examples.py PAGE...``, each page in a folder of its own."""

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
from randcrowns.core.sample import read_parameters, simulate_plot

_BLOCK = re.compile(r"(?ms)^```python\n(.*?)^```")


def write_files(folder: Path) -> None:
    """Write the files that the examples read, from the sample plot; its image, of which nobody
    asks, is coarse.
    """
    shipped, plot = read_parameters(), simulate_plot(parameters=read_parameters({"pixel": 1.0}))
    drawn = {
        name: plot.drawings[f"annotator_{number}"].geometry
        for number, name in enumerate(("anna", "ben", "cleo"), 1)
    }
    for name, polygons in {"crowns": plot.crowns, **drawn}.items():
        frame = geopandas.GeoDataFrame(
            {"plot": ["a"] * len(polygons)}, geometry=polygons, crs=plot.parameters.crs
        )
        frame.to_file(folder / f"{name}.gpkg")
    (left, top), pixel = shipped.upper_left, shipped.pixel
    side = round(shipped.size / pixel)
    images = [Image("plot.tif", side, side)]
    for name, drawing in (
        ("truth", plot.drawings["annotator_1"]),
        ("predictions", plot.drawings["detector"]),
    ):
        there = shapely.transform(
            drawing.geometry, lambda place: (place - [left, top]) / [pixel, -pixel]
        )
        found = Annotations.from_shapes(there, images, score=drawing.score)
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
