"""Goals of the benchmarks: what must be reached, and what bounds the rows that do not reach it.

``table.py`` writes them to docs/performance.md, with the numbers of the rows that were measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["GOALS", "Goal", "format_goals", "format_slower_rows"]


def _share_of_peer(row: Any) -> float:
    """Return our processor time as a multiple of the peer's."""
    return 1 / float(row.ratios[1])


def _faster_than_peer(row: Any) -> float:
    """Return the peer's processor time as a multiple of ours."""
    return float(row.ratios[1])


def _processor_seconds(row: Any) -> float:
    return float(row.own_time.processor)


def _wall_seconds(row: Any) -> float:
    return float(row.own_time.wall)


def _number_before(unit: str) -> Callable[[Any], float]:
    """Return a function that reads the number before a text in the conditions of a row."""

    def read(row: Any) -> float:
        return float(row.conditions.split(unit)[0].rsplit(maxsplit=1)[-1].lstrip("("))

    return read


@dataclass(frozen=True)
class Goal:
    """A goal for one row of the table.

    Attributes:
        text: what is measured, for readers.
        limit: the goal.
        unit: format of the limit and of the value, with ``{}`` for the number.
        work: name of the row.
        conditions: text that the conditions of the row contain.
        peer: text that the peer of the row contains.
        value: returns the value of the row that is compared with the limit.
        is_minimum: True if the value must be at least the limit, else at most.
    """

    text: str
    limit: float
    unit: str
    work: str
    conditions: str = ""
    peer: str = ""
    value: Callable[[Any], float] = _share_of_peer
    is_minimum: bool = False

    def find_row(self, rows: Sequence[Any]) -> Any:
        """Return the row of the goal; None if it was not measured."""
        for row in rows:
            is_found = row.work == self.work and self.conditions in row.conditions
            if is_found and self.peer in row.peer:
                return row
        return None

    def is_reached(self, row: Any) -> bool:
        """Return True if a row reaches the goal."""
        value = self.value(row)
        return value >= self.limit if self.is_minimum else value <= self.limit


_DRAWN = _number_before(" x a drawn one")
_TIMES = "{} x"
_SECONDS = "{} s"
_MILLISECONDS_95 = _number_before(" ms)")

