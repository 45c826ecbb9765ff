"""Content of reports and print layouts about a run: tables, plots, a map and crowns.

Each algorithm declares it as a :class:`ReportContent`, so that the report needs no code for a
single algorithm. The methods text of the report is in ``resources/report_methods.html``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Callable

import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsVectorLayer

from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import Option
from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.review_texts import ReviewedLayer
from randcrowns.core.arrays import Objects
from randcrowns.layers.styles.casing import add_casings, set_fill_opacity
from randcrowns.layers.styles.pictures import Outline
from randcrowns.layers.styles.print_layout import AtlasPages
from randcrowns.report.content import MAX_TABLE_ROWS, Figure, Part, Table
from randcrowns.report.explore.outputs import ExploreParts
from randcrowns.report.methods import IntervalUnits, interval_units
from randcrowns.report.names import (
    abbreviate_text,
    find_long_names,
    shorten_message,
    shorten_table,
)

#: Maximum number of features with casings on the map of a report.
_MAX_CASED = 2000


@dataclass(frozen=True)
class RunOutputs:
    """Outputs of a finished run, read from its layers and tables."""

    record: Provenance  #: provenance of the run.
    #: Rows of a layer or table by the id of its output, without the provenance columns.
    frames: Mapping[str, pd.DataFrame]
    #: Outlines, one per row, by the id of the output.
    geometries: Mapping[str, Sequence[QgsGeometry]] = field(default_factory=dict)
    #: Coordinate reference systems of the outlines by the id of the output.
    crs_by_output: Mapping[str, QgsCoordinateReferenceSystem] = field(default_factory=dict)
    #: Verdicts of reviewers, from the file of the run or of the project.
    verdicts: pd.DataFrame = field(default_factory=pd.DataFrame)
    choices: Sequence[Any] = ()  #: parameters that the algorithm declares.
    #: Display names of long names, if the tables and the record contain these instead; the texts in
    #: ``record.results`` have the whole names.
    short_names: Mapping[str, str] = field(default_factory=dict)

    def with_short_names(self) -> RunOutputs:
        """Return the outputs with the names that a report shows."""
        layers = [layer.name for layer in self.record.inputs.values()]
        long_names = find_long_names(layers, self.frames.values())
        if not long_names:
            return self
        record = replace(
            self.record,
            inputs={
                key: replace(layer, name=long_names.get(layer.name, layer.name))
                for key, layer in self.record.inputs.items()
            },
            entries=tuple(
                replace(entry, words=abbreviate_text(entry.words, long_names))
                for entry in self.record.entries
            ),
            headline=tuple(shorten_message(one, long_names) for one in self.record.headline),
        )
        frames = {name: shorten_table(frame, long_names) for name, frame in self.frames.items()}
        return replace(self, record=record, frames=frames, short_names=long_names)

    def shown_name(self, layer: str) -> str:
        """Return the name of a layer in the tables, from its name in ``record.results``."""
        return self.short_names.get(layer, layer)

    def table(self, output: Output) -> pd.DataFrame:
        """Return the rows of an output; an empty frame if it was not made or does not exist."""
        return self.frames.get(output.id, pd.DataFrame())

    def outline(self, output: Output, row: int, colour: str, is_thin: bool = False) -> Outline:
        """Return the outline of a row of an output, with the CRS of that output's layer.

        Args:
            output: output with outlines, which the run has.
            row: position of the row.
            colour: colour of the line, ``#rrggbb``.
            is_thin: True for a thin line.
        """
        geometry = self.geometries[output.id][row]
        return Outline(geometry, colour, self.crs_by_output[output.id], is_thin)

    def display_text_of(self, name: str) -> str:
        """Return the value of the parameter of this name, as display text; "" if unknown."""
        return self.record.display_text_of(name)

    def layer_names(self, name: str) -> list[str]:
        """Return the names of the layers that the run read as a parameter; empty for none."""
        return [layer.name for layer in self.record.input_layers_of(name.upper())]

    def layer_sources(self, name: str) -> list[str]:
        """Return the sources of these layers; "" for a layer in memory."""
        keys = self.record.input_layers_of(name.upper())
        return [layer.source for layer in keys]

    def used_option(self, name: str) -> Option:
        """Return the option that the run used of the parameter of this name.

        The provenance stores the option's label; that of older versions was its key. If the run was
        made in another language, no label is equal and the first option is returned.
        """
        options = next(parameter.options for parameter in self.choices if parameter.name == name)
        used_label = self.display_text_of(name)
        used = (option for option in options if used_label in (option.label, option.key))
        return next(used, options[0])

    @property
    def interval_units(self) -> list[IntervalUnits]:
        """Units that the run's intervals are over, those of all plots together first."""
        return interval_units(self.frames.values())


@dataclass(frozen=True)
class ReportTable:
    """Table of a report."""

    output: Output  #: output whose rows are shown.
    #: Names of the fields to show; empty for all declared ones. Interval ends are shown in the cell
    #: of their value.
    columns: tuple[str, ...] = ()
    title: str = ""  #: title; empty for the label of the output.
    #: Function that returns the rows to show from those of the output; None to show all of them.
    select_rows: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    max_rows: int = MAX_TABLE_ROWS  #: maximum number of rows.
    has_many_plots: bool = True  #: False to show no single plots if there are many.
    #: Name of a field whose values have a table each, which has no column for it; "" for one table.
    split_by: str = ""
    #: Function that returns a sentence below the table, from the shown rows; None for none.
    note: Callable[[pd.DataFrame], str] | None = None


