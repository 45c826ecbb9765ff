"""Which point cloud, and which of its attributes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProject
from qgis.gui import QgsFileWidget, QgsProjectionSelectionWidget
from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QSignalBlocker, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QComboBox, QFormLayout, QLabel, QSizePolicy, QSpinBox, QVBoxLayout, QWidget

from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.cloud.head import CloudAttribute, CloudHead, cloud_file, look_into
from randcrowns.layers.sample import sample_clouds
from randcrowns.layers.words import counted, tr
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.form_rows import whole_box

__all__ = ["CloudPicker", "FileWatch", "clouds_offered", "system_of_layer"]

_TARGETS = ("tree_id", "treeid", "target", "instance", "tree")
_PREDICTIONS = ("pred", "found", "detected")


class CloudPicker(QWidget):
    """Point clouds of the project or a file; attributes of the one picked. Reads its header only."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clouds = _box(tr("Point cloud layers of the project that are read from LAS, LAZ or COPC, or a file."))
        self.file = QgsFileWidget()
        self.file.setFilter(tr("Point clouds (*.las *.laz)"))
        self.file.lineEdit().setPlaceholderText(tr("a LAS, LAZ or COPC file"))
        self.badge = QLabel()
        self.badge.setWordWrap(True)
        self.badge.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.target = _box(tr("Attribute with the number of the tree that each point really belongs to."))
        self.prediction = _box(tr("Attribute with the number of the tree that a method gave each point."))
        self.invalid_id, self.prediction_invalid_id = _no_tree_box(), _no_tree_box()
        self.crs = QgsProjectionSelectionWidget()
        self.crs.setOptionVisible(QgsProjectionSelectionWidget.CrsOption.CrsNotSet, True)
        self.crs.setNotSetText(tr("choose one"))
        for box in self.crs.findChildren(QComboBox):
            _make_narrow(box)
        self.crs.setToolTip(
            tr(
                "The system of the cloud's coordinates, which its file does not name. For local coordinates in metres "
                "any system in metres will do."
            )
        )
        self.problem = ""
        self._head: CloudHead | None = None
        self._looked_at = ""
        #: Attributes that the user picked, which stay picked where a file has them.
        self._wanted = ["", ""]
        self.watch = FileWatch(self)
        self.watch.changed.connect(self.look_again)
        self._build()
        self.refresh()
        self.clouds.currentIndexChanged.connect(self._take_cloud)
        self.file.fileChanged.connect(self._take_cloud)
        self.target.currentTextChanged.connect(lambda name: self._take_attribute(0, name))
        self.prediction.currentTextChanged.connect(lambda name: self._take_attribute(1, name))
        self.invalid_id.valueChanged.connect(self._tell)
        self.prediction_invalid_id.valueChanged.connect(self._tell)
        self.crs.crsChanged.connect(self._tell)

    def path(self) -> str:
        """The cloud picked, empty when there is none."""
        return str(self.clouds.currentData() or self.file.filePath().strip())

    def stamp(self) -> str:
        """When the cloud picked was written, and its size; empty where its file is gone."""
        if not self.path():
            return ""
        try:
            facts = Path(self.path()).stat()
        except (OSError, ValueError):
            return ""
        return f"{facts.st_mtime_ns} {facts.st_size}"

    def chosen_crs(self) -> str:
        """The system chosen for a cloud that names none; empty where none is needed or chosen."""
        crs = self.crs.crs()
        if self._head is None or self._head.crs.isValid() or not crs.isValid():
            return ""
        return str(crs.authid() or crs.toWkt())

    def lacking(self) -> str:
        """What is still to be chosen, empty when nothing is."""
        if self._head is None:
            return ""
        try:
            self._head.system(self.crs.crs())
        except RandCrownsError as error:
            return str(error)
        return ""

    def pick(self, path: str, target: str, prediction: str, invalid_ids: tuple[int, int], crs: str = "") -> None:
        """Pick a cloud, offered or not, and its attributes where it has them."""
        place = self.clouds.findData(path)
        self._wanted = [target, prediction]
        if path and place < 0:
            self.file.setFilePath(path)
            place = self.clouds.count() - 1
        if path:
            self.clouds.setCurrentIndex(place)
        for box, name in ((self.target, target), (self.prediction, prediction)):
            if box.findText(name) >= 0:
                box.setCurrentIndex(box.findText(name))
        if self._head is not None and [target, prediction] == _guess(self._head.attributes, ["", ""]):
            self._wanted = ["", ""]
        self.invalid_id.setValue(invalid_ids[0])
        self.prediction_invalid_id.setValue(invalid_ids[1])
        if self._names_no_system():
            self.crs.setCrs(QgsCoordinateReferenceSystem(crs))

    def refresh(self) -> None:
        """Offer the clouds of the project; what was picked stays picked."""
        offered = clouds_offered()
        now = [(self.clouds.itemText(i), self.clouds.itemData(i)) for i in range(self.clouds.count() - 1)]
        if offered == now and self.clouds.count():
            return
        before, chosen = self.path(), bool(self.clouds.currentData())
        blocker = QSignalBlocker(self.clouds)
        self.clouds.clear()
        for words, path in offered:
            self.clouds.addItem(words, path)
        self.clouds.addItem(tr("File…"), "")
        if before and not chosen:
            self.clouds.setCurrentIndex(self.clouds.count() - 1)
        else:
            self.clouds.setCurrentIndex(max(0, self.clouds.findData(before)) if before else 0)
        del blocker
        self._take_cloud()

    def look_again(self) -> None:
        """Take up that the file picked was written, is gone, or is there by now."""
        if self.stamp() == self._looked_at:
            self.watch.follow(self.path())
            return
        self._head = None
        self._take_cloud()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Look again at a file that may have changed while nobody saw."""
        super().showEvent(event)
        self.look_again()

    def _take_cloud(self, *_: object) -> None:
        path = self.path()
        self.watch.follow(path)
        self._looked_at = self.stamp()
        self.file.setVisible(not self.clouds.currentData())
        if self._head is not None and str(self._head.path) == path and not self.problem:
            return
        self._head, self.problem = None, ""
        try:
            if path:
                self._head = look_into(cloud_file(path))
        except RandCrownsError as error:
            self.problem = str(error)
        self._offer_attributes()
        self._offer_crs()
        self.badge.setStyleSheet(f"color: {WARN if self.problem else QUIET};")
        self.badge.setText(self.problem or ("" if self._head is None else _facts(self._head)))
        self.badge.setVisible(bool(self.badge.text()))
        self._tell()

    def _offer_attributes(self) -> None:
        """Offer those of the file; one that cannot be read now leaves what was picked."""
        if self._head is None and self.path():
            return
        attributes = () if self._head is None else self._head.attributes
        names = [attribute.name for attribute in attributes if attribute.extra]
        names += [attribute.name for attribute in attributes if not attribute.extra and attribute.whole]
        picked = _guess(attributes, [name if name in names else "" for name in self._wanted])
        for box, name in zip((self.target, self.prediction), picked):
            blocker = QSignalBlocker(box)
            box.clear()
            box.addItems(names)
            box.setCurrentIndex(box.findText(name) if name else -1)
            del blocker

    def _names_no_system(self) -> bool:
        return self._head is not None and not self._head.crs.isValid()

    def _offer_crs(self) -> None:
        """Ask for a system where the file names none; a layer of the project may know it."""
        asked = self._names_no_system()
        self._form.labelForField(self.crs).setVisible(asked)
        self.crs.setVisible(asked)
        known = system_of_layer(self.path()) if asked else QgsCoordinateReferenceSystem()
        if known.isValid():
            self.crs.setCrs(known)

    def _take_attribute(self, side: int, name: str) -> None:
        self._wanted[side] = name
        self._tell()

    def _tell(self, *_: object) -> None:
        self.changed.emit()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        form = self._form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(tr("Point cloud"), self.clouds)
        form.addRow(self.file)
        form.addRow(self.badge)
        for words, widget in (
            (tr("Target attribute"), self.target),
            (tr("its number for no tree"), self.invalid_id),
            (tr("Predicted attribute"), self.prediction),
            (tr("its number for no tree"), self.prediction_invalid_id),
            (tr("Coordinate system"), self.crs),
        ):
            form.addRow(words, widget)
            form.labelForField(widget).setToolTip(widget.toolTip())
        column.addLayout(form)


def _box(tooltip: str) -> QComboBox:
    box = QComboBox()
    _make_narrow(box)
    box.setToolTip(tooltip)
    return box


def _make_narrow(box: QComboBox) -> None:
    """Let a box be narrower than its longest entry."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(10)


