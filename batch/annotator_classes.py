"""Agreement of annotators on classes, tile by tile.

Areas by the classes of the annotators are sums over tiles. Clusters of crowns can cross tiles: each
tile writes its crowns and the IoU of their pairs, and the crowns of all tiles are clustered
together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.batch.classes import name_classes, read_choices, rename_classes
from randcrowns.batch.results import WORK_FOLDER, ResultsDirectory, read_table, write_table
from randcrowns.batch.source import Source
from randcrowns.batch.tile_reading import TileCrowns
from randcrowns.core.agreement.consensus_of_crowns import order_places
from randcrowns.core.agreement.crown_clusters import CrownPairs, cluster_pairs
from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.classes.agreement import Scale, check_scale
from randcrowns.core.classes.annotators import (
    CrownClassAgreement,
    are_contradictory,
    compare_crown_ratings,
    rate_clusters,
)
from randcrowns.core.classes.area_classes import (
    AreaClassAgreement,
    AreaRatings,
    ClassedLayer,
    ClassScale,
    can_be_overlaid,
    can_overlay_layers,
    compare_area_ratings,
    not_overlaid,
    rate_overlay,
)
from randcrowns.core.classes.values import NO_CLASS, encode_classes, parse_class_groups
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.overlap import overlap_without_ranks
from randcrowns.core.messages import merge_layer_messages
from randcrowns.jobs.agreement import check_class_values, class_tables
from randcrowns.jobs.parameters import JobValues

# Kinds of files of a tile: its crowns, and their pairs.
_CROWNS = f"{WORK_FOLDER}/class_crowns"
_PAIRS = f"{WORK_FOLDER}/class_pairs"
_BOUNDS = ["xmin", "ymin", "xmax", "ymax"]
_CROWN_COLUMNS = ["annotator", "id", "code", "size", *_BOUNDS]
_PAIR_COLUMNS = ["first", "first_id", "second", "second_id", "iou"]


@dataclass(frozen=True)
class AnnotatorClassChoices:
    """Parameters of the agreement on classes.

    Attributes:
        values: values of the job, of which those of classes are used.
        given: the parameters that differ from their defaults, by name.
    """

    values: JobValues
    given: Mapping[str, Any]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> AnnotatorClassChoices:
        """Return the parameters among the arguments of the job.

        Args:
            options: values by name of the parameter.

        Raises:
            InputError: if a value is invalid, or options of classes are given without a field.
        """
        values, changed_values = read_choices("agree", options)
        check_class_values(values)
        return cls(values, changed_values)

    def prepare(self, sources: Sequence[Source]) -> AnnotatorClasses:
        """Decide the names of all classes.

        Args:
            sources: the layers of the annotators.

        Raises:
            InputError: if a value is no class, or classes on an interval scale are not numbers.
        """
        column = self.values["class_field"]
        if not column:
            return AnnotatorClasses()
        groups = parse_class_groups(self.values["class_groups"])
        messages, names = name_classes([(source, column) for source in sources], groups)
        scale = ClassScale(Scale(self.values["class_scale"]), self.values["unmarked_class"])
        named_classes = np.array([*names.values(), None], dtype=object)
        check_scale(encode_classes(named_classes).labels, scale.scale)

        annotators = sorted(source.name for source in sources)
        rating_annotators = sorted(source.name for source in sources if source.has_field(column))
        return AnnotatorClasses(
            class_field=column,
            names=names,
            scale=scale,
            annotators=tuple(annotators),
            rating=tuple(rating_annotators),
            messages=tuple(map(str, merge_layer_messages(messages))),
        )


@dataclass(frozen=True)
class AnnotatorClasses:
    """Classes as every tile of a comparison needs them.

    Attributes:
        class_field: column with the class of each crown; empty for no classes.
        names: name of each class in the results.
        scale: scale of the classes, and whether unmarked ground is a class.
        annotators: (R,) names of all annotators, sorted.
        rating: names of the annotators whose layer has the field, sorted.
        messages: sentences on the classes of the input.
    """

    class_field: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    scale: ClassScale = field(default_factory=ClassScale)
    annotators: tuple[str, ...] = ()
    rating: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()

    @property
    def labels(self) -> Objects:
        """(K + 1,) names of the classes and that of unmarked ground; last None, for no class."""
        names = np.array([*self.names.values(), self.scale.unmarked, None], dtype=object)
        return np.array([*encode_classes(names).labels, None], dtype=object)

    def codes_of(self, classes: Objects) -> Ints:
        """Return the row of each class (n,) in :attr:`labels`; NO_CLASS for None."""
        row_of_label = {label: row for row, label in enumerate(self.labels[:-1])}
        rows = [NO_CLASS if label is None else row_of_label[label] for label in classes.ravel()]
        return np.array(rows, dtype=np.int64).reshape(classes.shape)


def compare_tile(
    classes: AnnotatorClasses,
    folder: str,
    key: str,
    layers: Mapping[str, TileCrowns],
    box: Floats,
) -> dict[str, Any]:
    """Rate the ground of a tile, and write its crowns and the IoU of their pairs.

    Args:
        classes: classes of the run.
        folder: the results directory.
        key: key of the tile.
        layers: crowns of each annotator in the tile and in a halo as wide as the largest crown.
        box: (4,) part of the tile within the study area: xmin, ymin, xmax, ymax, metres.

    Returns:
        Entries for the report of the tile: ``files``; ``class_areas``, a list of the codes of all
        annotators followed by an area in m²; ``ambiguous_area``, m², with several classes by one
        annotator; and ``contradictory``, the number of crowns with the outline of another one of
        their annotator, but a later class.
    """
    rated: dict[str, TileCrowns] = {}
    for name in classes.rating:
        renamed_crowns = rename_classes(layers[name].crowns, classes.names)
        rated[name] = layers[name]._replace(crowns=renamed_crowns)

    files: dict[str, Any] = {}
    crowns = _crown_table(classes, rated)
    if len(crowns):
        files |= write_table(Path(folder), f"{_CROWNS}/{key}.parquet", crowns)
    pairs = _pair_table(classes, rated)
    if len(pairs):
        files |= write_table(Path(folder), f"{_PAIRS}/{key}.parquet", pairs)

    n_contradictory = 0
    for layer in rated.values():
        is_contradictory = are_contradictory(layer.crowns) & layer.is_owned
        n_contradictory += int(np.count_nonzero(is_contradictory))
    crowns_of_annotator = {name: layer.crowns for name, layer in rated.items()}
    return {
        "files": files,
        "contradictory": n_contradictory,
        **_rate_ground(classes, crowns_of_annotator, box),
    }


def _crown_table(classes: AnnotatorClasses, rated: Mapping[str, TileCrowns]) -> pd.DataFrame:
    """Return annotator, id, code of the class, area (m²) and bounds of the crowns of a tile."""
    tables = []
    for name, layer in rated.items():
        crowns = layer.crowns.subset(layer.is_owned)
        class_names = np.asarray(crowns.classes, dtype=object)
        table = pd.DataFrame(shapely.bounds(crowns.geometry), columns=_BOUNDS)
        table["annotator"] = classes.annotators.index(name)
        table["id"] = crowns.ids
        table["code"] = classes.codes_of(class_names)
        table["size"] = shapely.area(crowns.geometry)
        tables.append(table)
    return _joined(tables, _CROWN_COLUMNS)


def _pair_table(classes: AnnotatorClasses, rated: Mapping[str, TileCrowns]) -> pd.DataFrame:
    """Return the IoU of crowns of two annotators that share an area.

    A pair belongs to the tile that owns its crown of the annotator whose name comes first.
    """
    tables = []
    for (name, layer), (other_name, other) in combinations(rated.items(), 2):
        crowns = layer.crowns.subset(layer.is_owned)
        overlap = overlap_without_ranks(crowns, other.crowns)
        columns = {
            "first": classes.annotators.index(name),
            "first_id": crowns.ids[overlap.target],
            "second": classes.annotators.index(other_name),
            "second_id": other.crowns.ids[overlap.prediction],
            "iou": overlap.iou,
        }
        tables.append(pd.DataFrame(columns))
    return _joined(tables, _PAIR_COLUMNS)


def _joined(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of all tables; tables without rows would change the types of columns."""
    with_rows = [table for table in tables if len(table)]
    if not with_rows:
        return pd.DataFrame(columns=list(columns))
    return pd.concat(with_rows, ignore_index=True)


