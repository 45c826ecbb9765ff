"""Import of dropped files, the export button, and the dialogs of Processing algorithms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QMimeData, QObject, pyqtSignal
from qgis.PyQt.QtWidgets import QMenu, QToolButton

from randcrowns.algorithms.algorithm_catalogue import (
    EXPORT_CROWNS,
    EXPORT_LAYERS,
    IMPORT_CROWNS,
    AlgorithmEntry,
)
from randcrowns.algorithms.exchange.schema.outputs import (
    EXPORT_FOLDER,
    IMPORT_OUTPUTS,
    IMPORTED_CROWNS,
    IMPORTED_IGNORED_AREAS,
)
from randcrowns.algorithms.exchange.schema.parameters import (
    EXPORT_IMAGES,
    IGNORED,
    IMAGE_FOLDER,
    IMAGES_OF,
    INPUT_FILES,
    LAYERS,
    PREDICTIONS,
    TARGETS,
)
from randcrowns.algorithms.output_types import image_paths
from randcrowns.core.crowns import unique_name
from randcrowns.core.exchange.formats import ANNOTATION_FORMATS, extensions_of
from randcrowns.core.exchange.values import file_extension
from randcrowns.layers.cloud.header import CLOUD_EXTENSIONS
from randcrowns.layers.files.annotations import SEPARATOR
from randcrowns.layers.localization import format_value, message_texts, tr
from randcrowns.layers.styles.tree import add_images
from randcrowns.layers.vector.guesses import (
    LayerRole,
    guess_images,
    polygon_layers,
    set_imported_role,
)
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.layer_watch import single_shot_timer
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.run_outcome import Outcome, Succeeded, add_result_layers, destinations
from randcrowns.ui.services.runner import PageRuns
from randcrowns.ui.services.save_dialog import project_folder
from randcrowns.ui.services.waiting import BUSY_DELAY, RemainingTime
from randcrowns.ui.widgets.colours import load_icon
from randcrowns.ui.widgets.map_highlight import zoom_to_layers
from randcrowns.ui.widgets.progress import RunProgressBar

#: Endings of dropped files that are imported. QGIS itself opens files that it reads as layers.
_IMPORTED_ENDINGS = extensions_of(ANNOTATION_FORMATS)
#: Dialogs that were opened. Without a reference, Python deletes its part of a dialog, whose
#: button Run then does nothing.
_OPEN_DIALOGS: list[Any] = []


def open_algorithm_dialog(
    iface: Any, entry: AlgorithmEntry, parameters: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Open the Processing dialog of an algorithm.

    A warning is shown if Processing is disabled. For exports, the images below the crowns and a
    new folder next to the project file are suggested; before the project is saved, a new folder
    next to the imported files.

    Args:
        iface: The interface of the QGIS window.
        entry: The algorithm in the catalogue.
        parameters: Processing parameter id -> value that the dialog shows at first.
    """
    try:
        import processing  # a plugin of QGIS, which users can disable
    except ImportError:
        MessageBar(iface).warning(
            tr(
                "The Processing toolbox is disabled. Enable the plugin Processing (Plugins > "
                "Manage and Install Plugins)."
            )
        )
        return
    values = {**_export_defaults(entry, parameters), **parameters}
    dialog = processing.createAlgorithmDialog(f"randcrowns:{entry.key}", values)
    if dialog is not None:
        _OPEN_DIALOGS[:] = [old for old in _OPEN_DIALOGS if not sip.isdeleted(old)]
        _OPEN_DIALOGS.append(dialog)
        dialog.show()


