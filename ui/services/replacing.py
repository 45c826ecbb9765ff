"""The layers of the last run taken out of the project for those of the next; they can be brought back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

from randcrowns.algorithms.record import output_of
from randcrowns.algorithms.runs import Run
from randcrowns.layers.styles.tree import add_run_group, take_place

#: Custom layer property of a result that somebody edited or styled.
_TOUCHED = "randcrowns/touched"
_FOLLOWER = "randcrowns_touches"


class _Follower(QObject):
    """Marks a layer once it is edited or styled; a child of the layer, so it goes with it."""

    def __init__(self, layer: QgsMapLayer) -> None:
        super().__init__(layer)
        self.setObjectName(_FOLLOWER)
        layer.styleChanged.connect(self.mark)
        if isinstance(layer, QgsVectorLayer):
            layer.editingStarted.connect(self.mark)

    def mark(self) -> None:
        """Somebody changed it."""
        self.parent().setCustomProperty(_TOUCHED, True)


def follow_touches(layers: Iterable[QgsMapLayer]) -> None:
    """Notice from now on whether somebody edits or styles these results of runs, which are as they were made."""
    for layer in layers:
        if layer.findChild(QObject, _FOLLOWER) is None:
            _Follower(layer)


def follow_results() -> None:
    """The same for all results of a project that was just read."""
    follow_touches(
        layer for layer in QgsProject.instance().mapLayers().values() if output_of(layer)
    )


def is_untouched(layer: QgsMapLayer) -> bool:
    """Whether a result is as it was made, as far as that was followed."""
    return (
        layer.findChild(QObject, _FOLLOWER) is not None and layer.customProperty(_TOUCHED) is None
    )


@dataclass
class Replaced:
    """Layers of a run that were taken out of the project."""

    title: str  #: of the run.
    layers: list[QgsMapLayer]  #: those taken out, from top to bottom; they live as long as this.
    kept: list[str]  #: names of those that stay, since somebody changed or uses them.

    def bring_back(self) -> None:
        """Put them into the project again, as a group on top."""
        taken, self.layers = self.layers, []
        add_run_group(QgsProject.instance(), self.title, taken)


def replace_run(run: Run, title: str, used: Iterable[str]) -> Replaced:
    """Take the layers of a run out of the project, and put the group of the new run, ``title``, where theirs was.

    Layers that somebody edited or styled stay, and those that are ``used``, by id. Nothing is deleted from a file.
    """
    project = QgsProject.instance()
    stay = set(used)
    order = [
        node.layerId()
        for node in project.layerTreeRoot().findLayers()
        if node.layerId() in run.layers.values()
    ]
    layers = [layer for layer in map(project.mapLayer, order) if layer is not None]
    going = [layer for layer in layers if is_untouched(layer) and layer.id() not in stay]
    replaced = Replaced(run.title, going, [layer.name() for layer in layers if layer not in going])
    take_place(project, title, [layer.id() for layer in going])
    for layer in going:
        project.takeMapLayer(layer)
    return replaced
