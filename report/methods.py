"""Methods paragraph of a report, the same for the toolbox and for the jobs in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import pandas as pd

from randcrowns.core.agreement.consensus import COOKE, GROUND_TRUTH_NAMES
from randcrowns.core.detectors.tables import AREAS, CROWNS
from randcrowns.core.statistics import MIN_PLOTS, MIN_UNITS
from randcrowns.core.tuning.wrong_pairs import (
    GROW_FACTOR,
    MAX_WRONG_TARGETS,
    N_NEIGHBOURS,
    SHIFT,
    SHRINK_FACTOR,
)
from randcrowns.report.content import has_rows_of_plots
from randcrowns.report.language import format_value, tr
from randcrowns.report.references import CitedWork, cited_works
from randcrowns.report.render import template_environment

#: Parameters of STAPLE, SIMPLE, LSML and Cooke's weights by method.
_PARAMETERS_OF_METHODS = {
    "staple": ("prior", "staple_prior", "prior_value", "assign_consensus"),
    "simple": ("simple_rule", "simple_factor"),
    "lsml": ("max_iterations", "curvature", "clipped"),
    COOKE: ("calibration_cutoff",),
}
#: Parameters that have an effect only with a method, by algorithm and method.
_PARAMETERS_OF: dict[str, dict[str, tuple[str, ...]]] = {
    "consensus": {
        **_PARAMETERS_OF_METHODS,
        "level": ("level",),
        "crowns": ("vote_rule", "outline", "match_iou"),
    },
    "rankdetectors": {
        **_PARAMETERS_OF_METHODS,
        AREAS: (
            "consensus_methods",
            "skew_limits",
            "min_skew",
            "max_skew",
            "resolution",
            "tolerance",
            "thin",
            "resampled_ground_truth",
        ),
        CROWNS: ("crown_score", "crown_threshold"),
        "randcrowns": ("preset", "alpha", "omega", "gamma", "corner_style"),
    },
}
#: Parameters that have an effect only if another parameter has a value, by the other one.
_PARAMETERS_WITH: dict[str, tuple[str, ...]] = {
    "score_field": ("score_threshold",),
    "class_field": ("within_classes",),
    "image": ("window",),
}
#: Parameters that have an effect only if classes are compared.
_CLASS_PARAMETERS = ("class_groups", "class_scale", "class_rule", "unmarked_class")
#: Meanings of the values of rasters that may be classes without a class field, by algorithm.
_CLASS_VALUES: dict[str, tuple[str, ...]] = {
    "compareannotators": ("automatic", "classes"),
    "consensus": ("classes",),
}
#: Parameters that have an effect only if annotators are rasters.
_RASTER_PARAMETERS = ("values", "mark_value", "mark_band", "mark_colour")
#: Parameters that have an effect only on the outlines of a single annotator.
_SIMULATION_PARAMETERS = ("warps", "warp_scale", "warp_rotation", "warp_translation")
#: Endings of files that contain outlines, never rasters.
_OUTLINE_FILES = frozenset(
    ("gpkg", "shp", "geojson", "json", "csv", "xml", "parquet", "fgb", "kml", "gml", "sqlite")
)
#: Template with a macro for each algorithm.
_TEMPLATE = "report_methods.html"


class IntervalUnits(NamedTuple):
    """Units that intervals are over."""

    label: str  #: display text, such as "plots".
    minimum: int  #: minimum number of units for an interval.


class DescribedRun(Protocol):
    """Run as the template of the methods reads it."""

    @property
    def record(self) -> Any:
        """Record of the run, with its ``parameters`` by the id in the toolbox."""

    @property
    def frames(self) -> Mapping[str, Any]:
        """Rows of a table by the id of the output of the toolbox."""

    def display_text_of(self, name: str) -> str:
        """Return the value of a parameter, or the names of its layers, as display text."""

    def layer_names(self, name: str) -> list[str]:
        """Return the names of the layers that the run read as a parameter; empty for none."""

    def layer_sources(self, name: str) -> list[str]:
        """Return the sources of these layers; "" for a layer in memory."""

    def used_option(self, name: str) -> Any:
        """Return the used option of a parameter, with ``key``, ``label`` and ``help``."""

    @property
    def interval_units(self) -> list[IntervalUnits]:
        """Units that the run's intervals are over, those of all plots together first."""


