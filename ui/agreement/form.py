"""The upper half of page Annotators: whose drawings, where, and how they are compared."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from qgis.core import (
    QgsMapLayer,
    QgsMapLayerProxyModel,
    QgsProject,
    QgsRasterLayer,
    QgsSimpleFillSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtCore import QSignalBlocker, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.base import role_problem
from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.layers.raster.grid import colour_bands
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.words import counted, tr
from randcrowns.ui.agreement.settings import AnnotatorSettings
from randcrowns.ui.services.layer_check import LayerCheck
from randcrowns.ui.services.layer_facts import person_field, polygon_layers, usual_annotators
from randcrowns.ui.widgets.colours import annotator_colours, colour_icon, keep_colour
from randcrowns.ui.widgets.form_rows import (
    Choice,
    FoldedForm,
    FoldingForm,
    choice_box,
    decimal_box,
    folding_box,
    whole_box,
)
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["AnnotatorForm", "AnnotatorList", "AnnotatorMore", "BandChoice"]


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


class AnnotatorMore(FoldedForm):
    """Pixels, the image, what is left out, disagreements, intervals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("More"), "more", parent)
        self.resolution = decimal_box(
            0.0,
            1e6,
            " m",
            tr("Exact: the polygons are overlaid, without pixels. Otherwise everything is counted in such pixels."),
            lowest=tr("exact"),
        )
        self.image = QgsMapLayerComboBox()
        self.image.setFilters(QgsMapLayerProxyModel.RasterLayer)
        self.image.setAllowEmptyLayer(True, tr("none"))
        self.image.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.image.setMinimumContentsLength(8)
        self.image.setToolTip(tr("The image drawn on: does agreement follow its brightness or contrast?"))
        self.bands = BandChoice()
        self.window = whole_box(
            1,
            99,
            tr(" pixels"),
            tr("Side of the window around each pixel in which the image's contrast is measured; an odd number."),
            step=2,
        )
        self.window.editingFinished.connect(lambda: self.window.setValue(self.window.value() | 1))
        self.left_out = LayerPicker(optional=True, polygons=True)
        self.left_out.combo.setToolTip(
            tr("Polygons inside the study area that do not count, such as clouds or training areas.")
        )
        self.min_area = decimal_box(
            0.0,
            1e6,
            " m²",
            tr("Smaller places are not listed among the disagreements; the numbers stay exact."),
            lowest=tr("all"),
        )
        self.block_side = decimal_box(
            0.0,
            1e6,
            " m",
            tr(
                "Intervals come from drawing square blocks of the study area with replacement; blocks should be larger "
                "than a crown. Automatic: an eighth of the longer side."
            ),
            lowest=tr("automatic"),
        )
        self.draws = whole_box(
            2, 100_000, tr(" draws"), tr("How often the blocks are drawn for the 95 % intervals."), step=100
        )
        self.leave_one_out = QCheckBox(tr("Each annotator against the others only"))
        self.leave_one_out.setToolTip(
            tr("The consensus an annotator is held against is made without their own drawing.")
        )
        self.raster = QCheckBox(tr("Agreement map as a raster too"))
        self.raster.setToolTip(
            tr(
                "Number of annotators per pixel, in pixels of the size above or the image's own; 255 is outside of the "
                "study area."
            )
        )
        self._build()
        self.show_settings(AnnotatorSettings())
        self.setCollapsed(True)

    def add_to(self, settings: AnnotatorSettings) -> AnnotatorSettings:
        """The settings with the choices made here."""
        image = self.image.currentLayer()
        red, green, blue = self.bands.bands()
        return replace(
            settings,
            resolution=self.resolution.value(),
            image="" if image is None else str(image.id()),
            red=red,
            green=green,
            blue=blue,
            window=self.window.value(),
            left_out=self.left_out.layer_id(),
            min_area=self.min_area.value(),
            block_side=self.block_side.value(),
            draws=self.draws.value(),
            leave_one_out=self.leave_one_out.isChecked(),
            raster=self.raster.isChecked(),
        )

    def show_settings(self, settings: AnnotatorSettings) -> None:
        """Show these choices; layers that are gone are passed over."""
        self.resolution.setValue(settings.resolution)
        image = QgsProject.instance().mapLayer(settings.image)
        if image is None:
            self.image.setCurrentIndex(0)  # setLayer(None) would leave the box without its words
        else:
            self.image.setLayer(image)
        self.bands.show_bands((settings.red, settings.green, settings.blue))
        self.window.setValue(settings.window)
        self.left_out.pick_or_none(settings.left_out)
        self.min_area.setValue(settings.min_area)
        self.block_side.setValue(settings.block_side)
        self.draws.setValue(settings.draws)
        self.leave_one_out.setChecked(settings.leave_one_out)
        self.raster.setChecked(settings.raster)

    def refresh(self) -> None:
        """Follow the project's layers."""
        self.left_out.refresh()

    def _build(self) -> None:
        self.add_rows(
            (tr("Pixel size"), self.resolution),
            (tr("Image"), self.image),
            (tr("… its colours"), self.bands),
            (tr("… contrast in"), self.window),
            (tr("Leave out"), self.left_out),
            (tr("Smallest disagreement"), self.min_area),
            (tr("Intervals: blocks of"), self.block_side),
            (tr("… from"), self.draws),
        )
        self.rows.addRow(self.leave_one_out)
        self.rows.addRow(self.raster)
        self.image.layerChanged.connect(self._offer_bands)
        self.follow(self.image, self.resolution, self.window, self.min_area, self.block_side, self.draws)
        self.follow(self.leave_one_out, self.raster, self.bands, self.left_out)

    def _offer_bands(self, *_: object) -> None:
        image = self.image.currentLayer()
        self.bands.offer(image if isinstance(image, QgsRasterLayer) else None)

    def show_what_matters(self) -> None:
        """What is about the image only with one, the raster only with pixels."""
        image = self.image.currentLayer() is not None
        self._show_row(self.bands, image and any(self.bands.bands()))
        self._show_row(self.window, image)
        self.raster.setVisible(image or self.resolution.value() > 0)

    def _show_row(self, widget: QWidget, shown: bool) -> None:
        widget.setVisible(shown)
        self.rows.labelForField(widget).setVisible(shown)


