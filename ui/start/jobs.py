"""The jobs on page Start, and what the project still needs for each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from randcrowns.layers.localization import tr
from randcrowns.layers.vector.guesses import crown_layers, is_result_layer, project_layers
from randcrowns.ui.services.layer_info import guess_annotator_layers


@dataclass(frozen=True)
class Job:
    """A job that the user can choose, and the page of the dock for it."""

    page_key: str  #: Key of the page.
    title: str  #: The job in the user's words.
    description: str  #: What the page does, in a sentence.
    #: Returns what the project still needs for the job, in a sentence; "" if it needs nothing.
    find_need: Callable[[], str]


def _need_for_score() -> str:
    """Return which layers are missing to score crowns; "" if none."""
    layer_count = len(crown_layers())
    if layer_count == 0:
        return tr("Still needed: target crowns, and a layer with your crowns.")
    if layer_count == 1:
        return tr("Still needed: a second polygon layer, for your crowns or the target crowns.")
    return ""


def _need_for_annotators() -> str:
    """Return which layers are missing to compare annotators; "" if none."""
    layer_count = max(len(crown_layers()), len(guess_annotator_layers()))
    if layer_count == 0:
        return tr("Still needed: a layer of crowns for each person.")
    if layer_count == 1:
        return tr("Still needed: the crowns of a second person.")
    return ""


def _need_for_detectors() -> str:
    """Return which layers are missing to compare detectors; "" if none."""
    layer_count = len(crown_layers())
    if layer_count == 0:
        return tr("Still needed: target crowns, and a layer for each detector.")
    if layer_count == 1:
        return tr("Still needed: a second polygon layer, of a detector or with the target crowns.")
    return ""


def _need_for_report() -> str:
    """Return that a run is missing to make a report; "" if the project has results of one."""
    has_results = any(is_result_layer(layer) for layer in project_layers(include_results=True))
    if has_results:
        return ""
    return tr("Still needed: results. Run one of the other pages first.")


#: The jobs from top to bottom.
JOBS = (
    Job(
        "score",
        tr("Check my crowns while I draw"),
        tr("Each crown is scored against the target crowns as soon as you draw it."),
        _need_for_score,
    ),
    Job(
        "annotators",
        tr("Compare people"),
        tr("See who agrees with whom and where they differ, and make a consensus."),
        _need_for_annotators,
    ),
    Job(
        "detectors",
        tr("Compare detectors"),
        tr("Rank the results of detectors against target crowns, with intervals."),
        _need_for_detectors,
    ),
    Job(
        "report",
        tr("Write a report"),
        tr("Put answers, methods, tables, plots and maps on one page, as HTML or PDF."),
        _need_for_report,
    ),
)
