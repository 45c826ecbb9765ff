"""The command ``randcrowns``."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import shapely

from randcrowns import batch
from randcrowns.batch.cluster import Report
from randcrowns.batch.tiles import MOST_CROWNS
from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.instances.matching import Method
from randcrowns.core.remarks import decimals_of
from randcrowns.core.review.problems import ProblemLimits
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import PRESETS

#: What the command answers to the shell.
DONE, FAILED, MISUSED, STOPPED = 0, 1, 2, 130

_ABOUT = """\
Scores tree crown delineations against target crowns, compares annotators, and evaluates detected crowns: files of any
size, cut into tiles that a Dask cluster works on, with the same numbers as the QGIS plugin gives for the whole.

  randcrowns score crowns.gpkg anna.gpkg ben.gpkg --out scores      on this machine, all processors
  randcrowns score ... --out scores --resume                        go on where a run was stopped
  randcrowns score ... --out scores --scheduler tcp://host:8786     on a cluster
  randcrowns export scores scores.gpkg                              for QGIS

Layers of more than a million crowns are best partitioned once (randcrowns partition); smaller ones are by themselves.
Exit codes: 0 done, 1 the input cannot be used or the run failed, 2 the command was written wrongly, 130 stopped."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = _parser()
    chosen = vars(parser.parse_args(arguments))
    run = chosen.pop("run", None)
    if run is None:
        parser.print_help()
        return MISUSED
    try:
        run(chosen)
    except (KeyboardInterrupt, Cancelled):
        print(
            "\nrandcrowns: stopped. What is done is kept: the same command with --resume goes on.",
            file=sys.stderr,
        )
        return STOPPED
    except (RandCrownsError, OSError, pa.ArrowException, shapely.GEOSException) as error:
        print(f"\nrandcrowns: {error}", file=sys.stderr)
        return FAILED
    return DONE


def _parser() -> argparse.ArgumentParser:
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="randcrowns", description=_ABOUT, formatter_class=style)
    jobs = parser.add_subparsers(title="jobs", metavar="JOB")

    def job(name: str, run: Any, about: str, example: str) -> argparse.ArgumentParser:
        made = jobs.add_parser(
            name, help=about, description=f"{about}\n\n  {example}", formatter_class=style
        )
        made.set_defaults(run=run)
        return made

    score = job(
        "score",
        _score,
        "Score delineations against target crowns: RandCrowns, IoU and IoUCrowns of every crown.",
        "randcrowns score crowns.parquet anna.parquet --out scores --preset field_polygons --plot-field plotID",
    )
    score.add_argument(
        "targets",
        help="the crowns to be found: any file that GDAL reads, or a folder of GeoParquet",
    )
    score.add_argument(
        "delineations",
        nargs="+",
        help="the crowns to be scored, a file for each annotator or method",
    )
    _preset(score)
    score.add_argument(
        "--pairing", choices=[str(one) for one in Pairing], default="nearest", help=_help("nearest")
    )
    score.add_argument(
        "--search-radius",
        type=float,
        metavar="METRES",
        help="default: half of each target's diagonal",
    )
    score.add_argument(
        "--extent",
        type=_extent,
        metavar="XMIN,YMIN,XMAX,YMAX",
        help="the image; crowns are cut to it",
    )
    _all_drawn(score)
    limits = ",".join(f"{name}={value:g}" for name, value in asdict(ProblemLimits()).items())
    about = (
        f"from where on something is wrong with a crown; those not named stay as they are: {limits}"
    )
    score.add_argument(
        "--limits", type=_limits, default=ProblemLimits(), metavar="NAME=VALUE,…", help=about
    )
    _run_choices(score)

    agree = job(
        "agree",
        _agree,
        "Compare annotators who drew the same place: agreement, F1, kappa, outliers, consensus, STAPLE.",
        "randcrowns agree anna.parquet ben.parquet cleo.parquet --out agreement",
    )
    agree.add_argument("annotators", nargs="+", help="a file for each annotator")
    agree.add_argument(
        "--extent", type=_extent, metavar="XMIN,YMIN,XMAX,YMAX", help="the study area"
    )
    _run_choices(agree, plots=False)

    evaluate = job(
        "evaluate",
        _evaluate,
        "Match predicted crowns with target crowns: precision, recall, F1, panoptic quality.",
        "randcrowns evaluate crowns.parquet detections.parquet --out evaluation",
    )
    evaluate.add_argument("targets", help="the crowns to be found")
    evaluate.add_argument("predictions", help="the crowns that a method predicted")
    methods = [str(one) for one in Method]
    evaluate.add_argument(
        "--detection", choices=methods, default=methods[0], help=_help(methods[0])
    )
    cut = str(Method.FOR_AI_NET_COVERAGE)
    evaluate.add_argument("--segmentation", choices=methods, default=cut, help=_help(cut))
    evaluate.add_argument(
        "--height-field", default="", metavar="COLUMN", help="default: the area decides"
    )
    _all_drawn(evaluate)
    _run_choices(evaluate)

    cut_up = job(
        "partition",
        _partition,
        "Write layers as GeoParquet of which a box of the map can be read alone, in metres.",
        "randcrowns partition crowns.gpkg crowns.parquet      or: randcrowns partition sites/*.shp country/",
    )
    cut_up.add_argument(
        "sources", nargs="+", help="any files that GDAL reads; FILE|layername=NAME for one layer"
    )
    cut_up.add_argument("out", help="NAME.parquet for one source, otherwise a folder")
    cut_up.add_argument(
        "--crs", help="coordinate system to write, in metres; default: as it is, or the UTM zone"
    )
    cut_up.add_argument(
        "--assign-crs", metavar="CRS", help="the system the coordinates are in, where none is named"
    )
    _json(cut_up)

    table = job(
        "summary",
        _summary,
        "Print the summary of a results directory.",
        "randcrowns summary scores --json",
    )
    table.add_argument("results", help="a results directory")
    _json(table)

    out = job(
        "export",
        _export,
        "Write results as a GeoPackage, for QGIS.",
        "randcrowns export scores scores.gpkg",
    )
    out.add_argument("results", help="a results directory")
    out.add_argument("out", help="the GeoPackage")
    _json(out)
    return parser


