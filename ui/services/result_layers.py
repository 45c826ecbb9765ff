"""The layers of a run in the project: styled, in one group, in the order of the algorithm's outputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qgis.core import QgsProject

from randcrowns.algorithms.output import Output
from randcrowns.layers.styles.tree import add_run_group, run_title, unfold
from randcrowns.ui.services.runner import Succeeded


def add_result_layers(
    outcome: Succeeded,
    outputs: Iterable[Output],
    what: str,
    others: Mapping[str, Any] | None = None,
    names: Mapping[Output, str] | None = None,
) -> tuple[str, dict[str, str]]:
    """Add the layers to the project as one group; its title, and the ids of the layers by output.

    Args:
        outcome: of the run.
        outputs: of its algorithm.
        what: it was, for the title.
        others: for the styles, beside the run's own outputs.
        names: of layers that are not called as their output.
    """
    made = [output for output in outputs if output.id in outcome.layers]
    layers = [outcome.layers[output.id] for output in made]
    for output, layer in zip(made, layers):
        layer.setName((names or {}).get(output, output.label))
        output.dress(layer, {**outcome.outputs, **(others or {})})
    title = run_title(what)
    group = add_run_group(QgsProject.instance(), title, layers)
    unfold(group)
    for output, node in zip(made, group.findLayers()):
        node.setItemVisibilityChecked(output.shown)
        node.setExpanded(output.unfolded)
    return title, {output.id: layer.id() for output, layer in zip(made, layers)}
