"""The parameters of jobs are those of the toolbox."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

import numpy as np
import pyproj
import pytest
from support.code import ROOT
from support.errors import assert_message, raises

from randcrowns.command.job_table import JOBS
from randcrowns.core.tile_parameters import TILE_PARAMETERS
from randcrowns.jobs.parameters import (
    USED_WITH,
    JobParameter,
    describe_jobs,
    preset_key,
    randcrowns_parameters,
    read_parameter_file,
    read_values,
    unused_values,
)
from randcrowns.jobs.refused import REFUSED

sys.path.insert(0, str(ROOT / "scripts"))

CASES = [(job.name, name) for job in JOBS for name in describe_jobs()[job.name].parameters]


def test_the_description_is_that_of_the_toolbox(algorithms) -> None:
    from toolbox_description import PAGE, PATH, describe_toolbox, to_page

    described = json.loads(json.dumps(describe_toolbox(), ensure_ascii=False))
    assert json.loads(PATH.read_text(encoding="utf-8")) == described, "run make parameters"
    assert PAGE.read_text(encoding="utf-8") == to_page(described), "run make parameters"


def test_columns_are_described_with_their_decimals_texts_and_meaning(algorithms) -> None:
    from toolbox_description import describe_column

    from randcrowns.algorithms.output_types import Column

    common = {"unit": "", "help": "Meaning."}
    iou = Column("iou", "IoU", "Meaning.", digits=2)
    assert describe_column(iou) == {"name": "iou", "label": "IoU", **common, "digits": 2}
    count = Column("n", "Crowns", "Meaning.", "integer", display_texts={"0": "none"})
    texts = {"digits": 0, "texts": {"0": "none"}}
    assert describe_column(count) == {"name": "n", "label": "Crowns", **common, **texts}
    name = Column("layer", "Layer", "Meaning.", "text")
    assert describe_column(name) == {"name": "layer", "label": "Layer", **common}


@pytest.mark.parametrize(("job", "name"), CASES)
def test_every_parameter_is_an_input_an_option_or_refused_with_a_reason(
    job: str, name: str
) -> None:
    command = next(one for one in JOBS if one.name == job)
    inputs = {item.name for item in command.inputs}
    if name in REFUSED.get(job, {}):
        assert name not in command.option_names
        with raises("parameter.unsupported", name=name):
            read_values(job, {name: "something"})
    else:
        is_of_import = job == "import" and name in ("input", "images_of", "images")
        assert name in inputs or name in command.option_names or is_of_import


def test_a_record_of_the_toolbox_may_hold_defaults_of_refused_parameters() -> None:
    default = describe_jobs()["agree"].parameters["values"].default
    assert read_values("agree", {"values": default, "images": [], "bootstrap_samples": 20})
    with raises("parameter.unsupported", name="resolution"):
        read_values("agree", {"resolution": 0.25})


def test_only_parameters_of_the_toolbox_work_tile_by_tile() -> None:
    for job, names in TILE_PARAMETERS.items():
        assert names <= set(describe_jobs()[job].parameters) - set(REFUSED.get(job, ()))


def test_only_parameters_of_the_toolbox_are_refused() -> None:
    for job, refused in REFUSED.items():
        assert not set(refused) - set(describe_jobs()[job].parameters), job


@pytest.mark.parametrize(("job", "name"), CASES)
def test_defaults_are_valid(job: str, name: str) -> None:
    parameter = describe_jobs()[job].parameters[name]
    if parameter.is_input or parameter.default is None or name in REFUSED.get(job, {}):
        return
    values = read_values(job, {name: parameter.checked_default})
    assert values[name] == read_values(job, {})[name]


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"alfa": 1}, "parameter.unknown"),
        ({"alpha": "wide"}, "parameter.not_a_number"),
        ({"alpha": True}, "parameter.not_a_number"),
        ({"randcrowns_threshold": 2}, "parameter.out_of_range"),
        ({"all_drawn": "perhaps"}, "parameter.not_a_boolean"),
        ({"pairing": "best"}, "parameter.no_option"),
        ({"pairing": 17}, "parameter.no_option"),
    ],
)
def test_an_invalid_value_is_refused(given: dict[str, object], key: str) -> None:
    with raises(key, name=next(iter(given))):
        read_values("score", given)


def test_a_number_with_decimals_is_no_whole_number() -> None:
    with raises("parameter.not_whole", name="bootstrap_samples"):
        read_values("agree", {"bootstrap_samples": 120.5})


def test_short_and_old_names_and_option_numbers_are_accepted() -> None:
    values = read_values("score", {"plot": "plotID", "pairing": 1, "all_drawn": "no"})
    assert (values["plot_field"], values["all_drawn"]) == ("plotID", False)
    options = describe_jobs()["score"].parameters["pairing"].options
    assert values["pairing"] == options[1]


def test_two_names_of_one_parameter_do_not_contradict_each_other() -> None:
    for given in ({"plot": "a", "plot_field": "b"}, {"plot_field": "b", "plot": "a"}):
        with raises("parameter.contradiction", name="plot_field", value="b"):
            read_values("score", given)
    for other in ("a", None):
        for given in ({"plot": "a", "plot_field": other}, {"plot_field": other, "plot": "a"}):
            assert read_values("score", given)["plot_field"] == "a"


def test_a_similar_name_is_proposed() -> None:
    with raises("parameter.unknown", name="plot_feild", parameters=["plot_field"]) as caught:
        read_values("score", {"plot_feild": "plotID"})
    assert "Its parameters are" not in str(caught.value)


@pytest.mark.parametrize("value", [0.5, [0.5], (np.float64(0.5),), "0.5", ["0.5:0.5:0.1"]])
def test_numbers_are_a_number_a_list_or_a_text(value: object) -> None:
    assert read_values("tune", {"alphas": value})["alphas"] == (0.5,)


@pytest.mark.parametrize(("job", "name"), CASES)
def test_help_and_completion_show_every_parameter(job: str, name: str) -> None:
    function = next(own for own in JOBS if own.name == job).load()
    shown = inspect.signature(function).parameters
    parameter = describe_jobs()[job].parameters[name]
    if name in REFUSED.get(job, {}) and name not in ("images", "image"):
        assert name not in shown
    elif not parameter.is_input:
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert read_values(job, {name: shown[name].default})[name] == read_values(job, {})[name]


def test_other_values_than_numbers_are_refused() -> None:
    with raises("parameter.not_a_number", name="alphas"):
        read_values("tune", {"alphas": [None]})
    with raises("parameter.no_option", name="methods"):
        JobParameter("METHODS", "options", "", options=("a",)).check(0.5)


@pytest.mark.parametrize("value", [32617, np.int64(32617), "EPSG:32617", pyproj.CRS(32617)])
def test_a_system_is_a_number_a_text_or_an_object(value: object) -> None:
    assert read_values("import", {"crs": value})["crs"] == "EPSG:32617"


def test_lengths_that_a_preset_replaces_are_reported() -> None:
    """The preset has alpha 0.6 and gamma 3 (Stewart et al. 2021, IV-B); omega is 1.2 by default."""
    given = {"preset": "field_polygons", "alpha": 0.25, "omega": 1.2, "gamma": 3.0}
    (message,) = unused_values(read_values("score", given))
    assert_message(message, "parameter.unused_lengths", names=["alpha"], preset="field_polygons")
    for own in ({"preset": "own"}, {"preset": None}, {"alpha": 0.7}):
        assert unused_values(read_values("score", {**given, **own})) == []


@pytest.mark.parametrize(("names", "other", "options"), USED_WITH)
def test_values_without_an_effect_are_reported(
    names: tuple[str, ...], other: str, options: tuple[str, ...]
) -> None:
    jobs = [job for job in describe_jobs().values() if other in job.parameters]
    checked = 0
    for job in jobs:
        parameter = job.parameters[other]
        for name in set(names) & set(job.parameters):
            value = _another_value(job.parameters[name])
            for option in parameter.options:
                found = unused_values(read_values(job.name, {name: value, other: option}))
                assert [message.values["names"] for message in found] == (
                    [] if option in options else [(name,)]
                )
            default = job.parameters[name].checked_default
            assert not unused_values(read_values(job.name, {name: default}))
            checked += set(options) <= set(parameter.options)
    assert checked


def _another_value(parameter: JobParameter) -> object:
    """Return a value that is not the default of a parameter."""
    if parameter.options:
        return next(option for option in parameter.options if option != parameter.default)
    if parameter.kind == "boolean":
        return not parameter.default
    return "height" if parameter.kind == "field" else parameter.default / 2 or parameter.maximum


def test_lengths_without_a_preset_are_own_ones() -> None:
    values = read_values("score", {"alpha": 0.25, "omega": 0.5, "gamma": 2})
    assert preset_key(values) == "own"
    parameters = randcrowns_parameters(values)
    assert (parameters.alpha, parameters.omega, parameters.gamma) == (0.25, 0.5, 2.0)


@pytest.mark.parametrize(
    "content",
    [
        {"ALPHA": 0.5},
        {"inputs": {"ALPHA": 0.5}},
        {"parameters": {"alpha": 0.5}},
        {"record": {"parameters": {"ALPHA": 0.5}}},
    ],
)
def test_parameter_files_of_each_origin_are_read(tmp_path: Path, content: object) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert read_parameter_file(file)["alpha"] == 0.5


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[1]", "parameter.no_parameters"),
        ("{", "file.unreadable"),
        pytest.param("[" * 100_000, "file.unreadable", id="nested too deeply"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "run.json"
    file.write_text(text, encoding="utf-8")
    with raises(key):
        read_parameter_file(file)
