"""Fields for a point cloud: the file, its two attributes, and the coordinate system of one that names none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProject
from qgis.gui import QgsFileWidget, QgsProjectionSelectionWidget
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.instances.choices import CLOUD, CRS, PREDICTION, TARGET
from randcrowns.core.errors import MissingLibraryError, RandCrownsError
from randcrowns.layers.cloud.head import CloudAttribute, CloudHead, cloud_file, look_into
from randcrowns.layers.libraries import CLOUDS
from randcrowns.layers.sample import sample_clouds
from randcrowns.layers.words import reason, tr
from randcrowns.ui.services.layer_watch import FileWatch
from randcrowns.ui.services.libraries import InstallButton
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.editors import Editor
from randcrowns.ui.widgets.parts import fill, wrapped

#: Beginnings of the names of attributes, of targets and of predictions.
_STARTS = (("tree_id", "treeid", "target", "instance", "tree"), ("pred", "found", "detected"))


class CloudPicker(QWidget):
    """Point clouds of the project, or a file, of which the header is read. Emits :attr:`changed`."""

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.clouds = OptionBox()
        self.clouds.setToolTip(CLOUD.help)
        self.file = QgsFileWidget()
        self.file.setFilter(CLOUD.filter)
        self.file.setToolTip(CLOUD.help)
        self.file.lineEdit().setPlaceholderText(tr("a LAS, LAZ or COPC file"))
        self.badge = wrapped()
        self.badge.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.head: CloudHead | None = (
            None  #: what the file says of itself; None while it cannot be read.
        )
        self.problem = ""  #: why it cannot be read.
        self.watch = FileWatch(self)
        self.watch.changed.connect(self.look_again)
        #: The button that offers the libraries it is read with, where they are lacking.
        self.install = InstallButton(CLOUDS)
        self.install.hide()
        self.install.installed.connect(self._take_cloud)
        fill(QVBoxLayout(self), self.clouds, self.file, self.badge, self.install, spacing=2)
        self.refresh()
        self.clouds.currentIndexChanged.connect(self._take_cloud)
        self.file.fileChanged.connect(self._take_cloud)

    def path(self) -> str:
        """The cloud picked, empty when there is none."""
        return str(self.clouds.currentData() or self.file.filePath().strip())

    @property
    def names_no_system(self) -> bool:
        """Whether a coordinate system must be chosen for the cloud picked."""
        return self.head is not None and not self.head.crs.isValid()

    def pick(self, path: str) -> None:
        """Pick a cloud, offered or not; an empty path leaves the one picked."""
        if not path:
            return
        place = self.clouds.findData(path)
        if place < 0:
            self.file.setFilePath(path)
            place = self.clouds.count() - 1
        self.clouds.setCurrentIndex(place)

    def refresh(self) -> None:
        """Offer the clouds of the project; what was picked stays picked."""
        before = self.clouds.offered
        offered = [
            *(Option(path, words) for words, path in clouds_offered()),
            Option("", tr("File…")),
        ]
        self.clouds.offer(offered, lambda cloud: cloud or ("" if self.path() else None))
        if self.clouds.offered != before:
            self._take_cloud()

    def look_again(self) -> None:
        """Take up that the file picked was written, is gone, or is there by now."""
        if self.watch.differs:
            self.head = None
            self._take_cloud()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Look again at a file that may have changed while the field was hidden."""
        super().showEvent(event)
        self.look_again()

    def _take_cloud(self, *_: object) -> None:
        path = self.path()
        self.watch.follow(path)
        self.file.setVisible(not self.clouds.currentData())
        if self.head is not None and str(self.head.path) == path and not self.problem:
            return
        self.head, self.problem, lacking = None, "", False
        try:
            if path:
                self.head = look_into(cloud_file(path))
        except RandCrownsError as error:
            self.problem = reason(error)
            lacking = isinstance(error, MissingLibraryError)
        self.install.setVisible(lacking)
        self.badge.set_tone(WARN if self.problem else QUIET)
        self.badge.setText(self.problem or ("" if self.head is None else _facts(self.head)))
        self.badge.setVisible(bool(self.badge.text()))
        self.changed.emit()


