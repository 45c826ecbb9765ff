"""What stands in a report, as plain texts, tables and pictures, which a template sets on a page."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from qgis.core import QgsCoordinateTransformContext
from qgis.PyQt.QtCore import QSize

from randcrowns.algorithms.choice import Job
from randcrowns.algorithms.output import UNIT, Column, Output
from randcrowns.algorithms.report.choices import CROWNS, PARTS
from randcrowns.algorithms.report.runs import TakenRun
from randcrowns.algorithms.showing import CrownSheet, RunTables, ShownTable
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.core.statistics import LEAST_UNITS
from randcrowns.core.status import ALL
from randcrowns.layers.installing import trouble
from randcrowns.layers.libraries import PLOTS, REPORTS
from randcrowns.layers.quoting import Cells
from randcrowns.layers.styles.figures import new_figure, picture_of
from randcrowns.layers.styles.pictures import LegendEntry, Picture, extent_in, map_system
from randcrowns.layers.vector.tables import table_with_shapes
from randcrowns.layers.words import sentences, tr, written

#: Rows of a table that stand side by side, where it has many columns.
_FEW = 3
#: Columns of a table that says anything, and rows for all and for one plot.
_LEAST = 2
#: Rows of a table, of which more are counted.
MOST_ROWS = 60
#: Pixels: the largest map, the side of a crown's.
_MAP, _CROWN = QSize(1200, 1000), 240
_DOTS = 110

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
_ENTRY = re.compile(r"@\w+\{(\w+),\n.*?\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
#: Field of an entry with the number that a work has somewhere, and where.
_ADDRESSES = {"doi": "https://doi.org/", "eprint": "https://arxiv.org/abs/"}
#: Authors that are named in a citation; of more the first is.
_NAMED = 3


class Source(NamedTuple):
    """A work: its key, a citation for a list of references, its address (empty without one), and its BibTeX entry."""

    key: str
    citation: str
    address: str
    bibtex: str

    def is_named(self, text: str) -> bool:
        """Whether a text names its first author and, thereafter, its year."""
        family, year = self.key[:-4], self.key[-4:]
        return re.search(rf"\b{family}\b.{{1,20}}\b{year}\b", text, re.IGNORECASE) is not None


@functools.cache
def sources() -> dict[str, Source]:
    """All that can be cited, by key."""
    return {
        found[1]: _source(found[1], found[0])
        for found in _ENTRY.finditer((RESOURCES / "sources.bib").read_text(encoding="utf-8"))
    }


def _source(key: str, entry: str) -> Source:
    told = {name: value.replace("--", "–") for name, value in _FIELD.findall(entry)}
    authors = [_initials(name) for name in told["author"].split(" and ")]
    named = ", ".join(authors) if len(authors) <= _NAMED else f"{authors[0]} et al."
    place = next((told[name] for name in ("journal", "booktitle", "publisher") if name in told), "")
    volume = told.get("volume", "") + (f"({told['number']})" if "number" in told else "")
    where = ", ".join(filter(None, [place, volume, told.get("pages", "")]))
    citation = f"{named} ({told['year']}). {told['title']}. {where}."
    found = next((start + told[name] for name, start in _ADDRESSES.items() if name in told), "")
    return Source(key, citation, found, entry)


def _initials(name: str) -> str:
    """``Stewart, Dylan`` as ``Stewart D.``"""
    family, _, given = name.partition(", ")
    return " ".join([family, "".join(f"{part[0]}." for part in given.split())])


@dataclass(frozen=True)
class Table:
    """A table: its title, its cells, what its brackets are, and how many rows are left out."""

    title: str
    cells: Cells
    note: str = ""
    left_out: int = 0


@dataclass(frozen=True)
class Figure:
    """A picture with its title and words below it."""

    title: str
    picture: Picture
    words: str = ""


@dataclass(frozen=True)
class CrownFigure:
    """A crown's small map, its name, scores, problem and cause."""

    picture: Picture
    name: str
    numbers: Sequence[tuple[str, str]]
    problem: str
    cause: str


@dataclass(frozen=True)
class Sheet:
    """Crowns that belong together."""

    title: str
    about: str
    crowns: Sequence[CrownFigure]


@dataclass
class Section:
    """What a report says of one run; what is not wanted, or is not there, is empty."""

    title: str  #: what was run with which layers.
    answer: str  #: what was found, in sentences.
    review: list[str] = field(default_factory=list)  #: what reviewers said, in sentences.
    #: warnings, notes: in sentences.
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: Name and source of each layer that was read.
    compared: list[tuple[str, str]] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)  #: sentences of a paper.
    cited: list[Source] = field(default_factory=list)  #: the works these name.
    #: Label and words of each choice, and of the versions.
    choices: list[tuple[str, str]] = field(default_factory=list)
    #: What repeats the run in a terminal; ``unrepeatable`` names layers that it cannot read.
    command: str = ""
    unrepeatable: list[str] = field(default_factory=list)
    #: tables, plots, map, legend, sheets: see their types.
    tables: list[Table] = field(default_factory=list)
    plots: list[Figure] = field(default_factory=list)
    map: Picture | None = None
    legend: list[LegendEntry] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """All that a template sets: the title, when and with what it was made, the runs, and what they cite."""

    title: str
    made: str
    sections: Sequence[Section]
    cited: Sequence[Source]


