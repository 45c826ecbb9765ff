"""Old names of parameters, outputs, columns and settings, which stored data may still contain.

Projects, results and provenance records of earlier versions keep their names. The functions of
this module replace them where such data is read; nothing writes an old name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

_Value = TypeVar("_Value")

#: Ids of Processing parameters: old -> new.
PARAMETERS = {
    "CELL": "CELL_SIZE",
    "CUT": "CUT_OUT_IMAGES",
    "DRAWS": "BOOTSTRAP_SAMPLES",
    "GROUP_FIELD": "PLOT_FIELD",
    "HIGH": "MAX_SKEW",
    "INVALID_ID": "NO_TREE_ID",
    "LABELLED": "LABELLED_ATTRIBUTE",
    "LEFT_OUT": "EXCLUDED",
    "LEFT_OUT_RASTER": "EXCLUDED_RASTER",
    "LIMIT": "WRONG_PAIR_THRESHOLD",
    "LINES": "THIN",
    "LOOKS": "EXAMPLES",
    "LOW": "MIN_SKEW",
    "MADE_TRUTHS": "GROUND_TRUTH_LAYERS",
    "MOST_LEFT_OUT": "MAX_EXCLUDED",
    "OFFSETS": "CORNER_STYLE",
    "PREDICTION": "PREDICTION_ATTRIBUTE",
    "PREDICTION_CLASS": "PREDICTION_CLASS_ATTRIBUTE",
    "PREDICTION_INVALID_ID": "PREDICTION_NO_TREE_ID",
    "REACH": "PARTITION_END",
    "ROUNDS": "MAX_ITERATIONS",
    "RULE": "RESAMPLED_GROUND_TRUTH",
    "SIMPLE_A": "SIMPLE_FACTOR",
    "SKEW": "SKEW_LIMITS",
    "TARGET": "TARGET_ATTRIBUTE",
    "TARGET_CLASS": "TARGET_CLASS_ATTRIBUTE",
    "TRUTHS": "CONSENSUS_METHODS",
    "UNITS": "COUNTED_UNITS",
}

#: Ids of outputs: old -> new. Outputs with a destination are parameters too.
OUTPUTS = {
    "DRAWINGS": "DELINEATIONS",
    "FINDING": "CONCLUSION",
    "LEFT_OUT": "EXCLUDED",
    "MADE": "PROVENANCE",
    "PRIORS": "PRIOR_EFFECT",
    "REMARKS": "MESSAGES",
    "REPORT": "INPUT_PROBLEMS",
    "TAU": "KENDALL_TAU",
    "VERDICT": "CONCLUSION",
}

#: Columns by the id of their output: old -> new. Several outputs have an id like ``SUMMARY``.
COLUMNS = {
    "CONSENSUS": {"left_out": "excluded"},
    "CROWNS": {"look": "example"},
    "GALLERY": {"pick": "kind"},
    "GRID": {"verdict": "assessment"},
    "IMAGE_TABLE": {"least_p": "min_p_value"},
    "KENDALL_TAU": {"tau": "kendall_tau"},
    "LINKAGE": {"first_place": "first_position", "second_place": "second_position"},
    "MATCHED_PREDICTIONS": {"group": "plot"},
    "MATCHED_TARGETS": {"cut_id": "segmentation_match_id", "group": "plot"},
    "PERFORMANCE": {"left_out": "excluded"},
    "PRIOR_EFFECT": {"rounds": "iterations"},
    "RECOMMENDED": {"verdict": "assessment"},
    "SCORED_DELINEATIONS": {"group": "plot"},
    "SUMMARY": {"draws": "bootstrap_samples", "group": "plot", "why": "reason"},
}

#: Prefixes of the names of provenance columns: old -> new.
COLUMN_PREFIXES = {"made_": "run_"}

#: Columns of the files of a results directory: old -> new.
BATCH_COLUMNS = {
    "cut_id": "segmentation_match_id",
    "draws": "bootstrap_samples",
    "group": "plot",
}

#: Options of the command line: old -> new.
COMMAND_OPTIONS = {"--most-crowns": "--max-crowns"}

#: Keys of the settings in a project and in the user's profile: old -> new.
SETTINGS = {
    "cell": "cell_size",
    "cut": "cut_out_images",
    "draws": "bootstrap_samples",
    "each_left_out": "consensus_leave_one_out",
    "group_field": "plot_field",
    "high": "max_skew",
    "invalid_id": "no_tree_id",
    "labelled": "labelled_attribute",
    "left_out": "excluded",
    "lines": "thin",
    "looks": "examples",
    "low": "min_skew",
    "made_truths": "ground_truth_layers",
    "most_left_out": "max_excluded",
    "offsets": "corner_style",
    "prediction_class": "prediction_class_attribute",
    "prediction_invalid_id": "prediction_no_tree_id",
    "reach": "partition_end",
    "rounds": "max_iterations",
    "rule": "resampled_ground_truth",
    "simple_a": "simple_factor",
    "skew": "skew_limits",
    "target_class": "target_class_attribute",
    "truths": "consensus_methods",
    "units": "counted_units",
}


def rename_keys(values: Mapping[str, _Value], new_names: Mapping[str, str]) -> dict[str, _Value]:
    """Return values with their old keys replaced, in the same order.

    A value under a new key takes precedence over one under the old key.

    Args:
        values: values by key.
        new_names: one of the tables of this module, old -> new.

    Returns:
        The values by their new keys, in the order of the old ones.

    >>> rename_keys({"DRAWS": 40, "ALPHA": 1.0}, PARAMETERS)
    {'BOOTSTRAP_SAMPLES': 40, 'ALPHA': 1.0}
    >>> rename_keys({"DRAWS": 40, "BOOTSTRAP_SAMPLES": 50}, PARAMETERS)
    {'BOOTSTRAP_SAMPLES': 50}
    """
    renamed = {}
    for key, value in values.items():
        new_key = new_names.get(key, key)
        if new_key == key or new_key not in values:
            renamed[new_key] = value
    return renamed


def rename_ids(values: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return values by parameter or output id with the old ids replaced; see :func:`rename_keys`.

    >>> rename_ids({"LEFT_OUT": "a.gpkg", "TITLE": "b"})
    {'EXCLUDED': 'a.gpkg', 'TITLE': 'b'}
    """
    return rename_keys(values, {**PARAMETERS, **OUTPUTS})