def _export_defaults(entry: AlgorithmEntry, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return suggested parameters of an export; {} for other algorithms.

    Args:
        entry: The algorithm.
        parameters: Parameters of the export, among them the ids of the exported layers.
    """
    defaults: dict[str, Any] = {}
    if entry is EXPORT_CROWNS:
        layer_ids = [parameters.get(parameter.id) for parameter in (TARGETS, PREDICTIONS, IGNORED)]
        layers = [vector_layer(layer_id) for layer_id in layer_ids if layer_id]
        exported_layers = [layer for layer in layers if layer is not None]
        defaults[EXPORT_IMAGES.id] = guess_images(exported_layers or polygon_layers())
    folder = project_folder()
    if entry in (EXPORT_CROWNS, EXPORT_LAYERS) and folder is not None:
        defaults[EXPORT_FOLDER.id] = str(_free_folder(folder))
    return defaults


def _free_folder(parent: Path) -> Path:
    """Return a folder that does not exist yet, so that an earlier export is not overwritten."""
    return parent / unique_name("export", lambda name: (parent / name).exists(), "{}_{}")


def export_parameters(selected_layers: Sequence[Any]) -> dict[str, str | None]:
    """Return the layer parameters of an export of crowns.

    Args:
        selected_layers: The layers selected as targets, predictions and areas to ignore: for each,
            the id of a layer or several ids. Later ones may be missing.

    Returns:
        Processing parameter id -> id of the first polygon layer that exists. A parameter without
        a layer is None, so that the dialog does not select a layer itself.
    """
    parameters: dict[str, str | None] = {}
    for parameter, selected in zip((TARGETS, PREDICTIONS, IGNORED), selected_layers):
        parameters[parameter.id] = None
        layer_ids = [selected] if isinstance(selected, str) else selected
        for layer_id in layer_ids:
            if vector_layer(layer_id) is not None:
                parameters[parameter.id] = layer_id
                break
    return parameters


class ExportButton(QToolButton):
    """Button above the results of a page, with a menu of what can be exported.

    Args:
        iface: The interface of the QGIS window.
        chosen: Returns the layers selected on the page as :func:`export_parameters` takes them;
            an empty sequence if the page has no crowns to export.
        chosen_fields: Returns the fields selected on the page, as Processing parameters of the
            export.
    """

    def __init__(
        self,
        iface: Any,
        chosen: Callable[[], Sequence[Any]],
        chosen_fields: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        super().__init__()
        self._iface = iface
        self._chosen = chosen
        self._chosen_fields = chosen_fields
        #: Ids of the result layers of the run that the page shows.
        self.result_layer_ids: Sequence[str] = ()
        self.setIcon(load_icon("export"))
        self.setText(tr("Export"))  # for screen readers; only the icon is displayed
        self.setAutoRaise(True)
        self.setToolTip(tr("Export the results of this page, or the crowns they were made from."))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self.results_action = menu.addAction(tr("Export results…"), self._export_run)
        self.results_action.setToolTip(
            tr(
                "All layers and tables of this run: one GeoPackage with their styles, XLSX, CSV, "
                "GeoJSON, GeoParquet."
            )
        )
        self.crowns_action = menu.addAction(tr("Export crowns…"), self._export_crowns)
        self.crowns_action.setToolTip(
            tr("As COCO, DeepForest, Pascal VOC or YOLO, optionally with clipped images.")
        )
        self.crowns_action.setVisible(bool(chosen()))
        self.setMenu(menu)

    def _export_crowns(self) -> None:
        """Open the dialog that exports the crowns selected on the page."""
        parameters = {**export_parameters(self._chosen()), **self._chosen_fields()}
        open_algorithm_dialog(self._iface, EXPORT_CROWNS, parameters)

    def _export_run(self) -> None:
        """Open the dialog that exports the layers of the displayed run which still exist."""
        layer_ids = [layer_id for layer_id in self.result_layer_ids if vector_layer(layer_id)]
        open_algorithm_dialog(self._iface, EXPORT_LAYERS, {LAYERS.id: layer_ids})


@dataclass(frozen=True)
class FileImport:
    """A file to import as a layer of its own."""

    path: str  #: Path of the file, or of a folder with files.
    role: LayerRole | None  #: What its crowns are; None if it is not known.
    image_folder: str = ""  #: Folder that is searched for its images; "" for none.
    name: str = ""  #: Name of the file from which the layer is named; "" for that of the path.
    #: Ground truth from which COCO results take the names of their images; None to search for it.
    truth: Path | None = None
    #: Images that show its crowns although no file names them.
    images: tuple[Path, ...] = ()
    shows_images: bool = True  #: True to add its images to the project.

    @property
    def layer_name(self) -> str:
        """Name of the layer: the name of the file without its ending."""
        if not self.name:
            return Path(self.path).stem
        name = Path(self.name)
        return (name.parent / name.stem).as_posix()


class _ImportProgress:
    """Progress of an import, shown as soon as the user has to wait.

    It is shown in QGIS's message bar, or by the progress bar of a dialog.

    Args:
        messages: The message bar.
        file_count: Number of files.
        parent: Qt parent of the timer.
        run_count: Number of runs that import them one after another.
        own_bar: Progress bar of the dialog that imports; None for the message bar.
    """

    def __init__(
        self,
        messages: MessageBar,
        file_count: int,
        parent: QObject,
        run_count: int = 1,
        own_bar: RunProgressBar | None = None,
    ) -> None:
        self._messages = messages
        self._file_count = file_count
        self._run_count = max(run_count, 1)
        self._finished_count = 0
        self._own_bar = own_bar
        self._bar: RunProgressBar | None = None
        self._remove: Callable[[], None] = lambda: None
        self._start = RemainingTime()
        self._timer = single_shot_timer(BUSY_DELAY, self._show, parent)
        self._timer.start()

    def show_percent(self, percent: float) -> None:
        """Show the progress of the current run, 0 to 100, as part of all runs."""
        if self._bar is not None and not sip.isdeleted(self._bar):
            self._bar.show_percent((100.0 * self._finished_count + percent) / self._run_count)

    def finish_run(self) -> None:
        """Record that a run has ended, also if its file cannot be imported."""
        self._finished_count += 1
        self.show_percent(0.0)

    def end(self) -> None:
        """Remove the progress."""
        self._timer.stop()
        self._timer.deleteLater()
        if self._bar is not None and not sip.isdeleted(self._bar):
            self._bar.stop()
            self._remove()

    def _show(self) -> None:
        """Show the progress bar, which measures from the beginning of the import."""
        self._bar = RunProgressBar() if self._own_bar is None else self._own_bar
        self._bar.start()
        self._bar.remaining_time = self._start
        if self._own_bar is not None:
            self._own_bar.show()
            self._remove = self._own_bar.hide
            return
        text = tr("Importing {count:,} files…", one="Importing 1 file…", count=self._file_count)
        self._remove = self._messages.show_widget(text, self._bar)


class FileImporter(QObject):
    """Imports annotation files in the background.

    Args:
        iface: The interface of the QGIS window.
        parent: Qt parent of this object.
    """

    #: Emitted after :meth:`start_files` with the imported layers of crowns in the order of their
    #: files; the layers of files that could not be imported are missing.
    finished = pyqtSignal(list)

    def __init__(self, iface: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._iface = iface
        self._messages = MessageBar(iface)
        self._runs = PageRuns(
            self._messages, tr("The import was cancelled; nothing was added."), self
        )
        #: Paths of the files of :meth:`start_files`.
        self._paths: list[str] = []
        #: Files that :meth:`start_files` has still to import.
        self._waiting: list[FileImport] = []
        #: Layers of crowns that it has imported, by the path of the file.
        self._layers: dict[str, QgsVectorLayer] = {}
        #: Layers and images that were added to the project since the map was moved.
        self._added_layers: list[QgsMapLayer] = []
        self._added_images: list[QgsMapLayer] = []
        #: Progress of :meth:`start_files`; None while it imports nothing.
        self._progress: _ImportProgress | None = None
        #: Progress of each import of :meth:`start` by the key of its run.
        self._progress_by_key: dict[str, _ImportProgress] = {}

    @staticmethod
    def importable_files(dragged: QMimeData) -> list[str]:
        """Return the paths of dragged files that can be imported.

        Args:
            dragged: Data of a drag and drop event.

        Returns:
            Paths of annotation files and folders, or of a single point cloud. [] if anything else
            is dragged, too.
        """
        urls = dragged.urls()
        if not all(url.isLocalFile() for url in urls):
            return []
        paths = [Path(url.toLocalFile()) for url in urls]
        endings = _IMPORTED_ENDINGS
        if len(paths) == 1:
            endings += CLOUD_EXTENSIONS
        for path in paths:
            if file_extension(path) not in endings and not path.is_dir():
                return []
        return [str(path) for path in paths]

    def start(self, paths: Sequence[str]) -> None:
        """Import files and folders into one layer, which is added to the project.

        Args:
            paths: Paths of the files and folders, at least one.
        """
        source = SEPARATOR.join(paths)
        name = "" if len(paths) == 1 else IMPORTED_CROWNS.label
        file = FileImport(paths[0], role=None, name=name)
        parameters = {INPUT_FILES.id: source, **destinations(IMPORT_OUTPUTS, "")}
        self._messages.info(
            tr("Importing {count:,} files…", one="Importing 1 file…", count=len(paths))
        )
        self._end_progress_of(source)  # a run of the same files is replaced without a report
        progress = _ImportProgress(self._messages, file_count=len(paths), parent=self)
        self._progress_by_key[source] = progress

        def finish(outcome: Outcome) -> None:
            """End the progress bar of the file, and add its layers."""
            self._end_progress_of(source)
            self._add_layers(outcome, file)
            self._show_added_layers()

        self._runs.start(
            f"randcrowns:{IMPORT_CROWNS.key}",
            parameters,
            finish,
            key=source,
            on_progress=progress.show_percent,
        )

    def start_files(
        self,
        imports: Sequence[FileImport],
        images: Sequence[QgsMapLayer] = (),
        progress_bar: RunProgressBar | None = None,
    ) -> None:
        """Import files one after another, each into a layer of its own.

        Targets are imported last, because a later layer lies above earlier ones. Emits
        :attr:`finished` at the end.

        Args:
            imports: The files with their roles.
            images: Images below the crowns that were added to the project.
            progress_bar: Progress bar of a dialog; None to show the progress in the message bar.
        """
        self._paths = [file.path for file in imports]
        self._waiting = sorted(imports, key=lambda file: file.role is LayerRole.TARGETS)
        self._layers = {}
        self._added_images += images
        self._end_progress()
        self._progress = _ImportProgress(
            self._messages,
            file_count=len(imports),
            parent=self,
            run_count=len(imports),
            own_bar=progress_bar,
        )
        self._start_next_file()

    def _start_next_file(self) -> None:
        """Start to import the next file, or report that all are imported."""
        if not self._waiting:
            self._end_progress()
            self._show_added_layers()
            self.finished.emit([self._layers[path] for path in self._paths if path in self._layers])
            return
        file = self._waiting.pop(0)
        parameters = {INPUT_FILES.id: file.path, **destinations(IMPORT_OUTPUTS, "")}
        if file.image_folder:
            parameters[IMAGE_FOLDER.id] = file.image_folder
        if file.truth is not None:
            parameters[IMAGES_OF.id] = str(file.truth)
        self._runs.start(
            f"randcrowns:{IMPORT_CROWNS.key}",
            parameters,
            lambda outcome: self._finish_file(outcome, file),
            key=file.path,
            on_progress=None if self._progress is None else self._progress.show_percent,
        )

    def _finish_file(self, outcome: Outcome, file: FileImport) -> None:
        """Add the layer of a file with its role, and import the next file."""
        layer = None
        # After an error, the other files are imported, and the import ends.
        with self._messages.show_errors():
            layer = self._add_layers(outcome, file)
        if layer is not None:
            self._layers[file.path] = layer
        if self._progress is not None:
            self._progress.finish_run()
        self._start_next_file()

    def _end_progress_of(self, key: str) -> None:
        """Remove the progress of an import of :meth:`start`, if there is one."""
        if key in self._progress_by_key:
            self._progress_by_key.pop(key).end()

    def _end_progress(self) -> None:
        """Remove the progress of :meth:`start_files`."""
        if self._progress is not None:
            self._progress.end()
            self._progress = None

    def close(self) -> None:
        """Stop all imports."""
        self._waiting = []
        self._end_progress()
        for key in list(self._progress_by_key):
            self._end_progress_of(key)
        self._runs.close()

    def _add_layers(self, outcome: Outcome, file: FileImport) -> QgsVectorLayer | None:
        """Add the imported crowns and their images to the project.

        Args:
            outcome: Outcome of the import.
            file: What was imported.

        Returns:
            The layer of crowns; None if nothing was imported.
        """
        if not isinstance(outcome, Succeeded):
            return None
        imported_crowns = outcome.layers.get(IMPORTED_CROWNS.id)
        if file.role is not None and imported_crowns is not None:
            # Pages read the role as soon as the layer is in the project.
            set_imported_role(imported_crowns, file.role)
        ignored_areas = outcome.layers.get(IMPORTED_IGNORED_AREAS.id)
        if ignored_areas is not None:
            set_imported_role(ignored_areas, LayerRole.IGNORED)
        names = {IMPORTED_CROWNS: file.layer_name}
        layer_ids = add_result_layers(outcome, IMPORT_OUTPUTS, names=names)
        project = QgsProject.instance()
        result_layers = [project.mapLayer(layer_id) for layer_id in layer_ids.values()]
        self._added_layers += [layer for layer in result_layers if layer is not None]
        if file.shows_images:
            paths = [*image_paths(outcome.outputs), *map(str, file.images)]
            self._added_images += add_images(project, paths)
        self._messages.show_run_messages(_import_message(outcome), outcome.messages, displayed=())
        return vector_layer(layer_ids.get(IMPORTED_CROWNS.id, ""))

    def _show_added_layers(self) -> None:
        """Zoom the map to the added layers, where they lie on images if there are any."""
        canvas = self._iface.mapCanvas()
        layers = [layer for layer in self._added_layers if not sip.isdeleted(layer)]
        images = [layer for layer in self._added_images if not sip.isdeleted(layer)]
        self._added_layers, self._added_images = [], []
        with self._messages.show_errors():
            zoom_to_layers(canvas, layers or images, min_share=0.5, images=images)


def _import_message(outcome: Succeeded) -> str:
    """Return the sentences about an import: counts, warnings, and the number of notes."""
    count_sentence = tr(
        "{count:,} crowns imported, {skipped} skipped.",
        one="1 crown imported, {skipped} skipped.",
        count=int(outcome.outputs["IMPORTED"]),
        skipped=format_value(int(outcome.outputs["SKIPPED"]), 0),
    )
    warnings = []
    note_count = 0
    for message in outcome.messages:
        if message.is_warning:
            warnings.append(message)
        elif message.is_notice:
            note_count += 1
    sentences = [count_sentence, *message_texts(warnings)]
    if note_count:
        note_sentence = tr(
            "{count:,} notes are in the log tab RandCrowns.",
            one="1 note is in the log tab RandCrowns.",
            count=note_count,
        )
        sentences.append(note_sentence)
    return " ".join(sentences)