_NO_COLOUR = "#00000000"


class AnnotatorList(LayerChecklist):
    """Each layer checked beside its annotator's colour."""

    def __init__(self, check: LayerCheck) -> None:
        self._names: dict[str, str] = {}
        what_for = tr("Check it to compare it with the others.")
        super().__init__(check, None, polygon_layers, what_for, polygons=True)

    def refresh(self) -> None:
        super().refresh()
        self._show_colours()

    def _check_items(self, layer_ids: tuple[str, ...]) -> None:
        super()._check_items(layer_ids)
        self._show_colours()

    def _tell(self, *_: object) -> None:
        self._show_colours()
        super()._tell()

    def _show_colours(self) -> None:
        """As a run will name and colour them: of two layers of one name the second is another annotator."""
        layers = [layer for layer in map(QgsProject.instance().mapLayer, self.checked_ids()) if layer is not None]
        ids = [layer.id() for layer in layers]
        names = unique_names([layer.name() for layer in layers])
        for layer_id, name in zip(ids, names):
            before = self._names.get(layer_id, name)
            if before not in names:
                keep_colour(before, name)
        self._names.update(zip(ids, names))
        own = {name: _colour_on_map(layer) for name, layer in zip(names, layers)}
        colours = dict(zip(ids, annotator_colours(names, own).values()))
        blocker = QSignalBlocker(self)
        for item, layer_id in zip(self._items(), self._ids()):
            item.setIcon(0, colour_icon(colours.get(layer_id, _NO_COLOUR)))
        del blocker


def _colour_on_map(layer: QgsMapLayer) -> str:
    """The colour in which the layer is drawn, its outline's where it is not filled; empty where there are several."""
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if not isinstance(renderer, QgsSingleSymbolRenderer):
        return ""
    drawn = renderer.symbol().symbolLayer(0)
    hollow = isinstance(drawn, QgsSimpleFillSymbolLayer) and drawn.brushStyle() == Qt.BrushStyle.NoBrush
    return str((drawn.strokeColor() if hollow else drawn.fillColor()).name())


class BandChoice(QWidget):
    """Three numbers of bands. Emits :attr:`changed` when one is chosen."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setToolTip(
            tr(
                "Numbers of the image's red, green and blue band, for its brightness and contrast. At first the bands "
                "the layer is shown with."
            )
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.boxes = tuple(QSpinBox() for _ in range(3))
        for box, letter in zip(self.boxes, (tr("R "), tr("G "), tr("B "))):
            box.setRange(1, 1)
            box.setPrefix(letter)
            box.valueChanged.connect(self._tell)
            row.addWidget(box, 1)
        self._offered = False

    def offer(self, image: QgsRasterLayer | None) -> None:
        """Offer the bands of this image, and choose those it is shown with; a grey image has no choice."""
        shown = None if image is None else colour_bands(image)
        self._offered = shown is not None
        if image is None or shown is None:
            return
        for box, band in zip(self.boxes, shown):
            blocker = QSignalBlocker(box)
            box.setRange(1, image.bandCount())
            box.setValue(band)
            del blocker
        self._name(image)

    def bands(self) -> tuple[int, int, int]:
        """Red, green and blue, from 1; zeros where there is nothing to choose."""
        red, green, blue = (box.value() if self._offered else 0 for box in self.boxes)
        return red, green, blue

    def show_bands(self, bands: tuple[int, int, int]) -> None:
        """Choose these; zeros leave the choice as it is."""
        if self._offered and all(bands):
            for box, band in zip(self.boxes, bands):
                box.setValue(band)

    def _name(self, image: QgsRasterLayer) -> None:
        names = "\n".join(image.bandName(band) for band in range(1, image.bandCount() + 1))
        for box in self.boxes:
            box.setToolTip(f"{self.toolTip()}\n{names}")

    def _tell(self, *_: object) -> None:
        self.changed.emit()