def methods_sentences(algorithm: str, run: DescribedRun) -> list[str]:
    """Return the sentences of a methods paragraph for a paper.

    Args:
        algorithm: id of the algorithm without the provider. The template has a macro of its name.
        run: the run.
    """
    template = template_environment(escape_html=False).get_template(_TEMPLATE)
    macros = template.make_module(
        {
            "ground_truths": ground_truths,
            "has_values": _has_values,
            "resampled_plots": _resampled_plots,
            "side_text": side_text,
            "wrong_pairs": _wrong_pair_numbers(),
        }
    )
    macro = getattr(macros, algorithm, None)
    lines = [] if macro is None else [line.strip() for line in macro(run).splitlines()]
    version = tr("The analysis was made with {version}.", version=run.display_text_of("version"))
    return [*(line for line in lines if line), version]


class RankedTruths(NamedTuple):
    """Ground truths that a run ranked detectors by."""

    by_area: bool  #: True if areas were counted.
    by_crowns: bool  #: True if whole crowns were counted.
    #: Methods of the ground truths by area that were made, such as ``staple``.
    methods: frozenset[str]


def ground_truths(run: DescribedRun) -> RankedTruths | None:
    """Return the ground truths that a ranking used; None if its table of values is absent.

    Ground truths that could not be made have rows without a value.

    Args:
        run: the run.
    """
    # Curves have no values, and the certainty of a ranking has no ground truths.
    columns = {"counted", "truth", "value"}
    tables = (table for table in run.frames.values() if columns <= set(table) and len(table))
    values = next(tables, None)
    if values is None:
        return None
    is_area = values["counted"] == AREAS
    known_truths = set(values.loc[is_area & values["value"].notna(), "truth"])
    methods = frozenset(key for key, name in GROUND_TRUTH_NAMES.items() if name in known_truths)
    is_crowns = values["counted"] == CROWNS
    return RankedTruths(bool(is_area.any()), bool(is_crowns.any()), methods)


def _has_values(run: DescribedRun, output: str, column: str) -> bool:
    """Return True if a table of a run has a column with at least one value."""
    frame = run.frames.get(output)
    return frame is not None and column in frame and bool(frame[column].notna().any())


def _resampled_plots(run: DescribedRun) -> bool:
    """Return True if a comparison of annotators resampled plots in place of blocks."""
    tables = [table for table in run.frames.values() if "marked_blocks" in table]
    return any(map(has_rows_of_plots, tables))


def _wrong_pair_numbers() -> dict[str, str]:
    """Return the numbers that describe the wrong pairs of a parameter search, as texts."""
    return {
        "targets": format_value(MAX_WRONG_TARGETS, 0),
        "neighbours": format_value(N_NEIGHBOURS, 0),
        "shift": format_value(SHIFT, 1),
        "shrunk": format_value(SHRINK_FACTOR, 2),
        "grown": format_value(GROW_FACTOR, 0),
    }


def side_text(run: DescribedRun, name: str) -> str:
    """Return the side of the blocks or tiles of a run, or the rule by which it was chosen.

    Args:
        run: the run.
        name: ``block_side`` or ``tile_side``.
    """
    if run.record.parameters.get(name.upper()):
        return run.display_text_of(name)
    rules = {
        "block_side": tr("an eighth of the longer side of the study area"),
        "tile_side": tr(
            "an eighth of the side of a square as large as the study area, but at least the "
            "diameter of the median crown"
        ),
    }
    return rules[name]


def unused_parameters(algorithm: str, run: DescribedRun) -> frozenset[str]:
    """Return the names of parameters that had no effect on the results of a run.

    These are parameters of methods that the run did not use, such as those of STAPLE in a consensus
    by votes, and parameters without the input that they are about, such as a minimum score without
    a field of scores.

    Args:
        algorithm: id of the algorithm without the provider.
        run: the run.
    """
    unused = _parameters_of_unused_methods(algorithm, run) | _parameters_without_input(run)
    return unused if _may_have_classes(algorithm, run) else unused.union(_CLASS_PARAMETERS)


