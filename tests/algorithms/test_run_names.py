"""The user renames a run: lists, layers, the layer tree and the next session have the new name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.core import QgsProject
from support.layers import TARGET_BOXES, box_layer

from randcrowns.algorithms.provenance import Provenance, ProvenanceEntry, read_provenance
from randcrowns.algorithms.run_history import read_runs
from randcrowns.algorithms.run_names import apply_given_name, name_of, rename_run
from randcrowns.layers.styles.tree import add_run_group

RECORD = Provenance(
    "ann vs bob, Score crowns, 17:09:41",
    (ProvenanceEntry("time", "Time", "2026-11-23 17:09:41.000+00:00"),),
    id="1234",
    algorithm="randcrowns:scorecrowns",
)


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture
def result(project):
    layer = box_layer("Scored targets", TARGET_BOXES)
    RECORD.write_to_layer(layer, "SCORED_TARGETS")
    add_run_group(project, RECORD.title, [layer])
    return layer


def test_a_new_name_is_in_the_record_the_layers_the_list_and_the_layer_tree(project, result):
    renamed = rename_run(RECORD, "First look", project)
    assert renamed.title == "First look, 17:09:41"
    assert name_of(renamed) == "First look"
    assert read_provenance(result).title == "First look, 17:09:41"
    assert [run.title for run in read_runs(project)] == ["First look, 17:09:41"]
    (group,) = project.layerTreeRoot().findGroups()
    assert group.name() == "First look, 17:09:41"


def test_the_name_is_saved_with_the_project_also_for_records_in_files(project, result, tmp_path):
    rename_run(RECORD, "First look", project)
    path = str(tmp_path / "plot.qgz")
    assert project.write(path)
    project.clear()
    assert apply_given_name(RECORD, project) == RECORD
    assert project.read(path)
    assert apply_given_name(RECORD, project).title == "First look, 17:09:41"


def test_a_run_can_be_renamed_again(project, result):
    rename_run(rename_run(RECORD, "First", project), "Second", project)
    assert read_provenance(result).title == "Second, 17:09:41"
    assert project.layerTreeRoot().findGroups()[0].name() == "Second, 17:09:41"


@pytest.mark.parametrize("name", ["", "   ", "\n"])
def test_an_empty_name_changes_nothing(project, result, name):
    assert rename_run(RECORD, name, project) is RECORD
    assert read_provenance(result).title == RECORD.title


def test_a_long_name_is_cut_and_may_contain_commas(project, result):
    renamed = rename_run(RECORD, "plot 3, " + "x" * 100, project)
    assert name_of(renamed) == "plot 3, " + "x" * 32
    assert renamed.title.endswith(", 17:09:41")


@pytest.mark.parametrize("stored", ["[", "[]", '{"1234": 5}', '{"1234": "  "}', "[" * 10_000])
def test_a_damaged_entry_of_a_project_is_ignored(project, stored):
    project.writeEntry("RandCrowns", "run_names", stored)
    assert apply_given_name(RECORD, project) == RECORD


def test_a_record_without_an_id_has_no_other_name(project):
    old = replace(RECORD, id="")
    project.writeEntry("RandCrowns", "run_names", '{"": "x"}')
    assert apply_given_name(old, project) == old