GOALS = (
    Goal(
        "offsets along pixels of 20 cm, next to a drawn crown",
        6,
        _TIMES,
        "offsets of a target along pixels",
        "pixels of 0.2 m",
        value=_DRAWN,
    ),
    Goal(
        "offsets along pixels of 10 cm, 170 vertices",
        8,
        _TIMES,
        "offsets of a target along pixels",
        "pixels of 0.1 m, 17",
        value=_DRAWN,
    ),
    Goal(
        "offsets along pixels of 5 cm, 340 vertices",
        15,
        _TIMES,
        "offsets of a target along pixels",
        "pixels of 0.05 m, 3",
        value=_DRAWN,
    ),
    Goal(
        "offsets of a smooth outline, 460 vertices",
        11,
        _TIMES,
        "offsets of a smooth target",
        value=_DRAWN,
    ),
    Goal(
        "offsets along pixels of 5 cm, 1,000 vertices, as image models draw them",
        40,
        _TIMES,
        "offsets of a target along pixels",
        "pixels of 0.05 m, 1",
        value=_DRAWN,
    ),
    Goal(
        "a smooth outline, next to three plain buffers",
        1.2,
        _TIMES,
        "offsets of a smooth target",
        peer="three buffers",
    ),
    Goal(
        "a drawn crown with score_crowns, processor time",
        140,
        "{} µs",
        "score_crowns, drawn crowns, 32 vertices",
        value=lambda row: 1e6 * row.own_time.processor / 100_000,
    ),
    Goal(
        "scored targets redrawn, next to the plain layer",
        1.3,
        _TIMES,
        "scored targets redrawn",
        "the whole layer",
    ),
    Goal(
        "the same, 300 m wide with labels",
        2,
        _TIMES,
        "scored targets redrawn",
        "with labels",
    ),
    Goal(
        "page Review with 100,000 crowns: longest wait of the window",
        0.1,
        _SECONDS,
        "page Review opened",
        value=lambda row: float(row.conditions.rsplit("window ", 1)[1].split()[0]),
    ),
    Goal(
        "page Review with 100,000 crowns: the list",
        1,
        _SECONDS,
        "page Review opened",
        value=_wall_seconds,
    ),
    Goal(
        "five outputs of 100,000 drawn crowns through QGIS",
        38,
        _SECONDS,
        "five outputs through QGIS",
        peer="our core",
        value=_processor_seconds,
    ),
    Goal(
        "memory of these outputs",
        8,
        "{} kB a target",
        "five outputs through QGIS",
        peer="our core",
        value=_number_before(" kB a target"),
    ),
    Goal("problems of 90,000 boxes, next to scoring them", 0.5, _TIMES, "problems of boxes"),
    Goal(
        "boxes tile by tile with one worker, next to the core with problems: speed",
        0.85,
        _TIMES,
        "scoring on a cluster, 1 worker",
        "boxes",
        "with problems",
        value=_faster_than_peer,
        is_minimum=True,
    ),
    Goal(
        "COCO's average precision of 1,000 images, next to hotcoco",
        1,
        _TIMES,
        "COCO's average precision",
        "1,000 images",
        "hotcoco",
    ),
    Goal(
        "COCO's average precision of 1,000,000 detections",
        6,
        _SECONDS,
        "COCO's average precision",
        "10,000 images",
        value=_processor_seconds,
    ),
    Goal(
        "a point cloud of 3,000,000 points, LAZ, with outlines of the trees",
        2,
        _SECONDS,
        "point cloud through the toolbox",
        "3,000,000",
        value=_processor_seconds,
    ),
    Goal(
        "shared areas of smooth outlines, next to shapely arrays: speed",
        3,
        _TIMES,
        "shared areas of overlapping pairs",
        "smooth outlines",
        value=_faster_than_peer,
        is_minimum=True,
    ),
    Goal(
        "exact areas of 12 annotators of 2,000 crowns, next to GEOS alone",
        1.5,
        _TIMES,
        "exact overlay, areas alone",
        "12 annotators of 2,000",
    ),
    Goal(
        "the map of 12 annotators of 1,000 crowns, next to GEOS alone",
        1.4,
        _TIMES,
        "exact overlay with its map",
        "12 annotators of 1,000",
    ),
    Goal(
        "LSML, 1,000 rounds of 13 annotators x 1.3 Mpx",
        6,
        _SECONDS,
        "LSML, 1,000 rounds",
        value=_wall_seconds,
    ),
    Goal(
        "scored while drawing among 50,000 crowns, 95 % of the edits",
        16,
        "{} ms",
        "scored while drawing, drawn: delineation changed",
        "2 x 50,000",
        value=_MILLISECONDS_95,
    ),
    Goal(
        "scoring while drawing switched on with 50,000 crowns",
        2,
        _SECONDS,
        "scoring while drawing switched on, drawn",
        "2 x 50,000",
        value=_wall_seconds,
    ),
    Goal(
        "first opening of the dock",
        0.4,
        _SECONDS,
        "first opening of the dock",
        value=_wall_seconds,
    ),
    Goal(
        "first click on page Parameters",
        0.4,
        _SECONDS,
        "first opening of page Parameters",
        value=_wall_seconds,
    ),
)


def format_goals(rows: Sequence[Any]) -> str:
    """Return the goals with the values of the rows as a Markdown table.

    Goals whose row was not measured have no value.
    """
    lines = ["| goal | at most, or at least | measured | reached |", "| --- | --- | --- | --- |"]
    for goal in GOALS:
        row = goal.find_row(rows)
        limit = f"{'≥' if goal.is_minimum else '≤'} {goal.unit.format(f'{goal.limit:g}')}"
        measured = "" if row is None else goal.unit.format(_three_digits(goal.value(row)))
        reached = "not measured"
        if row is not None:
            reached = "yes" if goal.is_reached(row) else "no"
        lines.append(f"| {goal.text} | {limit} | {measured} | {reached} |")
    return "\n".join(lines)


