"""Message about targets that are a consensus of the crowns they are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from qgis.core import QgsMapLayer, QgsProject

from randcrowns.algorithms.algorithm_catalogue import MAKE_CONSENSUS
from randcrowns.algorithms.provenance import find_input_layers, read_provenance
from randcrowns.core.messages import Message, note


def consensus_messages(target: QgsMapLayer | None, others: Sequence[QgsMapLayer]) -> list[Message]:
    """Return a note if the targets are a consensus that was made of layers compared with them.

    Args:
        target: target layer, or None.
        others: layers that are compared with it.
    """
    record = None if target is None else read_provenance(target)
    if record is None or record.algorithm != f"randcrowns:{MAKE_CONSENSUS.key}":
        return []
    part_ids = set(find_input_layers(record.inputs, QgsProject.instance()).values())
    parts = [layer.name() for layer in others if layer.id() in part_ids]
    if not parts:
        return []
    return [
        note(
            "targets.consensus",
            "The targets are a consensus that was made of {layers}, among others. Each of these "
            "layers is part of the consensus: its scores are optimistic.",
            layers=tuple(parts),
        )
    ]
