"""Jobs of the command that work tile by tile, on results directories and partitioned layers."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from randcrowns import batch
from randcrowns.batch.running import ThisProcess
from randcrowns.batch.tiles import DEFAULT_MAXIMUM_CROWNS
from randcrowns.command.job_table import JobCommand
from randcrowns.command.printing import ProgressBar, print_table
from randcrowns.core.errors import InputError
from randcrowns.core.tile_parameters import CLASS_PARAMETERS, TILE_PARAMETERS
from randcrowns.jobs.parameters import (
    LENGTHS,
    OWN_PRESET,
    JobValues,
    preset_key,
    problem_limits,
    unused_values,
)

#: Size of all files together, bytes, up to which one process is quicker than a cluster.
_SMALL_BYTES = 50_000_000
#: Inputs and options of the command that runs tile by tile lack.
_UNSUPPORTED_INPUTS = ("ignored", "points", "excluded", "reviewed")
_UNSUPPORTED_OPTIONS = ("images", "assign_crs", "ground_resolution", "html", "explore", "image")
#: Columns of the summary that are printed, by job.
_COLUMNS = {
    "score": ("plot", "layer", "targets", "matched", "randcrowns_mean", "iou_mean"),
    "agree": ("statistic", "value", "low", "high"),
    "evaluate": ("plot", "tp", "fp", "fn", "precision", "recall", "f1", "pq", "mean_iou"),
}


def run_tiled(
    job: JobCommand, values: JobValues, inputs: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    """Do a job tile by tile, and print its summary, warnings and problems.

    Args:
        job: the job.
        values: values of the toolbox's parameters.
        inputs: inputs of the job by name.
        options: all options of the command line by name.

    Raises:
        InputError: if a parameter or an input is not supported tile by tile.
    """
    _check_supported(job, values, inputs, options)
    bar = ProgressBar(sys.stderr, options["quiet"] or not sys.stderr.isatty())
    arguments = _tile_arguments(job, values, inputs, options)
    summary = _run_batch(job.name, values, inputs, {**arguments, "report_progress": bar})
    bar.close()
    print_table(summary, options["json"], _COLUMNS[job.name])
    if not options["quiet"]:
        for message in unused_values(values):
            print(message, file=sys.stderr)
    _print_warnings(Path(options["out"]))


def _tile_arguments(
    job: JobCommand, values: JobValues, inputs: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments that the functions of :mod:`randcrowns.batch` have in common.

    Args:
        job: the job.
        values: values of the toolbox's parameters.
        inputs: inputs of the job by name.
        options: all options of the command line by name.

    Raises:
        InputError: if the extent is not four numbers.
    """
    arguments = {
        "out": options["out"],
        "tile": options["tile"],
        "maximum_crowns": options["maximum_crowns"] or DEFAULT_MAXIMUM_CROWNS,
        "workers": options["workers"],
        "scheduler": options["scheduler"],
        "resume": options["resume"],
    }
    names_no_processes = options["workers"] is None and options["scheduler"] is None
    if names_no_processes and _are_small(_layers(inputs)):
        arguments["scheduler"] = ThisProcess()
    if inputs.get("extent") is not None:
        arguments["extent"] = _parse_extent(inputs["extent"])
    for name in CLASS_PARAMETERS[job.name]:
        arguments[name] = values[name]
    if job.name != "agree":
        arguments["plot_field"] = values["plot_field"]
        arguments["id_column"] = options["id_column"] or ""
        arguments["all_drawn"] = values["all_drawn"]
    return arguments


def _run_batch(
    name: str,
    values: JobValues,
    inputs: Mapping[str, Any],
    arguments: dict[str, Any],
) -> pd.DataFrame:
    """Call the function of :mod:`randcrowns.batch` for a job, and return the summary.

    Args:
        name: name of the job.
        values: values of the job.
        inputs: paths of the layers by name of the parameter.
        arguments: further arguments of the function.
    """
    if name == "score":
        preset = preset_key(values)
        lengths = {}
        if preset == OWN_PRESET:
            lengths = {length: values[length] for length in LENGTHS}
        return batch.score(
            inputs["targets"],
            inputs["delineations"],
            preset=preset,
            pairing=values["pairing"],
            search_radius=values["search_radius"] or None,
            score_field=values["score_field"],
            score_threshold=values["score_threshold"],
            limits=problem_limits(values),
            **lengths,
            **arguments,
        )
    if name == "agree":
        return batch.agree(inputs["annotators"], **arguments)
    return batch.evaluate(
        inputs["targets"],
        inputs["predictions"],
        detection=values["detection_method"],
        segmentation=values["segmentation_method"],
        height_field=values["height_field"],
        **arguments,
    )


