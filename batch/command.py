"""Command line interface ``randcrowns``."""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Callable

import pandas as pd
import pyarrow as pa
import shapely

from randcrowns import batch
from randcrowns.batch.cluster import StageProgress, TlsAddress
from randcrowns.batch.tiles import DEFAULT_MAXIMUM_CROWNS
from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.instances.matching import MatchingMethod
from randcrowns.core.messages import default_decimals
from randcrowns.core.old_names import COMMAND_OPTIONS
from randcrowns.core.review.problems import ProblemLimits
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import PRESETS

#: Exit codes: success, failure, wrong arguments, interrupted with Ctrl-C.
DONE = 0
FAILED = 1
MISUSED = 2
STOPPED = 130
# A program that a signal ends has the exit code 128 + the number of the signal.
_SIGNAL_OFFSET = 128
# Signals that stop the command as Ctrl-C does: Slurm sends SIGTERM before the time of a job ends,
# and a terminal SIGHUP when it is closed.
_STOP_SIGNALS = ("SIGTERM", "SIGHUP")

_DESCRIPTION = """\
Scores tree crown delineations against target crowns, compares annotators, and evaluates detected
crowns. Files of any size are divided into tiles, which a Dask cluster processes. The numbers are
the same as those of the QGIS plugin for the whole layer.

  randcrowns score crowns.gpkg anna.gpkg ben.gpkg --out scores    this machine, all processors
  randcrowns score ... --out scores --resume                      continue an interrupted run
  randcrowns score ... --out scores --scheduler tls://host:8786   a cluster
  randcrowns export scores scores.gpkg                            for QGIS

Layers of more than a million crowns should be partitioned once (randcrowns partition). Smaller ones
are partitioned by each run.
Exit codes: 0 success, 1 the input cannot be used or the run failed, 2 wrong arguments,
130 interrupted, 143 ended by SIGTERM."""

_EXTENT_FORMAT = "XMIN,YMIN,XMAX,YMAX"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: arguments of the command; by default those of the process.

    Returns:
        The exit code: :data:`DONE`, :data:`FAILED`, :data:`MISUSED`, :data:`STOPPED`, or 128 + the
        number of the signal that ended the command.
    """
    _print_any_path()
    parser = _build_parser()
    given = sys.argv[1:] if arguments is None else arguments
    options = vars(parser.parse_args([_current_option(argument) for argument in given]))
    run = options.pop("run", None)
    if run is None:
        parser.print_help()
        return MISUSED
    if "scheduler" in options:
        _use_certificate(parser, options)
    try:
        with _stop_on_signals():
            run(options)
    except (KeyboardInterrupt, Cancelled) as error:
        print(f"\nrandcrowns: {_stop_message(options)}", file=sys.stderr)
        return error.exit_code if isinstance(error, _StoppedBySignal) else STOPPED
    except (RandCrownsError, OSError, pa.ArrowException, shapely.GEOSException) as error:
        print(f"\nrandcrowns: {error}", file=sys.stderr)
        return FAILED
    return DONE


class _StoppedBySignal(KeyboardInterrupt):
    """Interruption by a signal other than that of Ctrl-C.

    Args:
        number: number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = _SIGNAL_OFFSET + number


