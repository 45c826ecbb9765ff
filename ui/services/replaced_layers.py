"""Replacement of the last run's layers by those of a new run, which can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

from randcrowns.algorithms.provenance import read_output_id
from randcrowns.algorithms.run_history import Run
from randcrowns.layers.styles.tree import add_run_group, replace_group

#: Custom layer property of a result layer that the user edited or styled.
_CHANGED_PROPERTY = "randcrowns/touched"
#: Object name of a :class:`_ChangeMarker`.
_MARKER_NAME = "randcrowns_touches"


class _ChangeMarker(QObject):
    """Sets a custom property of a layer when the user edits or styles the layer.

    Args:
        layer: The layer, which owns this object.
    """

    def __init__(self, layer: QgsMapLayer) -> None:
        super().__init__(layer)
        self.setObjectName(_MARKER_NAME)
        layer.styleChanged.connect(self._mark)
        if isinstance(layer, QgsVectorLayer):
            layer.editingStarted.connect(self._mark)

    def _mark(self) -> None:
        """Set the property of the layer."""
        self.parent().setCustomProperty(_CHANGED_PROPERTY, True)


def watch_changes(layers: Iterable[QgsMapLayer]) -> None:
    """Mark result layers from now on when the user edits or styles them.

    Args:
        layers: Result layers that are unchanged since the run; watched layers are skipped.
    """
    for layer in layers:
        if layer.findChild(QObject, _MARKER_NAME) is None:
            _ChangeMarker(layer)


def watch_result_layers() -> None:
    """Watch all result layers of the project, see :func:`watch_changes`."""
    watch_changes(
        layer for layer in QgsProject.instance().mapLayers().values() if read_output_id(layer)
    )


@contextmanager
def styled_by_page(layer: QgsMapLayer) -> Iterator[None]:
    """Style a layer in a ``with`` block without marking it as styled by the user.

    Args:
        layer: Result layer, which a later run may replace although its page has styled it.
    """
    was_changed = layer.customProperty(_CHANGED_PROPERTY) is not None
    yield
    if not was_changed:
        layer.removeCustomProperty(_CHANGED_PROPERTY)


def is_unchanged(layer: QgsMapLayer) -> bool:
    """Return True if a result layer is watched and was neither edited nor styled."""
    is_watched = layer.findChild(QObject, _MARKER_NAME) is not None
    return is_watched and layer.customProperty(_CHANGED_PROPERTY) is None


@dataclass
class ReplacedLayers:
    """Layers of a run that were removed from the project."""

    title: str  #: Title of the run.
    layers: list[QgsMapLayer]  #: The removed layers from top to bottom, owned by this object.
    kept_names: list[str]  #: Names of the layers that stay because they were changed or are in use.

    def restore(self) -> None:
        """Add the removed layers to the project again, as a group at the top."""
        layers = self.layers
        self.layers = []
        add_run_group(QgsProject.instance(), self.title, layers)


def replace_run(run: Run, title: str, used_layer_ids: Iterable[str]) -> ReplacedLayers:
    """Remove the layers of a run from the project; the new run's group takes their position.

    Layers that were edited or styled stay in the project. Nothing is deleted from files.

    Args:
        run: The run whose layers are removed.
        title: Title of the new run and of its group.
        used_layer_ids: Ids of layers that must stay because the new run reads them.

    Returns:
        The removed layers and the names of those that stay.
    """
    project = QgsProject.instance()
    used_ids = set(used_layer_ids)
    run_layer_ids = set(run.layers.values())
    removed_layers = []
    kept_names = []
    # In the order of the layer tree.
    for node in project.layerTreeRoot().findLayers():
        layer = project.mapLayer(node.layerId())
        if layer is None or layer.id() not in run_layer_ids:
            continue
        if is_unchanged(layer) and layer.id() not in used_ids:
            removed_layers.append(layer)
        else:
            kept_names.append(layer.name())
    replace_group(project, title, [layer.id() for layer in removed_layers])
    for layer in removed_layers:
        project.takeMapLayer(layer)
    return ReplacedLayers(run.title, removed_layers, kept_names)
