"""What runs of page Parameters found, read once from the algorithms' outputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.choices import LENGTHS
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.tuning.choices import FIELD_TARGETS, GROUP_FIELD
from randcrowns.algorithms.tuning.outputs import (
    CROWNS,
    DRAWINGS,
    GRID,
    LEFT_OUT,
    RECOMMENDED,
    VARIANCE,
)
from randcrowns.layers.files.places import project_file
from randcrowns.layers.files.staged import keep_in_file
from randcrowns.layers.vector.names import short_names, shortened
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.services.layer_facts import name_of, plots_told
from randcrowns.ui.services.result_file import Succeeded, add_result_layers, table_name
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets import table_model

#: alpha and omega in metres, gamma.
Lengths = tuple[float, float, float]
_ON_THE_MAP = (CROWNS, DRAWINGS, LEFT_OUT)


class SearchResults:
    """A grid search."""

    def __init__(self, outcome: Succeeded, settings: Settings) -> None:
        self.settings = settings
        self.grid = outcome.table(GRID)  #: a row per set of parameters.
        recommended = outcome.table(RECOMMENDED)
        self.best: Lengths | None = None  #: the set that is recommended, if any is.
        if len(recommended):
            alpha, omega, gamma = (float(recommended[choice.name].iloc[0]) for choice in LENGTHS)
            self.best = alpha, omega, gamma
        self.finding = _finding(outcome)  #: what was found, in sentences.
        values = [
            dict(told.values) for told in outcome.said("finding") if told.key == "finding.variance"
        ]
        said, one = "Found on {count:,} shared crowns.", "Found on 1 shared crown."
        found = tr(said, one=one, count=values[0]["count"]) if values else ""
        #: The same without the variances, which have a tab of their own.
        self.headline = f"{_finding(outcome, without='finding.variance')} {found}".strip()
        field = settings[FIELD_TARGETS]
        targets = (
            tr("targets: {layer}", layer=name_of(field))
            if field
            else tr("targets: each annotator in turn")
        )
        #: What the numbers depend on and a default may have decided, in words.
        self.decided = f"{targets} · {plots_told(settings[GROUP_FIELD])}"


class LookResults:
    """The experiment at one set of parameters."""

    def __init__(self, outcome: Succeeded, lengths: Lengths) -> None:
        #: outcome: of the run, with the layers of targets, delineations and excluded crowns.
        self.outcome, self.lengths = outcome, lengths
        #: variance: a row per target annotator.
        #: delineations: a row per pair, with the three scores and its ``series``.
        self.variance, self.delineations = outcome.table(VARIANCE), outcome.table(DRAWINGS)
        #: The pairs of the worst and the typical crowns, a row each, with ``look`` and ``randcrowns_variance``.
        self.looks = _looks(outcome.table(CROWNS), self.delineations)
        self.excluded = outcome.table(LEFT_OUT)
        self.finding = _finding(outcome)  #: what was found, in sentences.
        drawn = self.delineations
        names = (
            *drawn["target_annotator"],
            *drawn["delineation_annotator"],
            *self.excluded["annotator"],
        )
        self.names = tuple(dict.fromkeys(names))  #: the annotators.

    def layer(self, output: Output) -> QgsVectorLayer:
        """Outlines of the targets, the delineations or the excluded crowns."""
        return self.outcome.layers[output.id]

    def features_of(self, pair: int) -> tuple[int, int]:
        """Feature ids of a pair's target and delineation, each in its layer."""
        target = self.delineations.loc[self.delineations["pair"] == pair, "target"].iloc[0]
        return _feature_with(self.layer(CROWNS), "target", target), _feature_with(
            self.layer(DRAWINGS), "pair", pair
        )


def add_layers(look: LookResults, file: str) -> None:
    """Add copies of the outlines to the project as one group, kept in the file or, without one, beside the project.

    Raises:
        InputError: if they cannot be kept there; nothing is added then.
    """
    file = file or project_file()
    copies = {}
    for output in _ON_THE_MAP:
        layer = look.layer(output)
        copies[output.id] = (
            keep_in_file(layer, Path(file), table_name(output.id)) if file else layer.clone()
        )
    add_result_layers(replace(look.outcome, layers=copies), _ON_THE_MAP)


def _finding(outcome: Succeeded, without: str = "") -> str:
    return " ".join(
        sentences(remark for remark in outcome.said("finding") if remark.key != without)
    )


def _feature_with(layer: QgsVectorLayer, field: str, number: int) -> int:
    return int(next(layer.getFeatures(f'"{field}" = {number}')).id())