def _rate_ground(
    classes: AnnotatorClasses, crowns: Mapping[str, Crowns], box: Floats
) -> dict[str, Any]:
    """Return ``class_areas`` and ``ambiguous_area`` of a box, see :func:`compare_tile`.

    Ground without any crown is not in them. There are none if the classes are too many.

    Args:
        classes: classes of the run.
        crowns: crowns of each annotator by name.
        box: (4,) xmin, ymin, xmax, ymax.
    """
    no_areas = {"class_areas": [], "ambiguous_area": 0.0}
    has_area = (box[:2] < box[2:]).all()
    if not has_area or not can_be_overlaid([crowns], [{}]):
        return no_areas
    overlay = rate_overlay(
        crowns, shapely.box(*box), list(classes.annotators), classes.scale.unmarked
    )
    if overlay is None:
        return no_areas
    areas = overlay.votes.weights
    is_counted = (overlay.votes.n_yes > 0) & (areas > 0)
    codes = classes.codes_of(overlay.ratings[is_counted])
    counted_areas = areas[is_counted]
    ambiguous_areas = areas[is_counted & overlay.is_ambiguous]
    return {
        "class_areas": [
            [*row_codes, area] for row_codes, area in zip(codes.tolist(), counted_areas.tolist())
        ],
        "ambiguous_area": float(ambiguous_areas.sum()),
    }