def _check_supported(
    job: JobCommand, values: JobValues, inputs: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    """Raise an InputError for parameters and inputs that runs tile by tile lack.

    Args:
        job: the job.
        values: values of the job.
        inputs: paths of the layers by name of the parameter.
        options: options of the command line.
    """
    unsupported = sorted(values.given - TILE_PARAMETERS[job.name])
    unsupported += [name for name in _UNSUPPORTED_INPUTS if inputs.get(name) is not None]
    unsupported += [name for name in _UNSUPPORTED_OPTIONS if options.get(name)]
    if job.name == "score" and preset_key(values) == "idtrees":
        unsupported.append("preset idtrees")
    if unsupported:
        raise InputError(
            "jobs.not_by_tiles",
            "{names} cannot be used tile by tile. Write to a file instead of a folder, such as "
            "--out {out}.gpkg.",
            names=[name.replace("_", "-") for name in unsupported],
            out=options["out"],
        )


def _layers(inputs: Mapping[str, Any]) -> list[str]:
    """Return the paths of all layers of a job."""
    paths: list[str] = []
    for name in ("targets", "delineations", "predictions", "annotators"):
        value = inputs.get(name) or []
        paths += [value] if isinstance(value, str) else value
    return paths


def _are_small(sources: list[str]) -> bool:
    """Return True if the files of all layers together are small enough for this process.

    Args:
        sources: path of the file or folder of each layer, which may be followed by
            ``|layername=NAME``.
    """
    n_bytes = 0
    for source in sources:
        path = Path(source.partition("|")[0])
        files = path.rglob("*") if path.is_dir() else [path]
        n_bytes += sum(file.stat().st_size for file in files if file.is_file())
    return n_bytes <= _SMALL_BYTES


def _parse_extent(text: str) -> tuple[float, ...]:
    """Return the four numbers of an extent.

    Raises:
        InputError: if the text is something else.
    """
    try:
        sides = tuple(float(side) for side in text.split(","))
    except ValueError:
        sides = ()
    if len(sides) != 4:
        raise InputError(
            "jobs.extent_by_tiles",
            "Tile by tile, the extent is four numbers with commas: XMIN,YMIN,XMAX,YMAX.",
        )
    return sides


def _print_warnings(folder: Path) -> None:
    """Print the warnings and the number of problems of a results directory."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    for warning in summary["warnings"]:
        print(warning, file=sys.stderr)
    n_problems = len(pd.read_csv(folder / "problems.csv"))
    if n_problems:
        print(
            f"Crowns that were skipped, repaired or clipped: {n_problems:,} "
            f"({folder / 'problems.csv'})",
            file=sys.stderr,
        )
    print(f"Results: {folder}", file=sys.stderr)


def use_certificate(parser: argparse.ArgumentParser, options: dict[str, Any]) -> None:
    """Replace the address of a scheduler by one with the files of a certificate.

    The program exits with code 2 if only some of the three files are named, or if they are named
    without an address.

    Args:
        parser: parser of the command, for errors.
        options: options of the command line, of which ``scheduler`` is replaced.
    """
    files = [options[name] for name in ("tls_ca", "tls_cert", "tls_key")]
    if not any(files):
        return
    if options["scheduler"] is None or not all(files):
        parser.error("--tls-ca, --tls-cert and --tls-key are used together, with --scheduler")
    from randcrowns.batch.cluster import TlsAddress

    ca, certificate, key = map(Path, files)
    options["scheduler"] = TlsAddress(options["scheduler"], ca, certificate, key)


def run_partition(options: Mapping[str, Any]) -> None:
    """Partition layers and print the number of crowns."""
    sources = options["sources"]
    # A single source becomes a file, several become a folder.
    source = sources[0] if len(sources) == 1 else sources
    n_crowns = batch.partition(
        source, options["out"], crs=options["crs"], assign_crs=options["assign_crs"]
    )
    if options["json"]:
        print(json.dumps({"crowns": n_crowns, "out": options["out"]}))
    else:
        print(f"Crowns in {options['out']}: {n_crowns:,}")


def run_summary(options: Mapping[str, Any]) -> None:
    """Print the summary of a results directory."""
    print_table(batch.summary(options["results"]), options["json"])


def run_results_export(options: Mapping[str, Any]) -> None:
    """Export a results directory and print the number of features by layer."""
    results, out = options["layers"]
    counts = batch.export(results, out)
    if options["json"]:
        print(json.dumps({**counts, "out": out}))
    else:
        layers = ", ".join(f"{count:,} {layer}" for layer, count in counts.items())
        print(f"{layers}: {out}")
