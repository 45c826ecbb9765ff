"""One set of words for detected and undetected crowns on all pages, tables, maps and reports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from randcrowns.algorithms.agreement.schema.outputs import DISAGREEMENTS
from randcrowns.algorithms.classes.outputs import CROWN_COLUMNS
from randcrowns.algorithms.instances.schema import outputs as instances
from randcrowns.algorithms.instances.schema.parameters import (
    DETECTION_METHOD,
    SEGMENTATION_METHOD,
)
from randcrowns.algorithms.output_types import STATUS_TEXTS
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.algorithms.scoring.schema import outputs as scoring
from randcrowns.algorithms.tuning.schema.outputs import RECOMMENDED
from randcrowns.algorithms.tuning.schema.parameters import WARP_ROTATION, WARP_TRANSLATION
from randcrowns.core.instances.matching import MatchingMethod, MatchStatus
from randcrowns.core.review.problems import Problem
from randcrowns.core.status import NOT_FOUND_STATUSES, TARGET_STATUSES, Status
from randcrowns.report.problems import problem_label
from randcrowns.report.words import (
    detected,
    false_detection,
    not_detected,
    not_reached,
    without_pair,
)

ROOT = Path(__file__).parents[2]


def status_text(status):
    (column,) = [column for column in instances.MATCHED_TARGETS.columns if column.name == "status"]
    return column.display_text(status.value)


def test_a_target_that_nobody_detected_has_one_name():
    whole = not_detected().one
    assert status_text(MatchStatus.FALSE_NEGATIVE) == whole == "not detected"
    # The two kinds of targets that were not detected, and what is at their place, differ from it.
    kinds = {STATUS_TEXTS[status][0] for status in NOT_FOUND_STATUSES}
    assert kinds == {not_reached().one, without_pair().one}
    assert all(kind.startswith(f"{whole} (") for kind in kinds)
    assert "detected" not in problem_label(Problem.MISSING)


def test_each_status_of_a_target_has_a_name_and_a_meaning():
    assert set(STATUS_TEXTS) == set(TARGET_STATUSES)


def test_a_crown_without_a_target_has_one_name():
    names = {status_text(MatchStatus.FALSE_POSITIVE), problem_label(Problem.EXTRA)}
    assert names == {false_detection().one} == {"false detection"}
    labels = {column.name: column.label for column in scoring.SUMMARY.columns}
    assert labels["unmatched_delineations"] == "False detections"
    assert labels["unmatched_targets"] == "Not detected (no pair)"
    assert labels["matched"] == "Detected"


def test_a_detected_target_has_one_name():
    assert status_text(MatchStatus.TRUE_POSITIVE) == detected().one == "detected"


@pytest.mark.parametrize("word", [detected, not_detected, not_reached, false_detection])
def test_the_terms_of_papers_and_programs_stand_in_the_explanation(word):
    assert word().sources.startswith("Also called ")


@pytest.mark.parametrize("name", ["scored_targets", "scored_delineations", "matched_instances"])
def test_legends_use_the_same_words(name):
    xml = (ROOT / "resources" / f"{name}.qml").read_text(encoding="utf-8")
    labels = " ".join(re.findall(r'<category[^>]* label="([^"]*)"', xml))
    assert labels
    assert not re.search(r"missed|unmatched|not found|extra", labels)


def test_stored_names_and_values_are_those_of_before():
    assert (Status.MISSED.value, Status.UNMATCHED.value) == ("missed", "unmatched")
    assert (Problem.MISSING.value, Problem.EXTRA.value) == ("missing", "extra")
    names = {column.name for column in scoring.SUMMARY.columns}
    assert {"matched", "missed", "unmatched_targets", "unmatched_delineations"} <= names
    assert {"tp", "fp", "fn"} <= {column.name for column in instances.SUMMARY.columns}


def test_no_method_is_shown_by_its_id():
    ids = {method.value for method in MatchingMethod}
    for parameter in (DETECTION_METHOD, SEGMENTATION_METHOD):
        assert set(parameter.keys) == ids
        for option in parameter.options:
            assert "_" not in option.label
    assert not any("_" in column.label for column in CROWN_COLUMNS)


@pytest.mark.parametrize("shown", ["tree_learn", "TreeLearn (largest total IoU)"])
def test_the_method_of_an_older_run_is_known_by_its_id(shown, monkeypatch):
    monkeypatch.setattr(Provenance, "display_text_of", lambda *_: shown)
    record = Provenance.__new__(Provenance)
    run = RunOutputs(record, {}, choices=(DETECTION_METHOD,))
    assert run.used_option(DETECTION_METHOD.name).key == "tree_learn"


def test_numbers_of_votes_and_shares_are_named_as_such(qgis_app) -> None:
    votes = {column.name: column.label for column in DISAGREEMENTS.columns}
    assert votes["n_yes"] == "Annotators who marked it"
    assert votes["n_no"] == "Annotators who did not mark it"
    sets = {column.name: column.label for column in RECOMMENDED.columns}
    assert sets["missed_share"] == "Share not reached"


def test_an_angle_has_no_space_before_its_unit(qgis_app) -> None:
    assert WARP_ROTATION.format_value(10.0) == "10°"
    assert WARP_TRANSLATION.format_value(0.4) == "0.4 m"