@contextmanager
def _stop_on_signals() -> Iterator[None]:
    """Interrupt the body at the signals :data:`_STOP_SIGNALS`, as Ctrl-C does.

    A signal that is ignored, as after ``nohup``, stays ignored. Only the main thread can receive
    signals; in another thread, this function does nothing.
    """

    def stop(number: int, _frame: Any) -> None:
        raise _StoppedBySignal(number)

    previous_handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in _STOP_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                previous_handlers[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


def _stop_message(options: dict[str, Any]) -> str:
    """Return what remains of an interrupted command, as a message.

    Args:
        options: parsed options; those of a command that can be continued contain ``resume``.
    """
    if "resume" not in options:
        return "interrupted. Nothing was written."
    return "interrupted. Finished tiles are kept. Run the same command with --resume to continue."


def _print_any_path() -> None:
    """Print characters that the terminal lacks, or that are not UTF-8, as escape sequences."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _use_certificate(parser: argparse.ArgumentParser, options: dict[str, Any]) -> None:
    """Replace the address of a scheduler by one with the files of a certificate.

    The program exits with :data:`MISUSED` if only some of the three files are named, or if they are
    named without an address.

    Args:
        parser: parser of the command, for errors.
        options: parsed options, of which ``scheduler`` is replaced and the files are removed.
    """
    files = [options.pop(name) for name in ("tls_ca", "tls_cert", "tls_key")]
    if not any(files):
        return
    if options["scheduler"] is None or not all(files):
        parser.error("--tls-ca, --tls-cert and --tls-key are used together, with --scheduler")
    ca, certificate, key = map(Path, files)
    options["scheduler"] = TlsAddress(options["scheduler"], ca, certificate, key)


def _current_option(argument: str) -> str:
    """Return an argument with the old name of an option replaced.

    >>> _current_option("--most-crowns=100")
    '--max-crowns=100'
    """
    option, equals, value = argument.partition("=")
    return COMMAND_OPTIONS.get(option, option) + equals + value


def _build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command and its subcommands."""
    parser = argparse.ArgumentParser(
        prog="randcrowns",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subcommands = parser.add_subparsers(title="jobs", metavar="JOB")
    _add_score(subcommands)
    _add_agree(subcommands)
    _add_evaluate(subcommands)
    _add_partition(subcommands)
    _add_summary(subcommands)
    _add_export(subcommands)
    return parser


def _add_subcommand(
    subcommands: Any, name: str, run: Callable[[dict[str, Any]], None], about: str, example: str
) -> argparse.ArgumentParser:
    """Add a subcommand and return its parser.

    Args:
        subcommands: the special action object that ``add_subparsers`` returned.
        name: name of the subcommand.
        run: runs the subcommand with the parsed options.
        about: one sentence for the help.
        example: a command line for the help.
    """
    parser: argparse.ArgumentParser = subcommands.add_parser(
        name,
        help=about,
        description=f"{about}\n\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _add_score(subcommands: Any) -> None:
    """Add the subcommand ``score``."""
    parser = _add_subcommand(
        subcommands,
        "score",
        _run_score,
        "Score delineations against target crowns: RandCrowns, IoU and IoUCrowns of every crown.",
        "randcrowns score crowns.parquet anna.parquet --out scores --preset field_polygons "
        "--plot-field plotID",
    )
    parser.add_argument(
        "targets",
        help="crowns to be found: any file that GDAL reads, or a folder of GeoParquet",
    )
    parser.add_argument(
        "delineations",
        nargs="+",
        help="crowns to be scored, a file per annotator or method",
    )
    _add_preset(parser)
    parser.add_argument(
        "--pairing",
        choices=[str(method) for method in Pairing],
        default="nearest",
        help=_choices_help("nearest"),
    )
    parser.add_argument(
        "--search-radius",
        type=float,
        metavar="METRES",
        help="maximum distance between paired centroids; default: half of each target's diagonal",
    )
    parser.add_argument(
        "--extent",
        type=_parse_extent,
        metavar=_EXTENT_FORMAT,
        help="image extent; delineations are clipped to it",
    )
    _add_all_drawn(parser)
    defaults = ",".join(f"{name}={value:g}" for name, value in asdict(ProblemLimits()).items())
    parser.add_argument(
        "--limits",
        type=_parse_limits,
        default=ProblemLimits(),
        metavar="NAME=VALUE,…",
        help=f"thresholds of the problems of crowns; defaults: {defaults}",
    )
    _add_run_options(parser, with_fields=True)


def _add_agree(subcommands: Any) -> None:
    """Add the subcommand ``agree``."""
    parser = _add_subcommand(
        subcommands,
        "agree",
        _run_agree,
        "Compare annotators who delineated the same area: agreement, F1, kappa, outliers, "
        "consensus, STAPLE.",
        "randcrowns agree anna.parquet ben.parquet cleo.parquet --out agreement",
    )
    parser.add_argument("annotators", nargs="+", help="a file per annotator")
    parser.add_argument(
        "--extent", type=_parse_extent, metavar=_EXTENT_FORMAT, help="the study area"
    )
    _add_run_options(parser, with_fields=False)


def _add_evaluate(subcommands: Any) -> None:
    """Add the subcommand ``evaluate``."""
    parser = _add_subcommand(
        subcommands,
        "evaluate",
        _run_evaluate,
        "Match predicted crowns with target crowns: precision, recall, F1, panoptic quality.",
        "randcrowns evaluate crowns.parquet detections.parquet --out evaluation",
    )
    parser.add_argument("targets", help="crowns to be found")
    parser.add_argument("predictions", help="crowns that a method predicted")
    methods = [str(method) for method in MatchingMethod]
    detection = methods[0]
    segmentation = str(MatchingMethod.FOR_AI_NET_COVERAGE)
    parser.add_argument(
        "--detection", choices=methods, default=detection, help=_choices_help(detection)
    )
    parser.add_argument(
        "--segmentation", choices=methods, default=segmentation, help=_choices_help(segmentation)
    )
    parser.add_argument(
        "--height-field",
        default="",
        metavar="COLUMN",
        help="height by which targets are matched first; default: their area",
    )
    _add_all_drawn(parser)
    _add_run_options(parser, with_fields=True)


def _add_partition(subcommands: Any) -> None:
    """Add the subcommand ``partition``."""
    parser = _add_subcommand(
        subcommands,
        "partition",
        _run_partition,
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
    """Add the subcommand ``summary``."""
    parser = _add_subcommand(
        subcommands,
        "summary",
        _run_summary,
        "Print the summary of a results directory.",
        "randcrowns summary scores --json",
    )
    parser.add_argument("results", help="a results directory")
    _add_json(parser)


def _add_export(subcommands: Any) -> None:
    """Add the subcommand ``export``."""
    parser = _add_subcommand(
        subcommands,
        "export",
        _run_export,
        "Write results as a GeoPackage, for QGIS.",
        "randcrowns export scores scores.gpkg",
    )
    parser.add_argument("results", help="a results directory")
    parser.add_argument("out", help="the GeoPackage")
    _add_json(parser)


def _choices_help(default: str) -> str:
    """Return the help of an option with a list of choices."""
    return f"one of %(choices)s; default: {default}"


def _add_preset(parser: argparse.ArgumentParser) -> None:
    """Add the options for alpha, omega and gamma."""
    presets = "; ".join(
        f"{name}: {preset.alpha:g}, {preset.omega:g}, {preset.gamma:g}"
        for name, preset in PRESETS.items()
    )
    parser.add_argument(
        "--preset",
        choices=[*PRESETS, "own"],
        default="image_boxes",
        help=f"alpha, omega (metres) and gamma as in the paper ({presets}), or own; "
        "default: image_boxes",
    )
    for name, about in (
        ("alpha", "metres inside the target at which the certain crown begins"),
        ("omega", "metres outside the target up to which a crown may extend"),
        ("gamma", "area ratio of the two certain regions"),
    ):
        parser.add_argument(f"--{name}", type=float, help=f"{about} (with --preset own)")


def _add_all_drawn(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--all-drawn``."""
    parser.add_argument(
        "--all-drawn",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether all crowns were delineated as targets; with --no-all-drawn, unmatched crowns "
        "are not judged",
    )


def _add_run_options(parser: argparse.ArgumentParser, with_fields: bool) -> None:
    """Add the options that runs have in common; ``with_fields`` adds those that name columns."""
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="the results directory, new or to be resumed"
    )
    if with_fields:
        parser.add_argument("--plot-field", default="", metavar="COLUMN", help="plot of each crown")
        parser.add_argument(
            "--id-column",
            default="",
            metavar="COLUMN",
            help="whole numbers that identify the crowns; default: the row",
        )
    parser.add_argument(
        "--tile",
        type=float,
        metavar="METRES",
        help="side of a tile; default: as --max-crowns requires",
    )
    parser.add_argument(
        "--max-crowns",
        dest="maximum_crowns",
        type=int,
        default=DEFAULT_MAXIMUM_CROWNS,
        metavar="N",
        help=f"maximum number of crowns in a tile; default: {DEFAULT_MAXIMUM_CROWNS:,}",
    )
    cluster = parser.add_mutually_exclusive_group()
    cluster.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes on this machine; default: one per processor",
    )
    cluster.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a Dask cluster, such as tls://host:8786; everybody who can connect to a "
        "cluster without TLS (tcp://) can run code as you",
    )
    for option, about in (
        ("--tls-ca", "certificate of the authority that signed those of the cluster"),
        ("--tls-cert", "certificate of this client"),
        ("--tls-key", "private key of this client"),
    ):
        parser.add_argument(
            option,
            metavar="FILE",
            help=f"{about}, for --scheduler; default: as in the configuration of Dask",
        )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    _add_json(parser)


def _add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--json``."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _parse_extent(text: str) -> tuple[float, ...]:
    """Return the four numbers in a text such as "0,0,10,10".

    Raises:
        ArgumentTypeError: if the text has another form.
    """
    try:
        sides = tuple(float(side) for side in text.split(","))
    except ValueError:
        sides = ()
    if len(sides) != 4:
        raise argparse.ArgumentTypeError(f"write four numbers with commas: {_EXTENT_FORMAT}")
    return sides


def _parse_limits(text: str) -> ProblemLimits:
    """Return the default limits with those in a text such as "name=1,other=2" replaced.

    Raises:
        ArgumentTypeError: if the text has another form, or a name or value is invalid.
    """
    names = asdict(ProblemLimits())
    wrong_form = argparse.ArgumentTypeError(
        f"write NAME=VALUE with commas between; the names are {', '.join(names)}"
    )
    limits: dict[str, float] = {}
    for assignment in text.split(","):
        name, _, value = assignment.partition("=")
        try:
            limits[name.strip()] = float(value)
        except ValueError:
            raise wrong_form from None
    if not set(limits) <= set(names):
        raise wrong_form
    try:
        return ProblemLimits(**limits)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _run_score(options: dict[str, Any]) -> None:
    """Score the layers and print the summary."""
    columns = ("plot", "layer", "targets", "matched", "randcrowns_mean", "iou_mean")
    _run_and_print(batch.score, options, columns)


def _run_agree(options: dict[str, Any]) -> None:
    """Compare the annotators and print the summary."""
    _run_and_print(batch.agree, options, ("statistic", "value", "low", "high"))


def _run_evaluate(options: dict[str, Any]) -> None:
    """Evaluate the predictions and print the summary."""
    columns = ("plot", "tp", "fp", "fn", "precision", "recall", "f1", "pq", "mean_iou")
    _run_and_print(batch.evaluate, options, columns)


def _run_and_print(
    function: Callable[..., pd.DataFrame], options: dict[str, Any], columns: Sequence[str]
) -> None:
    """Run a function of :mod:`randcrowns.batch` and print its summary, warnings and problems.

    Args:
        function: the function.
        options: parsed options: keyword arguments of the function, ``json`` and ``quiet``.
        columns: columns of the summary to print; with ``json`` all are printed.
    """
    arguments = {name: value for name, value in options.items() if name not in ("json", "quiet")}
    bar = ProgressBar(sys.stderr, options["quiet"] or not sys.stderr.isatty())
    table = function(**arguments, report_progress=bar)
    bar.close()
    _print_table(table, options["json"], columns)

    folder = Path(options["out"])
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    for warning in summary["warnings"]:
        print(warning, file=sys.stderr)
    n_problems = len(pd.read_csv(folder / "problems.csv"))
    if n_problems:
        print(
            f"{n_problems:,} crowns were skipped, repaired or clipped: {folder / 'problems.csv'}",
            file=sys.stderr,
        )
    print(f"Results: {folder}", file=sys.stderr)


def _print_table(table: pd.DataFrame, as_json: bool, columns: Sequence[str] = ()) -> None:
    """Print a table as JSON, or the given columns of it (by default all) as text."""
    if as_json:
        # pandas writes NaN as null, which json does not.
        rows = json.loads(table.to_json(orient="records", double_precision=15))
        print(json.dumps(rows, indent=1))
        return
    if columns:
        table = table[[name for name in columns if name in table]]
    print(table.to_string(index=False, float_format=_format_number))


def _format_number(value: float) -> str:
    """Return a number as text, without decimals if it is a count."""
    return f"{value:.{default_decimals(value)}f}"


def _run_partition(options: dict[str, Any]) -> None:
    """Partition the layers and print the number of crowns."""
    sources = options["sources"]
    n_crowns = batch.partition(
        sources[0] if len(sources) == 1 else sources,
        options["out"],
        crs=options["crs"],
        assign_crs=options["assign_crs"],
    )
    if options["json"]:
        print(json.dumps({"crowns": n_crowns, "out": options["out"]}))
    else:
        print(f"{n_crowns:,} crowns: {options['out']}")


def _run_summary(options: dict[str, Any]) -> None:
    """Print the summary of a results directory."""
    _print_table(batch.summary(options["results"]), options["json"])


def _run_export(options: dict[str, Any]) -> None:
    """Export results and print the number of features by layer."""
    counts = batch.export(options["results"], options["out"])
    if options["json"]:
        print(json.dumps({**counts, "out": options["out"]}))
    else:
        layers = ", ".join(f"{count:,} {layer}" for layer, count in counts.items())
        print(f"{layers}: {options['out']}")


class ProgressBar:
    """Progress bar in one line: finished share, crowns per second, and remaining time.

    Args:
        stream: text stream to write to.
        silent: True to write nothing.
    """

    def __init__(self, stream: Any, silent: bool = False) -> None:
        self._stream = stream
        self._silent = silent
        #: Number of characters in the line that is shown.
        self._length = 0

    def __call__(self, report: StageProgress) -> None:
        """Replace the line by one with the progress in ``report``."""
        if self._silent:
            return
        share = report.finished_crowns / report.n_crowns if report.n_crowns else 1.0
        width = max(10, min(30, shutil.get_terminal_size().columns - 70))
        bar = "#" * int(share * width)
        line = (
            f"{report.stage} [{bar:<{width}}] {share:4.0%}  "
            f"{report.finished_tiles:,}/{report.n_tiles:,} tiles  "
            f"{report.crowns_per_second:,.0f} crowns/s  "
            f"{_format_duration(report.seconds_left)} left"
        )
        # Spaces cover the rest of a longer line before.
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)

    def close(self) -> None:
        """End the line, if there is one."""
        if self._length:
            self._stream.write("\n")
            self._length = 0


def _format_duration(seconds: float) -> str:
    """Return a duration as text.

    >>> _format_duration(4000), _format_duration(75), _format_duration(float("inf"))
    ('1:06 h', '1:15 min', '?')
    """
    if seconds == float("inf"):
        return "?"
    minutes, rest = divmod(int(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60}:{minutes % 60:02} h"
    return f"{minutes}:{rest:02} min"
