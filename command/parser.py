"""Options of the command, made from the descriptions of the toolbox's parameters."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import Any

from randcrowns.command.job_table import JOBS, Input, JobCommand
from randcrowns.core.errors import InputError
from randcrowns.jobs.parameters import LIMIT_PARAMETERS, JobParameter, describe_jobs
from randcrowns.jobs.version import package_version

#: Largest number of crowns in a tile unless another one is given.
DEFAULT_MAXIMUM_CROWNS = 200_000

_DESCRIPTION = """\
Scores tree crown delineations against target crowns, compares annotators, and evaluates detected
crowns. The jobs, their parameters and their numbers are those of the QGIS plugin.

  randcrowns score crowns.gpkg anna.gpkg ben.gpkg                 print the summary
  randcrowns score crowns.gpkg anna.gpkg --out scores.gpkg        all tables, for QGIS
  randcrowns score crowns.gpkg anna.gpkg --out -                  JSON on standard output
  randcrowns score crowns.gpkg anna.gpkg --out scores             a folder, tile by tile: any size
  randcrowns score ... --out scores --resume                      continue an interrupted run
  randcrowns score ... --out scores --scheduler tls://host:8786   a cluster

Layers may be files of GDAL, annotation files such as COCO, DeepForest or CVAT files, folders, or
patterns such as 'plots/*.xml'. FILE|layername=NAME names a layer of a file.
Exit codes: 0 success, 1 the input cannot be used or the run failed, 2 wrong arguments,
130 interrupted, 143 ended by SIGTERM."""

#: Options of the command that have other names than the toolbox's parameters: option, parameter.
_OTHER_NAMES = {"detection_method": ("--detection",), "segmentation_method": ("--segmentation",)}
#: Names of the published benchmarks, the keys of ``jobs.benchmarks.benchmark.LAYOUTS``. That module
#: is not imported here, so that the help appears at once.
BENCHMARK_LAYOUTS = (
    "neon-image",
    "neon-field",
    "idtrees-task1",
    "idtrees-task2",
    "pointtree",
    "for-instance",
)
#: Shells for which a completion can be printed.
SHELLS = ("bash", "zsh", "fish")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command and its jobs."""
    parser = argparse.ArgumentParser(
        prog="randcrowns",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=package_version())
    subcommands = parser.add_subparsers(title="jobs", metavar="JOB", dest="job")
    for job in JOBS:
        _add_job(subcommands, job)
    _add_export(subcommands)
    _add_benchmark(subcommands)
    _add_partition(subcommands)
    _add_summary(subcommands)
    _add_report(subcommands)
    _add_manual(subcommands)
    return parser


