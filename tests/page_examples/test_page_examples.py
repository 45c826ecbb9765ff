"""The examples in Python of README and docs run, page by page, as they stand there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas
import pytest
from page_examples.run_pages import run, write_files

from randcrowns.core import score_pairs
from randcrowns.core.sample import sample_files

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    if "```python" in path.read_text()
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples read, from the sample plot."""
    folder = tmp_path_factory.mktemp("examples")
    write_files(folder)
    return folder


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
    boxes = geopandas.read_file(sample_files().crowns, layer="detector").geometry.to_numpy()
    assert (
        score_pairs(
            names["on_the_ground"](names["predicted"]), boxes, names["PRESETS"]["image_boxes"]
        )["iou"].min()
        > 0.999
    )
    assert names["ranking"].ranks.loc["good", "anna"] == 1
    assert names["search"].grid["variance"].between(0, 1).all()
    assert names["result"][0]["DetectionTP"].item() > 10


def test_readme_and_python_pages_have_examples() -> None:
    assert {"README", "recipes", "python"} <= {page.stem for page in PAGES}
