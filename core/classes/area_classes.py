"""Agreement of annotators on the classes of the ground that they marked, crown by crown or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.agreement.votes import MAX_ANNOTATORS, VoteTable
from randcrowns.core.arrays import Floats, Objects, number_text
from randcrowns.core.classes.agreement import ClassRatings, class_agreement, pairwise_agreement
from randcrowns.core.crowns import Crowns
from randcrowns.core.messages import Message, info, note

#: Columns of the table with the measures of a pair, or of all annotators.
AREA_COLUMNS = ("area", "area_agreement", "area_kappa", "area_alpha")


class AreaClassAgreement(NamedTuple):
    """Agreement of annotators on the classes of areas."""

    #: Agreement of all annotators, whose names are None, then of each pair: ``first``, ``second``
    #: and :data:`AREA_COLUMNS`. ``area`` is the ground with a class by both, or by several, m².
    table: pd.DataFrame
    messages: list[Message]  #: messages about the areas.


class _ImageRatings(NamedTuple):
    """Ratings of the pieces of ground of an image."""

    ratings: Objects  #: (N, R) class by each annotator; None where there is none.
    areas: Floats  #: (N,) areas of the pieces, m².
    ambiguous_area: float  #: area on which an annotator's crowns of several classes overlap, m².


def area_class_agreement(
    images: Sequence[tuple[Mapping[str, Crowns], Any]], unit: str = "m"
) -> AreaClassAgreement:
    """Compute the agreement of annotators on the classes of the ground that they marked.

    The ground is a unit per area. It is rated by the annotators whose crowns of one class cover
    it. Unmarked ground, and ground on which an annotator's crowns of several classes overlap, is
    not rated by that annotator.

    Args:
        images: crowns of each annotator by name, and the polygon of the study area (None for
            everywhere), for each image or plot. Annotators without classes did not rate.
        unit: unit of lengths, for messages.

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
    names = sorted({name for crowns, _ in images for name in crowns})
    n_layers = max((len(_classed_layers(crowns)) for crowns, _ in images), default=0)
    if n_layers > MAX_ANNOTATORS:
        return AreaClassAgreement(_empty_table(), [_too_many_message(n_layers)])
    rated = (_rate_image(crowns, area, names) for crowns, area in images)
    parts = [part for part in rated if part is not None]
    no_ratings = np.empty((0, len(names)), dtype=object)
    ratings = ClassRatings.from_ratings(
        np.concatenate([no_ratings, *(part.ratings for part in parts)]),
        np.concatenate([np.empty(0), *(part.areas for part in parts)]),
    )
    # Areas have no smallest unit.
    ratings = replace(ratings, unit_weight=0.0)
    ambiguous_area = sum(part.ambiguous_area for part in parts)
    messages = _messages(ratings, ambiguous_area, unit)
    return AreaClassAgreement(_agreement_table(ratings, names), messages)


def add_area_columns(crowns: pd.DataFrame, areas: pd.DataFrame) -> pd.DataFrame:
    """Return the agreement on classes of crowns with the columns of areas.

    Args:
        crowns: rows of :attr:`randcrowns.core.classes.annotators.CrownClassAgreement.table`.
        areas: rows of :attr:`AreaClassAgreement.table`.

    >>> crowns = pd.DataFrame({"first": [None], "second": [None], "compared": [3]})
    >>> areas = pd.DataFrame({"first": [None], "second": [None], "area": [2.5]})
    >>> add_area_columns(crowns, areas)[["compared", "area"]].to_numpy().tolist()
    [[3.0, 2.5]]
    """
    by_pair = {(row["first"], row["second"]): row for row in areas.to_dict("records")}
    columns = {}
    for name in AREA_COLUMNS:
        columns[name] = [
            by_pair.get(pair, {}).get(name, np.nan)
            for pair in zip(crowns["first"], crowns["second"])
        ]
    table: pd.DataFrame = crowns.assign(**columns)
    return table


def _classed_layers(crowns: Mapping[str, Crowns]) -> dict[tuple[str, str], Objects]:
    """Return the polygons of each annotator and class that has some."""
    layers = {}
    for name, layer in crowns.items():
        if layer.classes is None:
            continue
        for label in sorted({label for label in layer.classes if label is not None}):
            layers[name, label] = layer.geometry[layer.classes == label]
    return layers


def _rate_image(
    crowns: Mapping[str, Crowns], area: Any, names: Sequence[str]
) -> _ImageRatings | None:
    """Return the ratings of the ground of an image; None if nothing has a class.

    Args:
        crowns: crowns of each annotator by name.
        area: polygon of the study area; None for everywhere.
        names: (R,) names of all annotators.
    """
    layers = _classed_layers(crowns)
    if not layers:
        return None
    votes = VoteTable.from_polygons(
        {str(number): polygons for number, polygons in enumerate(layers.values())},
        area,
        faces=False,
    )
    ratings = np.full((len(votes.patterns), len(names)), None, dtype=object)
    is_ambiguous = np.zeros(len(votes.patterns), dtype=bool)
    for column, name in enumerate(names):
        own = [number for number, (annotator, _) in enumerate(layers) if annotator == name]
        labels = np.array([label for annotator, label in layers if annotator == name], dtype=object)
        is_marked = votes.patterns[:, own]
        n_classes = is_marked.sum(axis=1)
        rows = np.flatnonzero(n_classes == 1)
        ratings[rows, column] = labels[is_marked[rows].argmax(axis=1)] if len(rows) else None
        is_ambiguous |= n_classes > 1
    return _ImageRatings(ratings, votes.weights, float(votes.weights[is_ambiguous].sum()))


def _empty_table() -> pd.DataFrame:
    """Return a table of agreement without rows."""
    return cast("pd.DataFrame", pd.DataFrame(columns=["first", "second", *AREA_COLUMNS]))


def _agreement_table(ratings: ClassRatings, names: Sequence[str]) -> pd.DataFrame:
    """Return the rows of :attr:`AreaClassAgreement.table`."""
    overall = class_agreement(ratings)
    row = {
        "first": None,
        "second": None,
        "area": overall.compared_weight,
        "area_agreement": overall.raw_agreement,
        "area_kappa": overall.fleiss_kappa,
        "area_alpha": overall.krippendorff_alpha,
    }
    new_names = {"compared": "area", "agreement": "area_agreement", "kappa": "area_kappa"}
    pairs = pairwise_agreement(ratings, names).rename(columns=new_names)
    rows: pd.DataFrame = pd.concat([pd.DataFrame([row]), pairs], ignore_index=True)
    return cast("pd.DataFrame", rows[["first", "second", *AREA_COLUMNS]])


def _messages(ratings: ClassRatings, ambiguous_area: float, unit: str) -> list[Message]:
    """Return messages about the agreement, and about ground with several classes.

    Args:
        ratings: ratings of areas by all annotators.
        ambiguous_area: area on which an annotator's crowns of several classes overlap, m².
        unit: unit of lengths.
    """
    overall = class_agreement(ratings)
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


def _too_many_message(n_layers: int) -> Message:
    """Return the message that annotators and classes are too many to be overlaid."""
    return note(
        "agreement.too_many_classes",
        "The classes of areas are not compared: the annotators have {count:,} classes in total, "
        "and at most {most} can be overlaid. Classes of crowns are compared.",
        count=n_layers,
        most=MAX_ANNOTATORS,
    )
