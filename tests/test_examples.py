"""The examples in Python of README and docs run, page by page, as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import geopandas
import pytest
import shapely

from randcrowns.core import score_pairs
from randcrowns.core.exchange import Annotations, Image, write_deepforest
from randcrowns.core.sample import make_plot

ROOT = Path(__file__).parents[1]
PAGES = sorted(path for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")] if "```python" in path.read_text())
_BLOCK = re.compile(r"(?ms)^```python\n(.*?)^```")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples read, from the sample plot."""
    folder = tmp_path_factory.mktemp("examples")
    plot = make_plot()
    drawn = {
        name: plot.drawings[f"annotator_{number}"].geometry for number, name in enumerate(("anna", "ben", "cleo"), 1)
    }
    for name, polygons in {"crowns": plot.crowns, **drawn}.items():
        frame = geopandas.GeoDataFrame({"plot": ["a"] * len(polygons)}, geometry=polygons, crs=plot.parameters.crs)
        frame.to_file(folder / f"{name}.gpkg")
    left, top = plot.parameters.upper_left
    pixel, images = plot.parameters.pixel, [Image("plot.tif", *plot.image.shape[1::-1])]
    for name, drawing in (("truth", plot.drawings["annotator_1"]), ("predictions", plot.drawings["detector"])):
        there = shapely.transform(drawing.geometry, lambda place: (place - [left, top]) / [pixel, -pixel])
        found = Annotations.of(there, images, score=drawing.score)
        (folder / f"{name}.csv").write_text(write_deepforest(found), encoding="utf-8")
    return folder


def run(page: Path, names: dict[str, Any]) -> None:
    """Run the page's examples one after another, with the line of the page in what fails."""
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        above = "\n" * text[: block.start(1)].count("\n")
        exec(compile(above + block[1], str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_example_runs(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    run(page, {})


def test_what_the_recipes_find_is_right(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    run(ROOT / "docs" / "recipes.md", names)
    scored = geopandas.read_file(folder / "scored.gpkg")
    assert scored["randcrowns"].between(0, 1).all()
    assert len(scored) == len(names["crowns"])
    # Boxes of the file, in pixels, come to lie where the sample's plot has them.
    boxes = make_plot().drawings["detector"].geometry
    assert (
        score_pairs(names["on_the_ground"](names["predicted"]), boxes, names["PRESETS"]["image_boxes"])["iou"].min()
        > 0.999
    )
    assert names["ranking"].ranks.loc["good", "anna"] == 1
    assert names["search"].grid["variance"].between(0, 1).all()
    assert names["result"][0]["DetectionTP"].item() > 10


def test_readme_and_recipes_have_examples() -> None:
    assert {"README", "recipes"} <= {page.stem for page in PAGES}