def _no_tree_box() -> QSpinBox:
    words = tr(
        "Points with this number in the attribute above belong to no tree. It is below all tree numbers. In an "
        "attribute that cannot be negative -1 means the largest number it can hold where points have that, and "
        "otherwise 0."
    )
    box = whole_box(-(2**31), 2**31 - 1, "", words)
    box.setValue(-1)
    return box


def _facts(head: CloudHead) -> str:
    crs = head.crs.authid() or (head.crs.description() if head.crs.isValid() else tr("no coordinate system"))
    name = Path(head.path).name
    facts = f"{name}: {counted(head.n_points, tr('point'), tr('points'))} · {crs}"
    if Path(head.path) in sample_clouds(QgsProject.instance()):
        facts += " · " + tr("simulated, of other trees than the sample image, and beside it")
    return facts


def _guess(attributes: Sequence[CloudAttribute], wanted: Sequence[str]) -> list[str]:
    """The attributes of targets and predictions: what is wanted, or else one that no standard gives every cloud."""
    extra = [attribute for attribute in attributes if attribute.extra]
    names = [attribute.name for attribute in sorted(extra, key=lambda attribute: not attribute.whole)]
    picked = list(wanted)
    for find in (_first_called, _first):
        for side, beginnings in enumerate((_TARGETS, _PREDICTIONS)):
            free = [name for name in names if name not in picked]
            picked[side] = picked[side] or find(free, beginnings)
    return picked