def _help(default: str) -> str:
    return f"one of %(choices)s; default: {default}"


def _preset(parser: argparse.ArgumentParser) -> None:
    sets = "; ".join(
        f"{name}: {one.alpha:g}, {one.omega:g}, {one.gamma:g}" for name, one in PRESETS.items()
    )
    parser.add_argument(
        "--preset",
        choices=[*PRESETS, "own"],
        default="image_boxes",
        help=f"alpha, omega (metres) and gamma as in the paper ({sets}), or own; default: image_boxes",
    )
    for name, about in (
        ("alpha", "metres inside the target where the certain crown begins"),
        ("omega", "metres outside the target that a crown may reach"),
        ("gamma", "area ratio of the two certain regions"),
    ):
        parser.add_argument(f"--{name}", type=float, help=f"{about} (with --preset own)")


def _all_drawn(parser: argparse.ArgumentParser) -> None:
    about = (
        "whether all crowns were drawn as targets; --no-all-drawn: what is unmatched is not judged"
    )
    parser.add_argument(
        "--all-drawn", action=argparse.BooleanOptionalAction, default=True, help=about
    )


def _run_choices(parser: argparse.ArgumentParser, plots: bool = True) -> None:
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="the results directory, new or to be resumed"
    )
    if plots:
        parser.add_argument("--plot-field", default="", metavar="COLUMN", help="plot of each crown")
        parser.add_argument(
            "--id-column", default="", metavar="COLUMN", help="whole numbers; default: the row"
        )
    parser.add_argument(
        "--tile", type=float, metavar="METRES", help="side of a tile; default: by --most-crowns"
    )
    parser.add_argument(
        "--most-crowns",
        type=int,
        default=MOST_CROWNS,
        metavar="N",
        help=f"in a tile; default: {MOST_CROWNS:,}",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes on this machine; default: one per processor",
    )
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://host:8786"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on where a stopped run has come to"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    _json(parser)


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _extent(text: str) -> tuple[float, ...]:
    try:
        sides = tuple(float(side) for side in text.split(","))
    except ValueError:
        sides = ()
    if len(sides) != 4:
        raise argparse.ArgumentTypeError(
            "four numbers with commas between them: XMIN,YMIN,XMAX,YMAX"
        )
    return sides


