"""Old names are read as the current ones, and no table of old names contradicts another."""

from __future__ import annotations

import pytest

from randcrowns.core import old_names


@pytest.mark.parametrize(
    "table",
    [
        old_names.PARAMETERS,
        old_names.OUTPUTS,
        old_names.SETTINGS,
        old_names.BATCH_COLUMNS,
        old_names.COMMAND_OPTIONS,
        *old_names.COLUMNS.values(),
    ],
)
def test_no_new_name_is_an_old_name(table):
    assert not set(table) & set(table.values())


def test_parameters_and_outputs_agree():
    both = old_names.PARAMETERS.keys() & old_names.OUTPUTS.keys()
    assert both == {"LEFT_OUT"}
    assert old_names.PARAMETERS["LEFT_OUT"] == old_names.OUTPUTS["LEFT_OUT"]


def test_a_current_key_takes_precedence():
    values = {"draws": 40, "bootstrap_samples": 50, "alpha": 0.5}
    renamed = old_names.rename_keys(values, old_names.SETTINGS)
    assert renamed == {"bootstrap_samples": 50, "alpha": 0.5}


def test_a_user_field_with_the_new_name_is_kept():
    names = ["plot", "cut_id", "group"]
    renamed = ["plot", "segmentation_match_id", "group"]
    assert old_names.rename_columns(names, "MATCHED_TARGETS") == renamed
    assert old_names.rename_columns(["group"], "SCORED_TARGETS") == ["group"]
    assert old_names.stored_column(names, "segmentation_match_id", "MATCHED_TARGETS") == "cut_id"
    assert old_names.stored_column(names, "absent", "MATCHED_TARGETS") == "absent"


def test_provenance_columns_have_the_current_parameter():
    names = ["made_time", "made_draws", "run_version"]
    renamed = ["run_time", "run_bootstrap_samples", "run_version"]
    assert old_names.rename_columns(names, "AUCR") == renamed
