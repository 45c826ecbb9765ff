"""Crowns from files: dropped onto the dock, or through the dialog of the toolbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from qgis.core import QgsProject
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QMimeData, QObject
from qgis.PyQt.QtWidgets import QMenu, QToolButton

from randcrowns.algorithms.catalogue import EXPORT_CROWNS, EXPORT_LAYERS, IMPORT_CROWNS, Entry
from randcrowns.algorithms.exchange.choices import (
    IGNORED,
    IMAGE,
    INPUT,
    LAYERS,
    PREDICTIONS,
    TARGETS,
)
from randcrowns.algorithms.exchange.outputs import CROWNS, FOLDER, IMPORT_OUTPUTS
from randcrowns.algorithms.output import images_in
from randcrowns.core.crowns import first_free
from randcrowns.core.exchange.sniff import ENDINGS, Kind
from randcrowns.layers.cloud.head import CLOUD_ENDINGS
from randcrowns.layers.files.annotations import SEPARATOR
from randcrowns.layers.files.places import project_file
from randcrowns.layers.styles.tree import add_images
from randcrowns.layers.vector.guesses import images_below, polygon_layers
from randcrowns.layers.words import sentences, tr, written
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.services.result_file import Outcome, Succeeded, add_result_layers, places_of
from randcrowns.ui.services.runner import Runs
from randcrowns.ui.widgets.colours import icon
from randcrowns.ui.widgets.map_highlight import go_to_results

#: Endings of files that are taken when dropped; what QGIS reads as layers it opens itself.
_TAKEN = {
    ending for kind, endings in ENDINGS.items() if kind is not Kind.LAYER for ending in endings
}
#: Dialogs that were opened: without anybody who holds one its Python half goes, and Run does nothing.
_OPEN: list[Any] = []


def show_dialog(
    iface: Any, entry: Entry, parameters: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Open the dialog of an algorithm with some parameters filled in; of an export the images and a lasting folder."""
    try:
        import processing  # a plugin of QGIS, which may be switched off
    except ImportError:
        said = "The toolbox is switched off; switch the plugin Processing on (Plugins > Manage and Install Plugins)."
        Messages(iface).warning(tr(said))
        return
    if entry is EXPORT_CROWNS:
        sides = [
            layer
            for layer in map(vector_layer, filter(None, parameters.values()))
            if layer is not None
        ]
        parameters = {IMAGE.ids[0]: images_below(sides or polygon_layers()), **parameters}
    if entry in (EXPORT_CROWNS, EXPORT_LAYERS) and project_file():
        beside = Path(project_file()).parent
        name = first_free(
            "export", lambda one: (beside / one).exists(), "{}_{}"
        )  # what was exported stays
        parameters = {FOLDER.id: str(beside / name), **parameters}
    dialog = processing.createAlgorithmDialog(f"randcrowns:{entry.key}", dict(parameters))
    if dialog is not None:
        _OPEN[:] = [*(one for one in _OPEN if not sip.isdeleted(one)), dialog]
        dialog.show()


def sides_to_export(chosen: Sequence[Any]) -> dict[str, str | None]:
    """Targets, predictions and areas to ignore of an export: of each the first layer of polygons that was chosen.

    For each side there is the id of a layer, or several; one without is None, so that the dialog does not guess it.
    """
    sides = [(ids,) if isinstance(ids, str) else ids for ids in chosen]
    first = [next((one for one in ids if vector_layer(one) is not None), "") for ids in sides]
    return {
        choice.ids[0]: one or None for choice, one in zip((TARGETS, PREDICTIONS, IGNORED), first)
    }


