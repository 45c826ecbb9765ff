"""Content model of a report: texts, tables, figures and pictures, which a page arranges.

All texts are plain texts in the language of the reader. A page escapes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pandas as pd

from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.language import tr
from randcrowns.report.references import CitedWork

#: Maximum number of sentences of an answer in its box, and their number if there are more.
_MAX_LEAD = 4
_SHORT_LEAD = 2
#: Maximum number of rows of a table; the page gives the number of the others.
MAX_TABLE_ROWS = 60
#: Number of plots above which a table shows only the worst rows, and maximum number of these rows.
MAX_PLOT_ROWS = 20
#: The same of a list of examples, such as crowns that were excluded for equal reasons.
MAX_LISTED_ROWS = 10
#: Maximum width of a table that stays one on a telephone, letters, and width of a column's margins.
_MAX_PHONE_LETTERS = 46
_MARGIN_LETTERS = 1.5
#: Maximum number of rows of a table with many columns that is transposed.
_MAX_TRANSPOSED_ROWS = 3


class TableContent(NamedTuple):
    """Content of a table as it is displayed."""

    titles: Sequence[str]  #: (columns,) titles.
    #: (columns,) True for columns that are aligned right, such as numbers.
    is_right_aligned: Sequence[bool]
    rows: Sequence[Sequence[str]]  #: rows of cells, a text per column.
    #: Title and meaning of each kind of numbers that has an explanation.
    meanings: Sequence[tuple[str, str]] = ()

    @property
    def fits_phone(self) -> bool:
        """True if the table is so narrow that it stays a table on a telephone.

        Texts may be broken between their words, and a number before its interval.

        >>> TableContent(["Detector", "AP"], [False, True], [["net", "0.512"]]).fits_phone
        True
        """
        rows = [self.titles, *self.rows]
        widths = [
            max((len(word) for row in rows for word in row[index].split(" ")), default=0)
            for index in range(len(self.titles))
        ]
        return sum(widths) + _MARGIN_LETTERS * len(widths) <= _MAX_PHONE_LETTERS

    def fit_to_page(self) -> TableContent:
        """Return a table with few rows and many columns with rows and columns exchanged.

        The texts before the first number of a row become the title of its column.
        """
        if not len(self.rows) <= _MAX_TRANSPOSED_ROWS < len(self.titles) / 2:
            return self
        first_number = next(
            (index for index, is_right in enumerate(self.is_right_aligned) if is_right), 0
        )
        names = [", ".join(row[:first_number]) for row in self.rows]
        rows = [
            [title, *(row[index] for row in self.rows)]
            for index, title in enumerate(self.titles)
            if index >= first_number
        ]
        are_numbers = [False, *(True for _ in names)]
        return TableContent(["", *names], are_numbers, rows, self.meanings)


class Picture(NamedTuple):
    """An encoded image with its description."""

    #: Content of the image file.
    data: bytes
    #: MIME type of the file.
    mime_type: str
    #: Width, pixels.
    width: int
    #: Height, pixels.
    height: int
    #: Description of what the image shows, for readers who cannot see it.
    description: str


class LegendEntry(NamedTuple):
    """A line of a legend."""

    #: Image of the symbol; None for the heading with the name of a layer.
    swatch: Picture | None
    #: Label of the symbol, or name of the layer.
    label: str


class LegendOfLayer(NamedTuple):
    """Symbols of a layer in a legend."""

    name: str  #: name of the layer; "" without one.
    entries: list[LegendEntry]  #: symbols with their labels.


def has_reason(row: Mapping[Any, Any]) -> bool:
    """Return True if a row has the reason why a number is missing.

    >>> has_reason({"value": float("nan"), "reason": "no crowns"}), has_reason({"value": 0.5})
    (True, False)
    """
    reason = row.get("reason")
    return isinstance(reason, str) and bool(reason)


def drop_unused_units(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows without the column of the units that intervals are over if there are none.

    >>> rows = pd.DataFrame({"resampled": ["crowns"], "iou_low": [float("nan")]})
    >>> list(drop_unused_units(rows))
    ['iou_low']
    """
    ends = [name for name in rows if str(name).rpartition("_")[2] == "low"]
    if "resampled" not in rows or rows[ends].notna().any(axis=None):
        return rows
    return rows.drop(columns="resampled")