class AttributeBoxes:
    """The attributes with the ids of targets and predictions: guessed by their names unless the user picks others."""

    def __init__(self) -> None:
        self.target, self.prediction = self.boxes = OptionBox(), OptionBox()
        self._attributes: Sequence[CloudAttribute] = ()
        self._classes: Sequence[str] = ()
        #: What the user picked instead of a guess, which stays picked where a file has it.
        self._wanted = ["", ""]
        for side, (box, choice) in enumerate(zip(self.boxes, (TARGET, PREDICTION))):
            box.setToolTip(choice.help)
            box.currentTextChanged.connect(partial(self._take, side))

    def editors(self) -> list[Editor]:
        """For a form: the targets', and the predictions'."""
        return [
            Editor(box, box.currentText, partial(self._show, side), box.currentTextChanged)
            for side, box in enumerate(self.boxes)
        ]

    def offer(self, attributes: Sequence[CloudAttribute], classes: Sequence[str] = ()) -> None:
        """Offer those of a file; its attributes with ``classes`` are taken for no trees."""
        if attributes and (attributes, classes) == (self._attributes, self._classes):
            return
        self._attributes, self._classes = attributes, classes
        names = [attribute.name for attribute in attributes if attribute.extra]
        names += [
            attribute.name for attribute in attributes if not attribute.extra and attribute.whole
        ]
        picked = self._guess([name if name in names else "" for name in self._wanted])
        for box, name in zip(self.boxes, picked):
            with QSignalBlocker(box):
                box.clear()
                box.addItems(["", *names])  # none, where classes alone are compared
                box.setCurrentIndex(max(box.findText(name), 0))

    def _show(self, side: int, name: str) -> None:
        """Pick an attribute, of a file that cannot be read now as well; one that the file lacks is for the next.

        Without a name it is the guess, and beside classes none.
        """
        box = self.boxes[side]
        if not name and not any(self._classes):
            name = self._guess(("", ""))[side]
        if name and not self._attributes and box.findText(name) < 0:
            box.addItem(name)
        if box.findText(name) >= 0:
            box.setCurrentIndex(box.findText(name))
        self._take(side, name)

    def _take(self, side: int, name: str) -> None:
        self._wanted[side] = "" if name == self._guess(("", ""))[side] else name

    def _guess(self, wanted: Sequence[str]) -> list[str]:
        """What is wanted, or else attributes that no standard gives every cloud; beside classes by name alone."""
        extra = [one for one in self._attributes if one.extra and one.name not in self._classes]
        names = [
            attribute.name for attribute in sorted(extra, key=lambda attribute: not attribute.whole)
        ]
        picked = list(wanted)
        for starts in (
            _STARTS,
            *([] if any(self._classes) else [([""], [""])]),
        ):  # any name at last
            for side, own in enumerate(starts):
                called = (
                    one
                    for start in own
                    for one in names
                    if one.lower().startswith(start) and one not in picked
                )
                picked[side] = picked[side] or next(called, "")
        return picked if all(picked) or not any(self._classes) else list(wanted)


class CloudSystem(QgsProjectionSelectionWidget):
    """The coordinate system of a cloud that names none; a layer of the project may know it."""

    def __init__(self, cloud: CloudPicker) -> None:
        super().__init__()
        self._cloud = cloud
        self.setOptionVisible(QgsProjectionSelectionWidget.CrsOption.CrsNotSet, True)
        self.setNotSetText(tr("choose one"))
        self.setToolTip(CRS.help)
        for box in self.findChildren(QComboBox):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(10)
        cloud.changed.connect(self._take_known)

    def value(self) -> str:
        """The system's id or definition; empty where none is needed or chosen."""
        needed = self._cloud.names_no_system and self.crs().isValid()
        return str(self.crs().authid() or self.crs().toWkt()) if needed else ""

    def show_value(self, name: str) -> None:
        """Choose a system; without a name the one that a layer knows, or none."""
        if self._cloud.names_no_system:
            self.setCrs(
                QgsCoordinateReferenceSystem(name) if name else system_of_layer(self._cloud.path())
            )

    def _take_known(self) -> None:
        known = system_of_layer(self._cloud.path())
        if self._cloud.names_no_system and known.isValid():
            self.setCrs(known)


def _facts(head: CloudHead) -> str:
    crs = head.crs.authid() or (
        head.crs.description() if head.crs.isValid() else tr("no coordinate system")
    )
    name = Path(head.path).name
    points = tr("{count:,} points", one="1 point", count=head.n_points)
    facts = f"{name}: {points} · {crs}"
    if Path(head.path) in sample_clouds(QgsProject.instance()):
        facts += " · " + tr("simulated, of other trees than the sample image, and beside it")
    return facts


def clouds_offered() -> list[tuple[str, str]]:
    """Name and path of each cloud that the project has."""
    project = QgsProject.instance()
    found = [(layer.name(), path) for layer, path in _cloud_layers()]
    known = {path for _, path in found}
    found += [
        (tr("Sample cloud (simulated)"), str(path))
        for path in sample_clouds(project)
        if str(path) not in known
    ]
    return sorted(found)


def system_of_layer(path: str) -> QgsCoordinateReferenceSystem:
    """The system that a layer of the project gives to the cloud of that file; invalid where none does."""
    return next(
        (layer.crs() for layer, own in _cloud_layers() if own == path),
        QgsCoordinateReferenceSystem(),
    )


def _cloud_layers() -> list[tuple[QgsPointCloudLayer, str]]:
    """The project's layers that are read from a file of points, with its path."""
    found = []
    for layer in QgsProject.instance().mapLayers().values():
        if isinstance(layer, QgsPointCloudLayer):
            try:
                found.append((layer, str(cloud_file(layer.source()))))
            except RandCrownsError:
                continue  # read from something else
    return found