class _ClassCrowns(NamedTuple):
    """Crowns with classes of all tiles, in an order that does not depend on tiles and layers.

    Attributes:
        annotator: (N,) number of the annotator of each crown.
        ids: (N,) ids of the crowns in the layers of their annotators.
        classes: (N,) classes; None for a crown without one.
    """

    annotator: Ints
    ids: Ints
    classes: Objects

    @classmethod
    def read(cls, results: ResultsDirectory, classes: AnnotatorClasses) -> _ClassCrowns:
        """Read the crowns of all tiles."""
        table = read_table(results.files(_CROWNS), _CROWN_COLUMNS)
        annotator = table["annotator"].to_numpy(dtype=np.int64)
        ids = table["id"].to_numpy(dtype=np.int64)
        # A missing class is -1, the last label.
        names = classes.labels[table["code"].to_numpy(dtype=np.int64)]
        bounds = table[_BOUNDS].to_numpy(dtype=np.float64)
        areas = table["size"].to_numpy(dtype=np.float64)
        order = order_places(bounds, areas, annotator, names, ids)
        return cls(annotator[order], ids[order], names[order])

    def rows_of(self, annotator: Ints, ids: Ints) -> Ints:
        """Return the rows (n,) of crowns of which the annotators (n,) and ids (n,) are given."""
        order = np.lexsort((self.ids, self.annotator))
        annotator_in_order = self.annotator[order]
        ids_in_order = self.ids[order]
        rows = np.empty(len(ids), dtype=np.int64)
        for number in np.unique(annotator):
            start, stop = np.searchsorted(annotator_in_order, [number, number + 1])
            is_own = annotator == number
            positions = np.searchsorted(ids_in_order[start:stop], ids[is_own])
            rows[is_own] = order[start + positions]
        return rows

    def read_pairs(self, results: ResultsDirectory) -> CrownPairs:
        """Read the pairs of these crowns in all tiles."""
        table = read_table(results.files(_PAIRS), _PAIR_COLUMNS)
        whole_numbers = table[_PAIR_COLUMNS[:-1]].astype(np.int64)
        rows = self.rows_of(whole_numbers["first"].to_numpy(), whole_numbers["first_id"].to_numpy())
        partner_rows = self.rows_of(
            whole_numbers["second"].to_numpy(), whole_numbers["second_id"].to_numpy()
        )
        lower_rows = np.minimum(rows, partner_rows)
        upper_rows = np.maximum(rows, partner_rows)
        order = np.lexsort((upper_rows, lower_rows))
        iou = table["iou"].to_numpy(dtype=np.float64)
        return CrownPairs(first=lower_rows[order], second=upper_rows[order], iou=iou[order])


