"""Results directories, read again for a report and for a page to explore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import geopandas
import pandas as pd

from randcrowns.batch.paths import checked_path
from randcrowns.batch.results import MANIFEST, ResultsDirectory
from randcrowns.core.arrays import EXACT_NUMBERS
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.old_names import BATCH_COLUMNS
from randcrowns.core.scoring.answer import answer_from_statuses
from randcrowns.core.status import ALL_PLOTS
from randcrowns.jobs.parameters import LIMIT_PARAMETERS, OWN_PRESET
from randcrowns.jobs.records import read_record
from randcrowns.jobs.tables import InputLayer, JobTables

#: Maximum number of rows with outlines that are read and that a page to explore shows.
MAXIMUM_OUTLINES = 400_000
#: Kinds of files with outlines by the kind of run.
_OUTLINES = {
    "score": ("targets", "delineations"),
    "evaluate": ("targets", "predictions"),
    "agree": ("faces",),
}
#: Parameter of the inputs by the kind of run; the last one is that of all further inputs.
_INPUTS = {
    "score": ("targets", "delineations"),
    "evaluate": ("targets", "predictions"),
    "agree": ("annotators",),
}
#: Columns of the files of tiles -> columns of the tables of a job.
_COLUMNS = {"rc_problem": "problem", "rc_cause": "cause"}
#: Parameters of runs tile by tile -> parameters of the jobs.
_PARAMETERS = {"detection": "detection_method", "segmentation": "segmentation_method"}
#: Parameters that only runs tile by tile have.
_TILE_PARAMETERS = ("tile", "most_crowns", "limits", "extent")


def read_results(path: str | Path) -> JobTables:
    """Return a written result with its outlines, as far as it has them.

    Args:
        path: results directory, or a file that
            :func:`randcrowns.jobs.records.read_record` reads.

    Raises:
        InputError: if the path is no result, a run is not finished, or files have changed.

    >>> read_results("nowhere.json")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: There is no file nowhere.json.
    """
    result = read_record(path)
    folder = Path(path)
    if not folder.is_dir() or not (folder / MANIFEST).is_file():
        return result
    directory = ResultsDirectory.read(checked_path(path))
    n_unfinished = len(directory.tiles("written"))
    if n_unfinished:
        raise InputError(
            "batch.unfinished_tiles",
            "{results}: {n_unfinished:,} tiles are not done yet. Run the same command "
            "with --resume.",
            results=path,
            n_unfinished=n_unfinished,
        )
    directory.check_files()
    manifest = directory.manifest
    has_ids = all(entry.get("id_column") for entry in manifest["inputs"])
    messages = list(result.messages)
    if result.job == "score" and not has_ids:
        messages.append(_rows_note())
    n_crowns = sum(manifest["rows"])
    has_outlines = n_crowns <= MAXIMUM_OUTLINES
    if not has_outlines:
        too_many = note(
            "jobs.too_many_to_show",
            "{results} has {count:,} crowns, more than a page can show ({maximum:,}). Only its "
            "summary is shown.",
            results=folder.name,
            count=n_crowns,
            maximum=MAXIMUM_OUTLINES,
        )
        messages.append(too_many)
    described_result = replace(
        result,
        parameters=_parameters(manifest["choices"]),
        inputs=_inputs(result.job, manifest["inputs"]),
        has_feature_ids=has_ids,
        messages=messages,
        tables={**result.tables, **_small_tables(directory)},
    )
    return _with_outlines(described_result, directory) if has_outlines else described_result


def _with_outlines(result: JobTables, directory: ResultsDirectory) -> JobTables:
    """Return a result with the outlines of its crowns or areas, and what is derived from them.

    Args:
        result: the result with its small tables.
        directory: the results directory with the outlines.
    """
    tables = dict(result.tables)
    for name in _OUTLINES[result.job]:
        tables[name] = _read_outlines(directory, name)
    if result.job == "agree":
        faces = tables.pop("faces")
        return replace(result, tables={**tables, **_areas(faces, result.inputs)})
    headline = _headline(result.summary, tables) if result.job == "score" else []
    conclusion = " ".join(str(message) for message in headline)
    return replace(result, tables=tables, headline=headline, conclusion=conclusion)


def _rows_note() -> Message:
    """Return the note that the page to explore takes no verdicts."""
    return note(
        "jobs.ids_are_rows",
        "The crowns are identified by their rows, so the page to explore takes no verdicts. Name "
        "the column with the ids of the features (--id-column) in a new run.",
    )


def _parameters(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a run tile by tile by the names of the job's parameters."""
    parameters = {
        _PARAMETERS.get(name, name): value
        for name, value in choices.items()
        if name not in _TILE_PARAMETERS
    }
    if "alpha" in parameters:
        parameters["preset"] = OWN_PRESET
    limits = choices.get("limits") or {}
    return parameters | {LIMIT_PARAMETERS[name]: value for name, value in limits.items()}