def _add_parser(subcommands: Any, name: str, about: str, example: str) -> argparse.ArgumentParser:
    """Add a job and return its parser.

    Args:
        subcommands: the special action object that ``add_subparsers`` returned.
        name: name of the job.
        about: one sentence for the help.
        example: a command line for the help.
    """
    parser: argparse.ArgumentParser = subcommands.add_parser(
        name,
        help=about,
        description=f"{about}\n\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _add_job(subcommands: Any, job: JobCommand) -> None:
    """Add a job of the toolbox with all its options."""
    parser = _add_parser(subcommands, job.name, job.about, job.example)
    for item in job.inputs:
        _add_input(parser, item)
    group = parser.add_argument_group("parameters, as in the toolbox of QGIS")
    parameters = describe_jobs()[job.name].parameters
    for name in job.option_names:
        _add_parameter(group, parameters[name])
    if job.name == "score":
        _add_limits(group, parameters)
    if job.name == "import":
        _add_import_options(parser)
    elif job.reads_layers:
        _add_input_options(parser)
    _add_output_options(parser, with_folder=bool(job.batch_function))
    if job.name == "score":
        _add_explore_image(parser)
    if job.batch_function:
        _add_tile_options(parser)


def _add_limits(group: Any, parameters: Mapping[str, JobParameter]) -> None:
    """Add the option that sets several limits of problems at once.

    Args:
        group: group of options, as argparse returns it.
        parameters: parameters of the job ``score`` by name.
    """
    defaults = []
    for limit, name in LIMIT_PARAMETERS.items():
        defaults.append(f"{limit}={parameters[name].default:g}")
    group.add_argument(
        "--limits",
        type=_parse_limits,
        metavar="NAME=VALUE,…",
        help=f"thresholds of the problems of crowns together; defaults: {','.join(defaults)}",
    )


def _add_input(parser: argparse.ArgumentParser, item: Input) -> None:
    """Add an input of a job: a positional argument, or an option."""
    name = item.name
    arguments: dict[str, Any] = {"help": item.help}
    if item.is_option:
        name = _option_name(item.name)
        arguments["metavar"] = "LAYER"
        arguments["required"] = item.is_required
    if item.is_several:
        arguments["nargs"] = "+"
    if item.name == "extent":
        arguments["type"] = _parse_extent
    parser.add_argument(name, **arguments)


def _option_name(name: str) -> str:
    """Return the option of a parameter, such as ``--plot-field``."""
    return f"--{name.replace('_', '-')}"


def _add_parameter(parser: Any, parameter: JobParameter) -> None:
    """Add the option of a parameter; without a value, its default is used."""
    option_names = [_option_name(parameter.name), *_OTHER_NAMES.get(parameter.name, ())]
    arguments: dict[str, Any] = {
        "dest": parameter.name,
        "default": None,
        "help": _help_text(parameter),
    }
    if parameter.kind == "boolean":
        arguments["action"] = argparse.BooleanOptionalAction
    elif parameter.kind == "option":
        arguments["choices"] = list(parameter.options)
        arguments["metavar"] = parameter.name.upper()
    elif parameter.kind == "field":
        arguments["metavar"] = "FIELD"
    else:
        arguments["metavar"] = parameter.kind.upper()
    parser.add_argument(*option_names, **arguments)


def _help_text(parameter: JobParameter) -> str:
    """Return the help of a parameter: label, help, options, default and limits."""
    parts = [f"{parameter.label}. {parameter.help}".strip()]
    if parameter.options:
        parts.append(f"One of: {', '.join(parameter.options)}.")
    default = default_text(parameter)
    if default:
        parts.append(f"Default: {default}.")
    return " ".join(parts).replace("%", "%%")


def default_text(parameter: JobParameter) -> str:
    """Return the default of a parameter as text, with its unit; "" without one."""
    default = parameter.default
    if default in (None, "", ()):
        return ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if parameter.kind == "numbers":
        return ":".join(f"{number:g}" for number in default)
    if isinstance(default, tuple):
        return ", ".join(map(str, default))
    if isinstance(default, (int, float)):
        if parameter.minimum_label and default == parameter.minimum:
            return f"{default:g} ({parameter.minimum_label})"
        return f"{default:g} {parameter.unit}".strip()
    return str(default)


def _add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how layers are read."""
    group = parser.add_argument_group("how layers are read")
    group.add_argument("--images", metavar="FOLDER", help="images of the annotation files")
    group.add_argument(
        "--assign-crs",
        metavar="CRS",
        help="coordinate system of layers that name none or an impossible one, such as EPSG:32617",
    )
    group.add_argument(
        "--ground-resolution",
        type=float,
        metavar="METRES",
        help="side of a pixel on the ground, for crowns in pixels of images",
    )


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the images of annotation files are."""
    group = parser.add_argument_group("images of the annotation files")
    group.add_argument("--images", metavar="FOLDER", help="folder of the images")
    group.add_argument(
        "--images-of", metavar="FILE", help="COCO ground truth with the images of results"
    )


def _add_output_options(
    parser: argparse.ArgumentParser, with_folder: bool, has_parameters: bool = True
) -> None:
    """Add the options for the output.

    Args:
        parser: parser of the job.
        with_folder: True to mention results directories.
        has_parameters: True if the job has parameters of the toolbox.
    """
    folder = "; another name: a folder that is made tile by tile" if with_folder else ""
    parser.add_argument(
        "--out",
        metavar="OUT",
        help="NAME.gpkg for all tables, NAME.json, NAME.csv for the summary, or - for JSON on "
        f"standard output{folder}",
    )
    if has_parameters:
        parser.add_argument(
            "--parameters",
            metavar="FILE",
            help="JSON file with parameters, such as the record of a run; options replace them",
        )
        parser.add_argument(
            "--explore", metavar="FILE", help="write a page to explore the crowns, areas or curves"
        )
    parser.add_argument("--html", metavar="FILE", help="write a report, one HTML file")
    _add_json(parser, "print the summary as JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress and no notes")


def _add_explore_image(parser: argparse.ArgumentParser) -> None:
    """Add the image of the page to explore."""
    parser.add_argument(
        "--image",
        metavar="FILE",
        help="image on which the crowns lie, such as a GeoTIFF, for the page of --explore",
    )


def _add_tile_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of runs tile by tile."""
    group = parser.add_argument_group("tile by tile, if --out is a folder")
    group.add_argument(
        "--id-column",
        metavar="COLUMN",
        help="whole numbers that identify the crowns; default: the row",
    )
    group.add_argument(
        "--tile",
        type=float,
        metavar="METRES",
        help="side of a tile; default: as --max-crowns requires",
    )
    group.add_argument(
        "--max-crowns",
        dest="maximum_crowns",
        type=int,
        metavar="N",
        help=f"maximum number of crowns in a tile; default: {DEFAULT_MAXIMUM_CROWNS:,}",
    )
    _add_cluster_options(group)
    group.add_argument("--resume", action="store_true", help="continue an interrupted run")


def _add_cluster_options(group: Any) -> None:
    """Add the options of the processes and of the cluster that compute tiles.

    Args:
        group: group of options, as argparse returns it.
    """
    cluster = group.add_mutually_exclusive_group()
    cluster.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes on this machine; default: one per processor, or none for small layers",
    )
    cluster.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a Dask cluster, such as tls://host:8786; everybody who can connect to a "
        "cluster without TLS (tcp://) can run code as you",
    )
    certificate_files = {
        "--tls-ca": "certificate of the authority that signed those of the cluster",
        "--tls-cert": "certificate of this client",
        "--tls-key": "private key of this client",
    }
    for option, about in certificate_files.items():
        group.add_argument(
            option,
            metavar="FILE",
            help=f"{about}, for --scheduler; default: as in the configuration of Dask",
        )


def _add_export(subcommands: Any) -> None:
    """Add the job ``export``: of a results directory, or of layers to other programs."""
    parser = _add_parser(
        subcommands,
        "export",
        "Write results as a GeoPackage, or crowns as COCO, DeepForest, Pascal VOC, YOLO and "
        "others.",
        "randcrowns export scores scores.gpkg\n"
        "  randcrowns export crowns.gpkg predictions.gpkg --format coco --image a.tif --out coco",
    )
    parser.add_argument(
        "layers",
        nargs="+",
        help="a results directory and a GeoPackage; or target crowns, and perhaps predictions",
    )
    parser.add_argument("--ignored", metavar="LAYER", help="areas to ignore, COCO's crowds")
    parser.add_argument(
        "--image", nargs="+", metavar="FILE", default=[], help="images on which the crowns lie"
    )
    description = describe_jobs()["export"]
    for name in ("format", "score_field", "class_field"):
        _add_parameter(parser, description.parameters[name])
    _add_input_options(parser)
    parser.add_argument("--out", metavar="FOLDER", help="folder of the files of other programs")
    _add_json(parser)


def _add_benchmark(subcommands: Any) -> None:
    """Add the job ``benchmark``."""
    parser = _add_parser(
        subcommands,
        "benchmark",
        "Evaluate submissions to a published benchmark as its authors do, and compare them.",
        "randcrowns benchmark neon-image --truth annotations --submissions a.csv b.csv",
    )
    parser.add_argument(
        "layout",
        choices=BENCHMARK_LAYOUTS,
        metavar="BENCHMARK",
        help=f"the benchmark: {', '.join(BENCHMARK_LAYOUTS)}",
    )
    _add_benchmark_files(parser)
    parser.add_argument(
        "--table", metavar="FILE", help="CSV file for the table that the authors print"
    )
    _add_output_options(parser, with_folder=False, has_parameters=False)


def _add_benchmark_files(parser: argparse.ArgumentParser) -> None:
    """Add the files of a benchmark with their fields and attributes."""
    parser.add_argument(
        "--submissions",
        nargs="+",
        metavar="FILE",
        required=True,
        help="files or folders of the submissions",
    )
    parser.add_argument(
        "--truth",
        metavar="FILE",
        default="",
        help="ground truth: annotation files, a layer, a folder or a table; not for point clouds",
    )
    parser.add_argument(
        "--images", metavar="FOLDER", default="", help="images, named after the plots"
    )
    parser.add_argument(
        "--plot-field",
        metavar="FIELD",
        default="plotID",
        help="field of layers with the plot (neon-field only); default: plotID",
    )
    parser.add_argument(
        "--target-attribute",
        metavar="TEXT",
        default="",
        help="attribute of the points with the target trees (point clouds only)",
    )
    parser.add_argument(
        "--prediction-attribute",
        metavar="TEXT",
        default="",
        help="attribute of the points with the predicted trees (point clouds only)",
    )


def _add_partition(subcommands: Any) -> None:
    """Add the job ``partition``."""
    parser = _add_parser(
        subcommands,
        "partition",
        "Write layers as GeoParquet in metres, of which the crowns in a box can be read.",
        "randcrowns partition crowns.gpkg crowns.parquet      "
        "or: randcrowns partition sites/*.shp country/",
    )
    parser.add_argument(
        "sources", nargs="+", help="any files that GDAL reads; FILE|layername=NAME for one layer"
    )
    parser.add_argument("out", help="NAME.parquet for one source, otherwise a folder")
    parser.add_argument(
        "--crs",
        help="coordinate system of the output, in metres; default: that of the input, or the UTM "
        "zone",
    )
    parser.add_argument(
        "--assign-crs",
        metavar="CRS",
        help="coordinate system of the input, if the file names none or a wrong one",
    )
    _add_json(parser)


def _add_summary(subcommands: Any) -> None:
    """Add the job ``summary``."""
    parser = _add_parser(
        subcommands,
        "summary",
        "Print the summary of a results directory.",
        "randcrowns summary scores --json",
    )
    parser.add_argument("results", help="a results directory")
    _add_json(parser)


def _add_report(subcommands: Any) -> None:
    """Add the job ``report``."""
    parser = _add_parser(
        subcommands,
        "report",
        "Write a report on written results, and a page to explore them, as HTML files.",
        "randcrowns report scores.json agreement.gpkg --html report.html\n"
        "  randcrowns report scores --html report.html --explore explore.html",
    )
    parser.add_argument(
        "results",
        nargs="+",
        help="files of jobs (--out NAME.json or NAME.gpkg), or results directories; a section each",
    )
    parser.add_argument("--html", metavar="FILE", help="write a report; the file is replaced")
    parser.add_argument(
        "--explore",
        metavar="FILE",
        help="write a page to explore one result with outlines: a GeoPackage or a directory",
    )
    _add_explore_image(parser)
    parser.add_argument("--title", metavar="TEXT", default="", help="title of the report")


def _add_manual(subcommands: Any) -> None:
    """Add the jobs that print the manual page and the completion of a shell."""
    _add_parser(
        subcommands,
        "manual",
        "Print the manual page of the command.",
        "randcrowns manual > randcrowns.1",
    )
    parser = _add_parser(
        subcommands,
        "completion",
        "Print a script with which a shell completes jobs and options.",
        "randcrowns completion bash > ~/.local/share/bash-completion/completions/randcrowns",
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def _add_json(parser: argparse.ArgumentParser, about: str = "print the result as JSON") -> None:
    """Add the option ``--json``, which is explained by a sentence."""
    parser.add_argument("--json", action="store_true", help=about)


def _parse_extent(text: str) -> str:
    """Return an extent: four numbers such as "0,0,10,10", or a layer.

    Raises:
        ArgumentTypeError: if there are numbers, but not four of them.
    """
    sides = text.split(",")
    try:
        numbers = [float(side) for side in sides]
    except ValueError:
        return text
    if len(numbers) != 4:
        raise argparse.ArgumentTypeError("write four numbers with commas: XMIN,YMIN,XMAX,YMAX")
    return text


def _parse_limits(text: str) -> Mapping[str, float]:
    """Return the limits in a text such as "name=1,other=2" by name.

    Raises:
        ArgumentTypeError: if the text has another form, or a name or value is invalid.
    """
    wrong_form = argparse.ArgumentTypeError(
        f"write NAME=VALUE with commas between; the names are {', '.join(LIMIT_PARAMETERS)}"
    )
    limits: dict[str, float] = {}
    for assignment in text.split(","):
        name_text, _, value = assignment.partition("=")
        name = name_text.strip()
        try:
            number = float(value)
        except ValueError:
            raise wrong_form from None
        if math.isnan(number):
            raise wrong_form
        if name in limits and limits[name] != number:
            raise argparse.ArgumentTypeError(f"'{name}' has two values; give one of them")
        limits[name] = number
    if any(name not in LIMIT_PARAMETERS for name in limits):
        raise wrong_form
    from randcrowns.core.review.problems import ProblemLimits

    try:
        ProblemLimits(**limits)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return limits
