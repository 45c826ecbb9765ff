"""Classes of the crowns of a consensus, by the votes of the annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from randcrowns.core.agreement.crown_consensus import CrownConsensus
from randcrowns.core.classes.agreement import ClassRatings, plurality
from randcrowns.core.classes.annotators import contradiction_messages, count_contradictions
from randcrowns.core.crowns import Crowns


def with_classes(consensus: CrownConsensus, layers: Mapping[str, Crowns]) -> CrownConsensus:
    """Return a consensus with the class of each crown, as its table's last columns.

    A message counts crowns of one annotator with the same outline and different classes.

    Args:
        consensus: the consensus.
        layers: crowns of the annotators, with or without classes, by name.

    >>> import shapely
    >>> from randcrowns.core.agreement.crown_consensus import crown_consensus
    >>> boxes = [shapely.box(0, 0, 4, 4)]
    >>> layers = {name: Crowns(boxes, classes=["oak"]) for name in ("ann", "ben")}
    >>> with_classes(crown_consensus(layers), layers).table["crown_class"].tolist()
    ['oak']
    """
    ratings = np.full((len(consensus.crowns), len(layers)), None, dtype=object)
    for number, (name, layer) in enumerate(layers.items()):
        rows = consensus.crown_of_drawing[name]
        is_member = rows >= 0
        if layer.classes is not None:
            ratings[rows[is_member], number] = layer.classes[is_member]
    patterns = ClassRatings.from_ratings(ratings)
    votes = plurality(patterns)
    pattern = np.asarray(patterns.pattern_index)
    table = consensus.table.assign(
        crown_class=votes.classes[pattern],
        class_share=votes.share[pattern],
        tied_classes=votes.tied[pattern],
    )
    messages = (*consensus.messages, *contradiction_messages(count_contradictions(layers)))
    return replace(consensus, table=table, messages=messages)
