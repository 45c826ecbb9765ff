"""Agreement of annotators on the classes of crowns that they drew alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.agreement.crown_clusters import DEFAULT_MATCH_IOU, cluster_crowns
from randcrowns.core.arrays import Objects, number_text
from randcrowns.core.classes.agreement import (
    PAIR_WEIGHTS,
    ClassAgreement,
    ClassRatings,
    Scale,
    class_agreement,
    confusion_of_pairs,
    pairwise_agreement,
)
from randcrowns.core.classes.values import group_crown_classes
from randcrowns.core.crowns import Crowns
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress


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

    Returns:
        The agreement. The order of annotators and of crowns has no effect.

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
    parts = [
        _ratings_of_image(crowns, names, threshold, share)
        for crowns, share in iterate_with_progress(images, progress)
    ]
    no_ratings = np.empty((0, len(names)), dtype=object)
    ratings = ClassRatings.from_ratings(np.concatenate([no_ratings, *parts]))
    confusion = confusion_of_pairs(ratings, names, "crowns")
    return CrownClassAgreement(
        pairwise_agreement(ratings, names, PAIR_WEIGHTS[scale]),
        class_agreement(ratings, scale),
        confusion.astype({"crowns": int}),
    )


class CheckedClasses(NamedTuple):
    """Crowns of annotators whose classes were checked together."""

    images: list[dict[str, Crowns]]  #: crowns of each annotator by name, for each image.
    messages: tuple[Message, ...]  #: notes on spellings, and on crowns without a class.


def check_annotator_classes(images: Sequence[Mapping[str, Crowns]]) -> CheckedClasses:
    """Check the classes of annotators by the rules of all pages, over all images together.

    Args:
        images: crowns of each annotator by name, for each image or plot.

    >>> boxes = [shapely.box(0, 0, 4, 4), shapely.box(9, 0, 13, 4)]
    >>> images = [{"Ann": Crowns(boxes, classes=["oak", None])}]
    >>> print(*check_annotator_classes(images).messages)
    Ann: 1 of 2 crowns has no class. It is matched, but its class is not judged.
    """
    named = [(name, layer) for crowns in images for name, layer in crowns.items()]
    grouped = group_crown_classes([layer for _, layer in named], {}, [name for name, _ in named])
    layers = iter(grouped.layers)
    return CheckedClasses(
        [{name: next(layers) for name in crowns} for crowns in images], grouped.messages
    )


def _ratings_of_image(
    crowns: Mapping[str, Crowns], names: Sequence[str], threshold: float, progress: Progress
) -> Objects:
    """Return the classes (clusters, R) that R annotators gave to the crowns of an image.

    Args:
        crowns: crowns of each annotator by name.
        names: (R,) names of all annotators.
        threshold: mean IoU from which crowns are the same tree.
        progress: called with the fraction done.
    """
    rated = [(names.index(name), crowns[name]) for name in names if name in crowns]
    rated = [(number, layer) for number, layer in rated if layer.classes is not None]
    annotator = np.repeat([number for number, _ in rated], [len(layer) for _, layer in rated])
    shapes = np.concatenate([np.empty(0, object), *(layer.geometry for _, layer in rated)])
    classes = np.concatenate([np.empty(0, object), *(layer.classes for _, layer in rated)])
    # Clusters with equal means depend on the order of the crowns, so it is that of their places.
    order = np.lexsort([annotator, *shapely.bounds(shapes).T])
    clusters = cluster_crowns(shapes[order], annotator[order].astype(np.int64), threshold, progress)
    ratings = np.full((clusters.n_clusters, len(names)), None, dtype=object)
    ratings[clusters.cluster, annotator[order].astype(np.int64)] = classes[order]
    return ratings