def read_tables(taken: TakenRun, progress: Progress) -> RunTables:
    """The run's tables and outlines, without how they were made."""
    frames, shapes, systems = {}, {}, {}
    for (name, table), share in steps([*taken.tables.items()], progress):
        frame, outlines = table_with_shapes(table, share)
        frames[name] = frame[[column for column in frame if not str(column).startswith("made_")]]
        shapes[name], systems[name] = outlines, table.crs()
    return RunTables(taken.run.record, frames, shapes, systems, taken.verdicts, taken.choices)


def section_of(
    taken: TakenRun, tables: RunTables, job: Job, progress: Progress
) -> tuple[Section, list[Remark]]:
    """What is told of a run, and remarks on what could not be."""
    run, record, parts = taken.run, taken.run.record, set(job[PARTS])
    section, told = Section(run.title, run.headline), []
    if "warnings" in parts:
        section.warnings = run.warnings
        section.notes = sentences(one for one in run.remarks if one.is_odd and not one.is_warning)
    if "review" in parts and len(tables.verdicts):
        section.review = taken.showing.review(tables)
    if "compared" in parts:
        section.compared = [
            (one.name, one.source or tr("a layer in memory")) for one in record.inputs.values()
        ]
    if "methods" in parts:
        section.methods = _methods(run.algorithm, tables)
        section.cited = [
            source for source in sources().values() if source.is_named(" ".join(section.methods))
        ]
    if "choices" in parts:
        section.choices = [(entry.label, entry.words) for entry in record.entries]
    if "repeat" in parts:
        section.command, section.unrepeatable = run.command, run.not_repeatable
    if "tables" in parts:
        unit = str(record.results.get(UNIT.id) or "m")
        made = (_table(shown, tables, unit) for shown in taken.showing.tables)
        section.tables = [table for table in made if table is not None]
    progress(0.1)
    if "plots" in parts and taken.showing.plots(tables):
        if trouble(PLOTS):
            told.append(note("report.no_plots", "There are no plots: {why}", why=trouble(PLOTS)))
        else:
            section.plots = list(_plots(taken, tables, part_of(progress, 0.1, 0.4)))
    context = job.transform_context
    if "map" in parts and not taken.extent.isEmpty():
        section.map, section.legend = (
            _map(taken, tables, context, part_of(progress, 0.4, 0.6)),
            taken.legend,
        )
    progress(0.6)
    if "crowns" in parts:
        sheets = taken.showing.crowns(tables, job[CROWNS])
        section.sheets = list(_sheets(taken, sheets, context, part_of(progress, 0.6, 1.0)))
    progress(1.0)
    return section, told


