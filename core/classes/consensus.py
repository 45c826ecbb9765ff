"""Classes of the crowns of a consensus, by the votes of the annotators or by STAPLE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from randcrowns.core.agreement.consensus_of_crowns import CrownConsensus
from randcrowns.core.arrays import Objects
from randcrowns.core.classes.agreement import ClassRatings, plurality
from randcrowns.core.classes.annotators import contradiction_messages, count_contradictions
from randcrowns.core.classes.staple import ClassStaple, staple_classes
from randcrowns.core.crowns import Crowns
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.status import TextEnum

#: Columns of the table of the annotators' classes.
_CONFUSION_COLUMNS = ("annotator", "true_class", "given_class", "probability")


class ClassRule(TextEnum):
    """Rule by which a crown of a consensus gets its class."""

    #: The class that most annotators gave; none for a tie.
    PLURALITY = "plurality"
    #: The most probable class by STAPLE for several classes (Warfield 2004).
    STAPLE = "staple"


class ClassConsensus(NamedTuple):
    """Consensuses with the classes of their crowns."""

    #: The consensuses, with the last columns ``crown_class``, ``class_share``, ``tied_classes``,
    #: and by STAPLE ``class_probability``.
    parts: list[CrownConsensus]
    #: A row per annotator, true class and given class: ``annotator``, ``true_class``,
    #: ``given_class`` and ``probability``, as STAPLE estimates it; without rows by votes.
    confusion: pd.DataFrame


def with_classes(
    consensus: CrownConsensus,
    layers: Mapping[str, Crowns],
    rule: ClassRule = ClassRule.PLURALITY,
) -> CrownConsensus:
    """Return a consensus with the class of each crown, as its table's last columns.

    A message counts crowns of one annotator with the same outline and different classes.

    Args:
        consensus: the consensus.
        layers: crowns of the annotators, with or without classes, by name.
        rule: rule by which a crown gets its class.

    >>> import shapely
    >>> from randcrowns.core.agreement.consensus_of_crowns import crown_consensus
    >>> boxes = [shapely.box(0, 0, 4, 4)]
    >>> layers = {name: Crowns(boxes, classes=["oak"]) for name in ("ann", "ben")}
    >>> with_classes(crown_consensus(layers), layers).table["crown_class"].tolist()
    ['oak']
    """
    return classes_of_consensuses([consensus], [layers], rule).parts[0]


def classes_of_consensuses(
    consensuses: Sequence[CrownConsensus],
    drawings: Sequence[Mapping[str, Crowns]],
    rule: ClassRule = ClassRule.PLURALITY,
    progress: Progress = no_progress,
) -> ClassConsensus:
    """Return the classes of the crowns of several images, which are rated together.

    Annotators who did not draw a crown, or who gave it no class, did not rate it. A message of
    an image counts crowns of one annotator with the same outline and different classes.

    Args:
        consensuses: consensus of each image or plot.
        drawings: for each of them crowns of the annotators, with or without classes, by name.
        rule: rule by which a crown gets its class.
        progress: receives the fraction done; may raise to cancel.

    >>> import shapely
    >>> from randcrowns.core.agreement.consensus_of_crowns import crown_consensus
    >>> boxes = [shapely.box(0, 0, 4, 4)]
    >>> layers = {name: Crowns(boxes, classes=["oak"]) for name in ("ann", "ben")}
    >>> parts = classes_of_consensuses([crown_consensus(layers)], [layers], ClassRule.STAPLE)
    >>> parts.confusion["probability"].tolist()
    [1.0, 1.0]
    """
    names = list(dict.fromkeys(name for layers in drawings for name in layers))
    # The empty array gives the result its shape if there is no image.
    ratings_of_parts = [np.empty((0, len(names)), dtype=object)]
    for consensus, layers in zip(consensuses, drawings):
        ratings_of_parts.append(_rate_consensus(consensus, layers, names))
    ratings = ClassRatings.from_ratings(np.concatenate(ratings_of_parts))
    columns_of_patterns, confusion = class_columns_of_ratings(ratings, names, rule, progress)

    pattern_of_crown = np.asarray(ratings.pattern_index)
    parts = []
    first_row = 0
    for consensus, layers in zip(consensuses, drawings):
        last_row = first_row + len(consensus.crowns)
        patterns = pattern_of_crown[first_row:last_row]
        first_row = last_row
        columns = {name: values[patterns] for name, values in columns_of_patterns.items()}
        table = consensus.table.assign(**columns)
        contradictions = contradiction_messages(count_contradictions(layers))
        messages = (*consensus.messages, *contradictions)
        parts.append(replace(consensus, table=table, messages=messages))
    return ClassConsensus(parts, confusion)


def class_columns_of_ratings(
    ratings: ClassRatings,
    names: Sequence[str],
    rule: ClassRule,
    progress: Progress = no_progress,
) -> tuple[dict[str, Any], pd.DataFrame]:
    """Return the class of each pattern of ratings, and how annotators confuse classes.

    Args:
        ratings: ratings of R annotators.
        names: (R,) names of the annotators.
        rule: rule by which a pattern gets its class.
        progress: receives the fraction done; may raise to cancel.

    Returns:
        Values (M,) of the patterns by column: ``crown_class``, ``class_share``, ``tied_classes``,
        and by STAPLE ``class_probability``; and the rows of :attr:`ClassConsensus.confusion`.

    >>> ratings = ClassRatings.from_ratings([["oak", "oak"], ["oak", "ash"]])
    >>> columns, _ = class_columns_of_ratings(ratings, ["ann", "ben"], ClassRule.PLURALITY)
    >>> columns["tied_classes"].tolist()
    ['ash = oak', '']
    """
    votes = plurality(ratings)
    columns: dict[str, Any] = {
        "crown_class": votes.classes,
        "class_share": votes.share,
        "tied_classes": votes.tied,
    }
    if rule is not ClassRule.STAPLE:
        return columns, pd.DataFrame(columns=list(_CONFUSION_COLUMNS))
    estimate = staple_classes(ratings, progress=progress)
    columns["crown_class"] = estimate.classes
    highest = estimate.probability.max(axis=1, initial=0.0)
    columns["class_probability"] = np.where(ratings.n_rated > 0, highest, np.nan)
    return columns, _confusion_rows(estimate, names)


def _rate_consensus(
    consensus: CrownConsensus, layers: Mapping[str, Crowns], names: Sequence[str]
) -> Objects:
    """Return the class that each annotator gave each crown of a consensus.

    Args:
        consensus: consensus of the annotators' crowns.
        layers: crowns of each annotator by name.
        names: (R,) names of the annotators.

    Returns:
        (crowns, R) classes; None where an annotator gave none.
    """
    ratings = np.full((len(consensus.crowns), len(names)), None, dtype=object)
    for number, name in enumerate(names):
        layer = layers.get(name)
        if layer is None or layer.classes is None:
            continue
        rows = consensus.crown_of_drawing[name]
        is_member = rows >= 0
        ratings[rows[is_member], number] = layer.classes[is_member]
    return ratings


def _confusion_rows(estimate: ClassStaple, names: Sequence[str]) -> pd.DataFrame:
    """Return a row per annotator, true class and given class.

    Args:
        estimate: estimate of STAPLE for R annotators and K classes.
        names: (R,) names of the annotators.
    """
    annotators = np.array(names, dtype=object)
    labels = np.array(estimate.labels, dtype=object)
    # Axes: annotator, true class, given class, as in the array of the confusion.
    keys = np.meshgrid(annotators, labels, labels, indexing="ij")
    columns = {}
    for name, values in zip(_CONFUSION_COLUMNS, (*keys, estimate.confusion)):
        columns[name] = values.ravel()
    return cast("pd.DataFrame", pd.DataFrame(columns))
