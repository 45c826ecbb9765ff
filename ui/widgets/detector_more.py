"""The rarely needed choices of page Detectors, folded away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qgis.core import QgsVectorLayer
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtWidgets import QListWidget, QListWidgetItem, QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.detector_settings import DetectorSettings
from randcrowns.ui.widgets.choices import choice_box
from randcrowns.ui.widgets.detector_choices import (
    crown_scores,
    ground_truth_choices,
    presets,
    priors,
    rules,
    skews,
    study_areas,
    units,
)
from randcrowns.ui.widgets.folded_form import FoldedForm
from randcrowns.ui.widgets.form_rows import decimal_box, field_box, whole_box
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = ["DetectorMore"]

_TRUTH_ROWS = 5


class DetectorMore(FoldedForm):
    """Ground truths, limits, places, pixels, crowns, certainty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("More"), "more", parent)
        self.truths = _CheckedChoices()
        self.truths.setToolTip(tr("What the detectors are held against; point at one for what it is."))
        self.units = choice_box(units())
        self.units.setToolTip(tr("Every place of the study area, or whole crowns found and missed."))
        self.extent = choice_box(study_areas())
        self.extent.setToolTip(
            tr(
                "Where is counted. Automatic: the pixels of the rasters, or the rectangle around everything the "
                "annotators drew. What nobody marked there counts as no crown."
            )
        )
        self.extent_layer = LayerPicker(optional=True)
        self.training = LayerPicker(optional=True)
        self.training.combo.setToolTip(tr("Polygons in which a detector was trained; nothing in them is counted."))
        self.resolution = decimal_box(
            0.0,
            1000.0,
            " m",
            tr("Automatic: the pixels of the first raster; polygons alone are overlaid exactly, without pixels."),
            lowest=tr("automatic"),
        )
        self.tolerance = decimal_box(
            0.0,
            1000.0,
            " m",
            tr(
                "A detection within this distance of the ground truth counts; unmarked pixels that near to a marked "
                "one are not judged. Needs pixels."
            ),
            lowest=tr("none"),
        )
        self.skew = choice_box(skews())
        self.skew.setToolTip(
            tr("Between which fractions of crown in the area (skew) P̄ averages the precision (Lampert et al., Eq. 7).")
        )
        self.low = decimal_box(
            0.0, 1.0, "", tr("Lower skew limit: a fraction of the area, 0 to 1. The usual value is 0.1."), digits=3
        )
        self.high = decimal_box(
            0.0, 1.0, "", tr("Upper skew limit: a fraction of the area, 0 to 1. The usual value is 0.5."), digits=3
        )
        self.band = whole_box(1, 9999, "", tr("Which band of a raster detector holds its score."))
        self.crown_score = choice_box(crown_scores())
        self.crown_score.setToolTip(tr("What decides whether a detected crown is the annotator's crown."))
        self.crown_threshold = decimal_box(
            0.01, 1.0, "", tr("From which IoU or RandCrowns on a crown counts as found. 0 to 1.")
        )
        self.group_field = field_box(
            tr(
                "A field of the annotators and the detectors with the plot: crowns meet only within their plot, and "
                "plots in which no detector found anything are left out."
            )
        )
        self.preset = choice_box(presets())
        self.preset.setToolTip(tr("Lengths of RandCrowns, when crowns are found by it."))
        self.prior = choice_box(priors())
        self.prior.setToolTip(tr("How much STAPLE expects to be marked; it decides how much STAPLE marks."))
        self.rule = choice_box(rules())
        self.rule.setToolTip(tr("The ground truth that is made anew of the annotators drawn."))
        self.draws = whole_box(
            0,
            100_000,
            "",
            tr("How often annotators and tiles are drawn with replacement and the detectors ranked."),
            lowest=tr("none"),
        )
        self.tile_side = decimal_box(
            0.0,
            1e6,
            " m",
            tr("Side of the tiles that are drawn, wider than a crown. Automatic: an eighth of the study area's side."),
            digits=1,
            lowest=tr("automatic"),
        )
        self.certainty = decimal_box(
            0.5,
            1.0,
            "",
            tr("Share of the draws that the best detector must win to be called better than the second. Usual: 0.95."),
            digits=3,
        )
        self._build()
        self.show_settings(DetectorSettings())
        self.setCollapsed(True)

    def add_to(self, settings: DetectorSettings) -> DetectorSettings:
        """The settings with the choices made here."""
        values: dict[str, Any] = {name: str(combo.currentData()) for name, combo in self._combos().items()}
        values.update({name: box.value() for name, box in self._numbers().items()})
        return replace(
            settings,
            truths=self.truths.checked(),
            extent_layer=self.extent_layer.layer_id(),
            training=self.training.layer_id(),
            group_field=self.group_field.currentField(),
            **values,
        )

    def show_settings(self, settings: DetectorSettings) -> None:
        """Show these choices; layers that are gone are passed over."""
        for name, combo in self._combos().items():
            combo.setCurrentIndex(max(0, combo.findData(getattr(settings, name))))
        for name, box in self._numbers().items():
            box.setValue(getattr(settings, name))
        self.truths.check(settings.truths)
        self.extent_layer.pick_or_none(settings.extent_layer)
        self.training.pick_or_none(settings.training)
        self.group_field.setField(settings.group_field)

    def refresh(self) -> None:
        """Follow the project's layers."""
        self.extent_layer.refresh()
        self.training.refresh()

    def offer_fields_of(self, layer: QgsVectorLayer | None) -> None:
        """Offer the fields of this layer as the one with the plot."""
        if self.group_field.layer() is not layer:
            self.group_field.setLayer(layer)

    def _combos(self) -> dict[str, Any]:
        names = ("units", "extent", "skew", "crown_score", "preset", "prior", "rule")
        return {name: getattr(self, name) for name in names}

    def _numbers(self) -> dict[str, Any]:
        names = ("resolution", "tolerance", "low", "high", "band", "crown_threshold", "draws", "tile_side", "certainty")
        return {name: getattr(self, name) for name in names}

    def _build(self) -> None:
        self.add_rows(
            (tr("Ground truths"), self.truths),
            (tr("Count"), self.units),
            (tr("Study area"), self.extent),
            ("", self.extent_layer),
            (tr("Training areas"), self.training),
            (tr("Pixel size"), self.resolution),
            (tr("Tolerance"), self.tolerance),
            (tr("Skew limits"), self.skew),
            (tr("… lower"), self.low),
            (tr("… upper"), self.high),
            (tr("Raster band"), self.band),
            (tr("Crown found by"), self.crown_score),
            (tr("… of at least"), self.crown_threshold),
            (tr("RandCrowns"), self.preset),
            (tr("Plot"), self.group_field),
            (tr("Certainty from"), self.rule),
            (tr("… draws"), self.draws),
            (tr("… tiles of"), self.tile_side),
            (tr("… asked for"), self.certainty),
            (tr("STAPLE's prior"), self.prior),
        )
        self.follow(*self._combos().values(), *self._numbers().values())
        self.follow(self.truths, self.extent_layer, self.training, self.group_field)
        self.show_what_matters()

    def show_what_matters(self) -> None:
        """What is about areas only where they count, and so with crowns."""
        areas, crowns = self.units.currentData() != "crowns", self.units.currentData() != "areas"
        self.extent_layer.setVisible(self.extent.currentData() == "layer")
        for widget in (self.truths, self.resolution, self.tolerance, self.skew, self.rule, self.draws):
            widget.setEnabled(areas)
        own = areas and self.skew.currentData() == "own"
        self.low.setEnabled(own)
        self.high.setEnabled(own)
        self.tile_side.setEnabled(areas and self.draws.value() > 0)
        self.certainty.setEnabled(areas and self.draws.value() > 0)
        self.crown_score.setEnabled(crowns)
        self.crown_threshold.setEnabled(crowns)
        self.group_field.setEnabled(crowns)
        self.preset.setEnabled(crowns and self.crown_score.currentData() == "randcrowns")


class _CheckedChoices(QListWidget):
    """The ground truths, each to be checked."""

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for key, words, tooltip in ground_truth_choices():
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            item.setToolTip(tooltip)
            self.addItem(item)

    def checked(self) -> tuple[str, ...]:
        """Keys of those checked."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def check(self, keys: tuple[str, ...]) -> None:
        """Check exactly these."""
        for row in range(self.count()):
            item = self.item(row)
            wanted = item.data(Qt.ItemDataRole.UserRole) in keys
            item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Some of the rows; the others by scrolling."""
        return QSize(120, _TRUTH_ROWS * self.sizeHintForRow(0) + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same height."""
        return QSize(80, self.sizeHint().height())