def rename_parameter_name(name: str) -> str:
    """Return the current name of a parameter, which is its id in lower case.

    >>> rename_parameter_name("draws")
    'bootstrap_samples'
    """
    new_id = PARAMETERS.get(name.upper())
    return name if new_id is None else new_id.lower()


def rename_columns(names: Iterable[str], output: str) -> list[str]:
    """Return the current names of the columns of an output.

    A name stays as it is if another column has the new name already.

    Args:
        names: names of the columns.
        output: id of the output.

    >>> rename_columns(["target_id", "cut_id", "group", "made_time"], "MATCHED_TARGETS")
    ['target_id', 'segmentation_match_id', 'plot', 'run_time']
    """
    present = list(names)
    new_names = COLUMNS.get(OUTPUTS.get(output, output), {})
    renamed = []
    for name in present:
        new_name = new_names.get(name, name)
        for old_prefix, new_prefix in COLUMN_PREFIXES.items():
            if name.startswith(old_prefix):
                new_name = new_prefix + rename_parameter_name(name[len(old_prefix) :])
        renamed.append(name if new_name in present else new_name)
    return renamed


def stored_column(names: Iterable[str], column: str, output: str) -> str:
    """Return the name under which a stored table of an output has a column.

    Args:
        names: names of the columns of the table.
        column: current name of the column.
        output: id of the output.

    Returns:
        The current or the old name; the current one if the table lacks the column.

    >>> stored_column(["area", "left_out"], "excluded", "CONSENSUS")
    'left_out'
    """
    present = list(names)
    current = rename_columns(present, output)
    return present[current.index(column)] if column in current else column
