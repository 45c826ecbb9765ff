"""Dialog that imports crowns in three steps: files, their images, and what the crowns are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QSize, Qt, QTimer
from qgis.PyQt.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPixmap
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.algorithm_catalogue import IMPORT_CROWNS
from randcrowns.algorithms.exchange.schema.parameters import (
    IMAGE_FOLDER,
    IMAGES_OF,
    INPUT_FILES,
)
from randcrowns.algorithms.instances.schema.parameters import CLOUD
from randcrowns.algorithms.parameter_types import Option
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.exchange.file_groups import name_input
from randcrowns.core.exchange.files import SEPARATOR, is_side_file
from randcrowns.core.exchange.formats import FileFormat, extensions_of
from randcrowns.core.exchange.image_search import is_file
from randcrowns.core.exchange.own_results import own_result_messages
from randcrowns.core.messages import abbreviate
from randcrowns.layers.cloud.header import CLOUD_EXTENSIONS
from randcrowns.layers.files.import_preview import (
    ExampleCrown,
    ImportPreview,
    read_import_preview,
)
from randcrowns.layers.localization import (
    error_message,
    escape_rich_text,
    fill_template,
    message_texts,
    tr,
)
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.pictures import MapLayers, Outline
from randcrowns.layers.styles.tree import add_images
from randcrowns.layers.vector.guesses import (
    LayerRole,
    crown_layers,
    guess_role_of_name,
    is_study_area,
    sample_crowns_around,
)
from randcrowns.layers.vector.study_areas import (
    OutlineSample,
    denotes_study_area,
    encloses_crowns,
)
from randcrowns.ui.services.background import BackgroundTask
from randcrowns.ui.services.save_dialog import preferred_folder, remember_folder
from randcrowns.ui.services.settings import preference, set_preference
from randcrowns.ui.services.waiting import busy_cursor
from randcrowns.ui.shell.import_export import FileImport, FileImporter, open_algorithm_dialog
from randcrowns.ui.shell.imported_layers import import_text, next_page
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE
from randcrowns.ui.widgets.parts import (
    FREE_SPACE,
    fill_layout,
    make_scrollable,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.progress import RunProgressBar
from randcrowns.ui.widgets.run_widgets import START_RUN

#: Key of the page that compares crowns with each other, and not with targets.
_PAGE_WITHOUT_TARGETS = "annotators"
#: Side of the picture of an example crown, pixels; on a low screen, such as 1366 x 768.
_PICTURE_SIDE = 120
_LOW_PICTURE_SIDE = 80
#: Height of a screen below which it is low, pixels.
_LOW_SCREEN_HEIGHT = 800
#: Number of rows of the list of files.
_FILE_ROWS = 3
#: Number of lines for which the text about images has room.
_IMAGE_TEXT_LINES = 2
#: Number of lines for which the hint, and later the result, has room.
_STATE_LINES = 2
#: Height of the list of roles, which scrolls, pixels.
_ROLE_AREA_HEIGHT = 114
#: Maximum width of the name of a file next to its role, pixels.
_MAX_NAME_WIDTH = 190
#: Minimum width of the box with a role, with its arrow, pixels.
_ROLE_WIDTH = 170
#: Maximum height of the dialog with its frame, as a share of that of the screen.
_MAX_SCREEN_SHARE = 0.94
#: Minimum height of the frame with the title, which is unknown before it is shown, pixels.
_MIN_FRAME_HEIGHT = 30
#: Name of the preference that is "1" if images are added to the map.
_SHOW_IMAGES = "show_images"
#: Maximum size of a file whose crowns are previewed, bytes.
_MAX_PREVIEW_SIZE = 50_000_000
_ROLE_OPTIONS = (
    Option(
        LayerRole.TARGETS.value,
        tr("Targets"),
        tr("The crowns taken as true, such as field work or a ground truth."),
    ),
    Option(
        LayerRole.ANNOTATOR.value,
        tr("Crowns of an annotator"),
        tr("Crowns that a person drew, to be scored or compared with others."),
    ),
    Option(
        LayerRole.DETECTOR.value,
        tr("Crowns of a detector"),
        tr("Crowns that a program predicted, to be scored."),
    ),
    Option(
        LayerRole.STUDY_AREA.value,
        tr("Study area"),
        tr("No crowns, but the area in which all crowns were marked; pages take it by themselves."),
    ),
)
#: Option of a file while the user has to select its role.
_NO_ROLE = Option(
    "", tr("Choose…"), tr("Neither its name nor its scores tell what the crowns are.")
)
#: Key of the error for a raster that is a photo instead of a label raster.
_PHOTO_ERROR = "import.no_labels"
#: Keys of the errors for COCO results without their ground truth -> what to do in the dialog.
_TRUTH_ERRORS = {
    "coco.results_only": tr(
        "{file} holds results only, which name images by number. Add the ground truth with these "
        "images to the list, too."
    ),
    "coco.several_ground_truths": tr(
        "{file} holds results only, and several ground truths in its folder fit. Add that of the "
        "results to the list, too."
    ),
}
#: Shows a page of the dock with values of its parameters.
ShowPage = Callable[[str, "dict[str, Any]"], None]
#: Dialogs that were opened, since Python deletes a dialog without a reference.
_OPEN_DIALOGS: list[ImportDialog] = []


def open_import_dialog(
    iface: Any, show_page: ShowPage, paths: Sequence[str] = (), page_key: str = ""
) -> ImportDialog:
    """Open the dialog that imports crowns.

    Args:
        iface: The interface of the QGIS window.
        show_page: Shows a page of the dock after the import.
        paths: Paths of files and folders that are selected at first.
        page_key: Key of the page from which the dialog is opened.
    """
    dialog = ImportDialog(iface, show_page, needs_targets=page_key != _PAGE_WITHOUT_TARGETS)
    dialog.add_paths(paths)
    _OPEN_DIALOGS.append(dialog)
    dialog.finished.connect(lambda _: _OPEN_DIALOGS.remove(dialog))
    dialog.show()
    return dialog


class _FileRow:
    """A file of the dialog: its entry in the list, its role, and its preview.

    Args:
        path: Path of the file or folder, or a text that specifies several files.
        name: Name of the file in the dialog.
        folder: Folder that was added to the dialog and contains the file; "" for a single file.
    """

    def __init__(self, path: str, name: str, folder: str) -> None:
        self.path = path
        self.name = name
        self.folder = folder
        self.item = QListWidgetItem(name)
        self.item.setToolTip(path)
        self.item.setData(Qt.ItemDataRole.UserRole, path)
        #: Selects what the crowns of the file are.
        self.role_box = OptionBox(_ROLE_OPTIONS)
        self.role_box.setAccessibleName(tr("What {file} is", file=name))
        self.role_box.setMinimumWidth(_ROLE_WIDTH)
        #: True if the user selected the role.
        self.is_role_chosen = False
        self.role_box.activated.connect(
            lambda _: setattr(self, "is_role_chosen", self.role is not None)
        )
        #: True for a point cloud, or a folder with one per tree, which page Instances evaluates.
        self.is_cloud = path.lower().endswith(CLOUD_EXTENSIONS)
        #: True for an image without crowns, which is shown below the crowns.
        self.is_photo = False
        #: True after the crowns were imported.
        self.is_imported = False
        #: Folder that is searched for the images; "" for none.
        self.image_folder = ""
        #: Folders that the dialog itself has searched for the images.
        self.searched_folders: set[str] = set()
        #: Ground truth from which COCO results take the names of their images; None for none.
        self.truth: Path | None = None
        #: What the file contains; None until it is read.
        self.preview: ImportPreview | None = None
        #: Reason why the file cannot be read; "" if it can.
        self.problem = ""
        #: Key of the error that is the reason.
        self.problem_key = ""
        #: Task that reads the preview; None if there is none.
        self.task: BackgroundTask | None = None
        self.show_preview()

    @property
    def role(self) -> LayerRole | None:
        """The selected role of the crowns; None while the user has to select it."""
        value = self.role_box.value()
        return LayerRole(value) if value else None

    def preset_role(self, role: LayerRole | None) -> None:
        """Select the probable role of the crowns; None if the user has to select it."""
        self.role_box.set_options((_NO_ROLE, *_ROLE_OPTIONS) if role is None else _ROLE_OPTIONS)
        self.role_box.set_value("" if role is None else role.value)

    @property
    def has_crowns(self) -> bool:
        """True if the file is imported as crowns, as far as it is known."""
        return not (self.is_cloud or self.is_photo or self.problem)

    @property
    def role_of_name(self) -> LayerRole | None:
        """The role of the crowns according to the name of the file; None if it names none."""
        return guess_role_of_name(Path(self.name).stem)

    @property
    def outlines(self) -> OutlineSample | None:
        """Outlines in the file; None if they are not read."""
        return self.preview.outlines if self.preview is not None and self.has_crowns else None

    def is_study_area(self, others: Sequence[OutlineSample]) -> bool:
        """Return True if the file is a study area by its name or its outlines.

        Args:
            others: Outlines of the other files and of the project's layers.
        """
        if self.outlines is None or self.has_scores:
            return False
        return denotes_study_area(Path(self.name).stem) or encloses_crowns(self.outlines, others)

    @property
    def has_scores(self) -> bool:
        """True if the crowns have a detector's scores."""
        return self.preview is not None and self.preview.has_scores

    @property
    def is_waiting(self) -> bool:
        """True if the file has still to be imported as crowns or shown as an image."""
        return (self.has_crowns or self.is_photo) and not self.is_imported

    @property
    def lacks_truth(self) -> bool:
        """True for COCO results whose ground truth was not found."""
        is_named = self.preview is not None and self.preview.lacks_coco_truth
        return (self.problem_key in _TRUTH_ERRORS or is_named) and self.truth is None

    @property
    def is_in_pixels(self) -> bool:
        """True if the crowns are known to be in pixels."""
        return self.preview is not None and not self.preview.crs.isValid()

    @property
    def lacks_images(self) -> bool:
        """True if images were not found, and none in a folder that the dialog searched itself."""
        if self.preview is None or not self.preview.missing_images:
            return False
        return not (self.searched_folders and self.preview.images)

    @property
    def found_image_folder(self) -> str:
        """Folder with all images that were found; "" if they have none in common."""
        images = self.preview.images if self.preview is not None else ()
        folders = {str(image.parent) for image in images}
        if len(folders) <= 1:
            return next(iter(folders), "")
        # The folders of a data set, such as images/train and images/val.
        common = os.path.commonpath(folders)
        return common if Path(self.path) in (Path(common), *Path(common).parents) else ""

    def show_preview(self) -> None:
        """Show the number of crowns, or the problem, next to the name of the file."""
        if self.is_cloud:
            self.item.setText(tr("{file} · point cloud", file=self.name))
        elif self.is_photo:
            self.item.setText(tr("{file} · image, shown below the crowns", file=self.name))
        elif self.problem:
            self.item.setText(f"{self.name} ⚠ {self.problem}")
        elif self.preview is not None:
            count = self.preview.n_crowns
            if self.role is LayerRole.STUDY_AREA:
                crowns = tr("{count:,} polygons", one="1 polygon", count=count)
            else:
                crowns = tr("{count:,} crowns", one="1 crown", count=count)
            mark = " ✓" if self.is_imported else ""
            self.item.setText(f"{self.name} · {crowns}{mark}")

    def store_outcome(self, outcome: Any) -> None:
        """Store the outcome of reading the preview: an :class:`ImportPreview` or an exception."""
        self.task = None
        if isinstance(outcome, RandCrownsError):
            self.is_photo = outcome.key == _PHOTO_ERROR
            self.problem = "" if self.is_photo else error_message(outcome)
            self.problem_key = outcome.key
            if outcome.key in _TRUTH_ERRORS:
                # The dialog has no field for the ground truth.
                self.problem = fill_template(_TRUTH_ERRORS[outcome.key], file=self.name)
        elif isinstance(outcome, Exception):
            self.problem = str(outcome)
        elif outcome.is_cloud:
            self.is_cloud = True
        else:
            self.preview = outcome
        self.show_preview()

    def stop(self) -> None:
        """Stop reading the preview."""
        if self.task is not None:
            self.task.stop()
            self.task = None