@dataclass(frozen=True)
class ReportAnswer:
    """Answer of a run in a report."""

    sentences: list[str] = field(default_factory=list)  #: sentences; the most important first.
    table: Table | None = None  #: table with a row per layer.
    #: True to show the conclusion of the run after the sentences, as the dock quotes it.
    has_conclusion: bool = True
    caveats: Sequence[str] = ()  #: sentences that limit what the answer means.


@dataclass(frozen=True)
class ReportCrown:
    """Crown that a report shows as a small map."""

    name: str  #: name of the crown.
    scores: Sequence[tuple[str, str]]  #: names and formatted values of its scores.
    problem: str  #: what is wrong with the crown; empty if nothing is.
    cause: str  #: cause of the problem; empty if there is none.
    outlines: Sequence[Outline]  #: outlines, the lowest first; at least one.
    problem_colour: str = ""  #: colour of the problem (``#rrggbb``); empty for the default.
    plot: str = ""  #: plot of the crown, which is its image if coordinates are pixels; "" for none.
    #: Name of the layer and id of the target by which reviewers judge it; None if they do not.
    review_key: tuple[str, int] | None = None
    verdict: str = ""  #: verdict of a reviewer with the comment; empty for none.


@dataclass(frozen=True)
class CrownSheet:
    """Crowns that a report shows together."""

    title: str  #: title, translated.
    description: str  #: description of the crowns, translated.
    crowns: Sequence[ReportCrown]  #: the crowns, in their order on the sheet.
    #: Colour (``#rrggbb``) and name of each kind of outlines, as a legend.
    colours: Sequence[tuple[str, str]] = ()


def _answer_with_conclusion(_run: RunOutputs) -> ReportAnswer:
    """Return the answer that consists of the conclusion of the run."""
    return ReportAnswer()


def _no_name(_record: Provenance) -> str:
    """Return an empty name."""
    return ""


def _keep_style(_layer: QgsVectorLayer, _output: Output, _record: Provenance) -> None:
    """Leave the style of a layer unchanged."""


def show_outlines(layer: QgsVectorLayer) -> None:
    """Draw only the outlines of a layer, so that the image stays visible.

    Layers with few features have casings; of many features, these would cover the image. Labels
    are left out: on paper, the map is so small that they could not be read.

    Args:
        layer: layer, whose style is changed.
    """
    set_fill_opacity(layer, 0.0)
    if layer.featureCount() <= _MAX_CASED:
        add_casings(layer)
    layer.setLabelsEnabled(False)


def _nothing(*_: Any) -> list[Any]:
    """Return an empty list; the default of what a report need not show."""
    return []


@dataclass(frozen=True)
class ReportContent:
    """Parts of a run that a report shows."""

    tables: tuple[ReportTable, ...] = ()  #: tables, in their order.
    map: tuple[Output, ...] = ()  #: layers on the map, the uppermost first.
    #: True if the outlines on the map are areas, such as the faces of an overlay, not whole crowns.
    are_map_areas: bool = False
    #: Function that returns the layers with scores, of which the map shows the first, from the
    #: provenance.
    map_layers: Callable[[Provenance], list[str]] = _nothing
    #: Function that returns the name of the layers on the map in the legend, from the provenance;
    #: "" for the labels of the outputs.
    name_map: Callable[[Provenance], str] = _no_name
    #: Function that changes the style of a copy of a layer for the map of a report, by the output
    #: that the layer is, and by the provenance.
    style_map: Callable[[QgsVectorLayer, Output, Provenance], None] = _keep_style
    extra_outputs: tuple[Output, ...] = ()  #: further outputs that plots and crowns are made from.
    #: Function that returns the answer of a run.
    answer: Callable[[RunOutputs], ReportAnswer] = _answer_with_conclusion
    #: Function that returns the figures of a run.
    plots: Callable[[RunOutputs], list[Figure]] = _nothing
    #: Function that returns the figures of the problems of crowns.
    problems: Callable[[RunOutputs], list[Figure]] = _nothing
    #: Function that returns further parts of a run, such as strata and classes.
    further: Callable[[RunOutputs], list[Part]] = _nothing
    #: Function that returns the crown sheets of a run; its second argument is the maximum number of
    #: crowns on a sheet.
    crowns: Callable[[RunOutputs, int], list[CrownSheet]] = _nothing
    #: Function that returns the crowns that reviewers may have judged, by layer.
    review: Callable[[RunOutputs], list[ReviewedLayer]] = _nothing
    #: Function that returns sentences on verdicts that are on no crowns, such as on disagreements.
    review_notes: Callable[[RunOutputs], list[str]] = _nothing
    #: Function that returns the content of a page to explore; its second argument are the outlines
    #: in coordinates of the page by the id of their output. None for a view per output.
    explore: Callable[[RunOutputs, Mapping[str, Objects]], ExploreParts] | None = None

    @property
    def required_outputs(self) -> tuple[Output, ...]:
        """Outputs whose rows the report reads, each once."""
        return tuple(dict.fromkeys([*(table.output for table in self.tables), *self.extra_outputs]))


@dataclass(frozen=True)
class PrintContent:
    """Parts of a run that a print layout shows."""

    title: str  #: name of the outlines that have a page each, translated.
    outlines: Output  #: output with these outlines.
    summary: Output  #: table that sums up the run.
    #: Function that returns the pages. Its arguments: provenance of the run, names of the layer's
    #: fields, and the part of the layer that is shown, such as one of several delineations.
    pages: Callable[[Provenance, Sequence[str], str], AtlasPages]
    has_plot_pages: bool = True  #: True if the layout may have a page for each plot.
