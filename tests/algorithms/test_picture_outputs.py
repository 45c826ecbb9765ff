"""Pictures beside tables: whole, or nothing of the run is there; and nobody's other files are
touched."""

from __future__ import annotations

import os

import pytest
from support.layers import crowns_at, layer_of
from support.shown import shows

PLACES = [(14 * column, 0) for column in range(3)]


def layers(first=1):
    return [layer_of(f"person {n}", crowns_at(PLACES, seed=n)) for n in range(first, first + 3)]


@pytest.fixture
def draw(run):
    def run_it(first=1, **parameters):
        return run("annotatorvariance", {"ANNOTATORS": layers(first), **parameters}, outputs=())

    return run_it


def test_a_picture_that_cannot_be_written_leaves_the_users_table(draw, tmp_path):
    table = tmp_path / "mine.gpkg"
    assert draw(VARIANCE=str(table)).ok
    before = table.read_bytes()
    done = draw(4, VARIANCE=str(table), GALLERY_FILE="/proc/x.png")
    assert shows(done.error, "output.not_written", name="Gallery as a picture", where="/proc/x.png")
    assert table.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["mine.gpkg"]


def test_a_table_that_cannot_be_written_leaves_the_users_picture(draw, tmp_path):
    picture = tmp_path / "mine.png"
    picture.write_text("mine")
    done = draw(SCATTER_FILE=str(picture), CROWNS=str(tmp_path / "none" / "crowns.gpkg"))
    assert not done.ok
    assert picture.read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == ["mine.png"]


def test_files_of_others_stay(draw, tmp_path):
    (tmp_path / "mine.png.part").write_text("precious")
    (tmp_path / "other.svg.part").mkdir()
    (tmp_path / "mine.png.aux.xml").write_text("too")
    done = draw(SCATTER_FILE=str(tmp_path / "mine.png"), GALLERY_FILE=str(tmp_path / "other.svg"))
    assert done.ok, done.error
    assert (tmp_path / "mine.png.part").read_text() == "precious"
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "mine.png",
        "mine.png.aux.xml",
        "mine.png.part",
        "other.svg",
        "other.svg.part",
    ]


def test_a_link_stays_and_the_file_it_leads_to_is_written(draw, tmp_path):
    (tmp_path / "there").mkdir()
    os.symlink(tmp_path / "there" / "real.png", tmp_path / "link.png")
    for _ in range(2):
        assert draw(SCATTER_FILE=str(tmp_path / "link.png")).ok
        assert (tmp_path / "link.png").is_symlink()
        assert (tmp_path / "there" / "real.png").read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["real.png"]
    os.symlink(tmp_path / "round.png", tmp_path / "round.png")
    assert shows(draw(SCATTER_FILE=str(tmp_path / "round.png")).refused, "file.circular_link")


def test_a_folder_is_refused(draw, tmp_path):
    (tmp_path / "x.png").mkdir()
    assert shows(draw(SCATTER_FILE=str(tmp_path / "x.png")).refused, "output.is_folder")
