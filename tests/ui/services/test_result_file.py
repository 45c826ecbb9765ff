"""Files that results cannot be kept in are told before the run, each with what to do."""

from __future__ import annotations

import os
import sys

import pytest
from qgis.core import QgsProject
from support.layers import TARGET_BOXES, box_layer, shifted

from randcrowns.ui.services.run_outcome import file_problem
from randcrowns.ui.widgets.editors import ResultFileField


@pytest.fixture
def dock(project, one_dock):
    return one_dock


@pytest.fixture
def kept_in(qgis_app, qgis_new_project):
    return ResultFileField()


def problem(kept_in, path):
    kept_in.set_path(str(path))
    return kept_in.file_problem_message()


def test_what_can_be_written_has_no_problem(kept_in, tmp_path):
    assert kept_in.file_problem_message() == ""
    assert problem(kept_in, tmp_path / "new.gpkg") == ""
    assert problem(kept_in, tmp_path / "new v1.2") == ""
    from support.layers import save

    save(box_layer("boxes", TARGET_BOXES), tmp_path / "there.gpkg", name="boxes")
    assert problem(kept_in, tmp_path / "there.gpkg") == ""
    assert sorted(file.name for file in tmp_path.iterdir()) == ["there.gpkg"]


def test_what_cannot_be_written_is_told(kept_in, tmp_path):
    (tmp_path / "text.gpkg").write_text("no database")
    (tmp_path / "empty.gpkg").touch()
    (tmp_path / "folder.gpkg").mkdir()
    for name, told in (
        ("nowhere/new.gpkg", f"There is no folder {tmp_path / 'nowhere'}"),
        ("text.gpkg/new.gpkg", f"There is no folder {tmp_path / 'text.gpkg'}"),
        ("text.gpkg", "text.gpkg already exists"),
        ("empty.gpkg", "is not a GeoPackage"),
        ("folder.gpkg", "folder.gpkg is a folder"),
        ("", "is a folder"),
        ("n" * 300, "Choose another file"),
    ):
        assert told in problem(kept_in, f"{tmp_path}/{name}"), name
    assert "relative.gpkg does not say in which folder" in problem(kept_in, "relative")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux has such a folder")
def test_a_folder_that_takes_no_files_is_told(kept_in):
    assert "x.gpkg cannot be written in /proc" in problem(kept_in, "/proc/x.gpkg")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everybody may write everywhere")
def test_rights_are_looked_at_each_time(kept_in, tmp_path):
    tmp_path.chmod(0o500)
    assert "cannot be written" in problem(kept_in, tmp_path / "x.gpkg")
    tmp_path.chmod(0o700)
    assert kept_in.file_problem_message() == ""


def test_the_file_beside_the_project_is_looked_at_too(kept_in, tmp_path):
    assert QgsProject.instance().write(str(tmp_path / "plots.qgz"))
    assert kept_in.file_problem_message() == ""
    (tmp_path / "plots_randcrowns.gpkg").write_text("no database")
    assert "plots_randcrowns.gpkg already exists" in kept_in.file_problem_message()
    assert file_problem(str(tmp_path / "other.gpkg")) == ""


@pytest.mark.parametrize("key", ["score", "instances", "annotators", "parameters"])
def test_pages_say_so_before_the_run(dock, project, tmp_path, key):
    layers = [box_layer(f"layer_{n}", shifted(TARGET_BOXES, n / 4)) for n in range(3)]
    project.addMapLayers(layers)
    page = dock.show_page(key)
    page.form.result_file_field.set_path(str(tmp_path / "nowhere" / "x.gpkg"))
    page.form.result_file_field.changed.emit()
    assert "There is no folder" in page.form.run_problem()
    assert not page.run_bar.run_button.isEnabled()
