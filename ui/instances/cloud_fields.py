"""Form fields of a point cloud: its file, two attributes, and coordinate reference system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProject
from qgis.gui import QgsFileWidget, QgsProjectionSelectionWidget
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from randcrowns.algorithms.instances.schema.parameters import (
    CLOUD,
    CRS,
    PREDICTION_ATTRIBUTE,
    TARGET_ATTRIBUTE,
)
from randcrowns.algorithms.parameter_types import Option
from randcrowns.core.errors import MissingLibraryError, RandCrownsError
from randcrowns.core.instances.cloud_values import CloudAttribute
from randcrowns.core.instances.point_tables import TABLE_EXTENSIONS
from randcrowns.layers.cloud.header import CloudHeader, find_cloud_file, read_header
from randcrowns.layers.libraries import CLOUDS
from randcrowns.layers.localization import error_message, tr
from randcrowns.layers.sample import sample_clouds
from randcrowns.ui.services.layer_watch import FileWatch
from randcrowns.ui.services.libraries_dialog import InstallButton
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import SECONDARY_TONE, WARNING_TONE
from randcrowns.ui.widgets.editors import Editor
from randcrowns.ui.widgets.parts import fill_layout, make_wrapped_label

#: Words in the names of attributes with predictions (pred_tree, instance_preds).
_PREDICTION_WORDS = ("pred", "prediction", "predictions", "predicted", "preds", "found", "detected")
#: Last words of the names of attributes with predictions (final_segs).
_PREDICTION_ENDINGS = ("segs", "segments", "segmented", "detection", "detections", "result")
#: Words in the names of attributes with reference data.
_TARGET_WORDS = ("target", "targets", "gt", "truth", "reference", "ref", "label", "labels", "true")
#: Words in the names of attributes with the ids of trees, the clearest first.
_INSTANCE_WORDS = ("instance", "instances", "inst", "tree", "trees", "treeid", "id", "ids")
#: Words in the names of attributes that hold no ids of trees.
_OTHER_WORDS = (
    *("semantic", "sem", "class", "classes", "classification", "species", "type", "semseg"),
    *("score", "scores", "confidence", "conf", "prob", "probability", "height", "distance"),
    *("offset", "offsets", "verticality", "dbh", "density", "intensity", "deviation"),
)


#: Minimum width of the box with coordinate reference systems, characters.
_MIN_CRS_LENGTH = 10


class CloudPicker(QWidget):
    """Field that selects a point cloud of the project or a file, and reads its header."""

    #: Emitted after another cloud was selected or its header was read again.
    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.cloud_box = OptionBox()
        self.cloud_box.setToolTip(CLOUD.help)
        self.file_field = QgsFileWidget()
        self.file_field.setFilter(CLOUD.filter)
        self.file_field.setToolTip(CLOUD.help)
        self.file_field.lineEdit().setPlaceholderText(tr("a LAS, LAZ or COPC file"))
        #: Facts about the cloud, or the reason why it cannot be read.
        self.badge = make_wrapped_label()
        self.badge.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        #: Header of the selected file; None while it cannot be read.
        self.header: CloudHeader | None = None
        #: Reason why the selected file cannot be read; "" if it can.
        self.problem = ""
        self.file_watch = FileWatch(self)
        self.file_watch.changed.connect(self.reload)
        #: Button that offers to install the libraries for reading clouds; hidden if not needed.
        self.install_button = InstallButton(CLOUDS)
        self.install_button.hide()
        self.install_button.installed.connect(self._read_header)
        fill_layout(
            QVBoxLayout(self),
            self.cloud_box,
            self.file_field,
            self.badge,
            self.install_button,
            spacing=2,
        )
        self.refresh()
        self.cloud_box.currentIndexChanged.connect(self._read_header)
        self.file_field.fileChanged.connect(self._read_header)

    def path(self) -> str:
        """Return the path of the selected cloud, or "" if none is selected."""
        return str(self.cloud_box.currentData() or self.file_field.filePath().strip())

    @property
    def lacks_crs(self) -> bool:
        """True if the selected cloud has no coordinate reference system in its header."""
        return self.header is not None and not self.header.crs.isValid()

    def select_cloud(self, path: str) -> None:
        """Select a cloud of the project or any file; do nothing if the path is empty."""
        if not path:
            return
        index = self.cloud_box.findData(path)
        if index < 0:
            self.file_field.setFilePath(path)
            # The last option is the one for files.
            index = self.cloud_box.count() - 1
        self.cloud_box.setCurrentIndex(index)

    def refresh(self) -> None:
        """Offer the clouds of the project and keep the selection."""
        previous_options = self.cloud_box.options
        options = [Option(path, name) for name, path in list_clouds()]
        options.append(Option("", tr("File…")))

        def find_selected_key(previous_key: Any) -> str | None:
            """Return the key of the option to select; None selects the default one."""
            if previous_key:
                return str(previous_key)
            return "" if self.path() else None

        self.cloud_box.set_options(options, find_selected_key)
        if self.cloud_box.options != previous_options:
            self._read_header()

    def reload(self) -> None:
        """Read the header again if the file was changed, removed or created."""
        if self.file_watch.has_changed:
            self.header = None
            self._read_header()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Check a file that may have changed while the field was hidden."""
        super().showEvent(event)
        self.reload()

    def _read_header(self, *_: object) -> None:
        """Read the header of the selected file unless it is known; update badge and button.

        Sets :attr:`header` and :attr:`problem`, and emits :attr:`changed` after reading.
        """
        path = self.path()
        self.file_watch.watch(path)
        self.file_field.setVisible(not self.cloud_box.currentData())
        if self.header is not None and str(self.header.path) == path and not self.problem:
            return

        self.header = None
        self.problem = ""
        lacks_library = False
        try:
            if path:
                self.header = read_header(find_cloud_file(path))
        except RandCrownsError as error:
            self.problem = error_message(error)
            # The button installs the libraries for LAS files; others are named by the message.
            is_las = not path.lower().endswith(TABLE_EXTENSIONS)
            lacks_library = isinstance(error, MissingLibraryError) and is_las

        self.install_button.setVisible(lacks_library)
        self.badge.set_tone(WARNING_TONE if self.problem else SECONDARY_TONE)
        facts = "" if self.header is None else _describe_header(self.header)
        self.badge.setText(self.problem or facts)
        self.badge.setVisible(bool(self.badge.text()))
        self.changed.emit()


