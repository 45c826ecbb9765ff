"""Results of jobs: tables with their coordinate system, messages, and files to write."""

from __future__ import annotations

import html
import importlib.util
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.messages import Message, merge_layer_messages
from randcrowns.core.scoring.parameters import PRESETS
from randcrowns.jobs.outlines import RECORD_LAYER, fingerprint_outlines, outlined_tables
from randcrowns.jobs.parameters import LENGTHS, JobValues, preset_key, unused_values
from randcrowns.jobs.sites import CrownLayer, WorkingCrs
from randcrowns.jobs.tables import InputLayer, JobTables, format_whole, whole_columns
from randcrowns.jobs.vector_files import import_geopandas
from randcrowns.jobs.written_files import (
    WRITTEN_SUFFIXES,
    path_of,
    replace_file,
    unknown_ending_error,
    write_text,
)

if TYPE_CHECKING:
    import geopandas

#: Coordinate system of jobs without layers on a map.
_IN_METRES = WorkingCrs()
#: Jobs whose tables with outlines are written to JSON without them: no layer has these rows.
_JOBS_WITH_NEW_ROWS = ("evaluate-cloud",)
#: Maximum number of rows of the summary that a notebook shows.
_MAX_SHOWN_ROWS = 20


@dataclass(frozen=True, eq=False, repr=False)
class JobResult(JobTables):
    """Result of a job, to look at, to draw and to write; see :class:`JobTables`."""

    @classmethod
    def of_run(
        cls,
        values: JobValues,
        tables: Mapping[str, pd.DataFrame],
        messages: Sequence[Message],
        conclusion: str,
        working: WorkingCrs = _IN_METRES,
        headline: Sequence[Message] = (),
        inputs: Sequence[InputLayer] = (),
    ) -> JobResult:
        """Return the result of a run, in which the values of all parameters are recorded.

        Args:
            values: values of the job.
            tables: all tables by name, among them ``summary``.
            messages: messages about the input and the results.
            conclusion: sentences with the answer.
            working: coordinate system in which the job computed.
            headline: the sentences of the conclusion as messages.
            inputs: layers that the job read.
        """
        all_messages = [*messages, *unused_values(values)]
        ground_resolution = 0.0
        if working.in_pixels and working.unit != "px":
            ground_resolution = working.scale
        return cls(
            job=values.job.name,
            summary=tables["summary"],
            tables=tables,
            messages=merge_layer_messages(all_messages),
            parameters=recorded_parameters(values),
            conclusion=conclusion,
            unit=working.unit,
            headline=headline,
            inputs=inputs,
            ground_resolution=ground_resolution,
        )

    def __repr__(self) -> str:
        return "\n".join(filter(None, [self.conclusion, self.summary.to_string(index=False)]))

    def _repr_html_(self) -> str:
        """Return the conclusion, the summary and the notices as HTML, for notebooks."""
        notices = [str(message) for message in self.messages if message.is_notice]
        items = "".join(f"<li>{html.escape(notice)}</li>" for notice in notices)
        table = self.summary.to_html(
            index=False,
            max_rows=_MAX_SHOWN_ROWS,
            float_format="{:.3f}".format,
            formatters=dict.fromkeys(whole_columns(self.summary), format_whole),
        )
        page = f"<p><b>{html.escape(self.conclusion)}</b></p>{table}"
        return f"{page}<ul>{items}</ul>" if items else page

    def to_dict(self) -> dict[str, Any]:
        """Return job, parameters, conclusion, messages and tables as JSON data.

        Tables with geometries and the table of pairs are left out; the trees of point clouds
        are written without their outlines.
        Numbers that JSON lacks (NaN, infinity) are None.
        """
        parameters = {name: plain_value(value) for name, value in self.parameters.items()}
        messages = [
            {"key": message.key, "severity": message.severity.value, "text": str(message)}
            for message in self.messages
        ]
        has_new_rows = self.job in _JOBS_WITH_NEW_ROWS
        tables = {}
        for name, table in self.tables.items():
            is_written = has_new_rows or "geometry" not in table
            if is_written and name not in ("summary", "pairs"):
                tables[name] = table_rows(table)
        return {
            "job": self.job,
            "unit": self.unit,
            "parameters": parameters,
            "conclusion": self.conclusion,
            "headline": [_message_entry(message) for message in self.headline],
            "messages": messages,
            "inputs": [layer._asdict() for layer in self.inputs],
            "ground_resolution": self.ground_resolution,
            "command": self.command,
            "summary": table_rows(self.summary),
            "tables": tables,
        }

    def write(self, path: str | Path) -> None:
        """Write the result to a file.

        Args:
            path: ``NAME.gpkg`` for all tables, ``NAME.json`` for the summary with its messages, or
                ``NAME.csv`` for the summary alone. An existing file is replaced.

        Raises:
            InputError: if the ending is another one, or the file cannot be written.
        """
        target = path_of(path)
        suffix = target.suffix.lower()
        if suffix not in WRITTEN_SUFFIXES:
            raise unknown_ending_error(target.name)
        if suffix == ".json":
            write_text(target, json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n")
            return
        with replace_file(target) as partial:
            if suffix == ".csv":
                self.summary.to_csv(partial, index=False)
            else:
                self._write_geopackage(partial)

    def plot(self, axes: Any = None) -> Any:
        """Draw the figure that shows the answer, and return its axes.

        :mod:`randcrowns.plotting` has further figures.

        Args:
            axes: matplotlib axes; None for new ones.
        """
        require_matplotlib()
        from randcrowns.plotting import plot

        return plot(self, axes)

    def report(self, path: str | Path, title: str = "") -> None:
        """Write a report as one HTML file with its figures.

        Args:
            path: the file, which is replaced.
            title: title of the report; "" for that of the job.
        """
        require_matplotlib()
        from randcrowns.jobs.pages import report_page

        write_text(path_of(path), report_page([self], title))

    def explore(self, path: str | Path, image: str | Path | None = None) -> None:
        """Write a page to explore the crowns, one HTML file that needs no server.

        Args:
            path: the file, which is replaced.
            image: image on which the crowns lie, such as a GeoTIFF; None for a page without one.

        Raises:
            InputError: if the result has nothing to explore, or the image cannot be used.
        """
        from randcrowns.jobs.pages import explore_page

        image_path = None if image is None else path_of(image)
        write_text(path_of(path), explore_page(self, image_path))

    def _write_geopackage(self, target: Path) -> None:
        """Write all tables as layers of a GeoPackage, and the record of the run as a table."""
        import pyogrio

        geopandas = import_geopandas()
        outlines = {name: fingerprint_outlines(table) for name, table in outlined_tables(self)}
        # The tables of the record are layers of their own.
        record = {**self.to_dict(), "summary": [], "tables": {}, "outlines": outlines}
        text = json.dumps(record, ensure_ascii=False)
        written_tables = {**self.tables, RECORD_LAYER: pd.DataFrame({RECORD_LAYER: [text]})}
        for name, table in written_tables.items():
            # GDAL gives each feature an id of its own in a column of this name.
            id_columns = [column for column in table if str(column).lower() == "fid"]
            layer = table.drop(columns=id_columns)
            if isinstance(layer, geopandas.GeoDataFrame):
                layer = _as_multipolygons(layer)
            with warnings.catch_warnings():
                # Crowns in pixels have no CRS.
                warnings.filterwarnings("ignore", message="'crs' was not provided")
                pyogrio.write_dataframe(
                    layer, target, layer=name, driver="GPKG", append=target.exists()
                )


def _message_entry(message: Message) -> dict[str, Any]:
    """Return a message of the conclusion as JSON data, with those of its values that are texts."""
    values = message.values  # noqa: PD011 - the values of a message
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    return {"key": message.key, "text": str(message), "values": texts}


def plain_value(value: Any) -> Any:
    """Return a value of a parameter as JSON data; layers in memory as their type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, dict):
        return {str(name): plain_value(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_value(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    return type(value).__name__


def table_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table without geometries as JSON data, with all digits.

    >>> table_rows(pd.DataFrame({"n": [1], "share": [float("nan")]}))
    [{'n': 1, 'share': None}]
    """
    attributes = pd.DataFrame({name: table[name] for name in table if name != "geometry"})
    return [
        {str(name): _plain_cell(value) for name, value in record.items()}
        for record in attributes.to_dict("records")
    ]


def _plain_cell(value: Any) -> Any:
    """Return a value of a table as JSON data; None for missing values and infinite numbers."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA:
        return None
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if isinstance(value, (bool, int, str)) else str(value)


def _as_multipolygons(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """Return a layer of polygons and multipolygons as one of multipolygons.

    A layer of a GeoPackage has one type. Layers with polygons only are returned unchanged.
    """
    shapes = np.array(frame.geometry.to_numpy(), dtype=object)  # a copy
    types = shapely.get_type_id(shapes)
    is_polygon = types == shapely.GeometryType.POLYGON
    is_multipolygon = types == shapely.GeometryType.MULTIPOLYGON
    if not (is_polygon.any() and is_multipolygon.any()):
        return frame
    shapes[is_polygon] = [shapely.MultiPolygon([shape]) for shape in shapes[is_polygon]]
    return frame.set_geometry(shapes, crs=frame.crs)


def crown_table(layer: CrownLayer, results: pd.DataFrame, rows: Ints | None = None) -> pd.DataFrame:
    """Return the features of a layer with the results of their crowns, as a GeoDataFrame.

    Args:
        layer: the layer.
        results: results with a row per crown; a field of the layer with the name of a column is
            left out.
        rows: (n,) rows of the features; by default those of all crowns.
    """
    feature_rows = layer.rows if rows is None else rows
    features = layer.layer.frame.iloc[feature_rows].reset_index(drop=True)
    geometry_column = features.geometry.name
    repeated_names = features.columns.intersection(results.columns)
    replaced_fields = [name for name in repeated_names if name != geometry_column]
    result_columns = {str(name): results[name].to_numpy() for name in results}
    table = features.drop(columns=replaced_fields).assign(**result_columns)
    if geometry_column == "geometry":
        return table
    return table.rename_geometry("geometry")


def shape_table(
    shapes: Objects, attributes: pd.DataFrame, working: WorkingCrs
) -> geopandas.GeoDataFrame:
    """Return shapes with their attributes as a GeoDataFrame in the CRS of the input.

    Args:
        shapes: (n,) shapes in working coordinates.
        attributes: n rows.
        working: coordinate system in which the job computed.
    """
    geopandas = import_geopandas()
    return geopandas.GeoDataFrame(
        attributes.reset_index(drop=True), geometry=working.from_working(shapes), crs=working.crs
    )


def require_matplotlib() -> None:
    """Raise a MissingLibraryError if there is no matplotlib, which draws all figures."""
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingLibraryError(
            "jobs.no_matplotlib",
            "Figures are drawn with matplotlib, which is not installed. Install it: pip install "
            "matplotlib",
        )


def recorded_parameters(values: JobValues) -> dict[str, Any]:
    """Return the values of a job's parameters as JSON data, by name.

    The lengths are those that the job used: those of its preset.
    """
    recorded = {name: plain_value(value) for name, value in values.by_name.items()}
    if "preset" in recorded:
        recorded["preset"] = preset_key(values)
    preset_lengths = PRESETS.get(recorded.get("preset", ""))
    if preset_lengths is not None:
        recorded |= {name: getattr(preset_lengths, name) for name in LENGTHS}
    return recorded


def ordered_columns(table: pd.DataFrame, declared: Sequence[str]) -> pd.DataFrame:
    """Return a table with the columns that the toolbox declares first, in their order."""
    first_columns = [name for name in declared if name in table]
    further_columns = table.columns.difference(first_columns, sort=False)
    return table[[*first_columns, *further_columns]]
