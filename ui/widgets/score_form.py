"""The upper half of page Score: what, how, where."""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorDataProvider, QgsVectorLayer
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QRadioButton, QVBoxLayout, QWidget

from randcrowns.layers.words import counted, tr
from randcrowns.ui.layer_check import LayerCheck
from randcrowns.ui.layer_facts import polygon_layers
from randcrowns.ui.score_settings import FIELDS, NEW_LAYERS, ScoreSettings
from randcrowns.ui.widgets.folded_form import folding_box
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.layer_picker import LayerPicker
from randcrowns.ui.widgets.more_options import MoreOptions
from randcrowns.ui.widgets.parameters import ParametersWidget

__all__ = ["ScoreForm"]


class ScoreForm(QWidget):
    """Edits a :class:`ScoreSettings`. Emits :attr:`changed` whenever the settings do."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = LayerCheck(self)
        self.target = LayerPicker(self.check)
        self.target.combo.setToolTip(tr("The crowns taken as true: each one gets a score."))
        self.delineations = LayerChecklist(self.check)
        self.parameters = ParametersWidget()
        self.more = MoreOptions()
        self.to_new_layers = QRadioButton(tr("New layers"))
        self.to_new_layers.setToolTip(
            tr("Scored copies and the regions, in a group of their own. Your layers stay as they are.")
        )
        self.to_fields = QRadioButton(tr("Fields of the target layer"))
        self.to_fields.setToolTip(
            tr(
                "Writes the scores beside the target layer's own fields, as one step that can be undone; the layer is "
                "left in edit mode for you to save or discard."
            )
        )
        self.kept_in = KeptIn()
        self.to_new_layers.setChecked(True)
        self._build()
        self._connect()
        self.follow_project()

    def settings(self) -> ScoreSettings:
        """What is chosen now."""
        preset, alpha, omega, gamma = self.parameters.values()
        settings = ScoreSettings(
            target=self.target.layer_id(),
            delineations=self.delineations.checked_ids(),
            preset=preset,
            alpha=alpha,
            omega=omega,
            gamma=gamma,
            destination=FIELDS if self.to_fields.isChecked() else NEW_LAYERS,
            file=self.kept_in.path(),
        )
        return self.more.add_to(settings)

    def show_settings(self, settings: ScoreSettings) -> None:
        """Show these; layers that are not in the project leave the choice as it is."""
        self.target.pick(settings.target)
        self.delineations.leave_out(self.target.layer_id())
        known = tuple(layer_id for layer_id in settings.delineations if self._is_offered(layer_id))
        if known:
            self.delineations.check(known)
        self.parameters.set_values(settings.preset, settings.alpha, settings.omega, settings.gamma)
        (self.to_fields if settings.destination == FIELDS else self.to_new_layers).setChecked(True)
        self.kept_in.set_path(settings.file)
        self._pass_on()
        self.more.show_settings(settings)
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; pick what makes Run work at once where nothing is picked."""
        self.target.refresh()
        self.more.extent_layer.refresh()
        self.delineations.leave_out(self.target.layer_id())
        self.delineations.refresh()
        if not self.delineations.checked_ids():
            others = [layer.id() for layer in polygon_layers() if layer.id() != self.target.layer_id()]
            self.delineations.check(tuple(others[:1]))
        self._tell()

    def what_run_does(self) -> str:
        """For the button."""
        number = len(self.delineations.checked_ids())
        if number < 2:
            return tr("Score")
        return tr("Score {layers}").format(layers=counted(number, tr("layer"), tr("layers")))

    def why_not(self) -> str:
        """Why Run cannot be pressed, empty when it can."""
        target = self.target.layer()
        if target is None:
            return tr("Pick a target layer first.")
        if not self.delineations.checked_ids():
            return tr("Check at least one delineation layer first; a second polygon layer is needed.")
        if target.featureCount() == 0:
            return tr("Layer {name} has no crowns; pick another target layer.").format(name=target.name())
        if self.more.selected_only.isChecked() and not target.selectedFeatureCount():
            return tr("No crown is selected in layer {name}.").format(name=target.name())
        if self.to_fields.isChecked() and not _can_take_fields(target):
            return tr("Layer {name} cannot take new fields; choose new layers instead.").format(name=target.name())
        unkept = self.kept_in.why_not() if self.to_new_layers.isChecked() else ""
        return unkept or self.more.why_no_extent(self.parameters.values()[0])

    def _build(self) -> None:
        what = QVBoxLayout()
        what.setSpacing(2)
        for words, field, tooltip in (
            (tr("Target crowns"), self.target, self.target.combo.toolTip()),
            (
                tr("Delineations"),
                self.delineations,
                tr("Check one or several layers: each is scored against the target on its own."),
            ),
        ):
            label = QLabel(words)
            label.setToolTip(tooltip)
            label.setBuddy(field)
            what.addWidget(label)
            what.addWidget(field)
        where = QVBoxLayout()
        where.addWidget(self.to_new_layers)
        where.addWidget(self.kept_in)
        where.addWidget(self.to_fields)
        how = QVBoxLayout()
        how.addWidget(self.parameters)
        how.addWidget(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 4)
        for title, layout in ((tr("What"), what), (tr("How"), how), (tr("Where the scores go"), where)):
            column.addWidget(folding_box(title, layout))
        column.addStretch(1)

    def _connect(self) -> None:
        self.target.changed.connect(self._take_target)
        self.check.found.connect(self._show_badges)
        self.delineations.changed.connect(self._tell)
        self.parameters.changed.connect(self._tell)
        self.more.changed.connect(self._tell)
        self.to_fields.toggled.connect(self._tell)
        self.to_fields.toggled.connect(self.kept_in.setDisabled)
        self.kept_in.changed.connect(self._tell)

    def _take_target(self) -> None:
        self.follow_project()

    def _show_badges(self) -> None:
        self.target.refresh()
        self.delineations.refresh()

    def _tell(self, *_: object) -> None:
        self._pass_on()
        self.changed.emit()

    def _pass_on(self) -> None:
        """What one part of the form says about another."""
        project = QgsProject.instance()
        self.kept_in.refresh(self.to_new_layers.isChecked())
        self.more.set_target(self.target.layer())
        layers = [project.mapLayer(layer_id) for layer_id in self.delineations.checked_ids()]
        self.more.set_delineations([layer for layer in layers if isinstance(layer, QgsVectorLayer)])
        self.more.set_preset(self.parameters.values()[0])

    def _is_offered(self, layer_id: str) -> bool:
        return any(layer.id() == layer_id for layer in polygon_layers())


def _can_take_fields(layer: QgsVectorLayer) -> bool:
    needed = QgsVectorDataProvider.Capability.AddAttributes
    return not layer.readOnly() and bool(layer.dataProvider().capabilities() & needed)