def _first_called(names: Sequence[str], beginnings: Sequence[str]) -> str:
    called = (name for beginning in beginnings for name in names if name.lower().startswith(beginning))
    return next(called, "")


def _first(names: Sequence[str], _beginnings: Sequence[str]) -> str:
    return next(iter(names), "")


def clouds_offered() -> list[tuple[str, str]]:
    """Words and path of each cloud that the project has."""
    project = QgsProject.instance()
    found = []
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsPointCloudLayer):
            try:
                found.append((layer.name(), str(cloud_file(layer.source()))))
            except RandCrownsError:
                continue  # read from something else than a file of points
    known = {path for _, path in found}
    found += [(tr("Sample cloud (simulated)"), str(path)) for path in sample_clouds(project) if str(path) not in known]
    return sorted(found)


def system_of_layer(path: str) -> QgsCoordinateReferenceSystem:
    """The system that a layer of the project gives to the cloud of that file."""
    for layer in QgsProject.instance().mapLayers().values():
        if isinstance(layer, QgsPointCloudLayer):
            try:
                if str(cloud_file(layer.source())) == path:
                    return layer.crs()
            except RandCrownsError:
                continue
    return QgsCoordinateReferenceSystem()


#: Milliseconds after which a file that changed is told: it is written in many pieces.
_SETTLED = 500


class FileWatch(QObject):
    """Watches one file or, while that is not there, the folder in which it may appear. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED)
        self._watcher.fileChanged.connect(lambda _: self._settled.start())
        self._watcher.directoryChanged.connect(lambda _: self._settled.start())
        self._settled.timeout.connect(self.changed)

    def follow(self, path: str) -> None:
        """Watch this file from now on; a file that was replaced must be followed anew. Empty: none."""
        place = _nearest(path)
        if self.watched() != [place]:
            if self.watched():
                self._watcher.removePaths(self.watched())
            if place:
                self._watcher.addPath(place)

    def watched(self) -> list[str]:
        """The file or folder watched now."""
        return [*self._watcher.files(), *self._watcher.directories()]


def _nearest(path: str) -> str:
    """The path, or the nearest folder on the way to it that exists; empty for none."""
    if not path:
        return ""
    try:
        return next((str(place) for place in (Path(path), *Path(path).parents) if place.exists()), "")
    except (OSError, ValueError):  # a name that no file can have
        return ""