def _may_have_classes(algorithm: str, run: DescribedRun) -> bool:
    """Return True if a run has a class field, or rasters whose values may be classes.

    Args:
        algorithm: id of the algorithm without the provider.
        run: the run.
    """
    if run.display_text_of("class_field"):
        return True
    has_outlines = all(map(_are_outlines, run.layer_sources("annotators")))
    if has_outlines or algorithm not in _CLASS_VALUES:
        return False
    return run.used_option("values").key in _CLASS_VALUES[algorithm]


def _parameters_without_input(run: DescribedRun) -> frozenset[str]:
    """Return the names of parameters without the input that they are about."""
    unused: set[str] = set()
    for required, names in _PARAMETERS_WITH.items():
        if not run.display_text_of(required):
            unused.update(names)
    sources = run.layer_sources("annotators")
    if sources and all(map(_are_outlines, sources)):
        unused.update(_RASTER_PARAMETERS)
    if len(sources) > 1:
        unused.update(_SIMULATION_PARAMETERS)
    if _resampled_plots(run):
        unused.add("block_side")
    return frozenset(unused)


def _are_outlines(source: str) -> bool:
    """Return True if a source contains outlines, not a raster.

    >>> _are_outlines("/data/crowns.gpkg|layername=anna"), _are_outlines("/data/anna.tif")
    (True, False)
    """
    file, _, options = source.partition("|")
    ending = file.partition("?")[0].rpartition(".")[2].lower()
    return not source or bool(options) or ending in _OUTLINE_FILES


def _parameters_of_unused_methods(algorithm: str, run: DescribedRun) -> frozenset[str]:
    """Return the names of parameters of methods that a run did not use.

    Args:
        algorithm: id of the algorithm without the provider.
        run: the run.
    """
    if algorithm == "consensus":
        used = {run.used_option("method").key}
        if "crowns" in used and run.used_option("outline").key == "staple":
            used.add("staple")
        prior = "prior"
    elif algorithm == "rankdetectors":
        truths = ground_truths(run)
        if truths is None:
            return frozenset()
        used = set(truths.methods)
        if truths.by_area:
            used |= {AREAS, run.used_option("resampled_ground_truth").key}
        if truths.by_crowns:
            used |= {CROWNS, run.used_option("crown_score").key}
        prior = "staple_prior"
    else:
        return frozenset()
    unused = {
        name
        for method, names in _PARAMETERS_OF[algorithm].items()
        if method not in used
        for name in names
    }
    if run.used_option(prior).key != "number":
        unused.add("prior_value")
    return frozenset(unused)


def works_named_in(sentences: list[str]) -> list[CitedWork]:
    """Return the works that sentences name."""
    text = " ".join(sentences)
    return [work for work in cited_works().values() if work.is_named(text)]


def unit_labels() -> dict[str, str]:
    """Return the labels of the units that intervals are over, by their stored texts."""
    return {"plots": tr("plots"), "crowns": tr("crowns"), "instances": tr("instances")}


def minimum_units(units: str) -> int:
    """Return the minimum number of units for an interval.

    Args:
        units: ``plots``, ``crowns`` or ``instances``.
    """
    return MIN_PLOTS if units == "plots" else MIN_UNITS


def interval_units(tables: Iterable[pd.DataFrame]) -> list[IntervalUnits]:
    """Return the units that the intervals of a run are over; empty without intervals.

    Args:
        tables: tables of the run. In column ``resampled``, the first row is that of all plots.

    >>> interval_units([pd.DataFrame({"resampled": ["plots", "crowns", "crowns"]})])
    [IntervalUnits(label='plots', minimum=5), IntervalUnits(label='crowns', minimum=10)]
    """
    labels = unit_labels()
    for table in tables:
        if "resampled" in table and len(table):
            names = table["resampled"].astype(str).unique()
            return [IntervalUnits(labels.get(name, name), minimum_units(name)) for name in names]
    return []
