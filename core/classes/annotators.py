"""Agreement of annotators on the classes of crowns that they drew alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.consensus_of_crowns import order_drawings
from randcrowns.core.agreement.crown_clusters import (
    DEFAULT_MATCH_IOU,
    CrownClusters,
    cluster_crowns,
)
from randcrowns.core.agreement.reviewed_areas import ReviewedAreas
from randcrowns.core.arrays import Bools, Ints, Objects, number_text
from randcrowns.core.class_names import class_values
from randcrowns.core.classes.agreement import (
    PAIR_WEIGHTS,
    ClassAgreement,
    ClassRatings,
    Scale,
    class_agreement,
    confusion_of_pairs,
    pairwise_agreement,
)
from randcrowns.core.classes.values import group_layer_classes
from randcrowns.core.crowns import Crowns, required_classes
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.core.tie_ranks import rank_names


class CrownClassAgreement(NamedTuple):
    """Agreement of annotators on the classes of crowns."""

    #: A row per pair of annotators, see
    #: :func:`randcrowns.core.classes.agreement.pairwise_agreement`.
    pairs: pd.DataFrame
    #: Agreement of all annotators; who did not draw a crown did not rate it.
    overall: ClassAgreement
    #: A row per pair of annotators and of classes that occurs: ``first``, ``second`` (names),
    #: ``first_class``, ``second_class``, ``crowns``.
    confusion: pd.DataFrame
    #: Number of crowns of which annotators have reviewed less than half, which are not rated.
    n_unreviewed: int = 0
    #: Number of crowns with the outline of another crown of their annotator and another class.
    n_contradictory: int = 0

    @property
    def n_compared(self) -> int:
        """Number of crowns that at least two annotators gave a class."""
        return int(self.overall.compared_weight)

    @property
    def table(self) -> pd.DataFrame:
        """Agreement of all annotators, whose names are None, then of each pair."""
        overall = {
            "first": None,
            "second": None,
            "compared": self.n_compared,
            "agreement": self.overall.raw_agreement,
            "kappa": self.overall.fleiss_kappa,
            "alpha": self.overall.krippendorff_alpha,
        }
        table: pd.DataFrame = pd.concat([pd.DataFrame([overall]), self.pairs], ignore_index=True)
        return table

    @property
    def messages(self) -> list[Message]:
        """Message with the agreement of all annotators, and messages about their crowns."""
        messages = [self.message]
        if self.n_unreviewed:
            messages.append(
                note(
                    "agreement.unreviewed_crowns",
                    "{count:,} crowns have no part in the agreement on classes: less than half of "
                    "each lies in the area that its annotator reviewed.",
                    one="1 crown has no part in the agreement on classes: less than half of it "
                    "lies in the area that its annotator reviewed.",
                    count=self.n_unreviewed,
                )
            )
        return messages + contradiction_messages(self.n_contradictory)

    @property
    def message(self) -> Message:
        """Message with the agreement of all annotators on classes."""
        if not self.n_compared:
            return note(
                "agreement.no_classes",
                "No crown has a class by several annotators, so their classes are not compared.",
            )
        return info(
            "agreement.classes",
            "Classes of {count:,} crowns that several annotators drew: {share:.0%} equal, "
            "Krippendorff's alpha {alpha}.",
            count=self.n_compared,
            share=self.overall.raw_agreement,
            alpha=number_text(self.overall.krippendorff_alpha),
        )


def crown_class_agreement(
    images: Sequence[Mapping[str, Crowns]],
    threshold: float = DEFAULT_MATCH_IOU,
    progress: Progress = no_progress,
    *,
    scale: Scale = Scale.NOMINAL,
    reviewed: Sequence[Mapping[str, Any]] = (),
) -> CrownClassAgreement:
    """Compute the agreement of annotators on the classes of crowns that they drew alike.

    Crowns of several annotators are clustered by their outlines alone, at most one of each
    annotator in a cluster. A cluster is a unit with a rating by each annotator who drew it.

    Args:
        images: crowns of each annotator by name, for each image or plot. Annotators without classes
            did not rate.
        threshold: mean IoU from which crowns are the same tree.
        progress: called with the fraction done; may raise to cancel.
        scale: scale of the classes. On an ordered scale the kappa of a pair is weighted, see
            :data:`randcrowns.core.classes.agreement.PAIR_WEIGHTS`.
        reviewed: polygon that an annotator has reviewed, by name, for each image; everywhere by
            default. Ratings of crowns are missing outside it.

    Returns:
        The agreement. Of crowns of one annotator with the same outline, the first class in
        alphabetical order has precedence. The order of annotators and of crowns has no effect.

    Raises:
        InputError: if the threshold is invalid, or classes on an interval scale are not numbers.

    >>> boxes = [shapely.box(9 * x, 0, 9 * x + 4, 4) for x in range(3)]
    >>> ann = Crowns(boxes, classes=["oak", "ash", "oak"])
    >>> ben = Crowns(boxes[:2], classes=["oak", "oak"])
    >>> agreement = crown_class_agreement([{"Ann": ann, "Ben": ben}])
    >>> agreement.pairs[["compared", "agreement"]].to_numpy().tolist(), agreement.n_compared
    ([[2.0, 0.5]], 2)
    """
    names = sorted({name for crowns in images for name in crowns})
    reviewed_areas = reviewed or [{}] * len(images)
    n_classed = 0
    n_rated = 0
    n_contradictory = 0
    parts = []
    images_with_areas = list(zip(images, reviewed_areas))
    for (crowns, areas), image_progress in iterate_with_progress(images_with_areas, progress):
        classed = {name: layer for name, layer in crowns.items() if layer.classes is not None}
        rated = _reviewed_crowns(classed, areas)
        n_classed += sum(len(layer) for layer in classed.values())
        n_rated += sum(len(layer) for layer in rated.values())
        n_contradictory += count_contradictions(rated)
        parts.append(_rate_image(rated, names, threshold, image_progress))
    agreement = compare_crown_ratings(parts, names, scale)
    return agreement._replace(n_unreviewed=n_classed - n_rated, n_contradictory=n_contradictory)


def compare_crown_ratings(
    parts: Iterable[Objects], names: Sequence[str], scale: Scale = Scale.NOMINAL
) -> CrownClassAgreement:
    """Compute the agreement of R annotators on the classes of clusters of crowns.

    Args:
        parts: for each image (n, R) classes by each annotator, see :func:`rate_clusters`.
        names: (R,) names of the annotators.
        scale: scale of the classes.

    Raises:
        InputError: if classes on an interval scale are not numbers.

    >>> ratings = np.array([["oak", "oak"], ["ash", "oak"], ["ash", None]], dtype=object)
    >>> compare_crown_ratings([ratings], ["Ann", "Ben"]).pairs["agreement"].tolist()
    [0.5]
    """
    no_ratings = np.empty((0, len(names)), dtype=object)
    ratings = ClassRatings.from_ratings(np.concatenate([no_ratings, *parts]))
    confusion = confusion_of_pairs(ratings, names, "crowns")
    return CrownClassAgreement(
        pairs=pairwise_agreement(ratings, names, PAIR_WEIGHTS[scale]),
        overall=class_agreement(ratings, scale),
        confusion=confusion.astype({"crowns": int}),
    )


def rate_clusters(
    clusters: CrownClusters, annotator: Ints, classes: Objects, n_annotators: int
) -> Objects:
    """Return the classes (clusters, R) that R annotators gave to clusters of crowns.

    Args:
        clusters: clusters of N crowns.
        annotator: (N,) number of the annotator of each crown.
        classes: (N,) class of each crown; None for a crown without one.
        n_annotators: number R of annotators.

    >>> from randcrowns.core.agreement.crown_clusters import CrownPairs
    >>> pairs = CrownPairs(np.array([0]), np.array([1]), np.array([0.7]))
    >>> clusters = CrownClusters(np.array([0, 0, 1]), pairs)
    >>> classes = np.array(["oak", "ash", None], dtype=object)
    >>> rate_clusters(clusters, np.array([0, 1, 1]), classes, 2).tolist()
    [['oak', 'ash'], [None, None]]
    """
    ratings = np.full((clusters.n_clusters, n_annotators), None, dtype=object)
    ratings[clusters.cluster, annotator] = classes
    return ratings


class CheckedClasses(NamedTuple):
    """Crowns of annotators whose classes were grouped and checked together."""

    images: list[dict[str, Crowns]]  #: crowns of each annotator by name, for each image.
    #: Notes on spellings, on crowns without a class, and on classes that no crown has.
    messages: tuple[Message, ...]
    class_of_value: dict[int, str]  #: class of each value of rasters.


def check_annotator_classes(
    images: Sequence[Mapping[str, Crowns]],
    groups: Mapping[str, Iterable[str]] | None = None,
    values: Sequence[int] = (),
) -> CheckedClasses:
    """Group and check the classes of annotators by the rules of all pages, over all images.

    Args:
        images: crowns of each annotator by name, for each image or plot.
        groups: classes that count as one, by name, see
            :func:`randcrowns.core.classes.values.parse_class_groups`; none by default.
        values: (K,) values of rasters, which are classes as well.

    Raises:
        InputError: if a group has the name of a class that is in no group.

    >>> boxes = [shapely.box(0, 0, 4, 4), shapely.box(9, 0, 13, 4)]
    >>> images = [{"Ann": Crowns(boxes, classes=["oak", None])}]
    >>> print(*check_annotator_classes(images).messages)
    Ann: 1 of 2 crowns has no class. It is matched, but its class is not judged.
    >>> check_annotator_classes(images, {"tree": ["oak", "7"]}, [7, 8]).class_of_value
    {7: 'tree', 8: '8'}
    """
    layers = [layer for crowns in images for layer in crowns.values()]
    names = [name for crowns in images for name in crowns]
    # The values of rasters follow as a last layer. It has no name: areas need no class.
    grouped_classes, messages = group_layer_classes(
        layers=[*(layer.classes for layer in layers), class_values(list(values))],
        groups=groups or {},
        names=[*names, None],
    )
    classes_of_layers = iter(grouped_classes)
    new_images = []
    for crowns in images:
        new_crowns = {}
        for name, layer in crowns.items():
            new_crowns[name] = layer.with_classes(next(classes_of_layers))
        new_images.append(new_crowns)
    classes_of_values = cast("Objects", grouped_classes[-1])
    return CheckedClasses(
        images=new_images,
        messages=messages,
        class_of_value=dict(zip(values, classes_of_values.tolist())),
    )


def count_contradictions(layers: Mapping[str, Crowns]) -> int:
    """Return the number of crowns with the outline of another one, but a later class.

    A crown without a class does not count.

    Args:
        layers: crowns of each annotator by name; crowns are compared within a layer.

    >>> box = shapely.box(0, 0, 4, 4)
    >>> count_contradictions({"ann": Crowns([box] * 4, classes=["oak", "ash", "oak", None])})
    2
    """
    count = 0
    for layer in layers.values():
        count += int(np.count_nonzero(are_contradictory(layer)))
    return count


def are_contradictory(layer: Crowns) -> Bools:
    """Return a mask of the crowns with the outline of another one, but a later class.

    Args:
        layer: n crowns, with classes or without.

    Returns:
        (n,) mask. Of crowns with one outline, those with the first class of the alphabet are False.


    >>> box = shapely.box(0, 0, 4, 4)
    >>> are_contradictory(Crowns([box, box, box], classes=["oak", "ash", None])).tolist()
    [True, False, False]
    """
    is_contradictory = np.zeros(len(layer), dtype=bool)
    if layer.classes is None:
        return is_contradictory
    classed_rows = np.flatnonzero(~pd.isna(layer.classes))
    # Most crowns have bounds of their own and need no comparison of outlines.
    bounds = pd.DataFrame(shapely.bounds(layer.geometry[classed_rows]))
    compared_rows = classed_rows[bounds.duplicated(keep=False)]
    outlines = shapely.to_wkb(shapely.normalize(layer.geometry[compared_rows]))
    class_ranks = pd.Series(rank_names(layer.classes)[compared_rows])
    first_ranks = class_ranks.groupby(outlines).transform("min")
    is_contradictory[compared_rows] = class_ranks != first_ranks
    return is_contradictory


def contradiction_messages(count: int) -> list[Message]:
    """Return a message about crowns with one outline and several classes; none for 0."""
    if not count:
        return []
    return [
        note(
            "classes.same_outline",
            "{count:,} crowns have the outline of another crown of their annotator, but another "
            "class. The class that comes first in the alphabet is used.",
            one="1 crown has the outline of another crown of its annotator, but another class. "
            "The class that comes first in the alphabet is used.",
            count=count,
        )
    ]


def _reviewed_crowns(layers: Mapping[str, Crowns], areas: Mapping[str, Any]) -> dict[str, Crowns]:
    """Return the crowns of an image that lie in the area that their annotator reviewed.

    Args:
        layers: crowns of each annotator by name.
        areas: reviewed polygon by the name of the annotator; everywhere for the others.
    """
    areas_of_layers = {name: area for name, area in areas.items() if name in layers}
    reviews = ReviewedAreas.from_layers(list(layers), areas_of_layers)
    reviewed_crowns = {}
    for number, (name, layer) in enumerate(layers.items()):
        is_reviewed = reviews.are_reviewed(layer.geometry, number)
        reviewed_crowns[name] = layer.subset(is_reviewed)
    return reviewed_crowns


def _rate_image(
    crowns: Mapping[str, Crowns], names: Sequence[str], threshold: float, progress: Progress
) -> Objects:
    """Return the classes (clusters, R) that R annotators gave to the crowns of an image.

    Args:
        crowns: crowns with classes of each annotator by name.
        names: (R,) names of all annotators.
        threshold: mean IoU from which crowns are the same tree.
        progress: called with the fraction done.
    """
    annotators = [number for number, name in enumerate(names) if name in crowns]
    if not annotators:
        return np.empty((0, len(names)), dtype=object)
    layers = [crowns[names[number]] for number in annotators]
    polygons = np.concatenate([layer.geometry for layer in layers])
    classes = np.concatenate([required_classes(layer) for layer in layers])
    crown_counts = [len(layer) for layer in layers]
    annotator_of_crown = np.repeat(annotators, crown_counts).astype(np.int64)

    # Clusters do not depend on the order of crowns if these are sorted first.
    order = order_drawings(polygons, annotator_of_crown, layers)
    sorted_annotators = annotator_of_crown[order]
    clusters = cluster_crowns(polygons[order], sorted_annotators, threshold, progress)
    return rate_clusters(clusters, sorted_annotators, classes[order], len(names))