def _looks(crowns: pd.DataFrame, delineations: pd.DataFrame) -> pd.DataFrame:
    """The worst first, then the typical ones; of one crown the lowest score first."""
    chosen = crowns.loc[crowns["look"].notna(), ["target", "look", "place", "randcrowns_variance"]]
    rows = chosen.merge(delineations, on="target")
    rows["later"] = rows["look"] != "worst"
    return rows.sort_values(["later", "place", "randcrowns"], kind="stable").reset_index(drop=True)


#: Widest column of names and of reasons, whose tooltips have the whole, pixels.
_NAME, _REASON = 90, 640
_ID = {"title": tr("Id"), "text": table_model.as_text}
_SCORES = {"randcrowns": "RC", "iou": "IoU", "iou_crowns": "IoUC"}


def set_columns() -> list[table_model.TableColumn]:
    """Of the sets of parameters."""
    return table_model.columns_of(
        GRID,
        *("rank", "alpha", "omega", "gamma", "common_variance", "mean", "missed_share", "wrong"),
        *(
            "wrong_neighbours",
            "wrong_shifted",
            "wrong_shrunk",
            "wrong_grown",
            "too_small",
            "reason",
        ),
        rank={"text": table_model.as_whole},
        common_variance={"title": tr("Variance")},
    )


def look_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Of the crowns to look at, by these annotators: a row per pair of a target that is marked."""
    looked = {column.name: column for column in CROWNS.columns}
    return [
        table_model.column_of(looked["look"]),
        *table_model.columns_of(
            DRAWINGS, *_SCORES, **{score: {"title": short} for score, short in _SCORES.items()}
        ),
        _names(DRAWINGS, "target_annotator", names),
        *table_model.columns_of(DRAWINGS, "target_id", target_id=_ID),
        replace(_names(DRAWINGS, "delineation_annotator", names), title=tr("Drawn by")),
        table_model.column_of(looked["randcrowns_variance"], title=tr("Variance")),
    ]


def variance_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Of the variances per target annotator, of these."""
    numbers = {"variance": tr("var."), "mean": tr("mean")}
    ends = {"low": tr("from"), "high": tr("to")}
    titles = {
        f"{score}_{end}": f"{short} {words}"
        for end, words in numbers.items()
        for score, short in _SCORES.items()
    }
    titles |= {
        f"{score}_variance_{end}": f"{short} {words}"
        for score, short in _SCORES.items()
        for end, words in ends.items()
    }
    shown = ("crowns", *titles, "too_small", "missed")
    columns = table_model.columns_of(
        VARIANCE, *shown, **{name: {"title": title} for name, title in titles.items()}
    )
    return [_names(VARIANCE, "target_annotator", names), *columns]


def excluded_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Of the excluded crowns of these annotators."""
    written = short_names(names, table_model.SHORT, table_model.LONG)
    reason = {"widest": _REASON, "text": lambda why: shortened(table_model.as_text(why), written)}
    columns = table_model.columns_of(LEFT_OUT, "crown_id", "reason", crown_id=_ID, reason=reason)
    return [_names(LEFT_OUT, "annotator", names), *columns]


def _names(output: Output, name: str, names: Iterable[str]) -> table_model.TableColumn:
    """A column of names, so narrow that ids and reasons beside it stay in sight."""
    return replace(table_model.names_column(output, name, names), widest=_NAME)


def pair_words(pair: pd.Series) -> str:
    """Whose the two crowns of a pair are, and its scores."""
    score = table_model.as_number(2)
    return tr(
        "Red: {target} {target_id}. Black: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, IoUCrowns "
        "{iou_crowns}.",
        target=pair["target_annotator"],
        target_id=pair["target_id"],
        drawn=pair["delineation_annotator"],
        drawn_id=pair["delineation_id"],
        **{name: score(pair[name]) for name in _SCORES},
    )


def excluded_words(crown: pd.Series, candidates: dict[str, int]) -> str:
    """An excluded crown, why, and the best match by each of the other annotators (annotator -> id)."""
    named = {"annotator": crown["annotator"], "id": crown["crown_id"], "reason": crown["reason"]}
    said = tr("Red: {annotator} {id}, excluded: {reason}.", **named)
    if not candidates:
        return said + " " + tr("No other annotator has a crown there.")
    names = ", ".join(f"{name} {number}" for name, number in candidates.items())
    return said + " " + tr("Black, the best match by each of the others: {names}.", names=names)