class _LowList(QListWidget):
    """List that needs only its minimum height, and takes more where there is room."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with the minimum height."""
        return QSize(super().sizeHint().width(), self.minimumHeight())


class _LowScrollArea(QScrollArea):
    """Area that needs only its minimum height, and takes more where there is room."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with the minimum height."""
        return QSize(super().sizeHint().width(), self.minimumHeight())


class ImportDialog(QDialog):
    """Dialog that imports files of crowns as layers with a role.

    Files can be dropped onto it. After the import, one button leads to the page that scores the
    crowns.

    Args:
        iface: The interface of the QGIS window.
        show_page: Shows a page of the dock after the import.
        needs_targets: False if the page that opens the dialog compares crowns without targets.
    """

    def __init__(self, iface: Any, show_page: ShowPage, needs_targets: bool = True) -> None:
        super().__init__(iface.mainWindow())
        self._iface = iface
        self._needs_targets = needs_targets
        self._show_page = show_page
        self._importer = FileImporter(iface, self)
        self._importer.finished.connect(self._on_imported)
        #: Files from top to bottom.
        self.rows: list[_FileRow] = []
        #: Layers that were imported.
        self.imported: list[QgsVectorLayer] = []
        #: True while files are imported.
        self._is_importing = False
        #: True if the next page is shown as soon as all files are imported.
        self._shows_next_page = False
        self._image_folder = ""
        #: Results of RandCrowns in the folders that were added, which are not imported.
        self._own_results: dict[Path, None] = {}
        self.setWindowTitle(tr("Import crowns"))
        self.setAcceptDrops(True)
        self.resize(460, 460)
        self._create_file_widgets()
        self._create_image_widgets()
        #: Rows with what each file is.
        self.role_form = QFormLayout()
        self._create_texts_and_buttons()
        self._arrange_widgets()
        self._update_content()

    def _create_file_widgets(self) -> None:
        """Create the list of files, and the buttons that add and remove files."""
        self.file_list = _LowList()
        self.file_list.setAccessibleName(tr("Files"))
        self.file_list.itemSelectionChanged.connect(self._update_buttons)
        self.file_list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.file_list.setMinimumHeight(_FILE_ROWS * (self.fontMetrics().height() + 8))
        self.files_button = QPushButton(tr("Add files…"))
        self.files_button.clicked.connect(self._ask_files)
        self.folder_button = QPushButton(tr("Add folder…"))
        self.folder_button.clicked.connect(self._ask_folder)
        self.remove_button = QPushButton(tr("Remove"))
        self.remove_button.clicked.connect(self._remove_selected)

    def _create_image_widgets(self) -> None:
        """Create the text about the images, their folder, and the pictures of example crowns."""
        #: How many images were found, or which are missing.
        self.image_label = make_wrapped_label()
        self.image_label.setMinimumHeight(_IMAGE_TEXT_LINES * self.fontMetrics().lineSpacing())
        self.image_folder_button = QPushButton(tr("Folder of the images…"))
        self.image_folder_button.clicked.connect(self._ask_image_folder)
        #: Adds the images to the map.
        self.show_images_box = QCheckBox(tr("Show the images below the crowns"))
        self.show_images_box.setToolTip(
            tr("Add the images that were found to the project, each once.")
        )
        self.show_images_box.setChecked(preference(_SHOW_IMAGES, "1") == "1")
        self.show_images_box.toggled.connect(
            lambda is_checked: set_preference(_SHOW_IMAGES, "1" if is_checked else "0")
        )
        #: Pictures of crowns on their images.
        self.pictures = [QLabel() for _ in range(3)]
        is_low = self.screen().availableGeometry().height() < _LOW_SCREEN_HEIGHT
        self._picture_side = _LOW_PICTURE_SIDE if is_low else _PICTURE_SIDE
        for picture in self.pictures:
            picture.setFixedSize(self._picture_side, self._picture_side)

    def _create_texts_and_buttons(self) -> None:
        """Create the texts and the buttons below the three steps."""
        self.hint_label = make_wrapped_label(
            tr("Files can also be dropped here. The crowns become layers of the project."),
            SECONDARY_TONE,
        )
        #: What to do while the role of a file is unknown.
        self.role_label = make_wrapped_label(
            tr(
                "Neither names nor scores tell which crowns are the targets. Select Targets for "
                "one file: the others are then preset. Without targets, set all files at once or "
                "select what each file is."
            ),
            WARNING_TONE,
        )
        self.role_label.hide()
        #: Sets the role of all files whose role is unknown.
        self.annotators_button = QPushButton(tr("All are crowns of annotators"))
        self.annotators_button.setToolTip(
            tr("Select Crowns of an annotator for every file without a role.")
        )
        self.annotators_button.clicked.connect(self._set_annotators)
        self.annotators_button.hide()
        #: Why files cannot be read, and which files of a folder are left out.
        self.problem_label = make_wrapped_label(tone=WARNING_TONE)
        #: Progress of the import, in the place of the hint.
        self.progress_bar = RunProgressBar()
        self.progress_bar.setAccessibleName(tr("Progress of the import"))
        self.progress_bar.hide()
        #: What was imported, in the place of the hint.
        self.result_label = make_wrapped_label()
        self.result_label.hide()
        self.options_button = QPushButton(tr("More options…"))
        self.options_button.setToolTip(tr("Open the dialog of the toolbox with these files."))
        self.options_button.clicked.connect(self._open_options)
        self.import_button = QPushButton(tr("Import"))
        self.import_button.clicked.connect(self.start_import)
        #: Shows the page for the crowns, and imports them first if they are not imported.
        self.score_button = QPushButton()
        self.score_button.clicked.connect(self._import_and_show_page)
        self.score_button.hide()

    def _arrange_widgets(self) -> None:
        """Arrange the widgets: a box for each step, and the texts and buttons below them."""
        file_buttons = fill_layout(
            QHBoxLayout(), self.files_button, self.folder_button, self.remove_button, FREE_SPACE
        )
        file_group = _make_group(tr("1. Files"), self.file_list, file_buttons)
        image_row = fill_layout(
            QHBoxLayout(), self.image_folder_button, self.show_images_box, FREE_SPACE
        )
        picture_row = QWidget()
        picture_row.setFixedHeight(self._picture_side)
        fill_layout(QHBoxLayout(picture_row), *self.pictures, FREE_SPACE)
        image_group = _make_group(tr("2. Images"), self.image_label, picture_row, image_row)
        role_content = QWidget()
        role_content.setLayout(self.role_form)
        self.role_form.setContentsMargins(0, 0, 0, 0)
        self._role_area = make_scrollable(role_content, _LowScrollArea())
        self._role_area.setMinimumHeight(_ROLE_AREA_HEIGHT)
        annotators_row = fill_layout(QHBoxLayout(), self.annotators_button, FREE_SPACE)
        role_group = _make_group(
            tr("3. What the crowns are"), self._role_area, self.role_label, annotators_row
        )
        buttons = fill_layout(
            QHBoxLayout(), self.options_button, FREE_SPACE, self.import_button, self.score_button
        )
        # Hint, progress and result follow one another in one place, so that nothing moves.
        state_area = QWidget()
        fill_layout(QVBoxLayout(state_area), self.hint_label, self.progress_bar, self.result_label)
        text_height = _STATE_LINES * self.fontMetrics().lineSpacing()
        state_area.setMinimumHeight(max(text_height, self.progress_bar.sizeHint().height()))
        content = QWidget()
        steps = fill_layout(
            QVBoxLayout(content),
            file_group,
            image_group,
            role_group,
            self.problem_label,
            spacing=6,
        )
        # The lists share the height of a large window.
        for group in (file_group, role_group):
            steps.setStretchFactor(group, 1)
        #: Area with the three steps, which scrolls on a screen that is too low for them.
        self._steps_area = make_scrollable(content)
        fill_layout(
            QVBoxLayout(self),
            self._steps_area,
            state_area,
            buttons,
            margins=(9, 9, 9, 9),
            spacing=6,
            stretched=self._steps_area,
        )

    # Files

    def add_paths(self, paths: Sequence[str]) -> None:
        """Add files and folders; those that are in the list are ignored.

        Of several, side files such as ``.aux.xml`` are ignored, too: all files of a folder can be
        selected. The next file dialog opens in the folder of the last one.
        """
        own_files = [path for path in paths if not is_side_file(path)]
        for path in own_files or paths:
            is_folder = os.path.isdir(path)  # noqa: PTH112  # Path.is_dir raises errors.
            self._add_row(path, path if is_folder else "")
            remember_folder(path if is_folder else str(Path(path).parent), replaces=False)
        self._guess_roles()
        self._update_content()

    def _add_row(self, path: str, folder: str) -> None:
        """Add a file or a folder to the list, and start to read it; ignore a known one.

        Args:
            path: Path of the file or folder, or a text that specifies several files.
            folder: Folder that was added to the dialog and contains the file; "" for a single file.
        """
        if any(row.path == path for row in self.rows):
            return
        row = _FileRow(path, name_input(path, {row.name for row in self.rows}), folder)
        row.image_folder = self._image_folder
        self.rows.append(row)
        self.file_list.addItem(row.item)
        if not row.is_cloud:
            # A long name would leave no room for the role.
            label = QLabel(
                self.fontMetrics().elidedText(
                    row.name, Qt.TextElideMode.ElideMiddle, _MAX_NAME_WIDTH
                )
            )
            label.setToolTip(escape_rich_text(row.path))
            self.role_form.addRow(label, row.role_box)
            # A folder may become several files, which have roles of their own.
            label.setVisible(path != folder)
            row.role_box.setVisible(path != folder)
            row.role_box.currentIndexChanged.connect(lambda _: self._update_content())
            row.role_box.activated.connect(lambda _: self._on_role_chosen(row))
            self._read_preview(row)

    def _remove_row(self, row: _FileRow) -> None:
        """Remove a file from the list, with its role."""
        row.stop()
        self.rows.remove(row)
        self.file_list.takeItem(self.file_list.row(row.item))
        if not row.is_cloud:
            self.role_form.removeRow(row.role_box)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Accept files and folders."""
        if _local_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Add the dropped files and folders."""
        event.acceptProposedAction()
        self.add_paths(_local_paths(event))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop reading files."""
        for row in self.rows:
            row.stop()
        super().closeEvent(event)

    def _ask_files(self, *_: object) -> None:
        """Ask the user for files and add them; the next file dialog opens in their folder."""
        folder = str(preferred_folder())
        paths, _ = QFileDialog.getOpenFileNames(
            self, tr("Files with crowns"), folder, _file_filter()
        )
        self.add_paths(paths)

    def _ask_folder(self, *_: object) -> None:
        """Ask the user for a folder and add its files."""
        path = _choose_folder(self, tr("Folder with files of crowns"))
        self.add_paths([path] if path else [])

    def _ask_image_folder(self, *_: object) -> None:
        """Ask the user for the folder of the images."""
        path = _choose_folder(self, tr("Folder of the images"))
        if path:
            self.set_image_folder(path)

    def set_image_folder(self, path: str) -> None:
        """Search a folder for the images of all files, also of those that are added later.

        The previews of the files are read again. Point clouds have no images.
        """
        self._image_folder = path
        for row in self.rows:
            row.image_folder = path
            if not row.is_cloud:
                self._read_preview(row)
        self._update_content()

    def _remove_selected(self, *_: object) -> None:
        """Remove the selected files from the dialog."""
        items = self.file_list.selectedItems()
        selected_paths = {item.data(Qt.ItemDataRole.UserRole) for item in items}
        selected_rows = [row for row in self.rows if row.path in selected_paths]
        for row in selected_rows:
            self._remove_row(row)
        self._guess_roles()
        self._update_content()

    # Previews

    def _read_preview(self, row: _FileRow) -> None:
        """Start to read what a file contains, which is unknown until then.

        Large files are not read before the import.
        """
        row.stop()
        row.preview = None
        row.problem = ""
        row.problem_key = ""
        file = Path(row.path)
        if is_file(file) and file.stat().st_size > _MAX_PREVIEW_SIZE:
            return
        context = QgsProject.instance().transformContext()
        read_in_background = partial(
            read_import_preview, row.path, row.image_folder, context, row.truth
        )
        row.task = BackgroundTask(tr("RandCrowns: preview of an import"), read_in_background, self)
        row.task.finished.connect(partial(self._on_preview, row))

    def _on_preview(self, row: _FileRow, outcome: Any) -> None:
        """Show what a file contains, or why it cannot be read.

        A folder whose files belong into layers of their own is replaced with these files.

        Args:
            row: The file.
            outcome: An :class:`ImportPreview`, or the exception that was raised.
        """
        row.store_outcome(outcome)
        if row.preview is not None:
            self._own_results.update(dict.fromkeys(row.preview.own_results))
        if row.preview is not None and row.preview.parts:
            self._remove_row(row)
            for part in row.preview.parts:
                self._add_row(part, row.folder)
        elif row.is_cloud:
            self.role_form.removeRow(row.role_box)
        else:
            self.role_form.labelForField(row.role_box).setVisible(row.has_crowns)
            row.role_box.setVisible(row.has_crowns)
        self._complete_rows()
        self._guess_roles()
        self._update_content()

    def _complete_rows(self) -> None:
        """Read files again that lack a ground truth or images which the dialog knows."""
        if self.is_reading:
            return
        previews = [row.preview for row in self.rows if row.preview is not None]
        truths = {preview.coco_truth for preview in previews if preview.coco_truth is not None}
        only_truth = next(iter(truths)) if len(truths) == 1 else None
        folders = {row.found_image_folder for row in self.rows} - {""}
        for row in self.rows:
            if row.lacks_truth and only_truth is not None:
                row.truth = only_truth
                self._read_preview(row)
            elif row.lacks_images and not self._image_folder:
                candidates = [row.folder, *(folders if len(folders) == 1 else ())]
                searched = {"", *row.searched_folders}
                folder = next((folder for folder in candidates if folder not in searched), "")
                if folder:
                    row.image_folder = folder
                    row.searched_folders.add(folder)
                    self._read_preview(row)

    @property
    def is_reading(self) -> bool:
        """True while a preview is read."""
        return any(row.task is not None for row in self.rows)

    def _on_role_chosen(self, row: _FileRow) -> None:
        """Preset the roles of the other files after the user has selected the targets."""
        if row.role is LayerRole.TARGETS:
            self._guess_roles()

    def _set_annotators(self, *_: object) -> None:
        """Select an annotator as the role of all files whose role is unknown."""
        for row in self.rows:
            if row.has_crowns and row.role is None:
                row.is_role_chosen = True
                row.role_box.set_value(LayerRole.ANNOTATOR.value)

    def _guess_roles(self) -> None:
        """Select what each file probably is, unless the user has selected it.

        A file that is named like a study area or encloses the crowns of the others is one. Crowns
        with scores are a detector's. If the project has no polygon layer yet, unless the
        page needs none, one other file has the targets: the one that is named like it, else the
        only one that is not named like predictions. If there are several, the user has to select
        their roles, unless all of them are named like annotators. All others are crowns of
        annotators, or of a detector by their name.
        """
        study_areas = self._find_study_areas()
        for row in study_areas:
            row.preset_role(LayerRole.STUDY_AREA)
        rows = [row for row in self.rows if row.has_crowns and row not in study_areas]
        open_rows = [row for row in rows if not (row.is_role_chosen or row.has_scores)]
        has_targets = any(row.is_role_chosen and row.role is LayerRole.TARGETS for row in rows)
        candidates: list[_FileRow] = []
        if self._needs_targets and not has_targets and not crown_layers():
            lowest_rank = min(map(_target_rank, open_rows), default=0)
            candidates = [row for row in open_rows if _target_rank(row) == lowest_rank]
            if len(candidates) > 1 and all(
                row.role_of_name is LayerRole.ANNOTATOR for row in candidates
            ):
                candidates = []
        for row in rows:
            if row.is_role_chosen:
                continue
            is_named_detector = self._needs_targets and row.role_of_name is LayerRole.DETECTOR
            role: LayerRole | None = LayerRole.ANNOTATOR
            if row in candidates:
                role = LayerRole.TARGETS if len(candidates) == 1 else None
            elif row.has_scores or is_named_detector:
                role = LayerRole.DETECTOR
            row.preset_role(role)

    def _find_study_areas(self) -> list[_FileRow]:
        """Return the files without a selected role that are study areas."""
        outlines = {row.path: row.outlines for row in self.rows if row.outlines is not None}
        project_outlines = sample_crowns_around() if outlines else []
        study_areas = []
        for row in self.rows:
            others = [sample for path, sample in outlines.items() if path != row.path]
            if not row.is_role_chosen and row.is_study_area([*others, *project_outlines]):
                study_areas.append(row)
        return study_areas

    def _update_content(self) -> None:
        """Update the texts of the files and images, the pictures, the problems and the buttons."""
        for row in self.rows:
            row.show_preview()
        set_text_or_hide(self.image_label, self._image_text())
        self._show_pictures()
        problems = [row.problem for row in self.rows if row.problem]
        if self.rows:
            problems += message_texts(own_result_messages(list(self._own_results)))
        set_text_or_hide(self.problem_label, "\n".join(dict.fromkeys(problems)))
        self._update_buttons()
        QTimer.singleShot(0, self._grow)

    def _show_pictures(self) -> None:
        """Show pictures of the first example crowns of the files; hide the other pictures."""
        examples = [
            (crown, row.preview.crs, row.item.text())
            for row in self.rows
            if row.preview is not None
            for crown in row.preview.examples
        ]
        for label in self.pictures:
            label.hide()
        for label, (crown, crs, file_text) in zip(self.pictures, examples):
            label.setPixmap(_draw_crown(crown, crs, self._picture_side))
            label.setToolTip(f"{file_text}\n{crown.image.name}")
            label.show()

    def _update_buttons(self, *_: object) -> None:
        """Enable the buttons that have an effect on the files."""
        waiting_rows = [row for row in self.rows if row.is_waiting]
        can_import = bool(waiting_rows)
        lacks_role = any(row.has_crowns and row.role is None for row in waiting_rows)
        # Scores that are not read yet may tell the roles; the dialog would grow for nothing.
        asks_for_roles = lacks_role and not self.is_reading
        self.role_label.setVisible(asks_for_roles)
        self.annotators_button.setVisible(asks_for_roles)
        has_cloud_only = bool(self._cloud_path()) and not can_import and not self.imported
        next_page_text = tooltip = ""
        if has_cloud_only:
            next_page_text = tr("Evaluate the cloud")
            tooltip = tr("Show page Instances with this cloud, and select its attributes.")
        elif any(row.has_crowns for row in waiting_rows):
            next_page_text = self._import_text(waiting_rows)
            tooltip = tr(
                "Import the crowns, show the page for them, and start its run with the current "
                "parameters."
            )
        else:
            page = next_page(self.imported) if self.imported else None
            if page is not None:
                next_page_text = page.button_text
                tooltip = tr(
                    "Show the page for these crowns, and start its run with the current parameters."
                )
        self.remove_button.setEnabled(bool(self.file_list.selectedItems()))
        self.options_button.setEnabled(any(row.has_crowns for row in self.rows))
        # A file may be no crowns, and a folder may become several files.
        is_complete = not (lacks_role or self.is_reading or self._is_importing)
        self.import_button.setEnabled(can_import and is_complete)
        self.import_button.setVisible(can_import or not next_page_text)
        self.score_button.setEnabled(is_complete)
        self.score_button.setVisible(bool(next_page_text))
        self.score_button.setText(next_page_text)
        self.score_button.setToolTip(tooltip)
        default_button = self.score_button if next_page_text else self.import_button
        default_button.setDefault(True)

    def _import_text(self, waiting_rows: Sequence[_FileRow]) -> str:
        """Return the label of the button that imports files and starts a run; "" for none.

        Args:
            waiting_rows: Files that are not imported yet.
        """
        rows = [row for row in waiting_rows if row.has_crowns]
        roles = [row.role for row in rows]
        return import_text(roles, self.imported, is_in_pixels=rows[0].is_in_pixels)

    def _cloud_path(self) -> str:
        """Return the path of the first point cloud; "" if there is none."""
        return next((row.path for row in self.rows if row.is_cloud), "")

    def _grow(self) -> None:
        """Enlarge the dialog if its content needs more height, within the height of the screen.

        The dialog keeps its place, unless it would go beyond the lower edge of the screen.
        """
        content = self._steps_area.widget()
        scroll_bar_width = self._steps_area.verticalScrollBar().sizeHint().width()
        self._steps_area.setMinimumWidth(content.minimumSizeHint().width() + scroll_bar_width)
        self.layout().activate()
        viewport = self._steps_area.viewport()
        content_height = content.layout().totalHeightForWidth(viewport.width())
        missing_height = content_height + self._height_of_lists() - viewport.height()
        needed_height = self.height() + missing_height
        screen = self.screen().availableGeometry()
        frame_height = max(self.frameGeometry().height() - self.height(), _MIN_FRAME_HEIGHT)
        highest = int(_MAX_SCREEN_SHARE * screen.height()) - frame_height
        new_height = min(needed_height, highest)
        if self.height() < new_height:
            self.resize(self.width(), new_height)
        excess = self.frameGeometry().bottom() - screen.bottom()
        if self.isVisible() and excess > 0:
            self.move(self.x(), max(screen.top(), self.y() - excess))

    def _image_text(self) -> str:
        """Return a sentence about the images that were found or are missing."""
        previews = [row.preview for row in self.rows if row.preview is not None]
        if self.is_reading:
            return tr("Searching for the images…")
        missing = [name for preview in previews for name in preview.missing_images]
        # Files in several folders give different paths to an image.
        images = {os.path.normpath(image) for preview in previews for image in preview.images}
        found_count = len(images)
        if missing:
            return tr(
                "Not found: {images}. Without its image, a crown stays in pixels, and a crown of "
                "YOLO is skipped. Select the folder of the images.",
                images=abbreviate(list(dict.fromkeys(missing))),
            )
        if found_count:
            return tr("{count:,} images found.", one="1 image found.", count=found_count)
        if previews:
            return tr("The files name no images; their crowns are in map coordinates.")
        if self._cloud_path():
            return tr("A point cloud has no images. Its trees are evaluated on page Instances.")
        return tr("Add files to see their images.")

    def _height_of_lists(self) -> int:
        """Return the height that the lists need in addition to their minimum, pixels."""
        row_height = max(self.file_list.sizeHintForRow(0), 0)
        wanted_heights = {
            self.file_list: row_height * self.file_list.count() + 2 * self.file_list.frameWidth(),
            self._role_area: self._role_area.widget().sizeHint().height(),
        }
        return sum(
            max(0, height - list_widget.minimumHeight())
            for list_widget, height in wanted_heights.items()
        )

    # Import

    def _import_and_show_page(self, *_: object) -> None:
        """Import the files that wait, and show the page for the crowns.

        The dialog stays open if a file could not be imported.
        """
        if any(row.is_waiting for row in self.rows):
            self._shows_next_page = True
            self.start_import()
        else:
            self._show_next_page()

    def start_import(self, *_: object) -> None:
        """Import all files that can be read, each as a layer with its role."""
        imports = [
            FileImport(
                path=row.path,
                role=row.role,
                image_folder=row.image_folder,
                name=row.name,
                truth=row.truth,
                images=row.preview.images if row.preview is not None else (),
                shows_images=self.show_images_box.isChecked(),
            )
            for row in self.rows
            if row.is_waiting and row.has_crowns
        ]
        photos = [row for row in self.rows if row.is_waiting and row.is_photo]
        images = add_images(QgsProject.instance(), [row.path for row in photos])
        for row in photos:
            row.is_imported = True
        self._is_importing = True
        self._update_buttons()
        self.hint_label.hide()
        self.result_label.hide()
        self._importer.start_files(imports, images, self.progress_bar)

    def _on_imported(self, layers: list[QgsVectorLayer]) -> None:
        """Show what was imported, and the button that leads to the next page.

        Args:
            layers: The imported layers; empty if the import failed or was cancelled.
        """
        self.imported += layers
        self._is_importing = False
        shows_next_page, self._shows_next_page = self._shows_next_page, False
        if not layers:
            self._update_buttons()
            self.hint_label.show()
            return
        imported_rows = [row for row in self.rows if row.is_waiting]
        for row in imported_rows:
            row.is_imported = True
            row.show_preview()
        self._update_buttons()
        is_whole = len(layers) == sum(row.has_crowns for row in imported_rows)
        if (
            shows_next_page
            and is_whole
            and self.isVisible()
            and next_page(self.imported) is not None
        ):
            self._show_next_page()
            return
        sentences = [
            tr(
                "{count:,} crowns imported.",
                one="1 crown imported.",
                count=sum(layer.featureCount() for layer in layers if not is_study_area(layer)),
            )
        ]
        if next_page(self.imported) is None:
            sentences.append(tr("Import the crowns to compare them with, too."))
        set_text_or_hide(self.result_label, " ".join(sentences))
        QTimer.singleShot(0, self._grow)

    def _show_next_page(self, *_: object) -> None:
        """Close the dialog, show the page for the imported crowns, and start its run with them.

        The user has seen the crowns on their images and decided what they are. Without imported
        crowns, page Instances is shown with the point cloud, whose attributes nobody has seen yet.
        """
        page = next_page(self.imported) if self.imported else None
        cloud = self._cloud_path()
        # The window does not respond until the page is made and its run has read the layers.
        with busy_cursor():
            self.accept()
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
            if page is not None:
                self._show_page(page.key, {**page.values, START_RUN: True})
            elif cloud:
                self._show_page("instances", {CLOUD.name: cloud})

    def _open_options(self, *_: object) -> None:
        """Open the dialog of the toolbox with the files, and close this one."""
        rows = [row for row in self.rows if not (row.is_cloud or row.is_photo)]
        values: dict[str, Any] = {INPUT_FILES.id: SEPARATOR.join(row.path for row in rows)}
        image_folder = next((row.image_folder for row in rows if row.image_folder), "")
        if image_folder:
            values[IMAGE_FOLDER.id] = image_folder
        truth = next((row.truth for row in rows if row.truth is not None), None)
        if truth is not None:
            values[IMAGES_OF.id] = str(truth)
        open_algorithm_dialog(self._iface, IMPORT_CROWNS, values)
        self.reject()


def _target_rank(row: _FileRow) -> int:
    """Return how improbable it is by its name that a file has the targets, from 0 to 2."""
    ranks: dict[LayerRole | None, int] = {LayerRole.TARGETS: 0, LayerRole.DETECTOR: 2}
    return ranks.get(row.role_of_name, 1)


def _file_filter() -> str:
    """Return the file types of the file dialog: annotation files and point clouds, or all files."""
    extensions = (*extensions_of(FileFormat), *CLOUD_EXTENSIONS)
    return tr(
        "Crowns and point clouds ({patterns});;All files (*)",
        patterns=" ".join(f"*{extension}" for extension in extensions),
    )


def _choose_folder(parent: QWidget, title: str) -> str:
    """Return the folder that the user selects, or ""; the next file dialog opens there."""
    path = QFileDialog.getExistingDirectory(parent, title, str(preferred_folder()))
    if path:
        remember_folder(path, replaces=False)
    return path


def _make_group(title: str, *parts: Any) -> QWidget:
    """Return a titled box with widgets and layouts from top to bottom."""
    box = QGroupBox(title)
    fill_layout(QVBoxLayout(box), *parts, margins=(8, 4, 8, 6), spacing=4)
    return box


def _local_paths(event: QDragEnterEvent | QDropEvent) -> list[str]:
    """Return the paths of dragged local files and folders; [] if anything else is dragged."""
    urls = event.mimeData().urls()
    paths = [url.toLocalFile() for url in urls if url.isLocalFile()]
    return paths if len(paths) == len(urls) else []


def _draw_crown(crown: ExampleCrown, crs: QgsCoordinateReferenceSystem, side: int) -> QPixmap:
    """Return a picture of a crown on its image.

    Args:
        crown: The crown.
        crs: CRS of its outline; invalid for pixel coordinates.
        side: Side of the picture, pixels.
    """
    image = QgsRasterLayer(str(crown.image), "image")
    if not crs.isValid():
        image.setCrs(crs)
    context = QgsProject.instance().transformContext()
    layers = MapLayers.copy_of([image], context, "m" if crs.isValid() else "px")
    outline = Outline(QgsGeometry.fromWkt(crown.outline.wkt), TARGET_COLOUR, crs)
    # In its own CRS, the image is neither turned nor distorted, even if the crowns' CRS is that of
    # an image in another UTM zone.
    map_crs = image.crs() if image.crs().isValid() else crs
    picture = layers.render_crown([outline], map_crs, side, crown.image.name)
    pixmap = QPixmap()
    pixmap.loadFromData(picture.data)
    return pixmap
