"""Content of a report on runs of the plugin, read from their layers and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize

from randcrowns.algorithms.output_types import Column, Output, length_unit
from randcrowns.algorithms.parameter_types import RunSettings
from randcrowns.algorithms.provenance import COLUMN_PREFIX
from randcrowns.algorithms.report.runs import ReportedRun
from randcrowns.algorithms.report.schema.parameters import CROWNS, PARTS
from randcrowns.algorithms.report_content import (
    CrownSheet,
    ReportContent,
    ReportCrown,
    ReportTable,
    RunOutputs,
)
from randcrowns.algorithms.review_texts import (
    judge_layers,
    rejected_table,
    review_sentences,
    verdict_texts,
)
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import PLOTS, REPORTS
from randcrowns.layers.localization import format_value, message_texts, tr
from randcrowns.layers.styles.pictures import choose_map_crs, transform_extent
from randcrowns.layers.vector.tables import read_attributes_and_geometries
from randcrowns.report.content import (
    Answer,
    CrownFigure,
    Picture,
    Section,
    Sheet,
    Table,
    TableContent,
    choose_rows,
    drop_equal_columns,
    drop_single_plots,
    drop_unused_units,
    has_reason,
    has_rows_of_plots,
    map_notes,
    split_rows,
)
from randcrowns.report.crown_drawings import is_map_legible
from randcrowns.report.crown_pictures import shared_widths
from randcrowns.report.interval_notes import interval_note
from randcrowns.report.language import cell_decimals, format_interval, table_has_powers
from randcrowns.report.methods import methods_sentences, unused_parameters, works_named_in
from randcrowns.report.names import shorten_names
from randcrowns.report.words import answer_caveats, study_area_text

#: Minimum number of columns of a table with a content.
_MINIMUM_COLUMNS = 2
#: Maximum size of a map, pixels, and resolution of its lines and labels, dots per inch.
_MAP_SIZE = QSize(1400, 1200)
_MAP_DPI = 130.0
#: Sides of the pictures of crowns, pixels, by the maximum number of crowns in a run's part. Few
#: pictures have two pixels per pixel of the page; many ones have fewer, so that the file is small.
_CROWN_SIDES = ((40, 400), (80, 300))
_SMALLEST_CROWN_SIDE = 240


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
        record=reported_run.run.record,
        frames=frames,
        geometries=shapes,
        crs_by_output=systems,
        verdicts=reported_run.verdicts,
        choices=reported_run.parameters,
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
    requested_parts = set(settings[PARTS])
    content = reported_run.report_content
    section = Section(reported_run.run.title)
    stored_tables = tables
    tables = stored_tables.with_short_names()
    names = _list_names(reported_run, tables)
    answer = answer_of_run(reported_run, tables)
    section.answer, section.answer_table = answer.sentences, answer.table
    section.caveats = list(answer.caveats)
    _add_texts(section, reported_run, tables, requested_parts)
    section.drop_repeated_caveats()
    has_review = "review" in requested_parts and len(tables.verdicts)
    # Verdicts are on layers with their whole names.
    reviewed_layers = content.review(stored_tables) if has_review else []
    judged_layers = [
        judged._replace(name=tables.shown_name(judged.name))
        for judged in judge_layers(stored_tables.record, reviewed_layers, tables.verdicts)
    ]
    section.review = review_sentences(judged_layers, len(reviewed_layers))
    if has_review:
        section.review += content.review_notes(tables)
    section.review = shorten_names(section.review, names)
    section.rejected = rejected_table(judged_layers)
    if "tables" in requested_parts:
        unit = length_unit(reported_run.run.record.results)
        for report_table in content.tables:
            section.tables += _make_tables(report_table, tables, unit)
    progress(0.1)

    messages = []
    if "plots" in requested_parts:
        messages = _add_figures(section, content, tables)
    if tables.short_names and section.compared:
        section.explain_short_names()
    shortened_parts = []
    for part in section.further:
        sentences = shorten_names(part.sentences, names)
        shortened_parts.append(replace(part, sentences=sentences))
    section.further = shortened_parts
    progress(0.2)

    context = settings.transform_context
    if "map" in requested_parts and not reported_run.extent.isEmpty():
        map_progress = subprogress(progress, 0.2, 0.5)
        map_part = _choose_map_part(reported_run, tables, context)
        if map_part is not None:
            section.map = _draw_map(reported_run, tables, map_part.extent, context, map_progress)
            labels = shorten_names([entry.label for entry in reported_run.legend], names)
            section.legend = [
                entry._replace(label=label) for entry, label in zip(reported_run.legend, labels)
            ]
        section.map_notes = shorten_names(_describe_map(reported_run, tables, map_part), names)
    progress(0.5)

    if "crowns" in requested_parts:
        crown_sheets = _add_verdicts(
            content.crowns(tables, settings[CROWNS]), verdict_texts(judged_layers)
        )
        sheet_progress = subprogress(progress, 0.5, 1.0)
        section.sheets = list(_draw_sheets(reported_run, crown_sheets, context, sheet_progress))
    progress(1.0)
    return section, messages


def _add_verdicts(
    sheets: Sequence[CrownSheet], verdicts: Mapping[tuple[str, int], str]
) -> list[CrownSheet]:
    """Return crown sheets with the verdicts of reviewers on their crowns.

    Args:
        sheets: the sheets.
        verdicts: texts of verdicts by the review key of a crown.
    """
    judged_sheets = []
    for sheet in sheets:
        crowns = [
            replace(crown, verdict=verdicts.get(crown.review_key, "") if crown.review_key else "")
            for crown in sheet.crowns
        ]
        judged_sheets.append(replace(sheet, crowns=crowns))
    return judged_sheets


def answer_of_run(reported_run: ReportedRun, tables: RunOutputs) -> Answer:
    """Return the answer of a run: its conclusion, or what the algorithm makes of its tables.

    Args:
        reported_run: the run.
        tables: its tables with the names that the answer shows.
    """
    answer = reported_run.report_content.answer(tables)
    sentences = answer.sentences
    if answer.has_conclusion or not sentences:
        # Warnings of the conclusion are shown as such.
        warnings = reported_run.run.warnings
        conclusion = message_texts(reported_run.run.record.headline)
        conclusion = [sentence for sentence in conclusion if sentence not in warnings]
        sentences = [*conclusion, *sentences]
    caveats = [*answer_caveats(reported_run.run.messages), *answer.caveats]
    names = _list_names(reported_run, tables)
    caveats = list(dict.fromkeys(shorten_names(caveats, names)))
    return Answer(shorten_names(sentences, names), answer.table, caveats)


def _list_names(reported_run: ReportedRun, tables: RunOutputs) -> list[str]:
    """Return the names of the layers that a run read, and the long names of annotators."""
    layers = [layer.name for layer in reported_run.run.record.inputs.values()]
    return list(dict.fromkeys([*layers, *tables.short_names]))


def _add_figures(section: Section, content: ReportContent, tables: RunOutputs) -> list[Message]:
    """Add the figures of a run to a section, and its further parts.

    Args:
        section: section of the run; changed by this function.
        content: report content of the run's algorithm.
        tables: outputs of the run.

    Returns:
        A message if the figures cannot be drawn because a library is missing.
    """
    plots = content.plots(tables)
    problems = content.problems(tables)
    section.further = content.further(tables)
    if not plots and not problems and not any(part.figures for part in section.further):
        return []
    why = libraries_message(PLOTS)
    if why:
        section.further = [replace(part, figures=()) for part in section.further]
        return [note("report.no_plots", "There are no plots: {why}", why=why)]
    section.plots = plots
    section.problems = problems
    return []


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
    names = _list_names(reported_run, tables)
    area = study_area_text(run.messages)
    if "warnings" in parts:
        section.warnings = shorten_names(run.warnings, names)
        notes = message_texts(
            message for message in run.messages if message.is_notice and not message.is_warning
        )
        section.notes = shorten_names(notes, names)
    if "compared" in parts:
        layers = {layer.name: layer.place for layer in run.record.inputs.values()}
        # Annotators of one layer have names of their own.
        section.compared = [*layers.items(), *((name, "") for name in names if name not in layers)]
        if area:
            section.compared.append((tr("Study area"), area))
    if "methods" in parts:
        check_report_libraries()
        methods = methods_sentences(run.algorithm.rpartition(":")[2], tables)
        section.methods = shorten_names(methods, names)
        section.cited = works_named_in(section.methods)
    if "choices" in parts:
        unused = unused_parameters(run.algorithm.rpartition(":")[2], tables)
        # The option for no study area does not tell which area was used.
        section.choices = run.entry_texts(unused, {"extent": area} if area else {})
    if "repeat" in parts:
        section.command = run.command_to_repeat
        section.edited = run.edited_inputs
        section.unrepeatable = [
            name for name in run.unrepeatable_inputs if name not in section.edited
        ]


def check_report_libraries() -> None:
    """Raise InputError if a library that reports require cannot be used."""
    why_not = libraries_message(REPORTS)
    if why_not:
        raise InputError("libraries.unusable", "{why}", why=why_not)


def _map_output(reported_run: ReportedRun, tables: RunOutputs) -> str:
    """Return the id of the output that the map of a run shows on top."""
    outputs = reported_run.report_content.map
    return next(output.id for output in outputs if output.id in tables.crs_by_output)


class _MapPart(NamedTuple):
    """Part of a run that its map shows."""

    extent: QgsRectangle  #: extent in the CRS of the uppermost layer of the map.
    image: str = ""  #: name of the image with this extent; "" for a map of all crowns.


def _choose_map_part(
    reported_run: ReportedRun, tables: RunOutputs, context: QgsCoordinateTransformContext
) -> _MapPart | None:
    """Return the part that the map of a run shows: all of it, if crowns are large enough on it.

    Otherwise it is the extent of the image with the most crowns.

    Args:
        reported_run: run with copies of its layers.
        tables: outputs of the run, with the CRS of its layers.
        context: datum transformations of the project.

    Returns:
        The part; None if most outlines would be smaller than two pixels on every map.
    """
    output = _map_output(reported_run, tables)
    shapes = [shape for shape in tables.geometries[output] if not shape.isEmpty()]
    boxes = [shape.boundingBox() for shape in shapes]
    edges = [[box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()] for box in boxes]
    bounds = np.reshape(np.array(edges, dtype=float), (-1, 4))
    areas = None
    if reported_run.report_content.are_map_areas:
        areas = np.array([shape.area() for shape in shapes], dtype=float)
    if is_map_legible(bounds, areas=areas):
        return _MapPart(reported_run.extent)
    layer_crs = tables.crs_by_output[output]
    largest_count = 0
    chosen_part = None
    for image in reported_run.image.layers:
        image_extent = transform_extent(image.extent(), image.crs(), layer_crs, context)
        extent = image_extent.intersect(reported_run.extent)
        is_inside = np.array([box.intersects(extent) for box in boxes], dtype=bool)
        count = int(is_inside.sum())
        side = max(extent.width(), extent.height())
        areas_inside = None if areas is None else areas[is_inside]
        if count > largest_count and is_map_legible(bounds[is_inside], side, areas_inside):
            largest_count = count
            chosen_part = _MapPart(extent, image.name())
    return chosen_part


def _describe_map(
    reported_run: ReportedRun, tables: RunOutputs, part: _MapPart | None
) -> list[str]:
    """Return the coordinate system of the map of a run, and what it does not show.

    Args:
        reported_run: the run.
        tables: outputs of the run, with the CRS of its layers.
        part: part that the map shows; None if there is no map.
    """
    crs = tables.crs_by_output[_map_output(reported_run, tables)]
    name = f"{crs.description()} ({crs.authid()})" if crs.isValid() and crs.authid() else ""
    layers = reported_run.report_content.map_layers(tables.record)
    layer = layers[0] if layers else ""
    report_tables = reported_run.report_content.tables
    shown_tables = [tables.table(report_table.output) for report_table in report_tables]
    return map_notes(
        name,
        layer,
        len(layers),
        reported_run.one_of_several_images,
        is_legible=part is not None,
        part="" if part is None else part.image,
        has_plots=any(map(has_rows_of_plots, shown_tables)),
    )


def _draw_map(
    reported_run: ReportedRun,
    tables: RunOutputs,
    extent: QgsRectangle,
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> Picture:
    """Return the map of a run with at least one layer on it.

    Args:
        reported_run: run with copies of its layers.
        tables: outputs of the run, with the CRS of its layers.
        extent: extent to show, in the CRS of the uppermost layer.
        context: datum transformations of the project.
        progress: callback that receives the completed fraction.
    """
    layer_crs = tables.crs_by_output[_map_output(reported_run, tables)]
    map_crs = choose_map_crs(layer_crs, extent, context)
    map_extent = transform_extent(extent, layer_crs, map_crs, context)
    title = tr("Map of the run's layers over the image")
    return reported_run.map.render_map(
        map_extent,
        map_crs,
        max_size=_MAP_SIZE,
        description=title,
        progress=progress,
        resolution=_MAP_DPI,
    )


def _draw_sheets(
    reported_run: ReportedRun,
    sheets: Sequence[CrownSheet],
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> Iterator[Sheet]:
    """Yield the sheets with a small map of every crown; similar crowns have the same scale.

    Args:
        reported_run: run with the image below the crowns.
        sheets: crowns of each sheet with their outlines.
        context: datum transformations of the project.
        progress: callback that receives the completed fraction.
    """
    side = _compute_crown_side(sum(len(sheet.crowns) for sheet in sheets))
    for sheet, sheet_progress in iterate_with_progress(sheets, progress):
        systems = []
        own_widths = []
        for crown in sheet.crowns:
            crs = _choose_crown_map_crs(crown, context)
            systems.append(crs)
            image = reported_run.image_of(crown.plot)
            own_widths.append(image.crown_width(crown.outlines, crs))
        widths = shared_widths(own_widths)
        figures = []
        for number, crown_progress in iterate_with_progress(
            range(len(sheet.crowns)), sheet_progress
        ):
            crown_map = _CrownMap(systems[number], widths[number], side)
            crown = sheet.crowns[number]
            figures.append(_draw_crown(reported_run, crown, crown_map, crown_progress))
        yield Sheet(sheet.title, sheet.description, figures, sheet.colours)


class _CrownMap(NamedTuple):
    """Map of a crown."""

    crs: QgsCoordinateReferenceSystem  #: projected CRS.
    width: float  #: width and height, map units.
    side: int  #: width and height, pixels.


def _compute_crown_side(n_crowns: int) -> int:
    """Return the side of the picture of each of n crowns, pixels; less for many crowns."""
    for maximum, side in _CROWN_SIDES:
        if n_crowns <= maximum:
            return side
    return _SMALLEST_CROWN_SIDE


def _choose_crown_map_crs(
    crown: ReportCrown, context: QgsCoordinateTransformContext
) -> QgsCoordinateReferenceSystem:
    """Return the CRS for the map of a crown."""
    lowest = crown.outlines[0]
    return choose_map_crs(lowest.crs, lowest.geometry.boundingBox(), context)


def _draw_crown(
    reported_run: ReportedRun, crown: ReportCrown, crown_map: _CrownMap, progress: Progress
) -> CrownFigure:
    """Return the small map of a crown over the image.

    Args:
        reported_run: run with the image below the crown.
        crown: outlines and scores of the crown.
        crown_map: CRS and size of the map.
        progress: callback that is checked for a cancel.
    """
    scores = [f"{name} {value}" for name, value in crown.scores]
    description = ", ".join([crown.name, *scores])
    picture = reported_run.image_of(crown.plot).render_crown(
        crown.outlines,
        crown_map.crs,
        side=crown_map.side,
        description=description,
        progress=progress,
        width=crown_map.width,
    )
    return CrownFigure(
        picture=picture,
        name=crown.name,
        numbers=crown.scores,
        problem=crown.problem,
        cause=crown.cause,
        problem_colour=crown.problem_colour,
        verdict=crown.verdict,
    )


def _make_tables(report_table: ReportTable, tables: RunOutputs, unit: str) -> list[Table]:
    """Return the table of an output, or one for each value of the field that splits it.

    Args:
        report_table: output, columns and rows to show.
        tables: outputs of the run.
        unit: unit of lengths, ``m`` or ``px``.
    """
    frame = tables.table(report_table.output)
    if report_table.select_rows is not None and len(frame):
        frame = report_table.select_rows(frame)
    title = report_table.title or report_table.output.label
    declared = {column.name: column for column in report_table.output.columns}
    split_by = report_table.split_by
    text_of = declared[split_by].display_text if split_by else str
    parts = split_rows(title, frame, split_by, text_of)
    tables_or_none = [
        _make_table(part_title, report_table, rows, unit) for part_title, rows in parts
    ]
    return [table for table in tables_or_none if table is not None]


def _make_table(
    title: str, report_table: ReportTable, frame: pd.DataFrame, unit: str
) -> Table | None:
    """Return a table of a report; None if it has no rows or too few columns with a value.

    The ends of an interval are displayed in the cell of their value.

    Args:
        title: title of the table.
        report_table: output and columns to show.
        frame: rows to show.
        unit: unit of lengths, ``m`` or ``px``.
    """
    if not len(frame):
        return None
    if "plot" in frame:
        frame = drop_single_plots(frame)
    frame = drop_unused_units(frame)

    columns = []
    for column in _choose_table_columns(report_table, frame, unit):
        has_value = frame[column.name].replace("", None).notna().any()
        if has_value:
            columns.append(column)
    names = {column.name for column in columns}
    intervals = {}
    interval_ends: set[str] = set()
    for name in names:
        intervals[name] = _find_interval_columns(name, names)
        interval_ends.update(intervals[name])
    value_columns = [column for column in columns if column.name not in interval_ends]
    if len(value_columns) < _MINIMUM_COLUMNS:
        return None

    chosen = choose_rows(frame, report_table.max_rows, report_table.has_many_plots)
    content = _format_table(value_columns, intervals, chosen.rows)
    content, equal_numbers = drop_equal_columns(content, chosen.rows)
    sentences = [
        "" if report_table.note is None else report_table.note(chosen.rows),
        interval_note(bool(interval_ends), chosen.rows),
        equal_numbers,
        chosen.order,
    ]
    note = " ".join(filter(None, sentences))
    return Table(title, content.fit_to_page(), note, chosen.left_out)


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
    has_powers = table_has_powers(
        (column.scale * frame[column.name].dropna().astype(float), column.digits)
        for column in columns
        if column.kind == "real"
    )
    rows = []
    for values in frame.to_dict("records"):
        cells = []
        for column in columns:
            interval = [values[end] for end in intervals[column.name]]
            is_explained = has_reason(values)
            value = values[column.name]
            cells.append(_format_cell(column, value, interval, is_explained, has_powers))
        rows.append(cells)
    titles = [column.heading for column in columns]
    is_right_aligned = [not column.is_text for column in columns]
    meanings = [
        (column.heading, column.help) for column in columns if column.help and not column.is_text
    ]
    return TableContent(titles, is_right_aligned, rows, meanings)


def _choose_table_columns(
    report_table: ReportTable, frame: pd.DataFrame, unit: str
) -> list[Column]:
    """Return the columns of a table, including those with the ends of intervals.

    Args:
        report_table: output and columns to show.
        frame: rows of the output; columns that it lacks are not returned.
        unit: unit of lengths, ``m`` or ``px``.
    """
    output: Output = report_table.output.with_unit(unit)
    if report_table.columns:
        declared_columns = {column.name: column for column in output.columns}
        names: list[str] = []
        for name in report_table.columns:
            names += [name, *_find_interval_columns(name, set(declared_columns))]
        output = replace(output, columns=tuple(declared_columns[name] for name in names))
    return output.select_columns(map(str, frame.columns))


def _find_interval_columns(name: str, names: set[str]) -> tuple[str, ...]:
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


def _format_cell(
    column: Column, value: Any, ends: Sequence[Any], is_explained: bool, has_powers: bool
) -> str:
    """Return a value as display text, with its interval in brackets if both ends are known.

    Args:
        column: column of the value.
        value: the value; NaN or None if it is missing.
        ends: ends of the interval; empty without one.
        is_explained: True if the row has the reason of missing numbers, which are then ``n/a``.
        has_powers: True if values of the table with significant digits have powers of ten.
    """
    if pd.isna(value):
        return tr("n/a") if is_explained and not column.is_text else ""
    if column.is_text:
        return column.display_text(str(value))
    declared_digits = column.digits if column.kind == "real" else 0
    digits = cell_decimals(column.scale * value, declared_digits)
    if not ends or any(pd.isna(end) for end in ends):
        return format_value(column.scale * value, digits, has_powers)
    low, high = (column.scale * end for end in ends)
    return format_interval(column.scale * value, low, high, digits, has_powers)