def format_slower_rows(rows: Sequence[Any]) -> str:
    """Return a Markdown list of what bounds the goals and rows that are not reached.

    A row is listed if it misses a goal, or if its peer takes less processor time.
    """
    missed_works = set()
    for goal in GOALS:
        row = goal.find_row(rows)
        if row is not None and not goal.is_reached(row):
            missed_works.add(row.work)
    slower_works = {row.work for row in rows if row.ratios is not None and row.ratios[1] < 1}
    works_by_bound: dict[str, list[str]] = {}
    for work in dict.fromkeys(row.work for row in rows):
        if work in BOUNDS and (work in missed_works or work in slower_works):
            works_by_bound.setdefault(BOUNDS[work], []).append(f"*{work}*")
    return "\n".join(f"- {', '.join(works)}: {bound}" for bound, works in works_by_bound.items())


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


_MORE_THAN_THE_PEER = (
    "The peer scores given pairs. Our time also contains the checks of the outlines, the search "
    "for the pairs, the tables, and the intervals of the means."
)
_OVERLAY_BOUND = (
    "GEOS alone finds the lines and the faces. Our time also contains the annotators of each face, "
    "which are exact to rounding."
)
_CLUSTER_BOUND = (
    "Parquet files are read and written tile by tile, with checksums. The crowns in the margins of "
    "the tiles are read, checked and scored more than once."
)
_DRAWING_BOUND = (
    "Of an edit among 50,000 crowns, the means of all targets and the search for the nearest "
    "crowns take 7 %; nothing else depends on the number of crowns. The scores of the edited "
    "crown and of its neighbours take a third, their problems and causes another third, reading "
    "the feature 10 %, the table and the headline 16 % (cProfile). All of them are array "
    "operations on about ten crowns, which call 7,000 functions of Python."
)
#: Name of a row -> what bounds it. Shares are those of cProfile, perf and processor times on the
#: same machine.
BOUNDS: dict[str, str] = {
    "offsets of a target along pixels": (
        "Each target has three offset outlines, made by a rolling ball that visits every vertex, "
        "and a check of the ball's path. The check must stay: without it, 1 of 1,000 small "
        "outlines is wrong by up to 50 %."
    ),
    "offsets of a smooth target": (
        "Three buffers of GEOS are the peer, with the width of the edge known. The search for the "
        "width needs one more offset outline, so that little is left to gain."
    ),
    "score_crowns, drawn crowns, 32 vertices": (
        "Three buffers of GEOS alone take 93 of 208 µs (44 %) with one thread. The search for the "
        "edge's width takes another 30 µs (14 %). The rest is exact shared areas, tables and "
        "checks in numpy and pandas. perf shows no function with more than 4 %."
    ),
    "scored targets redrawn": (
        "The plain layer draws one symbol per crown. In a detail, ours draws the casing below each "
        "outline, too, and labels: of 0.40 s of processor time (plain 0.06 s), the casings take "
        "0.06 s, the labels 0.26 s, half of it for their halos. QGIS places and draws each label "
        "as an outline. Without labels and casings, the layer takes as long as the plain one. "
        "Labels that do not fit into their crown are left out."
    ),
    "page Review opened": (
        "Of 0.9 s of processor time, reading 100,000 rows of nine columns from the GeoPackage "
        "takes 0.25 s, finding the features of the matches 0.15 s, pandas's tables 0.2 s, the rest "
        "are the list and the widgets. The window's thread is busy for at most 0.09 s at a time. "
        "Other programs used both processors: elapsed times are three times as long."
    ),
    "five outputs through QGIS": (
        "Of writing, OGR's addFeatures takes 16 %, closing the files with their index 15 %, and "
        "saving the provenance 17 % (cProfile, 1,600 targets with three layers). The rest is "
        "Python, which makes rows and features. Without an output, a run takes 11 kB a target, "
        "with the regions 30 kB (22,500 targets): the four outlines of a target's regions have "
        "555 vertices, of which the coordinates alone take 9 kB. They are held in memory until all "
        "outputs are written, together or not at all."
    ),
    "scoring through QGIS, all outputs": (
        "The peer writes nothing. With one output, the plugin takes as long as its core; the other "
        "four outputs are written by OGR, row by row."
    ),
    "writing all five outputs": (
        "ogr2ogr copies rows within OGR. The plugin also makes the rows, the outlines of the "
        "regions and the features in Python, and writes the provenance of each layer."
    ),
    "problems of boxes": (
        "The search tree of GEOS and its query take 15 of 42 ms for 22,500 boxes, which is a "
        "quarter of the time of scoring them. A grid of cells in numpy took 12 ms. The rest is "
        "numpy's work with the pairs."
    ),
    "scoring on a cluster, 1 worker": _CLUSTER_BOUND,
    "scoring on a cluster, 2 workers": _CLUSTER_BOUND,
    "point cloud through page Instances": (
        "The peer only reads the file. Our time also contains the evaluation, the tables and the "
        "map of the page, and the event loop of the window."
    ),
    "point cloud through the toolbox": (
        "The peer only reads the file. Reading takes 1.8 of 4.5 s elapsed time, writing the "
        "outputs 1.4 s, of which saving their provenance takes 0.9 s (cProfile, 3,000,000 points)."
    ),
    "shared areas of overlapping pairs": (
        "All pairs of edges that overlap in x are compared in numpy: about 900 per pair of smooth "
        "outlines, in a dozen passes. take alone is more than half of the time (cProfile). Smaller "
        "chunks were slower: 0.38 s with 20,000 vertices, 0.24 s with 500,000. Areas are exact for "
        "outlines that touch or coincide, where overlays of GEOS may fail."
    ),
    "exact overlay, areas alone": _OVERLAY_BOUND,
    "exact overlay with its map": _OVERLAY_BOUND,
    "LSML, 1,000 rounds": (
        "Two thirds of a round are the update of the band, in two threads (cProfile, 100 rounds): "
        "sums over the neighbours of each of its pixels, which numpy reads by their indices."
    ),
    "scored while drawing, drawn: delineation changed": _DRAWING_BOUND,
    "scoring while drawing switched on, drawn": (
        "The crowns and scores of the run are used, unless a layer was edited since; then both "
        "layers are read again in the background, which takes 4 s of processor time. The rest is "
        "an index of the nearest crowns, and the tables."
    ),
    "first opening of the dock": (
        "Python imports the modules of the dock and of its first page. Of the time, pandas takes "
        "30 % with pyarrow, numpy 12 %, our 260 modules 46 % (-X importtime). The topics of the "
        "core and scipy are imported when they are first used."
    ),
    "first opening of page Parameters": "Python imports the page and makes its widgets.",
    "consensus crown by crown": (
        "The peer matches the layers in pairs, and clusters nothing. Our time also contains the "
        "clusters, their outlines and their votes."
    ),
    "ranking of detectors": (
        "The peer computes nothing but the areas under the curves. Processor time is that of two "
        "threads; elapsed time is shorter than the peer's."
    ),
    "read a COCO file": "The peer only decodes the text. Our time contains checked outlines.",
    "write a COCO file": "The peer only encodes lists. Our time contains the lists, too.",
    "score_crowns, boxes": _MORE_THAN_THE_PEER,
    "score_crowns, smooth crowns, 500 vertices": _MORE_THAN_THE_PEER,
    "score_crowns, crowns along pixels of 20 cm": _MORE_THAN_THE_PEER,
    "score_crowns, crowns along pixels of 10 cm": _MORE_THAN_THE_PEER,
    "score_crowns, crowns along pixels of 5 cm": _MORE_THAN_THE_PEER,
    "COCO's average precision": "Detections are matched one by one in the order of their scores.",
    "target_regions": "Two threads cost processor time, and save elapsed time.",
    "polygon_overlap": "Two threads cost processor time, and save elapsed time.",
}
