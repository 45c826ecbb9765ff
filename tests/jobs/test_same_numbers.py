"""Each job has the same summary by the toolbox, by the command and by Python, to the last digit."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.data import real_data
from support.elsewhere import assert_same, run_elsewhere

import randcrowns
from randcrowns.jobs.parameters import describe_jobs

#: Inputs of each job by name of the argument: names of files of the scene.
INPUTS: dict[str, dict[str, Any]] = {
    "score": {"targets": "anna", "delineations": ["ben", "cleo"]},
    "agree": {"annotators": ["anna", "ben", "cleo"]},
    "consensus": {"annotators": ["anna", "ben", "cleo"]},
    "rank": {"detectors": ["net", "box"], "annotators": ["anna", "ben", "cleo"]},
    "evaluate": {"targets": "anna", "predictions": "net"},
    "evaluate-cloud": {"input": "cloud"},
    "variance": {"annotators": ["anna", "ben", "cleo"]},
    "tune": {"annotators": ["anna", "ben", "cleo"]},
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "score": {
        "preset": "field_polygons",
        "pairing": "max_iou",
        "plot_field": "plot",
        "class_field": "species",
        "class_groups": "broad=oak+ash",
        "summarise_by": "attribute",
        "strata_field": "height",
        "spread_field": "spread",
        "warped_targets": 2,
    },
    "agree": {
        "bootstrap_samples": 120,
        "plot_field": "plot",
        "class_field": "species",
        "class_groups": "broad=oak+ash",
    },
    "consensus": {
        "method": "crowns",
        "class_field": "species",
        "class_groups": "broad=oak+ash",
        "class_rule": "staple",
    },
    "rank": {
        "score_field": "height",
        "bootstrap_samples": 20,
        "plot_field": "plot",
        "class_field": "species",
        "class_groups": "broad=oak+ash",
    },
    "evaluate": {
        "detection_method": "point2tree",
        "plot_field": "plot",
        "height_field": "height",
        "class_field": "species",
        "within_classes": True,
        "summarise_by": "area",
        "strata_breaks": "18; 24",
    },
    "evaluate-cloud": {
        "target_attribute": "tree_id",
        "prediction_attribute": "predicted_id",
        "detection_method": "point2tree",
        "min_height_fp": 10.0,
        "min_precision_fp": 0.5,
        "excluded_points": "tree_id=5",
    },
    "variance": {"alpha": 0.4, "omega": 0.9, "gamma": 2.0},
    "tune": {"alphas": "0.3:0.5:0.2", "omegas": "1.0", "gammas": "2 3"},
}
#: Parameters without an effect in these cases: unmatched predictions of the sample's cloud lie on no
#: target, and are low where they are uncertain.
WITHOUT_EFFECT = {"evaluate-cloud": ["min_precision_fp"]}
#: Output of the toolbox that is the summary of each job; other jobs have ``SUMMARY``.
SUMMARIES = {"rank": "AUCR", "variance": "VARIANCE", "tune": "RECOMMENDED"}
#: Outputs of the toolbox that are requested; the areas of annotators decide how votes are counted.
OUTPUTS = {"agree": ("SUMMARY", "AGREEMENT"), "consensus": ("CONSENSUS",)}
POSITIONAL = {"rank": ()}
SAMPLE = Path(randcrowns.__file__).parent / "resources" / "sample" / "cloud.laz"


def _case(job: str, paths: dict[str, str]) -> dict[str, Any]:
    """Return inputs, parameters and the command line of a job."""

    def path(value: Any) -> Any:
        return [paths[name] for name in value] if isinstance(value, list) else paths[value]

    inputs = {name: path(value) for name, value in INPUTS[job].items()}
    arguments = [job]
    for name, value in inputs.items():
        if job in POSITIONAL:
            arguments.append(f"--{name}")
        arguments += value if isinstance(value, list) else [value]
    for name, value in PARAMETERS[job].items():
        option = f"--{name.replace('_', '-')}"
        arguments += [option] if value is True else [option, str(value)]
    return {
        "job": job,
        "inputs": inputs,
        "parameters": PARAMETERS[job],
        "arguments": arguments,
    }


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> dict[str, str]:
    command = [
        sys.executable,
        Path(__file__).with_name("scene.py"),
        tmp_path_factory.mktemp("scene"),
    ]
    written = subprocess.run(command, capture_output=True, check=True).stdout
    return {**json.loads(written), "cloud": str(SAMPLE)}


@pytest.fixture(scope="module")
def elsewhere(paths) -> dict[str, Any]:
    return run_elsewhere({job: _case(job, paths) for job in INPUTS})


def _toolbox_values(job: str, paths: dict[str, str]) -> dict[str, Any]:
    """Return the inputs and parameters of a job as Processing takes them."""
    case = _case(job, paths)
    values = {name.upper(): value for name, value in case["inputs"].items()}
    for name, value in case["parameters"].items():
        parameter = describe_jobs()[job].parameters[name]
        is_option = parameter.kind == "option"
        values[parameter.id] = parameter.options.index(value) if is_option else value
    return values


@pytest.mark.parametrize("job", INPUTS)
def test_each_parameter_changes_a_number(elsewhere, paths, job: str) -> None:
    # Else the other tests would pass for a job that does not use the parameter.
    cases = {}
    for name in PARAMETERS[job]:
        others = {other: value for other, value in PARAMETERS[job].items() if other != name}
        if name == "bootstrap_samples":  # The default takes long.
            others[name] = 10
        cases[name] = {**_case(job, paths), "parameters": others, "arguments": []}
    without = run_elsewhere(cases)
    expected = elsewhere[job]["tables"]
    unused = [name for name in cases if without[name]["tables"] == expected]
    assert unused == WITHOUT_EFFECT.get(job, [])


@pytest.mark.parametrize("job", [job for job in INPUTS if job != "consensus"])
def test_a_job_has_the_same_summary_everywhere(run, elsewhere, paths, job: str) -> None:
    assert elsewhere[job]["command"] == elsewhere[job]["python"]
    summary = SUMMARIES.get(job, "SUMMARY")
    done = run(
        describe_jobs()[job].algorithm,
        _toolbox_values(job, paths),
        outputs=OUTPUTS.get(job, (summary,)),
    )
    assert done.ok, done.refused or done.error
    assert_same(done.table(summary), elsewhere[job]["python"], 5)


def test_scores_against_warped_targets_are_the_same_everywhere(run, elsewhere, paths) -> None:
    done = run("scorecrowns", _toolbox_values("score", paths), outputs=("WARPED_SCORES",))
    assert done.ok, done.refused or done.error
    assert_same(done.table("WARPED_SCORES"), elsewhere["score"]["tables"]["warped"], 10)


def test_scores_with_own_spread_are_the_same_everywhere(run, elsewhere, paths) -> None:
    done = run("scorecrowns", _toolbox_values("score", paths), outputs=("SCORED_TARGETS",))
    assert done.ok, done.refused or done.error
    rows = pd.DataFrame(elsewhere["score"]["tables"]["targets"])
    for name in ("ben", "cleo"):
        found = rows.loc[rows["layer"] == name, ["randcrowns_own_spread", "own_length"]]
        expected = done.table("SCORED_TARGETS")[[f"{name}_rc_own", "own_length"]]
        assert found.to_numpy(dtype=float).tolist() == expected.to_numpy(dtype=float).tolist()


@pytest.mark.parametrize(
    ("job", "table"),
    [
        *product(
            ("score", "evaluate"),
            ("confusion", "class_metrics", "class_summary", "strata", "strata_tests"),
        ),
        ("agree", "class_agreement"),
        ("agree", "class_confusion"),
        ("rank", "class_precision"),
    ],
)
def test_classes_and_strata_are_the_same_everywhere(
    run, elsewhere, paths, job: str, table: str
) -> None:
    done = run(
        describe_jobs()[job].algorithm, _toolbox_values(job, paths), outputs=(table.upper(),)
    )
    assert done.ok, done.refused or done.error
    assert_same(done.table(table.upper()), elsewhere[job]["tables"][table], 3)


def test_a_consensus_has_the_same_polygons_everywhere(run, elsewhere, paths) -> None:
    assert elsewhere["consensus"]["command"] == elsewhere["consensus"]["python"]
    done = run("consensus", _toolbox_values("consensus", paths), outputs=OUTPUTS["consensus"])
    (row,) = elsewhere["consensus"]["python"]
    table = done.table("CONSENSUS")
    assert row["polygons"] == len(table)
    assert row["area"] == pytest.approx(table["area"].sum(), rel=1e-12)
    assert_same(table, elsewhere["consensus"]["tables"]["consensus"], 5)


def test_files_of_other_programs_have_the_same_numbers_as_their_import(run, tmp_path) -> None:
    deepforest, neon = real_data("deepforest"), real_data("neon")
    case = {
        "job": "evaluate",
        "inputs": {
            "targets": str(neon / "OSBS_029.xml"),
            "predictions": str(deepforest / "OSBS_029.csv"),
        },
        "parameters": {"images": str(neon)},
        "arguments": [
            "evaluate",
            str(neon / "OSBS_029.xml"),
            str(deepforest / "OSBS_029.csv"),
            "--images",
            str(neon),
        ],
    }
    found = run_elsewhere({"case": case})["case"]
    assert found["command"] == found["python"]
    layers = {}
    for role, source in (("TARGETS", "targets"), ("PREDICTIONS", "predictions")):
        layers[role] = str(tmp_path / f"{source}.gpkg")
        values = {"INPUT": case["inputs"][source], "IMAGES": str(neon), "CROWNS": layers[role]}
        assert run("importcrowns", values, outputs=()).ok
    done = run("evaluateinstances", layers, outputs=("SUMMARY",))
    assert done.ok, done.refused or done.error
    assert_same(done.table("SUMMARY"), found["python"], 10)