def _limits(text: str) -> ProblemLimits:
    pairs = [one.partition("=") for one in text.split(",")]
    known = asdict(ProblemLimits())
    try:
        given = {name.strip(): float(value) for name, _, value in pairs}
    except ValueError:
        given = {"": 0.0}
    if not set(given) <= set(known):
        raise argparse.ArgumentTypeError(
            f"NAME=VALUE with commas between, with the names {', '.join(known)}"
        )
    try:
        return ProblemLimits(**given)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _score(chosen: dict[str, Any]) -> None:
    _tell_run(
        batch.score, chosen, ("group", "layer", "targets", "matched", "randcrowns_mean", "iou_mean")
    )


def _agree(chosen: dict[str, Any]) -> None:
    _tell_run(batch.agree, chosen, ("statistic", "value", "low", "high"))


def _evaluate(chosen: dict[str, Any]) -> None:
    _tell_run(
        batch.evaluate,
        chosen,
        ("group", "tp", "fp", "fn", "precision", "recall", "f1", "pq", "mean_iou"),
    )


def _tell_run(work: Any, chosen: dict[str, Any], columns: Sequence[str]) -> None:
    as_json, quiet = chosen.pop("json"), chosen.pop("quiet")
    bar = Bar(sys.stderr, quiet or not sys.stderr.isatty())
    table = work(**chosen, watch=bar)
    bar.close()
    _tell_table(table, as_json, columns)
    folder = Path(chosen["out"])
    for remark in json.loads((folder / "summary.json").read_text(encoding="utf-8"))["remarks"]:
        print(remark, file=sys.stderr)
    problems = len(pd.read_csv(folder / "problems.csv"))
    if problems:
        print(
            f"{problems:,} crowns were skipped, repaired or cut: {folder / 'problems.csv'}",
            file=sys.stderr,
        )
    print(f"Results: {folder}", file=sys.stderr)


def _tell_table(table: pd.DataFrame, as_json: bool, columns: Sequence[str] = ()) -> None:
    if as_json:
        print(
            json.dumps(json.loads(table.to_json(orient="records", double_precision=15)), indent=1)
        )
    else:
        shown = table[[name for name in columns if name in table]] if columns else table
        print(
            shown.to_string(
                index=False, float_format=lambda value: f"{value:.{decimals_of(value)}f}"
            )
        )


def _partition(chosen: dict[str, Any]) -> None:
    as_json, sources = chosen.pop("json"), chosen.pop("sources")
    count = batch.partition(sources[0] if len(sources) == 1 else sources, **chosen)
    print(
        json.dumps({"crowns": count, "out": chosen["out"]})
        if as_json
        else f"{count:,} crowns: {chosen['out']}"
    )


def _summary(chosen: dict[str, Any]) -> None:
    _tell_table(batch.summary(chosen["results"]), chosen["json"])


def _export(chosen: dict[str, Any]) -> None:
    counts = batch.export(chosen["results"], chosen["out"])
    told = ", ".join(f"{count:,} {layer}" for layer, count in counts.items())
    print(
        json.dumps({**counts, "out": chosen["out"]})
        if chosen["json"]
        else f"{told}: {chosen['out']}"
    )


class Bar:
    """The progress as one line: share done, crowns per second, time left."""

    def __init__(self, stream: Any, silent: bool = False) -> None:
        self.stream, self.silent, self._length = stream, silent, 0

    def __call__(self, report: Report) -> None:
        """Show how far it is."""
        if self.silent:
            return
        share = report.crowns / report.of_crowns if report.of_crowns else 1.0
        room = max(10, min(30, shutil.get_terminal_size().columns - 70))
        bar = "#" * int(share * room)
        text = (
            f"{report.stage} [{bar:<{room}}] {share:4.0%}  {report.tiles:,}/{report.of_tiles:,} tiles  "
            f"{report.per_second:,.0f} crowns/s  {_span(report.seconds_left)} left"
        )
        self.stream.write("\r" + text.ljust(self._length))
        self.stream.flush()
        self._length = len(text)

    def close(self) -> None:
        """End the line."""
        if self._length:
            self.stream.write("\n")
            self._length = 0


def _span(seconds: float) -> str:
    """A time as people say it.

    >>> _span(4000), _span(75), _span(float("inf"))
    ('1:06 h', '1:15 min', '?')
    """
    if seconds == float("inf"):
        return "?"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02} h" if minutes >= 60 else f"{minutes}:{rest:02} min"
