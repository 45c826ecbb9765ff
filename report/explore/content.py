"""Content of a page to explore: outlines, tables of crowns, image tiles and layers of verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.review.verdicts import LayerKey
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.status import TextEnum
from randcrowns.report.colour_classes import ColourClasses
from randcrowns.report.crown_drawings import StatusLine


class ColumnKind(TextEnum):
    """Kind of a column, which decides how the page shows, filters and colours its values."""

    #: Score from 0 to 1.
    SCORE = "score"
    #: Any other number.
    NUMBER = "number"
    #: One of a few values, such as a status.
    CATEGORY = "category"
    #: Any other text.
    TEXT = "text"


class ColumnRole(TextEnum):
    """Meaning of a column that the page treats in its own way."""

    NAME = "name"
    PROBLEM = "problem"
    CAUSE = "cause"
    PLOT = "plot"
    CLASS = "class"
    STATUS = "status"
    OTHER = "other"


@dataclass(frozen=True)
class ExploreColumn:
    """Column of a view.

    Attributes:
        name: name of the column in the rows of the view.
        label: heading, in the reader's language.
        kind: kind of its values.
        role: meaning of its values.
        help: explanation of its values; empty for none.
        digits: decimals of numbers, as in :func:`randcrowns.report.language.format_value`; None to
            choose them by the size of each number.
        labels: displayed text of a value by the value; other values are displayed as they are.
        colours: colour of a value, ``#rrggbb``, by the value.
        classes: classes of numbers with their colours; None for those of the kind.
        lines: line on the map around the rows of a status, by its value. On maps of scores, too, it
            takes the place of the colour of the row.
        is_listed: True for a column of the table; the panel of the crown shows all columns.
    """

    name: str
    label: str
    kind: ColumnKind = ColumnKind.TEXT
    role: ColumnRole = ColumnRole.OTHER
    help: str = ""
    digits: int | None = 2
    labels: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    classes: ColourClasses | None = None
    lines: Mapping[str, StatusLine] = field(default_factory=dict)
    is_listed: bool = True


@dataclass(frozen=True)
class OutlineLayer:
    """Outlines that are drawn in one colour and switched on and off together.

    Attributes:
        name: name of the layer.
        colour: colour of the outlines, ``#rrggbb``.
        shapes: (n,) shapely polygons or multipolygons in the coordinates of the page, x to the
            east and y to the north; None where there is no outline.
        is_shown: True if the page shows the layer when it is opened.
        dashes: lengths of the parts of the lines, pixels; empty for solid lines.
    """

    name: str
    colour: str
    shapes: Objects
    is_shown: bool = True
    dashes: Sequence[float] = ()


@dataclass(frozen=True)
class OutlineReferences:
    """Outlines of the rows of a view.

    Attributes:
        layer: (n,) index of the outline layer of each row.
        outline: (n,) index of the row's outline in this layer; -1 for none.
        match_layer: index of the outline layer of the matches; -1 if the view has none.
        matches: (n,) index of the match's outline in this layer; -1 for none.
    """

    layer: Ints
    outline: Ints
    match_layer: int
    matches: Ints

    @classmethod
    def for_targets(
        cls, match_layer: int, match_ids: pd.Series, ids: pd.Series, extra_rows: Ints
    ) -> OutlineReferences:
        """Return the outlines of all targets and then of the unmatched crowns of another layer.

        The targets are the outline layer 0.

        Args:
            match_layer: index of the outline layer of the other crowns.
            match_ids: (t,) id of the crown that matches each target; missing without a match.
            ids: (p,) ids of the other crowns; of equal ids the first counts.
            extra_rows: (e,) positions of the unmatched ones among the other crowns.

        >>> references = OutlineReferences.for_targets(
        ...     1, pd.Series([8, None]), pd.Series([7, 8]), np.array([0])
        ... )
        >>> references.layer.tolist(), references.outline.tolist(), references.matches.tolist()
        ([0, 0, 1], [0, 1, 0], [1, -1, -1])
        """
        n_targets = len(match_ids)
        n_extras = len(extra_rows)
        position_of_id = pd.Series(np.arange(len(ids)), ids)
        position_of_id = position_of_id[~position_of_id.index.duplicated()]
        matches = match_ids.map(position_of_id).fillna(-1).to_numpy(np.int64)
        return cls(
            layer=np.repeat([0, match_layer], [n_targets, n_extras]),
            outline=np.concatenate([np.arange(n_targets), extra_rows]),
            match_layer=match_layer,
            matches=np.concatenate([matches, np.full(n_extras, -1)]),
        )


@dataclass(frozen=True)
class ReviewedCrowns:
    """Identity and state of the crowns of a view, which are stored with each verdict.

    Attributes:
        targets: identity of the target layer.
        delineations: identity of the delineation layer.
        crowns: a row per row of the view with the columns ``side``, ``feature_id``, ``outline``,
            ``match``, ``score`` and ``problem`` (see
            :data:`randcrowns.core.review.verdicts.VERDICT_COLUMNS`).
    """

    targets: LayerKey
    delineations: LayerKey
    crowns: pd.DataFrame


@dataclass(frozen=True)
class ThresholdSlider:
    """Values from which the page computes precision and recall at any threshold.

    Attributes:
        label: name of the value that is compared with the threshold.
        targets: (t,) value of each target that counts; NaN for a target without a match.
        predictions: (p,) value of each prediction that counts; NaN for one without a match.
        row_values: (n,) value of each row of the view, for its colour on the map; NaN for a row
            that does not reach any threshold.
        start: threshold when the page is opened.
        judges_unmatched: False if only some crowns were drawn. The page then counts no false
            detections.
        is_rule: True if the threshold decides which targets are detected; False if it is compared
            with scores of targets that have a match.
        note: sentence below the counts; empty for none.
    """

    label: str
    targets: Floats
    predictions: Floats
    row_values: Floats
    start: float
    judges_unmatched: bool = True
    is_rule: bool = False
    note: str = ""


@dataclass(frozen=True)
class DetectionCurve:
    """Precision and recall of a detector at the scores of its detections.

    Attributes:
        label: detector and ground truth.
        threshold: (n,) minimum scores of the detections that count, falling.
        precision: (n,) precision at each minimum score; NaN if unknown.
        recall: (n,) recall at each minimum score.
    """

    label: str
    threshold: Floats
    precision: Floats
    recall: Floats


@dataclass(frozen=True)
class Regions:
    """Lengths from which the page draws the regions of the selected crown.

    Attributes:
        alpha: true positive boundary, in units of the page.
        omega: true negative inner boundary, in units of the page.
        gamma: area of the true negative region over that of the true positive region.
        corners: ``mitre``, ``round`` or ``auto``, see
            :class:`randcrowns.core.scoring.parameters.RandCrownsParameters`.
    """

    alpha: float
    omega: float
    gamma: float
    corners: str = "auto"

    @classmethod
    def from_parameters(cls, parameters: RandCrownsParameters) -> Regions:
        """Return the lengths of the parameters of a run."""
        return cls(parameters.alpha, parameters.omega, parameters.gamma, parameters.offsets)


@dataclass(frozen=True)
class View:
    """A table of crowns or areas, linked to the map.

    Attributes:
        name: name, such as that of the delineation layer.
        rows: (n,) rows of the table.
        columns: columns of ``rows`` that are shown.
        outlines: outlines of the rows.
        order: name of the column by which the rows are sorted at first; empty for none.
        is_descending: True to sort by the highest value first.
        colour: name of the column by which the map is coloured at first; empty to choose it.
        review: identity of the crowns; None if the rows take no verdicts.
        sliders: thresholds that the page can change.
        is_filled: True to fill the outlines of the rows, which do not overlap.
        state_lines: line on the map around the rows of a state of the sliders: ``missed``,
            ``false`` or ``notJudged``.
        false_detections: (f,) positions of the rows that are false detections. They have no score,
            and the page sorts them like scores of 0.
    """

    name: str
    rows: pd.DataFrame
    columns: Sequence[ExploreColumn]
    outlines: OutlineReferences
    order: str = ""
    is_descending: bool = False
    colour: str = ""
    review: ReviewedCrowns | None = None
    sliders: Sequence[ThresholdSlider] = ()
    is_filled: bool = False
    state_lines: Mapping[str, StatusLine] = field(default_factory=dict)
    false_detections: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))


@dataclass(frozen=True)
class PairTable:
    """A small table, such as the pairs of annotators.

    Attributes:
        title: title, in the reader's language.
        headings: heading of each column.
        cells: displayed texts, a sequence per row.
        helps: meaning of each column, "" for none; empty if no column has one.
    """

    title: str
    headings: Sequence[str]
    cells: Sequence[Sequence[str]]
    helps: Sequence[str] = ()


@dataclass(frozen=True)
class ImageTile:
    """A square of the image at one zoom level, ``TILE_SIZE`` pixels wide.

    Attributes:
        zoom: zoom level; a unit of the page has ``2 ** zoom`` pixels.
        column: number of the tile to the right of x = 0.
        row: number of the tile downwards from y = 0.
        data: content of the image file.
        mask: PNG file that is opaque where the image has pixels; empty if all of them are.
    """

    zoom: int
    column: int
    row: int
    data: bytes
    mask: bytes = b""


@dataclass(frozen=True)
class ImagePyramid:
    """The image at several zoom levels.

    Attributes:
        mime_type: type of the files, such as ``image/jpeg``.
        tiles: the tiles.
    """

    mime_type: str
    tiles: Sequence[ImageTile]


@dataclass(frozen=True)
class ExploredRun:
    """Content of a page to explore.

    Attributes:
        id: identity of the run, stored with the verdicts; empty if unknown.
        title: what was compared with what.
        provenance: one line with the time and the versions.
        answer: conclusion of the run, a sentence each.
        unit: unit of lengths, ``m`` or ``px``.
        layers: outlines; the first layer is drawn at the top.
        views: tables of crowns or areas; empty for a page with curves and tables alone.
        origin: coordinates (x, y) of the page's origin in the coordinate reference system of the
            run. The outlines and the tiles are relative to it.
        regions: lengths of the regions; None if the run has none.
        image: the image; None without one.
        curves: curves of detectors.
        tables: further small tables.
        warnings: warnings of the run, in sentences, as in its report.
    """

    id: str
    title: str
    provenance: str
    answer: Sequence[str]
    unit: str
    layers: Sequence[OutlineLayer]
    views: Sequence[View]
    origin: tuple[float, float] = (0.0, 0.0)
    regions: Regions | None = None
    image: ImagePyramid | None = None
    curves: Sequence[DetectionCurve] = ()
    tables: Sequence[PairTable] = ()
    warnings: Sequence[str] = ()