class AttributeBoxes:
    """Two boxes that select the attributes with the ids of targets and of predictions.

    The attributes are guessed by their names until the user selects others. A side is 0 for the
    targets and 1 for the predictions.
    """

    def __init__(self) -> None:
        self.target_box = OptionBox()
        self.prediction_box = OptionBox()
        #: The boxes by side.
        self.boxes = (self.target_box, self.prediction_box)
        #: Attributes of the file of the targets.
        self._attributes: Sequence[CloudAttribute] = ()
        #: Attributes of the file of the predictions; None if it is the same file.
        self._prediction_attributes: Sequence[CloudAttribute] | None = None
        #: Names of the attributes with classes; "" for none.
        self._classes: Sequence[str] = ()
        #: Per side, the attribute that the user selected instead of the guess; "" for the guess.
        #: It is selected again in every file that has it.
        self._user_names = ["", ""]
        self.target_box.setToolTip(TARGET_ATTRIBUTE.help)
        self.prediction_box.setToolTip(PREDICTION_ATTRIBUTE.help)
        for side, box in enumerate(self.boxes):
            box.currentTextChanged.connect(partial(self._store_selection, side))

    def editors(self) -> list[Editor]:
        """Return the editors of the two parameters for a form, first that of the targets."""
        return [
            Editor(
                widget=box,
                value=box.currentText,
                set_value=partial(self._select, side),
                changed=box.currentTextChanged,
            )
            for side, box in enumerate(self.boxes)
        ]

    def set_attributes(
        self,
        attributes: Sequence[CloudAttribute],
        class_names: Sequence[str] = (),
        prediction_attributes: Sequence[CloudAttribute] | None = None,
    ) -> None:
        """Offer the attributes of a file and select a target and a prediction.

        Args:
            attributes: Attributes of the file.
            class_names: Names of the attributes with classes, "" for none. They are not guessed as
                ids of trees.
            prediction_attributes: Attributes of the file of the predictions; None if it is the
                same file.
        """
        is_unchanged = (
            attributes == self._attributes
            and class_names == self._classes
            and prediction_attributes == self._prediction_attributes
        )
        if attributes and is_unchanged:
            return
        self._attributes = attributes
        self._classes = class_names
        self._prediction_attributes = prediction_attributes
        target_names = _offered_names(attributes)
        prediction_names = target_names
        if prediction_attributes is not None:
            prediction_names = _offered_names(prediction_attributes)
        # A selection of the user stays if the file has the attribute.
        target, prediction = self._user_names
        selected_target, selected_prediction = self._guess_names(
            [
                target if target in target_names else "",
                prediction if prediction in prediction_names else "",
            ]
        )
        _fill_attribute_box(self.target_box, target_names, selected_target)
        _fill_attribute_box(self.prediction_box, prediction_names, selected_prediction)

    def _select(self, side: int, name: str) -> None:
        """Select an attribute.

        If the file cannot be read, the name is added to the box. If the file lacks the attribute,
        it is selected in the next file that has it.

        Args:
            side: 0 for the targets, 1 for the predictions.
            name: Name of the attribute. "" selects the guess or, if classes are compared, none.
        """
        box = self.boxes[side]
        compares_classes = any(self._classes)
        if not name and not compares_classes:
            name = self._default_name(side)
        is_unreadable = not self._attributes
        if name and is_unreadable and box.findText(name) < 0:
            box.addItem(name)
        index = box.findText(name)
        if index >= 0:
            box.setCurrentIndex(index)
        self._store_selection(side, name)

    def _store_selection(self, side: int, name: str) -> None:
        """Store an attribute as the user's selection, unless it is the guess."""
        self._user_names[side] = "" if name == self._default_name(side) else name

    def _default_name(self, side: int) -> str:
        """Return the attribute that is guessed for a side if the user selects none; "" for none."""
        return self._guess_names(["", ""])[side]

    def _guess_names(self, user_names: Sequence[str]) -> list[str]:
        """Guess the attributes of the sides that the user has not selected.

        Only attributes that are not part of the LAS standard are guessed, integers first. Names
        that begin like an id of trees are preferred. If classes are compared, both attributes
        must be named so; otherwise no attribute is guessed.

        Args:
            user_names: Per side, the attribute that the user selected; "" to guess it.

        Returns:
            Names of the attributes of targets and predictions; "" for none.
        """
        candidates = [
            attribute for attribute in self._attributes if attribute.name not in self._classes
        ]
        candidates.sort(key=lambda attribute: not attribute.is_integer)  # integers first
        names = _possible_id_names(candidates)
        if self._prediction_attributes is None:
            return self._guess_in_same_file(names, user_names)
        prediction_names = _possible_id_names(self._prediction_attributes)
        return _guess_in_two_files(names, prediction_names, user_names)

    def _guess_in_same_file(self, names: Sequence[str], user_names: Sequence[str]) -> list[str]:
        """Guess two different attributes of the same file.

        Args:
            names: Names of the attributes that may hold ids of trees, integers first.
            user_names: Per side, the attribute that the user selected; "" to guess it.

        Returns:
            Names of the attributes of targets and predictions; "" for none.
        """
        predictions = [name for name in names if is_prediction(name)]
        targets = [name for name in names if not is_prediction(name)]
        named_targets = [name for name in targets if _rank_of_name(name) < _UNNAMED]

        target, prediction = user_names
        if not target:
            target = _best_name(named_targets, excluded=prediction)
        if not prediction:
            prediction = _best_name(predictions, excluded=target)
        compares_classes = any(self._classes)
        if compares_classes:
            has_both = bool(target and prediction)
            return [target, prediction] if has_both else list(user_names)

        # Without names that look like ids, any other attribute is used, but no prediction as the
        # target.
        if not target:
            target = _best_name(targets, excluded=prediction)
        if not prediction:
            prediction = _best_name(names, excluded=target)
        return [target, prediction]


