"""Parameters that pages pass to algorithms, as plain values.

Only this module knows how pages do this. If the product changes, this module follows, and the frozen
values stay the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from qgis.core import (
    QgsApplication,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterNumber,
    QgsProject,
    QgsReferencedRectangle,
)
from support.qt import RUN_SECONDS, spin, wait_until

from randcrowns.ui.services.run_outcome import WasCancelled
from randcrowns.ui.services.runner import AlgorithmRun

__all__ = ["SCOPE", "hand_over", "with_defaults"]

#: Scope of the entries that a project stores for the pages.
SCOPE = "RandCrowns"
_TIME = re.compile(r"_\d{8}_\d{6}_\d{6}(?!\d)")
_CONSENSUS = ("0.5", "any", "0.75", "unanimous", "level", "excl-0.5", "staple", "simple", "lsml")
_PRESETS = ("image_boxes", "field_polygons")
_MATCHINGS = (
    "panoptic_segmentation",
    "point2tree",
    "for_instance",
    "for_ai_net",
    "for_ai_net_coverage",
    "tree_learn",
)
_TRUTHS = ("each", "any", "0.5", "0.75", "excl-0.5", "staple", "simple", "lsml", "levels")
_RULES = ("0.5", "any", "0.75", "excl-0.5", "staple", "simple")
#: Meaning of each position of an enumeration.
_VALUES = ("automatic", "ids", "classes", "threshold", "value", "colour")
_KEYS: dict[str, dict[str, tuple[str, ...]]] = {
    "compareannotators": {"VALUES": _VALUES, "CLASS_SCALE": ("nominal", "ordinal", "interval")},
    "scorecrowns": {
        "PRESET": (*_PRESETS, "idtrees", "own"),
        "PAIRING": ("nearest", "max_iou", "max_score", "mean_over_count", "hungarian"),
        "SUMMARISE_BY": ("none", "attribute", "area", "crowding", "edge"),
    },
    "consensus": {
        "VALUES": _VALUES,
        "METHOD": _CONSENSUS,
        "PRIOR": ("any", "mean", "number"),
        "SIMPLE_RULE": ("deviation", "share"),
        "VOTE_RULE": ("half", "two_thirds", "all", "any"),
        "OUTLINE": ("majority", "median", "staple", "medoid"),
        "CLASS_RULE": ("plurality", "staple"),
    },
    "rankdetectors": {
        "VALUES": _VALUES,
        "CONSENSUS_METHODS": _TRUTHS,
        "STAPLE_PRIOR": ("any", "mean", "number"),
        "SIMPLE_RULE": ("deviation", "share"),
        "COUNTED_UNITS": ("both", "areas", "crowns"),
        "SKEW_LIMITS": ("own", "truths"),
        "CROWN_SCORE": ("iou", "randcrowns"),
        "PRESET": (*_PRESETS, "own"),
        "RESAMPLED_GROUND_TRUTH": _RULES,
    },
    "annotatorvariance": {"PRESET": (*_PRESETS, "own")},
    "evaluateinstances": {
        "DETECTION_METHOD": _MATCHINGS,
        "SEGMENTATION_METHOD": _MATCHINGS,
        "SUMMARISE_BY": ("none", "attribute", "area", "pixels", "crowding"),
    },
    "evaluatepointcloud": {
        "DETECTION_METHOD": _MATCHINGS,
        "SEGMENTATION_METHOD": _MATCHINGS,
        "PARTITION_END": ("quantile", "farthest"),
    },
}
_OFFSETS = ("auto", "mitre", "round")


@dataclass
class _Handed:
    """Recorded runs, and a predicate of those that are executed."""

    earnest: Callable[[str, dict[str, Any]], bool]
    found: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def hand_over(page: Any, folder: Path, follow: bool) -> list[dict[str, Any]]:
    """Press Run; with ``follow``, also request what a page offers after a run.

    Returns:
        Algorithm and parameters of each run, and the values that no algorithm receives.
    """
    follow = follow and page.key in _FOLLOWED
    with _listening(_FOLLOWED[page.key] if follow else _never) as handed:
        page.start()
        if follow:
            wait_until(lambda: page.run is None, RUN_SECONDS)
            spin()
            _NEXT[page.key](page, folder)
    beside = [{"beside the results": _BESIDE[page.key](page)}] if page.key in _BESIDE else []
    canvas = page.iface.mapCanvas()
    shown = QgsReferencedRectangle(canvas.extent(), canvas.mapSettings().destinationCrs())
    return [*(_normal(*one, folder, shown) for one in handed.found), *beside]


def with_defaults(handed: dict[str, Any]) -> dict[str, Any]:
    """Return a recorded run with the defaults of all other parameters."""
    if "parameters" not in handed:
        return handed
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(
        f"randcrowns:{handed['algorithm']}"
    )
    numbers = (QgsProcessingParameterBoolean, QgsProcessingParameterNumber)
    defaults = {
        definition.name(): definition.defaultValue()
        for definition in algorithm.parameterDefinitions()
        if isinstance(definition, numbers)
    }
    defaults |= {
        definition.name(): _chosen(algorithm.name(), definition.name(), definition.defaultValue())
        for definition in algorithm.parameterDefinitions()
        if isinstance(definition, QgsProcessingParameterEnum) and not definition.allowMultiple()
    }
    return {**handed, "parameters": {**defaults, **handed["parameters"]}}


def _never(_algorithm: str, _parameters: dict[str, Any]) -> bool:
    return False


#: Settings of a page that affect only the display of results.
_BESIDE: dict[str, Callable[[Any], dict[str, Any]]] = {
    "annotators": lambda page: {"limit": page.results.limit_field.value()},
}
#: Runs that must be executed before a page offers more.
_FOLLOWED: dict[str, Callable[[str, dict[str, Any]], bool]] = {
    "annotators": lambda algorithm, _: algorithm == "randcrowns:compareannotators",
    "parameters": lambda _, parameters: "GALLERY_FILE" not in parameters,
}


def _make_consensus(page: Any, _folder: Path) -> None:
    page.results.consensus_form.requested.emit()


def _save_gallery(page: Any, folder: Path) -> None:
    wait_until(lambda: not page.runs.side_run_keys, RUN_SECONDS)
    spin()
    page.results.gallery.save_requested.emit(str(folder / "gallery.png"))


_NEXT: dict[str, Callable[[Any, Path], None]] = {
    "annotators": _make_consensus,
    "parameters": _save_gallery,
}


@contextmanager
def _listening(earnest: Callable[[str, dict[str, Any]], bool]) -> Iterator[_Handed]:
    """Record runs; only some of them are executed, the others end as cancelled."""
    handed = _Handed(earnest)
    usual = AlgorithmRun.start

    def start(run: AlgorithmRun) -> None:
        handed.found.append((run.algorithm_id, run.parameters))
        if handed.earnest(*handed.found[-1]):
            # The results are not used, so no file is written.
            run.parameters = {
                name: "memory:" if str(value).startswith("ogr:") else value
                for name, value in run.parameters.items()
            }
            usual(run)
        else:
            run.finished.emit(WasCancelled())

    AlgorithmRun.start = start  # type: ignore[assignment, method-assign]
    try:
        yield handed
    finally:
        AlgorithmRun.start = usual  # type: ignore[method-assign]


def _normal(
    algorithm_id: str, parameters: dict[str, Any], folder: Path, shown: QgsReferencedRectangle
) -> dict[str, Any]:
    """Return a run without ids of layers, folder and time."""
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(algorithm_id)
    name = algorithm.name()
    found = {}
    for key, value in parameters.items():
        definition = algorithm.parameterDefinition(key)
        enumeration = isinstance(definition, QgsProcessingParameterEnum)
        found[key] = _chosen(name, key, value) if enumeration else _plain(value, folder)
        if isinstance(value, QgsReferencedRectangle) and (value, value.crs()) == (
            shown,
            shown.crs(),
        ):
            found[key] = "what the map shows"
    return {"algorithm": name, "parameters": found}


def _chosen(algorithm: str, name: str, value: Any) -> Any:
    """Return position and key of an enumeration's value, given as either."""
    if isinstance(value, list):
        return [_chosen(algorithm, name, one) for one in value]
    keys = _OFFSETS if name == "CORNER_STYLE" else _KEYS[algorithm][name]
    position = keys.index(value) if isinstance(value, str) else int(value)
    return {"position": position, "key": keys[position]}


def _plain(value: Any, folder: Path) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one, folder) for one in value]
    if isinstance(value, QgsReferencedRectangle):
        sides = (value.xMinimum(), value.yMinimum(), value.xMaximum(), value.yMaximum())
        return {"rectangle": list(sides), "crs": value.crs().authid() or value.crs().toProj()}
    if isinstance(value, QgsProcessingFeatureSourceDefinition):
        source = (
            value.source.staticValue() if hasattr(value.source, "staticValue") else value.source
        )
        return {"layer": _plain(source, folder), "selected only": value.selectedFeaturesOnly}
    if isinstance(value, str):
        layer = QgsProject.instance().mapLayer(value)
        if layer is not None:
            return f"layer {layer.name()}"
        return _TIME.sub("_<time>", value.replace(str(folder), "<folder>"))
    return value