class ExportButton(QToolButton):
    """The button in the corner of a page's results, with a menu of what can be exported.

    Args:
        chosen: the layers that are chosen on the page, as :func:`sides_to_export` takes them; none without crowns.
    """

    def __init__(self, iface: Any, chosen: Callable[[], Sequence[Any]]) -> None:
        super().__init__()
        self._iface, self._chosen = iface, chosen
        #: Ids of the layers that the run made which the page shows.
        self.made: Sequence[str] = ()
        self.setIcon(icon("export"))
        self.setText(tr("Export"))  # read out; the icon alone is shown
        self.setAutoRaise(True)
        self.setToolTip(tr("Export the results of this page, or the crowns that they are of."))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self.run = menu.addAction(tr("Export results…"), self._export_run)
        self.run.setToolTip(
            tr(
                "All layers and tables of this run: one GeoPackage with their styles, XLSX, CSV, GeoJSON, GeoParquet."
            )
        )
        self.crowns = menu.addAction(tr("Export crowns…"), self._export_crowns)
        self.crowns.setToolTip(
            tr("As COCO, DeepForest or Pascal VOC, with the images cut out where wanted.")
        )
        self.crowns.setVisible(bool(chosen()))
        self.setMenu(menu)

    def _export_crowns(self) -> None:
        show_dialog(self._iface, EXPORT_CROWNS, sides_to_export(self._chosen()))

    def _export_run(self) -> None:
        show_dialog(
            self._iface,
            EXPORT_LAYERS,
            {LAYERS.ids[0]: [key for key in self.made if vector_layer(key)]},
        )


class FileImporter(QObject):
    """Imports files with the defaults, in the background, and adds what they hold to the project."""

    def __init__(self, iface: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._iface = iface
        self._messages = Messages(iface)
        self._runs = Runs(self._messages, tr("The import was cancelled; nothing was added."), self)

    @staticmethod
    def files_in(dragged: QMimeData) -> list[str]:
        """The files of annotations, and folders, or the one cloud, that are dragged; none with others among them."""
        paths = [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]
        taken = _TAKEN if len(paths) > 1 else _TAKEN.union(CLOUD_ENDINGS)
        fitting = [str(path) for path in paths if path.suffix.lower() in taken or path.is_dir()]
        return fitting if fitting and len(fitting) == len(dragged.urls()) else []

    def begin(self, paths: Sequence[str]) -> None:
        """Import files and folders into one layer."""
        given = SEPARATOR.join(paths)
        name = Path(paths[0]).stem if len(paths) == 1 else CROWNS.label
        parameters = {INPUT.ids[0]: given, **places_of(IMPORT_OUTPUTS, "")}
        self._messages.info(
            tr("Importing {count:,} files…", one="Importing 1 file…", count=len(paths))
        )
        self._runs.begin(
            f"randcrowns:{IMPORT_CROWNS.key}",
            parameters,
            lambda outcome: self._take(outcome, name),
            makes=given,
        )

    def close(self) -> None:
        """Stop what is under way."""
        self._runs.close()

    def _take(self, outcome: Outcome, name: str) -> None:
        if not isinstance(outcome, Succeeded):
            return
        added = add_result_layers(outcome, IMPORT_OUTPUTS, names={CROWNS: name})
        project = QgsProject.instance()
        images = add_images(project, images_in(outcome.outputs))
        layers = [*map(project.mapLayer, added.values()), *images]
        go_to_results(
            self._iface.mapCanvas(), [layer for layer in layers if layer is not None], least=0.5
        )
        said = tr(
            "{count:,} crowns imported, {skipped} skipped; see the layer tree.",
            one="1 crown imported, {skipped} skipped; see the layer tree.",
            count=int(outcome.outputs["IMPORTED"]),
            skipped=written(int(outcome.outputs["SKIPPED"]), 0),
        )
        warned = sentences(remark for remark in outcome.remarks if remark.is_warning)
        notes = sum(remark.is_odd and not remark.is_warning for remark in outcome.remarks)
        if notes:
            more = "{count:,} notes are in the log tab RandCrowns."
            warned.append(tr(more, one="1 note is in the log tab RandCrowns.", count=notes))
        self._messages.tell_remarks(" ".join([said, *warned]), outcome.remarks, ())
