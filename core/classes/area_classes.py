"""Agreement of annotators on the classes of the ground that they marked, in areas or pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.agreement.votes import MAX_ANNOTATORS, VoteTable
from randcrowns.core.arrays import Bools, Floats, Ints, Objects, number_text
from randcrowns.core.classes.agreement import (
    CONFUSION_KEYS,
    PAIR_WEIGHTS,
    ClassRatings,
    Scale,
    class_agreement,
    confusion_of_pairs,
    pairwise_agreement,
)
from randcrowns.core.classes.values import BACKGROUND, NO_CLASS, encode_classes
from randcrowns.core.crowns import Crowns
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, no_progress

#: Class of unmarked ground on an ordered scale, and value of unmarked pixels of rasters.
UNMARKED_VALUE = "0"
#: Columns of the table with the measures of a pair, or of all annotators.
AREA_COLUMNS = ("area", "area_agreement", "area_kappa", "area_alpha", "area_ac1")


@dataclass(frozen=True)
class ClassScale:
    """Options of the agreement on classes.

    Attributes:
        scale: scale of the classes. On an ordered scale the kappa of a pair is weighted.
        counts_unmarked: True if unmarked ground is a class of its own, False if it is not rated.
    """

    scale: Scale = Scale.NOMINAL
    counts_unmarked: bool = False

    @property
    def unmarked(self) -> str | None:
        """Class of unmarked ground: the lowest, 0, on an ordered scale; None if not rated."""
        if not self.counts_unmarked:
            return None
        return BACKGROUND if self.scale is Scale.NOMINAL else UNMARKED_VALUE


class AreaClassAgreement(NamedTuple):
    """Agreement of annotators on the classes of areas."""

    #: Agreement of all annotators, whose names are None, then of each pair: ``first``, ``second``
    #: and :data:`AREA_COLUMNS`. ``area`` is the ground with a class by both, or by several, m².
    table: pd.DataFrame
    #: A row per pair of annotators and of classes that occurs: :data:`CONFUSION_KEYS` and ``area``.
    confusion: pd.DataFrame
    messages: list[Message]  #: messages about the areas.


class AreaRatings(NamedTuple):
    """Classes that annotators gave to the pieces of ground, or pixels, of an image."""

    ratings: Objects  #: (N, R) class by each annotator; None where there is none.
    areas: Floats  #: (N,) areas of the pieces, m².
    ambiguous_area: float = 0.0  #: area with several classes by one annotator, m².


def area_class_agreement(
    images: Sequence[tuple[Mapping[str, Crowns], Any]],
    unit: str = "m",
    options: ClassScale | None = None,
    reviewed: Sequence[Mapping[str, Any]] = (),
) -> AreaClassAgreement:
    """Compute the agreement of annotators on the classes of the ground that they marked.

    The ground is a unit per area. It is rated by the annotators whose crowns of one class cover
    it. Ground on which an annotator's crowns of several classes overlap is not rated by that
    annotator, and unmarked ground only if it counts as a class.

    Args:
        images: crowns of each annotator by name, and the polygon of the study area (None for
            everywhere), for each image or plot. Annotators without classes did not rate.
        unit: unit of lengths, for messages.
        options: scale of the classes, and whether unmarked ground is a class.
        reviewed: polygon that an annotator has reviewed, by name, for each image; everywhere by
            default.

    Returns:
        The agreement. It has no rows if there are too many classes to be overlaid.

    >>> import shapely
    >>> ann = Crowns([shapely.box(0, 0, 2, 1), shapely.box(2, 0, 4, 1)], classes=["oak", "ash"])
    >>> ben = Crowns([shapely.box(0, 0, 3, 1)], classes=["oak"])
    >>> table = area_class_agreement([({"Ann": ann, "Ben": ben}, None)]).table
    >>> table.loc[1, ["first", "second"]].tolist()
    ['Ann', 'Ben']
    >>> table.loc[1, ["area", "area_agreement"]].astype(float).round(3).tolist()
    [3.0, 0.667]
    """
    options = options or ClassScale()
    layers_by_name = [crowns for crowns, _ in images]
    reviewed_areas = reviewed or [{}] * len(images)
    if not can_be_overlaid(layers_by_name, reviewed_areas):
        layers = [layer for crowns in layers_by_name for layer in classed_layers(crowns)]
        return not_overlaid(layers)
    names = sorted({name for crowns in layers_by_name for name in crowns})
    parts = []
    for (crowns, study_area), reviewed_of_image in zip(images, reviewed_areas):
        part = rate_polygons(crowns, study_area, names, options.unmarked, reviewed_of_image)
        parts.append(part)
    # Areas have no smallest unit.
    return compare_area_ratings(parts, names, unit, scale=options.scale, unit_area=0.0)


def not_overlaid(layers: Sequence[ClassedLayer]) -> AreaClassAgreement:
    """Return an agreement without rows, with the message that the layers are too many."""
    return AreaClassAgreement(_empty_table(), _empty_confusion(), [too_many_message(layers)])


def compare_area_ratings(
    parts: Iterable[AreaRatings],
    names: Sequence[str],
    unit: str = "m",
    *,
    scale: Scale = Scale.NOMINAL,
    unit_area: float = 0.0,
) -> AreaClassAgreement:
    """Compute the agreement of R annotators on the classes of pieces of ground or pixels.

    Args:
        parts: ratings of the ground of each image, plot or tile.
        names: (R,) names of the annotators.
        unit: unit of lengths, for messages.
        scale: scale of the classes.
        unit_area: area of a pixel, m²; 0 for exact areas, which have no smallest unit.

    Raises:
        InputError: if classes on an interval scale are not numbers.

    >>> ratings = AreaRatings(np.array([["1", "1"], ["2", "1"]], dtype=object), np.array([3.0, 1]))
    >>> table = compare_area_ratings([ratings], ["Ann", "Ben"]).table
    >>> table["area_agreement"].tolist()
    [0.75, 0.75]
    """
    all_parts = list(parts)
    # The empty arrays give the result its shape if there is no part.
    no_ratings = np.empty((0, len(names)), dtype=object)
    no_areas = np.empty(0)
    weighted_ratings = ClassRatings.from_ratings(
        np.concatenate([no_ratings, *(part.ratings for part in all_parts)]),
        np.concatenate([no_areas, *(part.areas for part in all_parts)]),
    )
    ratings = replace(weighted_ratings, unit_weight=unit_area)
    ambiguous_area = sum(part.ambiguous_area for part in all_parts)
    return AreaClassAgreement(
        table=_agreement_table(ratings, names, scale),
        confusion=confusion_of_pairs(ratings, names, "area"),
        messages=_messages(ratings, ambiguous_area, unit, scale),
    )


def rate_pixels(codes: Ints, labels: Sequence[str], pixel_area: float) -> AreaRatings:
    """Return the ratings of pixels, summed by their distinct patterns.

    Args:
        codes: (R, …) row of each pixel's class in ``labels`` by each annotator;
            :data:`randcrowns.core.classes.values.NO_CLASS` for a missing rating.
        labels: (K,) names of the classes.
        pixel_area: area of a pixel, m².

    >>> rated = rate_pixels(np.array([[0, 0, 1], [0, 0, -1]]), ["ash", "oak"], 0.25)
    >>> rated.ratings.tolist(), rated.areas.tolist()
    ([['ash', 'ash'], ['oak', None]], [0.5, 0.25])
    """
    patterns = ClassRatings.from_stack(codes, codes == NO_CLASS)
    # The labels of the patterns are the used rows of ``labels``, as texts.
    used_labels = [labels[int(row)] for row in patterns.labels]
    # A missing rating is -1, the last label.
    label_of_code = np.array([*used_labels, None], dtype=object)
    return AreaRatings(ratings=label_of_code[patterns.codes], areas=patterns.weights * pixel_area)


def add_area_columns(crowns: pd.DataFrame, areas: pd.DataFrame) -> pd.DataFrame:
    """Return the agreement on classes of crowns with the columns of areas.

    Args:
        crowns: rows of :attr:`randcrowns.core.classes.annotators.CrownClassAgreement.table`.
        areas: rows of :attr:`AreaClassAgreement.table`.

    Returns:
        A row for all annotators, then one per pair in either table. Annotators whose rasters hold
        the classes have no crowns.

    >>> crowns = pd.DataFrame({"first": [None], "second": [None], "compared": [3]})
    >>> areas = pd.DataFrame({"first": [None, "a"], "second": [None, "b"], "area": [2.5, 1]})
    >>> add_area_columns(crowns, areas)[["compared", "area"]].to_numpy().tolist()
    [[3.0, 2.5], [0.0, 1.0]]
    """
    pairs = areas if len(areas) > len(crowns) else crowns
    first_names = pairs["first"].tolist()
    second_names = pairs["second"].tolist()
    columns: dict[str, Any] = {"first": first_names, "second": second_names}
    table_of_column = dict.fromkeys(crowns.columns, crowns) | dict.fromkeys(AREA_COLUMNS, areas)
    for name, table in table_of_column.items():
        if name in ("first", "second"):
            continue
        value_of_pair = _values_by_pair(table, name)
        columns[name] = [value_of_pair.get(pair, np.nan) for pair in zip(first_names, second_names)]
    joined: pd.DataFrame = pd.DataFrame(columns)
    joined["compared"] = joined["compared"].fillna(0)
    return joined


def _values_by_pair(table: pd.DataFrame, name: str) -> dict[tuple[str, str], float]:
    """Return the values of a column by the names of both annotators; none without the column."""
    if name not in table:
        return {}
    return dict(zip(zip(table["first"], table["second"]), table[name]))


def add_area_confusion(crowns: pd.DataFrame, areas: pd.DataFrame) -> pd.DataFrame:
    """Return the classes of crowns by pairs of annotators with the areas of the same classes.

    Args:
        crowns: rows of :attr:`randcrowns.core.classes.annotators.CrownClassAgreement.confusion`.
        areas: rows of :attr:`AreaClassAgreement.confusion`.

    Returns:
        A row per pair of annotators and of classes in either table; 0 for what the other lacks.

    >>> pair = {"first": ["a"], "second": ["b"], "first_class": ["oak"], "second_class": ["oak"]}
    >>> crowns = pd.DataFrame({**pair, "crowns": [2]})
    >>> areas = pd.DataFrame({**pair, "second_class": ["ash"], "area": [2.5]})
    >>> add_area_confusion(crowns, areas)[["second_class", "crowns", "area"]].to_numpy().tolist()
    [['ash', 0, 2.5], ['oak', 2, 0.0]]
    """
    table = crowns.merge(areas, on=list(CONFUSION_KEYS), how="outer", sort=False)
    table = table.assign(
        crowns=table["crowns"].fillna(0).astype(int),
        area=table["area"].fillna(0.0).astype(float),
    )
    encoded = encode_classes(table["first_class"], table["second_class"])
    first_codes, second_codes = encoded.codes
    # numpy sorts by the last key first.
    order = np.lexsort([second_codes, first_codes, _ranks(table["second"]), _ranks(table["first"])])
    ordered: pd.DataFrame = table.iloc[order].reset_index(drop=True)
    return ordered


def rate_polygons(
    crowns: Mapping[str, Crowns],
    area: Any,
    names: Sequence[str],
    unmarked: str | None = None,
    reviewed: Mapping[str, Any] | None = None,
) -> AreaRatings:
    """Return the ratings of the ground of an image by the polygons on it.

    Args:
        crowns: crowns of each annotator by name.
        area: polygon of the study area; None for everywhere.
        names: (R,) names of all annotators.
        unmarked: class of unmarked ground; None if it is not rated.
        reviewed: polygon that an annotator has reviewed, by name; everywhere for the others.
    """
    overlay = rate_overlay(crowns, area, names, unmarked, reviewed)
    if overlay is None:
        return AreaRatings(ratings=np.empty((0, len(names)), dtype=object), areas=np.empty(0))
    pattern_areas = overlay.votes.weights
    ambiguous_area = float(pattern_areas[overlay.is_ambiguous].sum())
    return AreaRatings(overlay.ratings, pattern_areas, ambiguous_area)


class RatedOverlay(NamedTuple):
    """Overlay of the polygons of annotators and classes, with the ratings of its M patterns."""

    votes: VoteTable  #: patterns of the overlaid layers, with their areas.
    ratings: Objects  #: (M, R) class by each annotator; None where there is none.
    is_ambiguous: Bools  #: (M,) True where polygons of one annotator have several classes.


def rate_overlay(
    crowns: Mapping[str, Crowns],
    area: Any,
    names: Sequence[str],
    unmarked: str | None = None,
    reviewed: Mapping[str, Any] | None = None,
    *,
    with_faces: bool = False,
    progress: Progress = no_progress,
) -> RatedOverlay | None:
    """Overlay the polygons of all annotators and classes, and return the ratings.

    Args:
        crowns: crowns of each annotator by name.
        area: study area, one polygon or several; None for everywhere.
        names: (R,) names of all annotators.
        unmarked: class of unmarked ground; None if it is not rated.
        reviewed: polygon that an annotator has reviewed, by name; everywhere for the others.
        with_faces: True to keep the faces, for a map.
        progress: receives the fraction done.

    Returns:
        The ratings; None without polygons of an annotator with classes.
    """
    layers = classed_layers(crowns)
    if not any(len(layer.polygons) for layer in layers):
        return None
    reviewed_by_name = reviewed or {}
    overlaid = _overlaid_layers(layers, len(reviewed_by_name))
    # Overlaid layers are named by their numbers, because an annotator may have several.
    polygons_by_number = {}
    reviewed_by_number = {}
    for number, annotator in enumerate(overlaid.annotators):
        polygons_by_number[str(number)] = overlaid.polygons[number]
        if annotator in reviewed_by_name:
            reviewed_by_number[str(number)] = reviewed_by_name[annotator]
    votes = VoteTable.from_polygons(
        polygons_by_number,
        area,
        faces=with_faces,
        progress=progress,
        reviewed=reviewed_by_number,
    )
    return _rate_patterns(votes, layers, overlaid.rows, names, unmarked)


def _rate_patterns(
    votes: VoteTable,
    layers: Sequence[ClassedLayer],
    overlaid_rows: Sequence[Ints],
    names: Sequence[str],
    unmarked: str | None,
) -> RatedOverlay:
    """Return the class that each annotator gave each pattern of overlaid layers.

    Args:
        votes: overlay with M patterns.
        layers: polygons of each annotator and class.
        overlaid_rows: for each of these layers, the overlaid layers that all cover its polygons.
        names: (R,) names of all annotators.
        unmarked: class of unmarked ground; None if it is not rated.
    """
    n_patterns = len(votes.patterns)
    encoded = encode_classes(np.array([*(layer.label for layer in layers), unmarked], dtype=object))
    layer_codes = encoded.codes[0][:-1]
    unmarked_code = encoded.codes[0][-1]
    # (layers, patterns) True where the polygons of a classed layer cover the ground.
    is_marked = np.stack([votes.patterns[:, rows].all(axis=1) for rows in overlaid_rows])

    codes = np.full((n_patterns, len(names)), NO_CLASS)
    is_ambiguous = np.zeros(n_patterns, dtype=bool)
    for column, name in enumerate(names):
        own_layers = [number for number, layer in enumerate(layers) if layer.annotator == name]
        if not own_layers:
            continue
        marked = rate_marks(is_marked[own_layers], layer_codes[own_layers], unmarked_code)
        is_reviewed = np.ones(n_patterns, dtype=bool)
        if votes.is_rated is not None:
            own_rows = np.concatenate([overlaid_rows[number] for number in own_layers])
            is_reviewed = votes.is_rated[:, own_rows].all(axis=1)
        codes[is_reviewed, column] = marked.codes[is_reviewed]
        is_ambiguous |= marked.is_ambiguous & is_reviewed
    # A missing rating is -1, the last label.
    label_of_code = np.array([*encoded.labels, None], dtype=object)
    return RatedOverlay(votes, label_of_code[codes], is_ambiguous)


class ClassedLayer(NamedTuple):
    """Polygons of one annotator and class."""

    annotator: str  #: name of the annotator.
    label: str | None  #: the class; None for the polygons without one.
    polygons: Objects  #: (n,) polygons, perhaps none.


def classed_layers(crowns: Mapping[str, Crowns]) -> list[ClassedLayer]:
    """Return the polygons of each annotator and class, those without a class last.

    Args:
        crowns: crowns of each annotator by name.

    Returns:
        At least one layer of each annotator with classes, none of the others.
    """
    layers = []
    for name, annotator_crowns in crowns.items():
        classes = annotator_crowns.classes
        if classes is None:
            continue
        polygons = annotator_crowns.geometry
        labels = sorted({label for label in classes if label is not None})
        layers += [ClassedLayer(name, label, polygons[classes == label]) for label in labels]
        is_unclassed = np.array([label is None for label in classes], dtype=bool)
        if is_unclassed.any() or not labels:
            layers.append(ClassedLayer(name, label=None, polygons=polygons[is_unclassed]))
    return layers


class MarkedClasses(NamedTuple):
    """Classes of pieces of ground, or pixels, by one annotator."""

    codes: Ints  #: (N,) code of each unit's class; NO_CLASS where it has none, or several.
    is_ambiguous: Bools  #: (N,) True where it has several.


def rate_marks(is_marked: Bools, layer_codes: Ints, unmarked: int) -> MarkedClasses:
    """Return the class of each unit that an annotator's polygons cover.

    Args:
        is_marked: (L, N) True where the polygons of layer L cover the unit.
        layer_codes: (L,) code of the class of each layer;
            :data:`randcrowns.core.classes.values.NO_CLASS` for polygons without a class.
        unmarked: code of units without any polygon.

    >>> marks = np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], dtype=bool)
    >>> rate_marks(marks, np.array([5, 6, NO_CLASS]), 7).codes.tolist()
    [5, -1, -1, 7]
    """
    has_class = layer_codes != NO_CLASS
    n_classes = is_marked[has_class].sum(axis=0)
    codes = np.where(is_marked.any(axis=0), NO_CLASS, unmarked)
    for is_of_class, code in zip(is_marked[has_class], layer_codes[has_class]):
        codes[is_of_class & (n_classes == 1)] = code
    return MarkedClasses(codes, n_classes > 1)


class _OverlaidLayers(NamedTuple):
    """Polygons that are overlaid instead of the layers of :func:`classed_layers`."""

    annotators: list[str]  #: (L,) annotator of each overlaid layer.
    polygons: list[Objects]  #: (L,) its polygons.
    #: Overlaid layers that all cover the polygons of a classed layer, for each classed layer.
    rows: list[Ints]


def _overlaid_layers(layers: Sequence[ClassedLayer], n_reviewed: int) -> _OverlaidLayers:
    """Return the layers to overlay: one per classed layer or, if they are too many, fewer.

    To save layers, the polygons of a class are put into several layers of their annotator, another
    set of layers for each class. No set contains another one (Sperner 1928), so that the layers on
    a piece of ground contain the sets of several classes only where these overlap.

    Args:
        layers: polygons of each annotator and class.
        n_reviewed: number of reviewed areas, which are overlaid too.
    """
    if len(layers) + n_reviewed <= MAX_ANNOTATORS:
        return _OverlaidLayers(
            annotators=[layer.annotator for layer in layers],
            polygons=[layer.polygons for layer in layers],
            rows=[np.array([row]) for row in range(len(layers))],
        )
    annotators: list[str] = []
    polygons: list[Objects] = []
    rows: list[Ints] = [np.empty(0, np.int64)] * len(layers)
    for annotator in dict.fromkeys(layer.annotator for layer in layers):
        layer_rows = [row for row, layer in enumerate(layers) if layer.annotator == annotator]
        combined = _combine_layers([layers[row] for row in layer_rows])
        for row, combined_rows in zip(layer_rows, combined.rows):
            rows[row] = len(polygons) + combined_rows
        annotators += combined.annotators
        polygons += combined.polygons
    return _OverlaidLayers(annotators, polygons, rows)


def _combine_layers(layers: Sequence[ClassedLayer]) -> _OverlaidLayers:
    """Put the polygons of one annotator into few layers, see :func:`_overlaid_layers`.

    Args:
        layers: polygons of each class of the annotator, at least one layer.

    Returns:
        The layers, those with the polygons without a class last.
    """
    classed_rows = [row for row, layer in enumerate(layers) if layer.label is not None]
    unclassed_rows = [row for row, layer in enumerate(layers) if layer.label is None]
    numbers_of_row = dict(zip(classed_rows, _layer_sets(len(classed_rows))))
    n_layers = 0
    for numbers in numbers_of_row.values():
        n_layers = max(n_layers, max(numbers) + 1)
    for row in unclassed_rows:
        numbers_of_row[row] = (n_layers,)
        n_layers += 1

    polygons = []
    for number in range(n_layers):
        parts = [
            layers[row].polygons for row, numbers in numbers_of_row.items() if number in numbers
        ]
        polygons.append(np.concatenate(parts))
    return _OverlaidLayers(
        annotators=[layers[0].annotator] * n_layers,
        polygons=polygons,
        rows=[np.array(numbers_of_row[row]) for row in range(len(layers))],
    )


def _layer_sets(n_classes: int) -> list[tuple[int, ...]]:
    """Return a set of layer numbers per class, none of which contains another one.

    >>> _layer_sets(3), _layer_sets(4)
    ([(0,), (1,), (2,)], [(0, 1), (0, 2), (0, 3), (1, 2)])
    """
    # Sets of half of the layers are the most that do not contain each other (Sperner 1928).
    n_layers = 1
    set_size = 1
    while math.comb(n_layers, set_size) < n_classes:
        n_layers += 1
        set_size = n_layers // 2
    return list(islice(combinations(range(n_layers), set_size), n_classes))


def can_be_overlaid(
    images: Sequence[Mapping[str, Crowns]], reviewed: Sequence[Mapping[str, Any]]
) -> bool:
    """Return True if the annotators and classes of each image are few enough to be overlaid.

    Args:
        images: crowns of each annotator by name, for each image.
        reviewed: polygon that an annotator has reviewed, by name, for each image.

    >>> can_be_overlaid([{}], [{}])
    True
    """
    return all(
        can_overlay_layers(classed_layers(crowns), len(reviewed_areas))
        for crowns, reviewed_areas in zip(images, reviewed)
    )


def can_overlay_layers(layers: Sequence[ClassedLayer], n_reviewed: int = 0) -> bool:
    """Return True if the layers of an image are few enough to be overlaid.

    Args:
        layers: layers of each annotator and class; their polygons have no effect.
        n_reviewed: number of reviewed areas, which are overlaid too.

    >>> can_overlay_layers([ClassedLayer("Ann", "oak", np.empty(0, dtype=object))])
    True
    """
    overlaid = _overlaid_layers(layers, n_reviewed)
    return len(overlaid.polygons) + n_reviewed <= MAX_ANNOTATORS


def _ranks(names: pd.Series) -> Ints:
    """Return the rank of each name in alphabetical order."""
    return cast("Ints", np.unique(names.to_numpy(dtype=str), return_inverse=True)[1].ravel())


def _empty_table() -> pd.DataFrame:
    """Return a table of agreement without rows."""
    return cast("pd.DataFrame", pd.DataFrame(columns=["first", "second", *AREA_COLUMNS]))


def _empty_confusion() -> pd.DataFrame:
    """Return a table of the classes of pairs without rows."""
    table = pd.DataFrame(columns=[*CONFUSION_KEYS, "area"])
    return cast("pd.DataFrame", table.astype({"area": float}))


def _agreement_table(ratings: ClassRatings, names: Sequence[str], scale: Scale) -> pd.DataFrame:
    """Return the rows of :attr:`AreaClassAgreement.table`.

    Args:
        ratings: ratings of areas by R annotators.
        names: (R,) names of the annotators.
        scale: scale of the classes.
    """
    overall = class_agreement(ratings, scale)
    overall_row = {
        "first": None,
        "second": None,
        "area": overall.compared_weight,
        "area_agreement": overall.raw_agreement,
        "area_kappa": overall.fleiss_kappa,
        "area_alpha": overall.krippendorff_alpha,
        "area_ac1": overall.gwet_ac1,
    }
    pairs = pairwise_agreement(ratings, names, PAIR_WEIGHTS[scale])
    pairs = pairs.rename(
        columns={"compared": "area", "agreement": "area_agreement", "kappa": "area_kappa"}
    )
    table: pd.DataFrame = pd.concat([pd.DataFrame([overall_row]), pairs], ignore_index=True)
    return cast("pd.DataFrame", table[["first", "second", *AREA_COLUMNS]])


def _messages(
    ratings: ClassRatings, ambiguous_area: float, unit: str, scale: Scale
) -> list[Message]:
    """Return messages about the agreement, and about ground with several classes.

    Args:
        ratings: ratings of areas by all annotators.
        ambiguous_area: area on which an annotator's crowns of several classes overlap, m².
        unit: unit of lengths.
        scale: scale of the classes.
    """
    overall = class_agreement(ratings, scale)
    messages = []
    if overall.compared_weight > 0:
        messages.append(
            info(
                "agreement.area_classes",
                "Classes of {area:,.0f} {unit}² that several annotators marked: {share:.0%} equal, "
                "Krippendorff's alpha {alpha}.",
                area=overall.compared_weight,
                unit=unit,
                share=overall.raw_agreement,
                alpha=number_text(overall.krippendorff_alpha),
            )
        )
    if ambiguous_area > 0:
        messages.append(
            note(
                "agreement.overlapping_classes",
                "On {area:,.1f} {unit}², crowns of different classes by one annotator overlap. "
                "This ground has no class by that annotator.",
                area=ambiguous_area,
                unit=unit,
            )
        )
    return messages


def too_many_message(layers: Sequence[ClassedLayer]) -> Message:
    """Return the message that annotators and classes are too many to be overlaid.

    Args:
        layers: layers of each annotator and class of all images.
    """
    return note(
        "agreement.too_many_classes",
        "The classes of areas are not compared: {annotators:,} annotators with {classes:,} classes "
        "are too many to be overlaid. Compare fewer annotators, or take classes as one.",
        annotators=len({layer.annotator for layer in layers}),
        classes=len({layer.label for layer in layers} - {None}),
    )
