"""The upper half of page Detectors: which detectors, whose drawings, and how."""

from __future__ import annotations

from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from randcrowns.layers.words import counted, tr
from randcrowns.ui.detector_settings import DetectorSettings
from randcrowns.ui.layer_check import LayerCheck
from randcrowns.ui.layer_facts import polygon_layers, raster_layers
from randcrowns.ui.usual_annotators import usual_annotators
from randcrowns.ui.widgets.detector_more import DetectorMore
from randcrowns.ui.widgets.folded_form import folding_box
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_checklist import LayerChecklist

__all__ = ["DetectorForm"]

#: Beginnings of the names of fields that hold a detector's score.
_SCORES = ("score", "conf", "prob")


class DetectorForm(QWidget):
    """Edits a :class:`DetectorSettings`. Emits :attr:`changed` whenever the settings do."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = LayerCheck(self)
        self.detectors = LayerChecklist(self.check, None, _candidates, tr("Check it to rank it as a detector."))
        self.annotators = LayerChecklist(
            self.check, None, polygon_layers, tr("Check it to hold the detectors against it.")
        )
        self.score_field = QComboBox()
        self.score_field.setToolTip(
            tr("Numeric field of the polygon detectors with their score; higher means more certain.")
        )
        self.all_drawn = QCheckBox(tr("Annotators drew every crown"))
        self.all_drawn.setToolTip(
            tr(
                "Uncheck where only some crowns were drawn, as in most field work: a detected crown that touches none "
                "of the drawn ones is then not judged, since it may be right."
            )
        )
        self.all_drawn.setChecked(True)
        self.more = DetectorMore()
        self.kept_in = KeptIn()
        self._build()
        self.detectors.changed.connect(self._take_detectors)
        self.annotators.changed.connect(self._tell)
        self.score_field.currentIndexChanged.connect(self._tell)
        self.all_drawn.toggled.connect(self._tell)
        self.more.changed.connect(self._tell)
        self.kept_in.changed.connect(self._tell)
        self.check.found.connect(self._show_badges)
        self.follow_project()

    def settings(self) -> DetectorSettings:
        """What is chosen now."""
        return self.more.add_to(
            DetectorSettings(
                detectors=self.detectors.checked_ids(),
                annotators=self.annotators.checked_ids(),
                score_field=self.score_field.currentText(),
                all_drawn=self.all_drawn.isChecked(),
                file=self.kept_in.path(),
            )
        )

    def show_settings(self, settings: DetectorSettings) -> None:
        """Show these; layers that are not in the project leave the choice as it is."""
        project = QgsProject.instance()
        for chosen, widget in ((settings.detectors, self.detectors), (settings.annotators, self.annotators)):
            known = tuple(layer_id for layer_id in chosen if project.mapLayer(layer_id) is not None)
            if known:
                widget.check(known)
        self._take_detectors()
        self.score_field.setCurrentIndex(max(0, self.score_field.findText(settings.score_field)))
        self.all_drawn.setChecked(settings.all_drawn)
        self.more.show_settings(settings)
        self.kept_in.set_path(settings.file)
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; check what makes Run work at once as long as nobody chose."""
        self.detectors.refresh()
        self.annotators.refresh()
        self.more.refresh()
        self.detectors.check_unless_chosen(_usual_detectors())
        self._take_detectors()
        self._tell()

    def what_run_does(self) -> str:
        """For the button."""
        number = len(self.detectors.checked_ids())
        if number < 2:
            return tr("Judge the detector") if number else tr("Rank")
        return tr("Rank {detectors}").format(detectors=counted(number, tr("detector"), tr("detectors")))

    def why_not(self) -> str:
        """Why Run cannot be pressed, empty when it can."""
        layers = self._checked(self.detectors)
        if not layers:
            return tr("Check at least one detector first: a raster, or polygons with a numeric score field.")
        if not self.annotators.checked_ids():
            return tr("Check at least one annotator's layer first.")
        settings = self.settings()
        rasters = [layer for layer in layers if isinstance(layer, QgsRasterLayer)]
        for layer in layers:
            if isinstance(layer, QgsVectorLayer) and settings.score_field not in _numeric_fields(layer):
                return tr("Layer {name} has no numeric field '{field}' with scores.").format(
                    name=layer.name(), field=settings.score_field or tr("score")
                )
        for layer in [*layers, *self._checked(self.annotators)] if settings.units != "areas" else []:
            plot = settings.group_field
            if plot and isinstance(layer, QgsVectorLayer) and layer.fields().lookupField(plot) < 0:
                return tr("Layer {name} has no field '{field}' with the plot.").format(name=layer.name(), field=plot)
        if settings.units == "crowns" and len(rasters) == len(layers):
            return tr("Rasters hold no crowns to count; count areas.")
        if settings.units != "crowns" and not settings.truths:
            return tr("Check at least one ground truth.")
        if settings.units != "crowns" and settings.tolerance > 0 and not (rasters or settings.resolution > 0):
            return tr("A tolerance needs pixels: give a pixel size, about a quarter of the tolerance.")
        if settings.extent == "layer" and not settings.extent_layer:
            return tr("Pick the layer of the study area.")
        if settings.units != "crowns" and settings.skew == "own" and settings.low >= settings.high:
            return tr("The upper skew limit must be above the lower one.")
        return self.kept_in.why_not()

    def _build(self) -> None:
        what = QVBoxLayout()
        what.setSpacing(2)
        what.setContentsMargins(6, 4, 6, 6)
        self._add(what, tr("Detectors"), self.detectors, tr("Rasters with a score, or polygons with a score field."))
        row = QHBoxLayout()
        self._score_label = QLabel(tr("Score field"))
        self._score_label.setToolTip(self.score_field.toolTip())
        self._score_label.setBuddy(self.score_field)
        row.addWidget(self._score_label)
        row.addWidget(self.score_field, 1)
        what.addLayout(row)
        self._add(what, tr("Annotators"), self.annotators, tr("One polygon layer per person: each is a ground truth."))
        what.addWidget(self.all_drawn)
        how = QVBoxLayout()
        how.setContentsMargins(6, 4, 6, 6)
        how.addWidget(self.more)
        where = QVBoxLayout()
        where.setContentsMargins(6, 4, 6, 6)
        where.addWidget(self.kept_in)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        for title, layout in ((tr("What"), what), (tr("How"), how), (tr("Where the tables go"), where)):
            column.addWidget(folding_box(title, layout))
        column.addStretch(1)

    def _add(self, column: QVBoxLayout, words: str, widget: QWidget, tooltip: str) -> None:
        label = QLabel(words)
        label.setToolTip(tooltip)
        label.setBuddy(widget)
        column.addWidget(label)
        column.addWidget(widget)

    def _checked(self, checklist: LayerChecklist) -> list[QgsMapLayer]:
        project = QgsProject.instance()
        found = [project.mapLayer(layer_id) for layer_id in checklist.checked_ids()]
        return [layer for layer in found if layer is not None]

    def _take_detectors(self) -> None:
        """Offer the fields of the polygon detectors; a detector is no annotator."""
        names = [
            name
            for layer in self._checked(self.detectors)
            if isinstance(layer, QgsVectorLayer)
            for name in _numeric_fields(layer)
        ]
        offered = sorted(dict.fromkeys(names), key=lambda name: (not name.lower().startswith(_SCORES), name.lower()))
        if [self.score_field.itemText(place) for place in range(self.score_field.count())] != offered:
            before = self.score_field.currentText()
            blocker = QSignalBlocker(self.score_field)
            self.score_field.clear()
            self.score_field.addItems(offered)
            self.score_field.setCurrentIndex(max(0, self.score_field.findText(before)))
            del blocker
        self.score_field.setVisible(bool(offered))
        self._score_label.setVisible(bool(offered))
        self.annotators.leave_out(*self.detectors.checked_ids())
        self._tell()

    def _show_badges(self) -> None:
        self.detectors.refresh()
        self.annotators.refresh()

    def _tell(self, *_: object) -> None:
        elsewhere = [self.more.training.layer_id()]
        if self.more.extent.currentData() == "layer":
            elsewhere.append(self.more.extent_layer.layer_id())
        self.annotators.check_unless_chosen(usual_annotators(*self.detectors.checked_ids(), *elsewhere))
        drawn = self._checked(self.annotators)
        self.more.offer_fields_of(drawn[0] if drawn and isinstance(drawn[0], QgsVectorLayer) else None)
        self.kept_in.refresh()
        self.changed.emit()


def _candidates() -> list[QgsMapLayer]:
    """Layers that can be detectors: polygons with a numeric field, and rasters."""
    return [*(layer for layer in polygon_layers() if _numeric_fields(layer)), *raster_layers()]


def _numeric_fields(layer: QgsVectorLayer) -> list[str]:
    keys = set(layer.primaryKeyAttributes())
    return [field.name() for number, field in enumerate(layer.fields()) if field.isNumeric() and number not in keys]


def _usual_detectors() -> tuple[str, ...]:
    """Polygon layers with a field that looks like a score; else rasters of one band."""
    scored = [layer for layer in polygon_layers() if any(n.lower().startswith(_SCORES) for n in _numeric_fields(layer))]
    single = [layer for layer in raster_layers() if layer.bandCount() == 1]
    return tuple(layer.id() for layer in scored or single)
