"""Summary files of a results directory, computed from the tables of its tiles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from randcrowns.batch.paths import checked_path
from randcrowns.batch.results import ResultsDirectory, read_table, write_file
from randcrowns.batch.sums import SUM_COLUMNS, summarise_sums
from randcrowns.core.arrays import EXACT_NUMBERS
from randcrowns.core.comparison import (
    check_annotator_spelling,
    check_drawing,
    check_plot_counts,
    check_reserved_plots,
    check_roles,
    partial_drawing_message,
)
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message
from randcrowns.core.old_names import BATCH_COLUMNS
from randcrowns.core.scoring.layer import CrownScores, mark_not_judged
from randcrowns.core.status import ALL_PLOTS
from randcrowns.jobs.parameters import describe_jobs

# By kind of run: names of the numbers that count unmatched crowns as false.
_NUMBERS_OF_FALSE = {
    "score": "precision, F1 and the penalised mean",
    "evaluate": "precision, F1 and PQ",
}
# Parameters that the summary of a scoring run repeats in columns.
_PARAMETER_COLUMNS = ("alpha", "omega", "gamma", "pairing")


def summary(results: str | Path) -> pd.DataFrame:
    """Return the summary of a finished results directory.

    The summary of a scoring run is computed again from its tables.

    Args:
        results: the results directory.

    Returns:
        The table that :func:`randcrowns.batch.score`, :func:`randcrowns.batch.agree` or
        :func:`randcrowns.batch.evaluate` returned.

    Raises:
        InputError: if there are no results, tiles are not finished, or files have changed.

    >>> summary("nowhere")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: nowhere holds no results: there is no manifest.json in it.
    """
    directory = ResultsDirectory.read(checked_path(results))
    n_unfinished = len(directory.tiles("written"))
    if n_unfinished:
        raise InputError(
            "batch.unfinished_tiles",
            "{results}: {n_unfinished:,} tiles are not done yet. Run the same command "
            "with --resume.",
            results=results,
            n_unfinished=n_unfinished,
        )
    directory.check_files()
    if directory.manifest["kind"] == "score":
        return write_score_summary(directory)
    table = pd.read_csv(directory.folder / "summary.csv", **EXACT_NUMBERS)
    return table.rename(columns=BATCH_COLUMNS)


def write_score_summary(results: ResultsDirectory) -> pd.DataFrame:
    """Write summary.csv and summary.json of a scoring run, and return the table.

    It has a row per layer of delineations and plot, with the columns of
    :func:`randcrowns.batch.sums.summarise_sums`, ``layer`` and the parameters of the score.
    """
    choices = results.manifest["choices"]
    target_files = {path.stem: path for path in results.files("targets")}
    sums = read_table(results.files("sums"), SUM_COLUMNS)
    randcrowns_threshold = choices["limits"]["score"]
    score_parameters = {name: choices[name] for name in _PARAMETER_COLUMNS}
    delineation_names = [entry["name"] for entry in results.manifest["inputs"][1:]]
    tables = []
    for name in delineation_names:
        table = summarise_sums(sums, target_files, name, randcrowns_threshold)
        if not choices["all_drawn"]:
            # Only the summary is changed: the tables of crowns are in the files of the tiles.
            empty = pd.DataFrame({"status": []})
            scores = CrownScores(targets=empty, delineations=empty, summary=table, pairs=empty)
            table = mark_not_judged(scores).summary
        table.insert(0, "layer", name)
        tables.append(table.assign(**score_parameters))
    all_layers = pd.concat(tables, ignore_index=True)
    return write_summary(results, all_layers, sums["plot"].tolist())


def input_notes(results: ResultsDirectory) -> list[str]:
    """Return what was assumed about the input and its names, without repetitions."""
    inputs = results.manifest["inputs"]
    sentences = [text for entry in inputs for text in entry.get("notes", [])]
    if results.manifest["kind"] == "agree":
        sentences += map(str, check_annotator_spelling(entry["name"] for entry in inputs))
    return list(dict.fromkeys(sentences))


def count_warnings(results: ResultsDirectory) -> list[str]:
    """Return warnings that follow from the numbers of crowns, without repetitions.

    They say that roles may be swapped, or that only some of the crowns seem to have been drawn.
    """
    kind = results.manifest["kind"]
    numbers_of_false = _NUMBERS_OF_FALSE.get(kind)
    if numbers_of_false is None:
        return []
    all_drawn_label = describe_jobs()[kind].parameters["all_drawn"].label
    target_name = results.manifest["inputs"][0]["name"]
    n_targets, *n_others = results.manifest["rows"]
    n_used_targets, *n_used_others = _count_used(results)
    all_drawn = results.manifest["choices"]["all_drawn"]
    messages: list[Message] = []
    for n_drawn, n_used in zip(n_others, n_used_others):
        messages += check_roles(
            target_name, score_field="", n_targets=n_targets, n_predictions=n_drawn
        )
        reason = partial_drawing_message(n_used_targets, n_used)
        drawing_warning = check_drawing(all_drawn, reason, all_drawn_label, numbers_of_false)
        if drawing_warning is not None:
            messages.append(drawing_warning)
    texts = [str(message) for message in messages]
    return list(dict.fromkeys(texts))


def _count_used(results: ResultsDirectory) -> list[int]:
    """Return the number of crowns of each layer that are in the tables."""
    reports = results.stage_reports("written").values()
    counts_by_tile = [report.get("crowns", {}) for report in reports]
    input_names = [entry["name"] for entry in results.manifest["inputs"]]
    return [sum(counts.get(name, 0) for counts in counts_by_tile) for name in input_names]


def plot_notes(results: ResultsDirectory, table: pd.DataFrame, plots: Sequence[Any]) -> list[str]:
    """Return notes on plots that one side lacks, that differ in case only, or that are renamed.

    Args:
        results: the results directory.
        table: summary of a run, with a row per plot; runs without plots have none.
        plots: names of all plots, which may be repeated.
    """
    if not results.manifest["choices"].get("plot_field"):
        return []
    target_name, *other_names = [entry["name"] for entry in results.manifest["inputs"]]
    messages = check_reserved_plots(plots) if len(set(table["plot"])) > 1 else []
    is_plot = table["plot"].notna() & (table["plot"] != ALL_PLOTS)
    # A scoring run has several layers and calls them delineations, an evaluation has one.
    count_column = "delineations" if "delineations" in table else "predictions"
    for other_name in other_names:
        plot_rows = table[is_plot]
        if "layer" in table:
            plot_rows = table[is_plot & (table["layer"] == other_name)]
        messages += check_plot_counts(
            target_name,
            other_name,
            plot_rows["plot"].to_numpy(dtype=object),
            plot_rows["targets"].to_numpy(),
            plot_rows[count_column].to_numpy(),
        )
    texts = [str(message) for message in messages]
    return list(dict.fromkeys(texts))


def write_summary(
    results: ResultsDirectory, table: pd.DataFrame, plots: Sequence[Any] = ()
) -> pd.DataFrame:
    """Write a summary and return it.

    Args:
        results: the results directory.
        table: the summary.
        plots: names of all plots, which may be repeated.

    summary.csv contains the table; summary.json also contains parameters, inputs, versions,
    the number of problems, and under ``warnings`` the sentences of :func:`input_notes`,
    :func:`count_warnings` and :func:`plot_notes`, and the manifest's sentences on classes and
    strata.
    """
    manifest = results.manifest
    n_problems = len(manifest["without_place"])
    for report in results.stage_reports("written").values():
        n_problems += len(report.get("problems", []))
    warnings = [
        *input_notes(results),
        *count_warnings(results),
        *plot_notes(results, table, plots),
        *manifest.get("messages", []),
    ]
    contents = {
        "kind": manifest["kind"],
        "choices": manifest["choices"],
        "inputs": manifest["inputs"],
        "versions": manifest["versions"],
        "tiles": len(manifest["tiles"]),
        "problems": n_problems,
        "warnings": warnings,
        # pandas writes NaN as null; 15 decimal places are its maximum.
        "summary": json.loads(table.to_json(orient="records", double_precision=15)),
    }
    csv_content = table.to_csv(index=False)
    json_content = json.dumps(contents, indent=1)
    write_file(results.folder / "summary.csv", csv_content.encode("utf-8"))
    write_file(results.folder / "summary.json", json_content.encode("utf-8"))
    return table


def read_problems(results: ResultsDirectory) -> pd.DataFrame:
    """Return the crowns that were skipped, repaired or clipped.

    Returns:
        A row per crown and problem: ``tile`` (key, empty for crowns off the map), ``layer``,
        ``id``, ``problem`` and ``done``.
    """
    rows = [{"tile": "", **problem} for problem in results.manifest["without_place"]]
    for key, report in results.stage_reports("written").items():
        rows += [{"tile": key, **problem} for problem in report.get("problems", [])]
    return pd.DataFrame(rows, columns=["tile", "layer", "id", "problem", "done"])


def write_problems(results: ResultsDirectory) -> None:
    """Write problems.csv, and check that no crown is lost.

    For each layer, the number of crowns in the file must be the number of crowns in the tables
    plus the number of skipped crowns.

    Raises:
        InputError: if the numbers differ.
    """
    problems = read_problems(results)
    write_file(results.folder / "problems.csv", problems.to_csv(index=False).encode("utf-8"))
    skipped_by_layer = problems[problems["done"] == "skipped"].groupby("layer").size()
    n_used_of_layers = _count_used(results)
    for number, entry in enumerate(results.manifest["inputs"]):
        name = entry["name"]
        n_read = results.manifest["rows"][number]
        n_used = n_used_of_layers[number]
        n_skipped = int(skipped_by_layer.get(name, 0))
        if n_used + n_skipped != n_read:
            raise InputError(
                "batch.lost_crowns",
                "{name}: of {n_read:,} crowns {n_used:,} are in the tables and "
                "{n_skipped:,} were skipped; the rest is lost. The bounds that the file "
                "states may be wrong: write a copy with randcrowns partition.",
                name=name,
                n_read=n_read,
                n_used=n_used,
                n_skipped=n_skipped,
            )
