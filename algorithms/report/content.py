"""Content of a report as plain texts, tables and pictures, which a template arranges on a page."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from qgis.core import QgsCoordinateTransformContext
from qgis.PyQt.QtCore import QSize

from randcrowns.algorithms.output_types import UNIT, Column, Output
from randcrowns.algorithms.parameter_types import RunSettings
from randcrowns.algorithms.provenance import COLUMN_PREFIX
from randcrowns.algorithms.report.runs import ReportedRun
from randcrowns.algorithms.report.schema.parameters import CROWNS, PARTS
from randcrowns.algorithms.report_content import (
    CrownSheet,
    ReportCrown,
    ReportPlot,
    ReportTable,
    RunOutputs,
)
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, run_in_thread, subprogress
from randcrowns.core.status import ALL_PLOTS
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import PLOTS, REPORTS
from randcrowns.layers.localization import format_value, message_texts, tr
from randcrowns.layers.markup import TableContent
from randcrowns.layers.styles.figures import encode_figure, new_figure
from randcrowns.layers.styles.pictures import LegendEntry, Picture, choose_map_crs, transform_extent
from randcrowns.layers.vector.tables import read_attributes_and_geometries

#: Maximum number of rows of a table with many columns that is transposed.
_MAXIMUM_TRANSPOSED_ROWS = 3
#: Minimum number of columns of a table with a content.
_MINIMUM_COLUMNS = 2
#: Number of rows of a summary with a single plot: one for all crowns and one for the plot.
_ROWS_OF_SINGLE_PLOT = 2
#: Maximum number of rows of a table in a report; the number of further rows is stated.
MAXIMUM_ROWS = 60
#: Maximum size of a map, pixels.
_MAP_SIZE = QSize(1200, 1000)
#: Side of the picture of a crown, pixels.
_CROWN_SIDE = 240
#: Resolution of plots, dots per inch.
_PLOT_DPI = 110

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
#: BibTeX entry, with its key as group 1.
_ENTRY = re.compile(r"@\w+\{(\w+),\n.*?\n\}", re.DOTALL)
#: Field of a BibTeX entry: name and value.
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
#: Beginning of the web address of a work with a DOI.
_DOI_START = "https://doi.org/"
#: Beginning of the web address of a preprint.
_ARXIV_START = "https://arxiv.org/abs/"
#: Maximum number of authors that a citation lists; of more authors it names the first.
_MAXIMUM_AUTHORS = 3


class CitedWork(NamedTuple):
    """Work that can be cited."""

    key: str  #: BibTeX key: family name of the first author and year.
    citation: str  #: citation for a list of references.
    address: str  #: web address; empty without one.
    bibtex: str  #: BibTeX entry.

    def is_named(self, text: str) -> bool:
        """Return True if a text contains the first author and, up to 20 characters on, the year."""
        family = self.key[:-4]
        year = self.key[-4:]
        return re.search(rf"\b{family}\b.{{1,20}}\b{year}\b", text, re.IGNORECASE) is not None


@functools.cache
def cited_works() -> dict[str, CitedWork]:
    """Return all works in resources/sources.bib by their keys."""
    text = (RESOURCES / "sources.bib").read_text(encoding="utf-8")
    return {entry[1]: _parse_entry(entry[1], entry[0]) for entry in _ENTRY.finditer(text)}


def _parse_entry(key: str, entry: str) -> CitedWork:
    """Return the work of a BibTeX entry.

    Args:
        key: key of the entry.
        entry: the whole entry, with a line per field. It has at least an author, year and title.

    Returns:
        The work, with a citation such as "Stewart D., Zare A. (2021). Title. Journal, 4(2), 1–9."
    """
    # BibTeX writes a range of pages with two hyphens.
    fields = {name: value.replace("--", "–") for name, value in _FIELD.findall(entry)}

    authors = [_abbreviate_given_names(name) for name in fields["author"].split(" and ")]
    author_list = ", ".join(authors)
    if len(authors) > _MAXIMUM_AUTHORS:
        author_list = f"{authors[0]} et al."

    publication = fields.get("journal") or fields.get("booktitle") or fields.get("publisher", "")
    volume = fields.get("volume", "")
    if "number" in fields:
        volume += f"({fields['number']})"
    details = [publication, volume, fields.get("pages", "")]
    source = ", ".join(detail for detail in details if detail)
    citation = f"{author_list} ({fields['year']}). {fields['title']}. {source}."

    address = ""
    if "doi" in fields:
        address = _DOI_START + fields["doi"]
    elif "eprint" in fields:
        address = _ARXIV_START + fields["eprint"]
    return CitedWork(key, citation, address, entry)


def _abbreviate_given_names(name: str) -> str:
    """Return ``Stewart, Dylan`` as ``Stewart D.``."""
    family, _, given_names = name.partition(", ")
    initials = "".join(f"{given_name[0]}." for given_name in given_names.split())
    return f"{family} {initials}"


@dataclass(frozen=True)
class Table:
    """Table of a report."""

    title: str  #: title, translated.
    cells: TableContent  #: displayed content.
    note: str = ""  #: explanation of the brackets; empty without intervals.
    left_out: int = 0  #: number of further rows that are not displayed.


@dataclass(frozen=True)
class Figure:
    """Picture with a title."""

    title: str  #: title, translated.
    picture: Picture  #: the picture.
    words: str = ""  #: text below the picture.


@dataclass(frozen=True)
class CrownFigure:
    """Small map of a crown, with texts."""

    picture: Picture  #: the map.
    name: str  #: name of the crown.
    numbers: Sequence[tuple[str, str]]  #: names and formatted values of its scores.
    problem: str  #: problem of the crown; empty for none.
    cause: str  #: cause of the problem; empty for none.


@dataclass(frozen=True)
class Sheet:
    """Crowns that are shown together."""

    title: str  #: title, translated.
    about: str  #: description, translated.
    crowns: Sequence[CrownFigure]  #: the crowns.


@dataclass
class Section:
    """Report on one run; parts that are not requested or not available are empty."""

    title: str  #: algorithm and layers of the run.
    answer: str  #: conclusion of the run, in sentences.
    review: list[str] = field(default_factory=list)  #: sentences on verdicts of reviewers.
    warnings: list[str] = field(default_factory=list)  #: warnings of the run, in sentences.
    notes: list[str] = field(default_factory=list)  #: notes of the run, in sentences.
    #: Name and source of each layer that was read.
    compared: list[tuple[str, str]] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)  #: sentences of a methods paragraph.
    cited: list[CitedWork] = field(default_factory=list)  #: works that the methods name.
    #: Label and display text of each parameter, and of the versions.
    choices: list[tuple[str, str]] = field(default_factory=list)
    command: str = ""  #: terminal command that repeats the run.
    #: Names of layers that the command cannot read.
    unrepeatable: list[str] = field(default_factory=list)
    #: Names of layers with unsaved edits, which the command does not read.
    edited: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)  #: tables of results.
    plots: list[Figure] = field(default_factory=list)  #: plots of results.
    map: Picture | None = None  #: map of the run's layers.
    legend: list[LegendEntry] = field(default_factory=list)  #: legend of the map.
    sheets: list[Sheet] = field(default_factory=list)  #: sheets of crowns.


@dataclass(frozen=True)
class Report:
    """Content of a report, which templates read under the name ``report``."""

    title: str  #: title of the report.
    made: str  #: sentence with the time and the versions.
    sections: Sequence[Section]  #: a section per run.
    cited: Sequence[CitedWork]  #: works that any section cites, each once.


def read_tables(reported_run: ReportedRun, progress: Progress) -> RunOutputs:
    """Read tables and outlines of a run, without the columns that record its provenance."""
    frames = {}
    shapes = {}
    systems = {}
    for (name, table), share in iterate_with_progress([*reported_run.tables.items()], progress):
        frame, outlines = read_attributes_and_geometries(table, share, name)
        columns = [column for column in frame if not str(column).startswith(COLUMN_PREFIX)]
        frames[name] = frame[columns]
        shapes[name] = outlines
        systems[name] = table.crs()
    return RunOutputs(
        reported_run.run.record,
        frames,
        shapes,
        systems,
        reported_run.verdicts,
        reported_run.parameters,
    )


def make_section(
    reported_run: ReportedRun, tables: RunOutputs, settings: RunSettings, progress: Progress
) -> tuple[Section, list[Message]]:
    """Make the section of a run with the requested parts.

    Args:
        reported_run: the run.
        tables: its tables and outlines.
        settings: settings of the report.
        progress: callback that receives the completed fraction.

    Returns:
        The section, and messages on parts that cannot be made.
    """
    parts = set(settings[PARTS])
    content = reported_run.report_content
    section = Section(reported_run.run.title, reported_run.run.conclusion)
    _add_texts(section, reported_run, tables, parts)
    if "tables" in parts:
        unit = str(reported_run.run.record.results.get(UNIT.id) or "m")
        report_tables = [_make_table(report_table, tables, unit) for report_table in content.tables]
        section.tables = [table for table in report_tables if table is not None]
    progress(0.1)

    messages = []
    if "plots" in parts and content.plots(tables):
        problem = libraries_message(PLOTS)
        if problem:
            messages.append(note("report.no_plots", "There are no plots: {why}", why=problem))
        else:
            plot_progress = subprogress(progress, 0.1, 0.4)
            section.plots = list(_draw_plots(reported_run, tables, plot_progress))

    context = settings.transform_context
    if "map" in parts and not reported_run.extent.isEmpty():
        map_progress = subprogress(progress, 0.4, 0.6)
        section.map = _draw_map(reported_run, tables, context, map_progress)
        section.legend = reported_run.legend
    progress(0.6)

    if "crowns" in parts:
        crown_sheets = content.crowns(tables, settings[CROWNS])
        sheet_progress = subprogress(progress, 0.6, 1.0)
        section.sheets = list(_draw_sheets(reported_run, crown_sheets, context, sheet_progress))
    progress(1.0)
    return section, messages


def _add_texts(
    section: Section, reported_run: ReportedRun, tables: RunOutputs, parts: set[str]
) -> None:
    """Add the requested parts that consist of text to a section.

    Args:
        section: section of the report, changed in place.
        reported_run: the run.
        tables: its tables and outlines.
        parts: requested parts; only those that consist of text are used.
    """
    run = reported_run.run
    if "warnings" in parts:
        section.warnings = run.warnings
        section.notes = message_texts(
            message for message in run.messages if message.is_notice and not message.is_warning
        )
    if "review" in parts and len(tables.verdicts):
        section.review = reported_run.report_content.review(tables)
    if "compared" in parts:
        section.compared = [
            (layer.name, layer.source or tr("a layer in memory"))
            for layer in run.record.inputs.values()
        ]
    if "methods" in parts:
        section.methods = _methods(run.algorithm, tables)
        methods_text = " ".join(section.methods)
        section.cited = [
            source for source in cited_works().values() if source.is_named(methods_text)
        ]
    if "choices" in parts:
        section.choices = [(entry.label, entry.words) for entry in run.record.entries]
    if "repeat" in parts:
        section.command = run.command_to_repeat
        section.edited = run.edited_inputs
        section.unrepeatable = [
            name for name in run.unrepeatable_inputs if name not in section.edited
        ]


class _BytecodeCache:
    """Cache of compiled templates in memory, with the interface of a Memcached client.

    Compiling a template takes longer than filling it in. Jinja2 itself checks that the source of a
    cached template has not changed.
    """

    def __init__(self) -> None:
        self._bytecode: dict[str, bytes] = {}

    def get(self, key: str) -> bytes:
        """Return the bytecode stored under a key; empty if there is none."""
        return self._bytecode.get(key, b"")

    def set(self, key: str, value: bytes, timeout: int | None = None) -> None:
        """Store the bytecode under a key; ``timeout`` is ignored."""
        self._bytecode[key] = value


_BYTECODE_CACHE = _BytecodeCache()


def template_environment(*folders: Path, escape_html: bool) -> Any:
    """Return a sandboxed Jinja2 environment.

    Args:
        *folders: folders that are searched for templates before that of the plugin.
        escape_html: True to escape inserted texts for HTML.

    Raises:
        InputError: if Jinja2 is not installed.
    """
    why_not = libraries_message(REPORTS)
    if why_not:
        raise InputError("libraries.unusable", "{why}", why=why_not)
    from jinja2 import FileSystemLoader, MemcachedBytecodeCache
    from jinja2.sandbox import SandboxedEnvironment

    jinja = SandboxedEnvironment(
        autoescape=escape_html,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FileSystemLoader([*map(str, folders), str(RESOURCES)]),
        bytecode_cache=MemcachedBytecodeCache(_BYTECODE_CACHE, prefix=f"escaping {escape_html} "),
    )
    jinja.globals.update(tr=tr)
    return jinja


def _methods(algorithm: str, tables: RunOutputs) -> list[str]:
    """Return the sentences of a methods paragraph for a paper.

    Args:
        algorithm: id of the algorithm. The template has a macro of its name without the provider.
        tables: outputs of the run.
    """
    macros = template_environment(escape_html=False).get_template("report_methods.html").module
    macro = getattr(macros, algorithm.rpartition(":")[2], None)
    lines = [] if macro is None else [line.strip() for line in macro(tables).splitlines()]
    version = tr("The analysis was made with {version}.", version=tables.display_text_of("version"))
    return [*(line for line in lines if line), version]


def _draw_plots(
    reported_run: ReportedRun, tables: RunOutputs, progress: Progress
) -> Iterator[Figure]:
    """Yield the plots of a run as PNG images."""
    for plot, share in iterate_with_progress(reported_run.report_content.plots(tables), progress):
        yield _draw_plot(plot, share)


def _draw_plot(plot: ReportPlot, progress: Progress) -> Figure:
    """Return a plot as a PNG image."""
    figure = new_figure(plot.width, plot.height)
    figure.set_dpi(_PLOT_DPI)
    plot.draw(figure.add_subplot())
    data = run_in_thread(lambda _: encode_figure(figure, "png"), progress)
    width = round(plot.width * _PLOT_DPI)
    height = round(plot.height * _PLOT_DPI)
    return Figure(plot.title, Picture(data, "image/png", width, height, plot.title))


def _draw_map(
    reported_run: ReportedRun,
    tables: RunOutputs,
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> Picture:
    """Return the map of a run with at least one layer on it."""
    uppermost = next(
        output.id for output in reported_run.report_content.map if output.id in tables.crs_by_output
    )
    layer_crs = tables.crs_by_output[uppermost]
    map_crs = choose_map_crs(layer_crs, reported_run.extent, context)
    extent = transform_extent(reported_run.extent, layer_crs, map_crs, context)
    title = tr("Map of the run's layers over the image")
    return reported_run.map.render_map(extent, map_crs, _MAP_SIZE, title, progress)


def _draw_sheets(
    reported_run: ReportedRun,
    sheets: Sequence[CrownSheet],
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> Iterator[Sheet]:
    """Yield the sheets with a small map of every crown."""
    for sheet, sheet_progress in iterate_with_progress(sheets, progress):
        crowns = [
            _draw_crown(reported_run, crown, context, crown_progress)
            for crown, crown_progress in iterate_with_progress(sheet.crowns, sheet_progress)
        ]
        yield Sheet(sheet.title, sheet.description, crowns)


def _draw_crown(
    reported_run: ReportedRun,
    crown: ReportCrown,
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> CrownFigure:
    """Return the small map of a crown over the image."""
    lowest_outline, _ = crown.outlines[0]
    crs = choose_map_crs(crown.crs, lowest_outline.boundingBox(), context)
    scores = [f"{name} {value}" for name, value in crown.scores]
    description = ", ".join([crown.name, *scores])
    picture = reported_run.image.render_crown(
        crown.outlines, crown.crs, crs, _CROWN_SIDE, description, progress
    )
    return CrownFigure(picture, crown.name, crown.scores, crown.problem, crown.cause)


def _make_table(report_table: ReportTable, tables: RunOutputs, unit: str) -> Table | None:
    """Return a table of a report; None if it has no rows or too few columns with a value.

    The ends of an interval are displayed in the cell of their value.

    Args:
        report_table: output, columns and rows to show.
        tables: outputs of the run.
        unit: unit of lengths, ``m`` or ``px``.
    """
    frame = tables.table(report_table.output)
    if report_table.select_rows is not None and len(frame):
        frame = report_table.select_rows(frame)
    if not len(frame):
        return None
    if "plot" in frame:
        frame = _without_single_plots(frame)

    columns = [
        column
        for column in _table_columns(report_table, frame, unit)
        if frame[column.name].replace("", None).notna().any()
    ]
    names = {column.name for column in columns}
    intervals = {column.name: _interval_columns(column.name, names) for column in columns}
    interval_ends = set(chain.from_iterable(intervals.values()))
    value_columns = [column for column in columns if column.name not in interval_ends]
    if len(value_columns) < _MINIMUM_COLUMNS:
        return None

    displayed_frame = frame.head(MAXIMUM_ROWS)
    content = _format_table(value_columns, intervals, displayed_frame)
    rows = content.rows
    # Few rows with many columns fit a page only with rows and columns exchanged.
    if len(rows) <= _MAXIMUM_TRANSPOSED_ROWS < len(value_columns) / 2:
        content = _transpose(content)
    explanation = tr("In brackets: 95 % interval.") if interval_ends else ""
    title = report_table.title or report_table.output.label
    return Table(title, content, explanation, len(frame) - len(displayed_frame))


def _format_table(
    columns: Sequence[Column], intervals: Mapping[str, Sequence[str]], frame: pd.DataFrame
) -> TableContent:
    """Return the texts of a table, with a row per row of a frame.

    Args:
        columns: columns to show.
        intervals: names of the columns with the ends of the interval, by name of a column; empty
            for a column without interval.
        frame: values of the columns and of the ends of intervals.
    """
    rows = []
    for values in frame.to_dict("records"):
        cells = []
        for column in columns:
            interval = [values[end] for end in intervals[column.name]]
            cells.append(_format_cell(column, values[column.name], interval))
        rows.append(cells)
    titles = [column.alias for column in columns]
    is_right_aligned = [not column.is_text for column in columns]
    return TableContent(titles, is_right_aligned, rows)


def _without_single_plots(summary: pd.DataFrame) -> pd.DataFrame:
    """Return a summary without rows that repeat the row of all crowns.

    The row of a layer's only plot is dropped. If no layer has several plots, the column ``plot``
    becomes empty.
    """
    layers = summary["layer"] if "layer" in summary else pd.Series("", summary.index)
    rows_of_layer = summary.groupby(layers)["plot"].transform("size")
    has_several_plots = rows_of_layer > _ROWS_OF_SINGLE_PLOT
    reduced = summary[has_several_plots | (summary["plot"] == ALL_PLOTS)]
    return reduced if has_several_plots.any() else reduced.assign(plot="")


def _transpose(cells: TableContent) -> TableContent:
    """Return a table with few rows and many columns with rows and columns exchanged.

    The texts before the first number of a row become the title of its column.
    """
    first_number = next(
        (index for index, is_right in enumerate(cells.is_right_aligned) if is_right), 0
    )
    names = [", ".join(row[:first_number]) for row in cells.rows]
    rows = [
        [title, *(row[index] for row in cells.rows)]
        for index, title in enumerate(cells.titles)
        if index >= first_number
    ]
    return TableContent(["", *names], [False, *(True for _ in names)], rows)


def _table_columns(report_table: ReportTable, frame: pd.DataFrame, unit: str) -> list[Column]:
    """Return the columns of a table, including those with the ends of intervals.

    Args:
        report_table: output and columns to show.
        frame: rows of the output; columns that it lacks are not returned.
        unit: unit of lengths, ``m`` or ``px``.
    """
    output: Output = report_table.output.with_unit(unit)
    if report_table.columns:
        declared = {column.name: column for column in output.columns}
        names = [
            column
            for name in report_table.columns
            for column in (name, *_interval_columns(name, set(declared)))
        ]
        output = replace(output, columns=tuple(declared[name] for name in names))
    return output.select_columns(map(str, frame.columns))


def _interval_columns(name: str, names: set[str]) -> tuple[str, ...]:
    """Return the names of the columns with the ends of a value's interval, or ().

    Args:
        name: column of the value.
        names: all columns of the table.
    """
    stem = name.removesuffix("_mean")
    if {f"{stem}_low", f"{stem}_high"} <= names:
        return f"{stem}_low", f"{stem}_high"
    if {"low", "high"} <= names and name in ("value", "correlation"):
        return "low", "high"
    return ()


def _format_cell(column: Column, value: Any, ends: Sequence[Any]) -> str:
    """Return a value as display text, with its interval in brackets if both ends are known.

    Args:
        column: column of the value.
        value: the value; NaN or None if it is missing.
        ends: ends of the interval; empty without one.
    """
    if column.is_text:
        return "" if pd.isna(value) else column.display_text(str(value))
    digits = column.digits if column.kind == "real" else 0
    number = format_value(math.nan if pd.isna(value) else value, digits)
    if not ends or any(pd.isna(end) for end in ends):
        return number
    low, high = (format_value(end, digits) for end in ends)
    return tr("{value} ({low}–{high})", value=number, low=low, high=high)