class _Compiled:
    """Templates that were compiled, which takes longer than to fill them in; Jinja2 compares their source."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def get(self, key: str) -> bytes:
        """A template; empty where there is none."""
        return self._kept.get(key, b"")

    def set(self, key: str, value: bytes, timeout: int | None = None) -> None:
        """Keep a template."""
        self._kept[key] = value


_COMPILED = _Compiled()


def environment(*folders: Path, escaping: bool) -> Any:
    """What sets Jinja2's templates of these folders, or of the plugin, in a sandbox.

    Raises:
        InputError: where Jinja2 is missing.
    """
    if trouble(REPORTS):
        raise InputError("{why}", why=trouble(REPORTS))
    from jinja2 import FileSystemLoader, MemcachedBytecodeCache
    from jinja2.sandbox import SandboxedEnvironment

    loader = FileSystemLoader([*map(str, folders), str(RESOURCES)])
    kept = MemcachedBytecodeCache(_COMPILED, prefix=f"escaping {escaping} ")
    made = SandboxedEnvironment(
        autoescape=escaping,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=loader,
        bytecode_cache=kept,
    )
    made.globals.update(tr=tr, least=LEAST_UNITS)
    return made


def _methods(algorithm: str, tables: RunTables) -> list[str]:
    """How a run was made, in sentences of a paper: plain texts."""
    told = environment(escaping=False).get_template("report_methods.html").module
    macro = getattr(told, algorithm.rpartition(":")[2], None)
    lines = [] if macro is None else map(str.strip, macro(tables).splitlines())
    version = tr("The analysis was made with {version}.", version=tables.words("version"))
    return [*filter(None, lines), version]


def _plots(taken: TakenRun, tables: RunTables, progress: Progress) -> Iterator[Figure]:
    for plot, share in steps(taken.showing.plots(tables), progress):
        figure = new_figure(plot.width, plot.height)
        figure.set_dpi(_DOTS)
        plot.draw(figure.add_subplot())
        data = aside(lambda _told: picture_of(figure, "png"), share)  # noqa: B023 - ends before the next one
        width, height = round(plot.width * _DOTS), round(plot.height * _DOTS)
        yield Figure(plot.title, Picture(data, "image/png", width, height, plot.title))


def _map(
    taken: TakenRun, tables: RunTables, context: QgsCoordinateTransformContext, progress: Progress
) -> Picture:
    top = next(output.id for output in taken.showing.map if output.id in tables.systems)
    system = tables.systems[top]
    crs = map_system(system, taken.extent, context)
    extent = extent_in(taken.extent, system, crs, context)
    return taken.map.map(extent, crs, _MAP, tr("Map of the run's layers over the image"), progress)


def _sheets(
    taken: TakenRun,
    sheets: Sequence[CrownSheet],
    context: QgsCoordinateTransformContext,
    progress: Progress,
) -> Iterator[Sheet]:
    for sheet, share in steps(sheets, progress):
        shown = []
        for crown, told in steps(sheet.crowns, share):
            crs = map_system(crown.system, crown.outlines[0][0].boundingBox(), context)
            words = ", ".join([crown.name, *(f"{name} {value}" for name, value in crown.numbers)])
            picture = taken.image.crown(crown.outlines, crown.system, crs, _CROWN, words, told)
            shown.append(
                CrownFigure(picture, crown.name, crown.numbers, crown.problem, crown.cause)
            )
        yield Sheet(sheet.title, sheet.about, shown)


def _table(shown: ShownTable, tables: RunTables, unit: str) -> Table | None:
    """The rows of a table as words; a number and the ends of its interval stand in one column."""
    frame = tables.table(shown.output)
    frame = shown.of(frame) if shown.of is not None and len(frame) else frame
    if not len(frame):
        return None
    frame = _without_twins(frame) if "group" in frame else frame
    columns = [
        one
        for one in _columns(shown, frame, unit)
        if frame[one.name].replace("", None).notna().any()
    ]
    names = {column.name for column in columns}
    ends = {column.name: _ends(column.name, names) for column in columns}
    of_others = {end for pair in ends.values() for end in pair}
    kept = [column for column in columns if column.name not in of_others]
    if len(kept) < _LEAST:
        return None
    some = frame.head(MOST_ROWS)
    rows = [
        [
            _cell(column, row[column.name], [row[end] for end in ends[column.name]])
            for column in kept
        ]
        for row in some.to_dict("records")
    ]
    cells = Cells([column.alias for column in kept], [not column.is_words for column in kept], rows)
    if len(rows) <= _FEW < len(kept) / 2:
        cells = _upright(cells)
    said = tr("In brackets: 95 % interval.") if of_others else ""
    return Table(shown.title or shown.output.label, cells, said, len(frame) - len(some))


def _without_twins(summary: pd.DataFrame) -> pd.DataFrame:
    """A summary without the row of a plot that is all there is; without any plot nothing is said of plots."""
    layers = summary["layer"] if "layer" in summary else pd.Series("", summary.index)
    several = summary.groupby(layers)["group"].transform("size") > _LEAST
    kept = summary[several | (summary["group"] == ALL)]
    return kept if several.any() else kept.assign(group="")


def _upright(cells: Cells) -> Cells:
    """A table of few rows and many columns with a line per column; words before the first number name the rows."""
    first = next((place for place, right in enumerate(cells.right) if right), 0)
    names = [", ".join(row[:first]) for row in cells.rows]
    lines = [
        [title, *(row[place] for row in cells.rows)]
        for place, title in enumerate(cells.titles)
        if place >= first
    ]
    return Cells(["", *names], [False, *(True for _ in names)], lines)


def _columns(shown: ShownTable, frame: pd.DataFrame, unit: str) -> list[Column]:
    output: Output = shown.output.in_unit(unit)
    if shown.columns:
        declared = {column.name: column for column in output.columns}
        names = [end for name in shown.columns for end in (name, *_ends(name, {*declared}))]
        output = replace(output, columns=tuple(declared[name] for name in names))
    return output.columns_of(map(str, frame.columns))


def _ends(name: str, names: set[str]) -> tuple[str, ...]:
    """The columns with the ends of a number's interval; none where it has none."""
    stem = name[: -len("_mean")] if name.endswith("_mean") else name
    for low, high in ((f"{stem}_low", f"{stem}_high"), ("low", "high")):
        if {low, high} <= names and (low != "low" or name in ("value", "correlation")):
            return low, high
    return ()


def _cell(column: Column, value: Any, ends: Sequence[Any]) -> str:
    if column.is_words:
        return "" if pd.isna(value) else column.shown(str(value))
    digits = column.digits if column.kind == "real" else 0
    words, *between = (written(math.nan if pd.isna(one) else one, digits) for one in (value, *ends))
    if any(pd.isna(end) for end in ends) or not ends:
        return words
    return tr("{value} ({low}–{high})", value=words, low=between[0], high=between[1])