class CloudCrsField(QgsProjectionSelectionWidget):
    """Field that selects the coordinate reference system of a cloud without one.

    The system of a layer of the project with the same file is selected by default.

    Args:
        cloud: Field that selects the cloud.
    """

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
            box.setMinimumContentsLength(_MIN_CRS_LENGTH)
        cloud.changed.connect(self._select_layer_system)

    def value(self) -> str:
        """Return the id or the WKT of the selected system, or "" if none is needed or selected."""
        if not (self._cloud.lacks_crs and self.crs().isValid()):
            return ""
        return str(self.crs().authid() or self.crs().toWkt())

    def set_value(self, name: str) -> None:
        """Select a system by its id or definition; do nothing if the cloud has its own.

        Args:
            name: The system; "" for that of a layer with the same file, or none.
        """
        if not self._cloud.lacks_crs:
            return
        if name:
            self.setCrs(QgsCoordinateReferenceSystem(name))
        else:
            self.setCrs(crs_of_cloud(self._cloud.path()))

    def _select_layer_system(self) -> None:
        """Select the system of a layer with the same file, if there is one and it is needed."""
        crs = crs_of_cloud(self._cloud.path())
        if self._cloud.lacks_crs and crs.isValid():
            self.setCrs(crs)


def _fill_attribute_box(box: OptionBox, names: Sequence[str], selected_name: str) -> None:
    """Offer the names of attributes in a box and select one, without emitting a signal.

    Args:
        box: The box.
        names: Names of the attributes. An empty name is offered before them; it stands for no
            attribute, if only classes are compared.
        selected_name: Name to select; the empty name is selected if it is not offered.
    """
    with QSignalBlocker(box):
        box.clear()
        box.addItems(["", *names])
        box.setCurrentIndex(max(box.findText(selected_name), 0))