def _inputs(job: str, entries: list[Mapping[str, Any]]) -> list[InputLayer]:
    """Return the records of the inputs; of a copied file, the source is its checksum."""
    parameters = _INPUTS[job]
    layers = []
    for number, entry in enumerate(entries):
        original = entry.get("original")
        source = f"SHA-256 {original}" if original else str(entry["paths"][0])
        parameter = parameters[min(number, len(parameters) - 1)]
        layers.append(InputLayer(parameter, str(entry["name"]), source))
    return layers


def _small_tables(directory: ResultsDirectory) -> dict[str, pd.DataFrame]:
    """Return the tables of annotators, their pairs and their classes, if the run has them."""
    tables = {}
    for name in ("annotators", "pairs", "class_agreement", "class_confusion"):
        file = directory.folder / f"{name}.csv"
        if file.is_file():
            tables[name] = pd.read_csv(file, **EXACT_NUMBERS)
    return tables


def _read_outlines(directory: ResultsDirectory, kind: str) -> geopandas.GeoDataFrame:
    """Return the rows of all tiles with their outlines."""
    frames = [
        geopandas.read_parquet(path).drop(columns=["bbox"], errors="ignore")
        for path in directory.files(kind)
    ]
    # Tiles without rows would change the types of columns.
    full = [frame for frame in frames if len(frame)] or frames[:1]
    joined = pd.concat(full, ignore_index=True).rename(columns=BATCH_COLUMNS)
    return geopandas.GeoDataFrame(joined.rename(columns=_COLUMNS))


def _areas(faces: geopandas.GeoDataFrame, inputs: Sequence[InputLayer]) -> dict[str, pd.DataFrame]:
    """Return the areas by the votes of the annotators, the largest first, and the disputed ones."""
    names = [layer.name for layer in inputs]
    voters = faces.assign(
        yes=[_voters(pattern, names, "1") for pattern in faces["pattern"]],
        no=[_voters(pattern, names, "0") for pattern in faces["pattern"]],
    )
    areas = voters.sort_values("area", ascending=False, kind="stable", ignore_index=True)
    is_disputed = (areas["n_yes"] > 0) & (areas["n_no"] > 0)
    disputed_areas = areas[is_disputed.to_numpy()].reset_index(drop=True)
    return {"agreement": areas, "disagreements": disputed_areas}


def _voters(pattern: str, names: list[str], vote: str) -> str:
    """Return the names of the annotators with a vote in the pattern of an area."""
    return ", ".join(name for name, letter in zip(names, pattern) if letter == vote)


def _headline(summary: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> list[Message]:
    """Return the answer of each delineation layer."""
    targets = tables["targets"]
    delineations = tables["delineations"]
    totals = summary[summary["plot"] == ALL_PLOTS]
    messages = []
    for layer, total_rows in totals.groupby("layer", sort=False):
        answer = answer_from_statuses(
            str(layer),
            total_rows.iloc[0],
            targets.loc[targets["layer"] == layer, "status"],
            delineations.loc[delineations["layer"] == layer, "status"],
        )
        messages += answer.messages()
    return messages