def drop_single_plots(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows by plot without those that repeat the row of all plots.

    The row of the only plot of a layer or an annotator is dropped. If none has several plots, the
    column ``plot`` becomes empty. Otherwise, the column ``layer`` is dropped if there is only one
    layer, which the answer names.

    >>> rows = pd.DataFrame({"layer": ["a", "a"], "plot": ["north", "all"], "targets": [3, 3]})
    >>> drop_single_plots(rows).values.tolist()
    [['a', '', 3]]
    """
    subjects = pd.Series("", rows.index)
    for name in ("layer", "annotator"):
        if name in rows:
            subjects = rows[name]
            break
    is_of_plot = rows["plot"] != ALL_PLOTS
    has_several_plots = is_of_plot.groupby(subjects).transform("sum") > 1
    reduced = rows[has_several_plots | ~is_of_plot]
    if not has_several_plots.any():
        return reduced.assign(plot="")
    if "layer" in reduced and len(set(reduced["layer"])) == 1:
        return reduced.drop(columns="layer")
    return reduced


def worst_plots_first(
    rows: pd.DataFrame, max_rows: int = MAX_TABLE_ROWS
) -> tuple[pd.DataFrame, str]:
    """Return rows in an order in which a table of some of them shows the worst plots.

    If all rows fit, or if they are not the numbers of plots, the order stays as it is.

    Args:
        rows: rows of a summary by plot, of one or several layers.
        max_rows: maximum number of rows of plots in the table.

    Returns:
        The rows of all plots together and then the plots, the worst first; and a sentence that
        says so, or "".

    >>> rows = pd.DataFrame({"plot": ["north", "south", "all"], "f1": [0.9, 0.2, 0.5]})
    >>> ordered, sentence = worst_plots_first(rows, 1)
    >>> ordered["plot"].tolist(), sentence
    (['all', 'south', 'north'], 'The plots with the lowest F1 are shown.')
    """
    if "plot" not in rows or (rows["plot"] != ALL_PLOTS).sum() <= _limit_rows(rows, max_rows):
        return rows, ""
    labels = {
        "randcrowns_mean": tr("mean RandCrowns"),
        "f1": "F1",
        "recall": tr("recall"),
        "mean_f1": tr("mean pairwise F1"),
    }
    name = next((name for name in labels if name in rows and rows[name].notna().any()), "")
    if not name:
        return rows, ""
    is_overall = rows["plot"] == ALL_PLOTS
    plots = rows[~is_overall]
    order = plots[name].astype(float).sort_values(kind="stable").index
    sentence = tr("The plots with the lowest {measure} are shown.", measure=labels[name])
    return pd.concat([rows[is_overall], plots.loc[order]]), sentence


def _limit_rows(rows: pd.DataFrame, max_rows: int) -> int:
    """Return the maximum number of rows of a table, which is smaller for many plots.

    Args:
        rows: rows of the table; those of all plots together do not count.
        max_rows: maximum number of rows of a table without plots.
    """
    if "plot" not in rows:
        return max_rows
    n_plots = rows.loc[rows["plot"] != ALL_PLOTS, "plot"].nunique()
    return min(max_rows, MAX_PLOT_ROWS) if n_plots > MAX_PLOT_ROWS else max_rows


class ChosenRows(NamedTuple):
    """Rows of a table that a report shows."""

    rows: pd.DataFrame  #: the rows, in their order.
    left_out: int  #: number of the other rows.
    order: str  #: sentence on how the rows were chosen; "" if all are shown.


def choose_rows(rows: pd.DataFrame, max_rows: int, has_plots: bool = True) -> ChosenRows:
    """Return the rows of a table that a report shows: of many plots, those of the worst.

    The rows of all plots together do not count, so that all tables show the same plots.

    Args:
        rows: all rows.
        max_rows: maximum number of rows.
        has_plots: False to show no single plots if there are many.

    >>> rows = pd.DataFrame({"plot": ["all", *map(str, range(30))], "f1": [0.5, *[0.4] * 30]})
    >>> chosen = choose_rows(rows, 60)
    >>> len(chosen.rows), chosen.left_out
    (21, 10)
    >>> choose_rows(rows, 60, has_plots=False).rows["plot"].tolist()
    ['all']
    """
    limit = _limit_rows(rows, max_rows)
    ordered, order = worst_plots_first(rows, max_rows)
    n_overall = int((rows["plot"] == ALL_PLOTS).sum()) if "plot" in rows else 0
    if not has_plots and limit < max_rows and n_overall:
        limit, order = 0, ""
        ordered = pd.concat([rows[rows["plot"] == ALL_PLOTS], rows[rows["plot"] != ALL_PLOTS]])
    shown = ordered.head(limit + n_overall)
    return ChosenRows(shown, len(rows) - len(shown), order)


def drop_equal_columns(cells: TableContent, rows: pd.DataFrame) -> tuple[TableContent, str]:
    """Return a table of plots without the columns of numbers that are equal in all rows.

    A table whose numbers are all equal stays as it is, as does a table without several plots.

    Args:
        cells: content of the table, whose meanings stay.
        rows: the rows that it shows.

    Returns:
        The table, and a sentence with the equal numbers; or "".

    >>> cells = TableContent(["Plot", "F1", "Splits"], [False, True, True], [
    ...     ["north", "0.9", "0"], ["south", "0.2", "0"]])
    >>> kept, sentence = drop_equal_columns(cells, pd.DataFrame({"plot": ["north", "south"]}))
    >>> kept.titles, sentence
    (['Plot', 'F1'], 'In all rows: Splits 0.')
    """
    if "plot" not in rows or (~rows["plot"].isin(["", ALL_PLOTS])).sum() < 2:
        return cells, ""
    is_equal = [
        is_number and len({row[column] for row in cells.rows}) == 1
        for column, is_number in enumerate(cells.is_right_aligned)
    ]
    if not any(is_equal) or sum(is_equal) == sum(cells.is_right_aligned):
        return cells, ""
    kept = [column for column, equal in enumerate(is_equal) if not equal]
    numbers = tuple(
        f"{title} {cells.rows[0][column]}"
        for column, title in enumerate(cells.titles)
        if is_equal[column]
    )
    content = TableContent(
        [cells.titles[column] for column in kept],
        [cells.is_right_aligned[column] for column in kept],
        [[row[column] for column in kept] for row in cells.rows],
        cells.meanings,
    )
    return content, tr("In all rows: {numbers}.", numbers=numbers)


def split_rows(
    title: str, frame: pd.DataFrame, column: str, text_of: Callable[[str], str] = str
) -> list[tuple[str, pd.DataFrame]]:
    """Return title and rows of a table for each value of a column, without this column.

    Args:
        title: title of the whole table.
        frame: rows of the table.
        column: column of texts; "" for one table. If it has a single value, the table stays whole.
        text_of: function that returns the displayed text of a value.

    >>> rows = pd.DataFrame({"measure": ["IoU", "AP"], "value": [0.5, 0.6]})
    >>> [part for part, _ in split_rows("Scores", rows, "measure")]
    ['Scores: IoU', 'Scores: AP']
    """
    if column not in frame or frame[column].nunique() < 2:
        return [(title, frame)]
    parts = []
    for value, rows in frame.groupby(column, sort=False):
        known = rows.drop(columns=column).dropna(axis="columns", how="all")
        parts.append((f"{title}: {text_of(str(value))}", known))
    return parts


def has_rows_of_plots(summary: pd.DataFrame) -> bool:
    """Return True if a summary has rows of several plots, which tables of a report then show.

    Args:
        summary: rows with the column ``plot`` or ``image``. Of images, the first row is that of all
            images together.

    >>> has_rows_of_plots(pd.DataFrame({"plot": ["all", "north", "south"]}))
    True
    >>> has_rows_of_plots(pd.DataFrame({"plot": ["all", "north"]}))
    False
    """
    if "plot" in summary:
        return len(set(summary["plot"].dropna()) - {"", ALL_PLOTS}) > 1
    return "image" in summary and len(set(summary["image"].dropna())) > 1


def map_notes(
    crs: str,
    layer: str,
    n_layers: int,
    image: str = "",
    is_legible: bool = True,
    part: str = "",
    has_plots: bool = False,
) -> list[str]:
    """Return sentences on the coordinate system, layers and images of the map of a run.

    Args:
        crs: name of the coordinate system; "" for crowns in pixels, or if it is unknown.
        layer: name of the layer whose scores the map shows; "" if it shows the scores of no layer.
        n_layers: number of layers with scores.
        image: name of the image that the map shows of several; "" if it shows all crowns.
        is_legible: False if the crowns are too small for a map, which is omitted.
        part: name of the image whose extent the map shows, because crowns would be too small on a
            map of all; "" if it shows all crowns.
        has_plots: True if the report has a table with rows of plots.

    >>> map_notes("EPSG:32633", "anna", 4)[0]
    'The map shows the first of 4 layers, anna; the others are not on it.'
    """
    if not is_legible:
        sentences = [tr("There is no map: most crowns would be smaller than two pixels.")]
        if has_plots:
            sentences.append(tr("The tables have the numbers of the plots."))
        return sentences
    notes = []
    if n_layers > 1:
        notes.append(
            tr(
                "The map shows the first of {count} layers, {layer}; the others are not on it.",
                count=n_layers,
                layer=layer,
            )
        )
    if crs:
        notes.append(tr("Coordinate system: {crs}.", crs=crs))
    if image:
        text = "The map shows only image {image}; the crowns of the other images are not on it."
        notes.append(tr(text, image=image))
    if part:
        notes.append(
            tr(
                "The map shows only the extent of image {image}: on a map of all crowns, most "
                "would be smaller than two pixels.",
                image=part,
            )
        )
    return notes


@dataclass(frozen=True)
class Table:
    """Table of a report."""

    title: str  #: title.
    cells: TableContent  #: displayed content.
    note: str = ""  #: explanation of the brackets; empty without intervals.
    left_out: int = 0  #: number of further rows that are not displayed.


class Answer(NamedTuple):
    """Answer of a run."""

    sentences: list[str]  #: sentences, the most important first.
    table: Table | None  #: table with the numbers; None without numbers.
    #: Sentences that limit what the answer means; they are shown before it as warnings.
    caveats: Sequence[str] = ()


@dataclass(frozen=True)
class Panel:
    """Diagram that is drawn when a page needs it, as vectors or as pixels."""

    draw: Callable[[Any], object]  #: function that draws it on Matplotlib axes.
    width: float  #: width, inches.
    height: float  #: height, inches.
    #: Description of what the diagram shows, for readers who cannot see it.
    description: str


@dataclass(frozen=True)
class Figure:
    """One or several diagrams side by side with a title and a caption."""

    title: str  #: title.
    panels: Sequence[Panel]  #: diagrams, in their order.
    caption: str = ""  #: number of crowns, and what points and bars are.


def single_figure(
    title: str,
    draw: Callable[[Any], object],
    caption: str,
    description: str,
    size: tuple[float, float] = (4.8, 3.6),
) -> Figure:
    """Return a figure with one diagram.

    Args:
        title: title, translated. It replaces the title that ``draw`` gives the axes.
        draw: function that draws the diagram on Matplotlib axes.
        caption: number of annotators or crowns, and what points, lines and colours are.
        description: numbers of the diagram, for readers who cannot see it.
        size: width and height, inches. Texts of wider diagrams are too small on a telephone.
    """

    def draw_untitled(axes: Any) -> None:
        """Draw the diagram without a title inside."""
        draw(axes)
        axes.set_title("")

    return Figure(title, [Panel(draw_untitled, *size, description)], caption)


@dataclass(frozen=True)
class CrownFigure:
    """Small map of a crown, with texts."""

    picture: Picture  #: the map.
    name: str  #: name of the crown.
    numbers: Sequence[tuple[str, str]]  #: names and formatted values of its scores.
    problem: str  #: problem of the crown; empty for none.
    cause: str  #: cause of the problem; empty for none.
    problem_colour: str = ""  #: colour of the problem's tag (``#rrggbb``); empty for the default.
    verdict: str = ""  #: verdict of a reviewer with the comment; empty for none.


@dataclass(frozen=True)
class Sheet:
    """Crowns that are shown together."""

    title: str  #: title.
    about: str  #: description.
    crowns: Sequence[CrownFigure]  #: the crowns.
    #: Colour (``#rrggbb``) and name of each kind of outlines, as a legend.
    colours: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Part:
    """Further part of a report, such as strata or classes."""

    title: str  #: title.
    sentences: Sequence[str] = ()  #: paragraphs above the figures.
    figures: Sequence[Figure] = ()  #: figures.
    tables: Sequence[Table] = ()  #: tables.


@dataclass
class Section:
    """Report on one run; parts that are not requested or not available are empty."""

    title: str  #: layers, parameters and time of the run.
    answer: list[str] = field(default_factory=list)  #: conclusion of the run, in sentences.
    answer_table: Table | None = None  #: table with the numbers of the answer.
    #: Sentences that limit what the answer means, as warnings before it.
    caveats: list[str] = field(default_factory=list)
    #: Warnings of the run, in sentences; they limit the answer too, and are before it.
    warnings: list[str] = field(default_factory=list)
    plots: list[Figure] = field(default_factory=list)  #: figures of the results.
    map: Picture | None = None  #: map of the run's layers.
    legend: list[LegendEntry] = field(default_factory=list)  #: legend of the map.
    sheets: list[Sheet] = field(default_factory=list)  #: sheets of crowns.
    problems: list[Figure] = field(default_factory=list)  #: figures of the crowns' problems.
    notes: list[str] = field(default_factory=list)  #: notes of the run, in sentences.
    review: list[str] = field(default_factory=list)  #: sentences on verdicts of reviewers.
    rejected: Table | None = None  #: crowns that reviewers rejected; None without any.
    further: list[Part] = field(default_factory=list)  #: further parts, such as strata and classes.
    tables: list[Table] = field(default_factory=list)  #: tables of results.
    #: Name and source of each layer that was read.
    compared: list[tuple[str, str]] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)  #: sentences of a methods paragraph.
    cited: list[CitedWork] = field(default_factory=list)  #: works that the methods name.
    #: Label and display text of each parameter, and of the versions.
    choices: list[tuple[str, str]] = field(default_factory=list)
    command: str = ""  #: terminal command that repeats the run.
    #: Names of layers that the command cannot read.
    unrepeatable: list[str] = field(default_factory=list)
    #: Names of layers with unsaved edits, which the command does not read.
    edited: list[str] = field(default_factory=list)
    #: Sentences on what the map shows, or on why there is none.
    map_notes: list[str] = field(default_factory=list)

    def drop_repeated_caveats(self) -> None:
        """Remove the warnings and notes that are caveats, which stand before the answer."""
        self.warnings = [sentence for sentence in self.warnings if sentence not in self.caveats]
        self.notes = [sentence for sentence in self.notes if sentence not in self.caveats]

    def explain_short_names(self) -> None:
        """Add a note that long names are shortened, below the first table or to the notes."""
        note = tr("Long names are shortened; see What was compared.")
        if self.answer_table is None:
            self.notes.append(note)
        else:
            table_note = " ".join(filter(None, [self.answer_table.note, note]))
            self.answer_table = replace(self.answer_table, note=table_note)

    @property
    def lead_sentences(self) -> list[str]:
        """Sentences of the answer in its box: all if they are few, else the first two.

        So sentences of one kind, such as those on the classes of each layer, stand together.
        """
        return self.answer if len(self.answer) <= _MAX_LEAD else self.answer[:_SHORT_LEAD]

    @property
    def further_sentences(self) -> list[str]:
        """Sentences of the answer in the list below its box."""
        return self.answer[len(self.lead_sentences) :]

    @property
    def figures(self) -> list[Figure]:
        """All figures, in the order of the page."""
        further = [figure for part in self.further for figure in part.figures]
        return [*self.plots, *self.problems, *further]

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """Titles and meaning of the numbers of all tables, in the order of the page.

        Titles with one meaning, such as those of several thresholds, stand together. A title with
        several meanings is followed by that of its table; the table of the answer shows no title.
        """
        answer = [self.answer_table] if self.answer_table is not None else []
        further = [table for part in self.further for table in part.tables]
        tables = [*answer, *further, *self.tables]
        meanings_by_title: dict[str, set[str]] = {}
        for table in tables:
            for title, meaning in table.cells.meanings:
                meanings_by_title.setdefault(title, set()).add(meaning)
        titles_by_meaning: dict[str, dict[str, None]] = {}
        for table in tables:
            for title, meaning in table.cells.meanings:
                is_ambiguous = len(meanings_by_title[title]) > 1 and table.title
                table_title = tr("first table") if table is self.answer_table else table.title
                name = f"{title} ({table_title})" if is_ambiguous else title
                titles_by_meaning.setdefault(meaning, {})[name] = None
        return [(", ".join(titles), meaning) for meaning, titles in titles_by_meaning.items()]

    @property
    def legend_of_layers(self) -> list[LegendOfLayer]:
        """Legend of the map by layer; entries before the first name of a layer have the name ""."""
        layers = [LegendOfLayer("", [])]
        for entry in self.legend:
            if entry.swatch is None:
                layers.append(LegendOfLayer(entry.label, []))
            else:
                layers[-1].entries.append(entry)
        return [layer for layer in layers if layer.entries]


@dataclass(frozen=True)
class Report:
    """Content of a report, which templates read under the name ``report``."""

    title: str  #: title of the report: what was compared with what.
    made: str  #: sentence with the time and the versions.
    sections: Sequence[Section]  #: a section per run.
    cited: Sequence[CitedWork]  #: works that any section cites, each once.
    made_day: str = ""  #: day on which the report was made, for the foot of printed pages.

    @property
    def figures(self) -> list[Figure]:
        """All figures, in the order of the sections."""
        return [figure for section in self.sections for figure in section.figures]
