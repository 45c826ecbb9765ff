"""Files of jobs: complete or not at all, and never over an input."""

from __future__ import annotations

import os
from pathlib import Path

import geopandas
import pytest
import shapely
from support.errors import raises

import randcrowns as rc
from randcrowns.command.main import main
from randcrowns.jobs.results import JobResult
from randcrowns.jobs.written_files import check_outputs, path_of, replace_file, write_text

CRS = "EPSG:32617"
BOXES = [shapely.box(404_000 + x, 3_285_000, 404_004 + x, 3_285_004) for x in (0, 8)]


@pytest.fixture
def crowns(tmp_path: Path) -> Path:
    """A GeoPackage with two crowns."""
    path = tmp_path / "crowns.gpkg"
    geopandas.GeoDataFrame({"score": [0.2, 0.9]}, geometry=BOXES, crs=CRS).to_file(path)
    return path


@pytest.fixture
def result(crowns: Path) -> JobResult:
    return rc.score(crowns, {"same": crowns})


@pytest.mark.parametrize("suffix", ["gpkg", "json", "csv"])
def test_a_file_whose_writing_stops_stays_as_it_was(
    result: JobResult, tmp_path: Path, monkeypatch, suffix: str
) -> None:
    target = tmp_path / f"out.{suffix}"
    result.write(target)
    earlier = target.read_bytes()
    names = sorted(path.name for path in tmp_path.iterdir())

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        result.write(target)
    assert target.read_bytes() == earlier
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_an_error_leaves_the_earlier_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("earlier", encoding="utf-8")
    with raises("file.not_written"), replace_file(target) as partial:
        partial.write_text("half", encoding="utf-8")
        raise OSError
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert target.read_text(encoding="utf-8") == "earlier"


def test_a_link_still_names_its_file(result: JobResult, tmp_path: Path) -> None:
    file, link = tmp_path / "scores.json", tmp_path / "newest.json"
    file.write_text("earlier", encoding="utf-8")
    link.symlink_to(file)
    result.write(link)
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8").startswith("{")


def test_a_pipe_is_written_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "page.html"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "page")
    assert os.read(reader, 9) == b"page"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_folder_is_not_replaced(result: JobResult, tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    with raises("file.not_written"):
        result.write(tmp_path / "folder.json")
    assert (tmp_path / "folder.json").is_dir()


@pytest.mark.parametrize("option", ["--out", "--html", "--explore", "--parameters"])
def test_an_input_is_no_output(crowns: Path, capsys, option: str) -> None:
    before = crowns.read_bytes()
    arguments = ["score", str(crowns), str(crowns), "--out", f"{crowns.parent}/./crowns.gpkg"]
    if option != "--parameters":
        arguments[3:] = [option, str(crowns)]
    assert main(arguments) == 1
    assert "crowns.gpkg would be replaced" in capsys.readouterr().err
    assert crowns.read_bytes() == before


def test_an_import_does_not_replace_its_file(tmp_path: Path, capsys) -> None:
    file = tmp_path / "boxes.csv"
    file.write_text("image_path,xmin,ymin,xmax,ymax,label\na.png,1,2,30,40,Tree\n")
    before = file.read_bytes()
    assert main(["import", str(tmp_path / "*.csv"), "--out", str(file)]) == 1
    assert "boxes.csv would be replaced" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_an_export_does_not_replace_its_layer(crowns: Path) -> None:
    before = crowns.read_bytes()
    with raises("file.is_in_use"):
        rc.export_crowns(crowns, crowns.parent, format="gpkg")
    assert crowns.read_bytes() == before


def test_an_export_again_replaces_all_layers_of_the_file(crowns: Path, tmp_path: Path) -> None:
    folder = tmp_path / "exported"
    rc.export_crowns(crowns, folder, crowns, format="gpkg")
    rc.export_crowns(crowns, folder, format="gpkg")
    layers = geopandas.list_layers(folder / "crowns.gpkg")
    assert layers["name"].tolist() == ["targets"]


@pytest.mark.parametrize("name", ["score_field", "class_field"])
def test_a_field_that_no_layer_has_is_not_exported(crowns: Path, tmp_path: Path, name: str) -> None:
    with raises("export.no_field", field="nope"):
        rc.export_crowns(crowns, tmp_path / "out", format="coco", **{name: "nope"})


def test_two_outputs_have_different_names(tmp_path: Path) -> None:
    with raises("file.is_in_use"):
        check_outputs([tmp_path / "a.json", f"{tmp_path}/./a.json"], [])
    check_outputs([tmp_path / "a.json", tmp_path / "b.json"], [tmp_path / "c.json"])


@pytest.mark.parametrize("value", [None, 5, b"crowns.gpkg", ["crowns.gpkg"]])
def test_a_path_is_text(result: JobResult, value: object) -> None:
    for write in (result.write, result.report, result.explore, rc.read_annotations):
        if value == ["crowns.gpkg"] and write == rc.read_annotations:
            continue
        with raises("path.no_text"):
            write(value)
    with raises("path.no_text"):
        rc.evaluate_cloud(value)


@pytest.mark.parametrize("value", ["", "  ", "a\0b.json"])
def test_a_path_names_a_file(value: str) -> None:
    with raises("path.no_path"):
        path_of(value)
    with raises("path.no_path"):
        rc.score(value, value)