def list_clouds() -> list[tuple[str, str]]:
    """Return name and path of each cloud of the project and of its sample data, sorted."""
    project = QgsProject.instance()
    clouds = [(layer.name(), path) for layer, path in _cloud_layers()]
    layer_paths = {path for _, path in clouds}
    clouds += [
        (tr("Sample cloud (simulated)"), str(path))
        for path in sample_clouds(project)
        if str(path) not in layer_paths
    ]
    return sorted(clouds)


def crs_of_cloud(path: str) -> QgsCoordinateReferenceSystem:
    """Return the coordinate reference system of the project's layer with a cloud.

    Args:
        path: Path of the cloud's file.

    Returns:
        The system; an invalid one if no layer is read from the file.
    """
    for layer, layer_path in _cloud_layers():
        if layer_path == path:
            return layer.crs()
    return QgsCoordinateReferenceSystem()


def read_header_once(source: str) -> CloudHeader:
    """Return the header of a cloud; it is read again only if the file was changed.

    Args:
        source: Path of the file.

    Raises:
        InputError: if the file cannot be read.
        MissingLibraryError: if a library for the file is not installed.
    """
    path = find_cloud_file(source)
    return _read_header_of(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read_header_of(path: Path, _changed: int) -> CloudHeader:
    """Return the header of a file that was changed at a time in nanoseconds."""
    return read_header(path)


def _offered_names(attributes: Sequence[CloudAttribute]) -> list[str]:
    """Return the names of the attributes that can hold ids: extra ones, then other integers."""
    extra_names = [attribute.name for attribute in attributes if attribute.is_extra]
    standard_attributes = [attribute for attribute in attributes if not attribute.is_extra]
    integer_names = [attribute.name for attribute in standard_attributes if attribute.is_integer]
    return extra_names + integer_names


def _possible_id_names(attributes: Sequence[CloudAttribute]) -> list[str]:
    """Return the names of the attributes that may hold ids of trees, in the given order.

    These are the attributes that are not part of the LAS standard, except those that are named
    like something else, such as classes or scores.
    """
    extra_names = [attribute.name for attribute in attributes if attribute.is_extra]
    return [name for name in extra_names if _rank_of_name(name) < _OTHER]


def _guess_in_two_files(
    target_names: Sequence[str], prediction_names: Sequence[str], user_names: Sequence[str]
) -> list[str]:
    """Guess an attribute of each of two files, which may have the same name.

    Args:
        target_names: Names in the file of the targets that may be those of ids of trees.
        prediction_names: The same in the file of the predictions.
        user_names: Attributes of targets and predictions that the user selected; "" to guess them.

    Returns:
        Names of the attributes of targets and predictions; "" for none.
    """
    target, prediction = user_names
    if not target:
        targets = [name for name in target_names if not is_prediction(name)]
        target = _best_name(targets)
    if not prediction:
        predictions = [name for name in prediction_names if is_prediction(name)]
        prediction = _best_name(predictions or prediction_names)
    return [target, prediction]


def is_prediction(name: str) -> bool:
    """Return True if the name of an attribute says that it holds a prediction.

    A word such as "pred" may be anywhere in the name; a word such as "segs" only at its end.

    Args:
        name: Name of the attribute, such as PredInstance, pred_tree or final_segs.
    """
    words = _split_words(name)
    has_prediction_word = any(word in _PREDICTION_WORDS for word in words)
    return has_prediction_word or words[-1] in _PREDICTION_ENDINGS


#: Rank of a name that says that it is an id of a tree.
_CLEAREST = 0
#: Rank of a name that says only that it is about a tree, a target or a prediction.
_HALF_NAMED = 19
#: Rank of a name that is not the name of ids of trees.
_UNNAMED = 20
#: Rank of a name of something else, such as classes.
_OTHER = 30


def _rank_of_name(name: str) -> int:
    """Return how little the name of an attribute looks like ids of trees; 0 for the clearest.

    Args:
        name: Name of the attribute.
    """
    words = _split_words(name)
    if any(word in _OTHER_WORDS for word in words):
        return _OTHER
    joined_words = "".join(words)
    if joined_words.startswith("treeid"):
        return _CLEAREST
    ranks = [_INSTANCE_WORDS.index(word) + 1 for word in words if word in _INSTANCE_WORDS]
    if ranks:
        return min(ranks)
    has_target_word = any(word in _TARGET_WORDS for word in words)
    if has_target_word or is_prediction(name) or joined_words.startswith("tree"):
        return _HALF_NAMED
    return _UNNAMED


def _split_words(name: str) -> list[str]:
    """Return the words in a name in lower case, such as pred and instance for PredInstance.

    The list has at least one word: a name without letters and digits is one word.
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    return [part.lower() for part in parts] or [name.lower()]


def _best_name(names: Sequence[str], excluded: str = "") -> str:
    """Return the first of the names that look most like ids of trees.

    Args:
        names: Names from which one is returned.
        excluded: Name that is not returned; "" to consider all names.

    Returns:
        The name; "" if there is none.
    """
    candidates = [name for name in names if name != excluded]
    return min(candidates, key=_rank_of_name, default="")


def _describe_header(header: CloudHeader) -> str:
    """Return name, number of points and coordinate reference system of a cloud, in one line."""
    if header.crs.authid():
        crs_name = header.crs.authid()
    elif header.crs.isValid():
        crs_name = header.crs.description()
    else:
        crs_name = tr("no coordinate system")
    count_text = tr("{count:,} points", one="1 point", count=header.n_points)
    facts = [count_text, crs_name]
    if Path(header.path) in sample_clouds(QgsProject.instance()):
        facts.append(tr("simulated trees next to those of the sample image"))
    return f"{Path(header.path).name}: {' · '.join(facts)}"


def _cloud_layers() -> list[tuple[QgsPointCloudLayer, str]]:
    """Return the project's layers that are read from a file of points, with its path."""
    layers = []
    for layer in QgsProject.instance().mapLayers().values():
        if not isinstance(layer, QgsPointCloudLayer):
            continue
        try:
            layers.append((layer, str(find_cloud_file(layer.source()))))
        except RandCrownsError:
            continue  # the source of the layer is not such a file
    return layers
