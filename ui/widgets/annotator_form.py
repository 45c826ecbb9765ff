"""The upper half of page Annotators: whose drawings, where, and how they are compared."""

from __future__ import annotations

from functools import partial

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.agreement.choices import role_problem
from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.layers.words import counted, tr
from randcrowns.ui.annotator_settings import AnnotatorSettings
from randcrowns.ui.layer_check import LayerCheck
from randcrowns.ui.usual_annotators import person_field, usual_annotators
from randcrowns.ui.widgets.annotator_list import AnnotatorList
from randcrowns.ui.widgets.annotator_more import AnnotatorMore
from randcrowns.ui.widgets.choices import Choice, choice_box
from randcrowns.ui.widgets.folded_form import FoldingForm, folding_box
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["AnnotatorForm"]


class AnnotatorForm(FoldingForm):
    """Edits an :class:`AnnotatorSettings`. Emits :attr:`changed` whenever the settings do."""

    changed = pyqtSignal()
    #: A part was folded or unfolded.
    folded = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = LayerCheck(self)
        self.annotators = AnnotatorList(self.check)
        self.field = QComboBox()
        self.field.setToolTip(
            tr("Where one layer holds the polygons of several people: each value of this field is an annotator.")
        )
        self.extent = choice_box(_extents())
        self.extent.setToolTip(
            tr("Where the annotators looked. What nobody marked there counts as agreement that it is no crown.")
        )
        self.extent_layer = LayerPicker(optional=True, polygons=True)
        self.more = AnnotatorMore()
        self.kept_in = KeptIn()
        self._build()
        self._connect()
        self.follow_project()

    def settings(self) -> AnnotatorSettings:
        """What is chosen now."""
        return self.more.add_to(
            AnnotatorSettings(
                annotators=self.annotators.checked_ids(),
                field=str(self.field.currentData() or ""),
                extent=str(self.extent.currentData()),
                extent_layer=self.extent_layer.layer_id(),
                file=self.kept_in.path(),
            )
        )

    def show_settings(self, settings: AnnotatorSettings) -> None:
        """Show these; layers that are not in the project leave the choice as it is."""
        project = QgsProject.instance()
        known = tuple(layer_id for layer_id in settings.annotators if project.mapLayer(layer_id) is not None)
        if known:
            self.annotators.check(known)
        self._offer_fields()
        self.field.setCurrentIndex(max(0, self.field.findData(settings.field)))
        self.extent.setCurrentIndex(max(0, self.extent.findData(settings.extent)))
        self.extent_layer.pick(settings.extent_layer)
        self.more.show_settings(settings)
        self.kept_in.set_path(settings.file)
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; those of annotators are checked as long as nobody chose any."""
        self.annotators.refresh()
        self.extent_layer.refresh()
        self.more.refresh()
        self._tell()

    def what_run_does(self) -> str:
        """For the button."""
        if self.field.currentData():
            return tr("Compare the annotators of field {name}").format(name=self.field.currentData())
        number = len(self.annotators.checked_ids())
        if number < 2:
            return tr("Compare")
        return tr("Compare {annotators}").format(annotators=counted(number, tr("annotator"), tr("annotators")))

    def why_not(self) -> str:
        """Why Run cannot be pressed, empty when it can."""
        number = len(self.annotators.checked_ids())
        if not number:
            return tr("Check the annotators' layers first, one per person.")
        if number > MOST_ANNOTATORS and not self.field.currentData():
            return tr("At most {most} annotators can be compared.").format(most=MOST_ANNOTATORS)
        settings = self.settings()
        if settings.extent == "layer" and not settings.extent_layer:
            return tr("Pick the layer of the study area.")
        if settings.extent == "canvas" and not QgsProject.instance().crs().isValid():
            return tr(
                "The map has no coordinate system, so nobody knows where on the ground it is: set one in the "
                "project's properties, or choose another study area."
            )
        return self._two_roles(settings) or self.kept_in.why_not()

    def _build(self) -> None:
        what = QVBoxLayout()
        what.setSpacing(2)
        what.setContentsMargins(6, 4, 6, 6)
        label = QLabel(tr("Annotators"))
        label.setToolTip(tr("Polygon layers of the same place, one per person; or one layer with a field."))
        label.setBuddy(self.annotators)
        heading = QHBoxLayout()
        heading.addWidget(label, 1)
        for words, wanted, tooltip in (
            (tr("All"), True, tr("Check every layer.")),
            (tr("None"), False, tr("Check no layer.")),
        ):
            button = QToolButton()
            button.setText(words)
            button.setAutoRaise(True)
            button.setToolTip(tooltip)
            button.clicked.connect(partial(self.annotators.check_all, wanted))
            heading.addWidget(button)
        what.addLayout(heading)
        what.addWidget(self.annotators)
        row = QHBoxLayout()
        self._field_label = QLabel(tr("Person named by"))
        self._field_label.setToolTip(self.field.toolTip())
        row.addWidget(self._field_label)
        row.addWidget(self.field, 1)
        what.addLayout(row)
        where = QFormLayout()
        where.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        where.addRow(tr("Study area"), self.extent)
        where.addRow("", self.extent_layer)
        what.addLayout(where)
        page = QVBoxLayout(self)
        page.setContentsMargins(6, 4, 6, 4)
        where_to = QVBoxLayout()
        where_to.setContentsMargins(6, 4, 6, 6)
        where_to.addWidget(self.kept_in)
        self._boxes = (folding_box(tr("What"), what), self.more, folding_box(tr("Where the results go"), where_to))
        for box in self._boxes:
            page.addWidget(box)
            box.collapsedStateChanged.connect(self.folded)
        page.addStretch(1)

    def _connect(self) -> None:
        self.annotators.changed.connect(self._tell)
        self.field.currentIndexChanged.connect(self._tell)
        self.extent.currentIndexChanged.connect(self._tell)
        self.extent_layer.changed.connect(self._tell)
        self.more.changed.connect(self._tell)
        self.kept_in.changed.connect(self._tell)
        self.check.found.connect(self.annotators.refresh)

    def _offer_fields(self) -> None:
        """The fields of the one layer checked; several layers are several people."""
        checked = self.annotators.checked_ids()
        layer = QgsProject.instance().mapLayer(checked[0]) if len(checked) == 1 else None
        names = [field.name() for field in layer.fields()] if isinstance(layer, QgsVectorLayer) else []
        if [self.field.itemData(place) for place in range(1, self.field.count())] != names or not self.field.count():
            before = self.field.currentData()
            blocker = QSignalBlocker(self.field)
            self.field.clear()
            self.field.addItem(tr("(the layer is one person)"), "")
            for name in names:
                self.field.addItem(name, name)
            self.field.setCurrentIndex(max(0, self.field.findData(before or (person_field(layer) if names else ""))))
            del blocker
        self.field.setVisible(bool(names))
        self._field_label.setVisible(bool(names))

    def _elsewhere(self) -> dict[str, str]:
        """The layers picked for something else, by what for."""
        picked = {tr("Leave out"): self.more.left_out.layer_id()}
        if self.extent.currentData() == "layer":
            picked[tr("Study area")] = self.extent_layer.layer_id()
        return {role: layer_id for role, layer_id in picked.items() if layer_id}

    def _two_roles(self, settings: AnnotatorSettings) -> str:
        project = QgsProject.instance()
        elsewhere = {role: project.mapLayer(layer_id) for role, layer_id in self._elsewhere().items()}
        return role_problem([project.mapLayer(layer_id) for layer_id in settings.annotators], elsewhere)

    def _tell(self, *_: object) -> None:
        self.annotators.check_unless_chosen(usual_annotators(*self._elsewhere().values()))
        self._offer_fields()
        self.extent_layer.setVisible(self.extent.currentData() == "layer")
        self.kept_in.refresh()
        self.changed.emit()


def _extents() -> tuple[Choice, ...]:
    return (
        ("none", tr("What anybody marked"), tr("Only what somebody marked is counted, or the image's rectangle.")),
        ("layer", tr("Polygon layer"), tr("The polygons of a layer say where the annotators looked.")),
        ("canvas", tr("Map as shown"), tr("What the map shows when Run is pressed.")),
    )