def compare_classes(
    results: ResultsDirectory,
    classes: AnnotatorClasses,
    stage: str,
    extent: Sequence[float] | None,
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Return the tables of the agreement on classes by name, and sentences about it.

    Args:
        results: the results directory, in which all tiles are compared.
        classes: classes of the run.
        stage: stage with the reports of :func:`compare_tile`.
        extent: study area as (xmin, ymin, xmax, ymax); None for the ground that anybody marked.
    """
    crowns = _ClassCrowns.read(results, classes)
    reports = results.stage_reports(stage)
    clusters = cluster_pairs(crowns.read_pairs(results), crowns.annotator)
    ratings = rate_clusters(clusters, crowns.annotator, crowns.classes, len(classes.annotators))
    crown_agreement: CrownClassAgreement = compare_crown_ratings(
        [ratings], classes.annotators, classes.scale.scale
    )
    # The clusters do not show the contradictory crowns: each tile counted its own.
    n_contradictory = sum(report["contradictory"] for report in reports.values())
    crown_agreement = crown_agreement._replace(n_contradictory=n_contradictory)
    area_agreement = _compare_areas(reports, classes, crowns, extent)

    messages = [*crown_agreement.messages, *area_agreement.messages]
    sentences = [*classes.messages, *[str(message) for message in messages]]
    return class_tables(crown_agreement, area_agreement), sentences


def _compare_areas(
    reports: Mapping[str, Mapping[str, Any]],
    classes: AnnotatorClasses,
    crowns: _ClassCrowns,
    extent: Sequence[float] | None,
) -> AreaClassAgreement:
    """Return the agreement on the classes of the ground.

    Args:
        reports: reports of all tiles by key.
        classes: classes of the run.
        crowns: crowns with classes of all tiles.
        extent: study area as (xmin, ymin, xmax, ymax); None for the ground that anybody marked.
    """
    layers = _classed_layers(classes, crowns)
    if not can_overlay_layers(layers):
        return not_overlaid(layers)
    # Areas in m² by the codes of the classes of all annotators.
    areas: defaultdict[tuple[int, ...], float] = defaultdict(float)
    # Sums of floats depend on their order, so tiles are added in a fixed one.
    reports_in_order = [reports[key] for key in sorted(reports)]
    for report in reports_in_order:
        for *codes, area in report["class_areas"]:
            areas[tuple(codes)] += area
    ambiguous_area = sum(report["ambiguous_area"] for report in reports_in_order)
    if extent is not None and len(crowns.ids):
        xmin, ymin, xmax, ymax = extent
        marked_area = sum(areas.values())
        unmarked_area = max((xmax - xmin) * (ymax - ymin) - marked_area, 0.0)
        areas[_codes_of_unmarked_ground(classes)] += unmarked_area
    code_rows = np.array(list(areas), dtype=np.int64).reshape(-1, len(classes.annotators))
    ratings = AreaRatings(
        ratings=classes.labels[code_rows],
        areas=np.array(list(areas.values()), dtype=np.float64),
        ambiguous_area=ambiguous_area,
    )
    return compare_area_ratings([ratings], classes.annotators, scale=classes.scale.scale)


def _codes_of_unmarked_ground(classes: AnnotatorClasses) -> tuple[int, ...]:
    """Return the code of the class by each annotator for ground that nobody marked."""
    unmarked_label = np.array([classes.scale.unmarked], dtype=object)
    unmarked_code = int(classes.codes_of(unmarked_label)[0])
    return tuple(
        unmarked_code if name in classes.rating else NO_CLASS for name in classes.annotators
    )


def _classed_layers(classes: AnnotatorClasses, crowns: _ClassCrowns) -> list[ClassedLayer]:
    """Return a layer without polygons per annotator and class, as an overlay has them."""
    no_polygons = np.empty(0, dtype=object)
    layers = []
    for name in classes.rating:
        is_of_annotator = crowns.annotator == classes.annotators.index(name)
        used_classes = set(crowns.classes[is_of_annotator])
        labels: list[str | None] = [*sorted(used_classes - {None})]
        if None in used_classes or not labels:
            labels.append(None)
        layers += [ClassedLayer(name, label, no_polygons) for label in labels]
    return layers
