"""The upper half of page Detectors: which detectors, whose drawings, and how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qgis.core import QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from randcrowns.core.agreement.ground_truths import TITLES
from randcrowns.core.bootstrap import LEVEL
from randcrowns.layers.words import counted, tr
from randcrowns.ui.detectors.settings import DetectorSettings
from randcrowns.ui.services.layer_check import LayerCheck
from randcrowns.ui.services.layer_facts import polygon_layers, raster_layers, usual_annotators
from randcrowns.ui.widgets.form_rows import (
    Choice,
    FoldedForm,
    choice_box,
    decimal_box,
    field_box,
    folding_box,
    whole_box,
)
from randcrowns.ui.widgets.kept_in import KeptIn
from randcrowns.ui.widgets.layer_checklist import LayerChecklist
from randcrowns.ui.widgets.layer_picker import LayerPicker

__all__ = [
    "DetectorForm",
    "DetectorMore",
    "crown_scores",
    "ground_truth_choices",
    "presets",
    "priors",
    "rules",
    "skews",
    "study_areas",
    "units",
]

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
            tr(
                "Share of the draws that the best detector must win to be called better than the second. "
                "Usual: {level}."
            ).format(level=LEVEL),
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


def ground_truth_choices() -> tuple[Choice, ...]:
    """What detectors are held against."""
    return (
        ("each", tr("Each annotator"), tr("The drawing of every annotator on its own.")),
        ("any", TITLES["any"], tr("What at least one annotator marked.")),
        ("0.5", TITLES["0.5"], tr("What half of the annotators or more marked.")),
        ("0.75", TITLES["0.75"], tr("What three quarters of the annotators or more marked.")),
        (
            "excl-0.5",
            TITLES["excl-0.5"],
            tr("What half or more of the annotators marked who are no outliers (unlike the others, not wrong)."),
        ),
        ("staple", TITLES["staple"], tr("Estimates the truth and everybody's sensitivity (Warfield et al. 2004).")),
        ("simple", TITLES["simple"], tr("Votes again and again without those far off (Langerak et al. 2010).")),
        ("lsml", TITLES["lsml"], tr("A contour that moves to the likeliest truth (Li et al. 2011). Needs pixels.")),
        ("levels", tr("Every level of agreement"), tr("At least 1, 2, … of the annotators; one curve each.")),
    )


def units() -> tuple[Choice, ...]:
    """What is counted."""
    return (
        ("both", tr("Areas and crowns"), tr("Every place; and whole crowns for detectors that are polygons.")),
        ("areas", tr("Areas only"), tr("Every place of the study area, by pixels or exactly.")),
        ("crowns", tr("Crowns only"), tr("Whole crowns found or missed, against each annotator's own.")),
    )


def study_areas() -> tuple[Choice, ...]:
    """Where is counted."""
    automatic = tr("The pixels of the rasters; without a raster the rectangle around everything the annotators drew.")
    return (
        ("none", tr("Automatic"), automatic),
        ("layer", tr("Polygon layer"), tr("The polygons of a layer.")),
        ("canvas", tr("Map as shown"), tr("What the map shows when Run is pressed.")),
    )


def skews() -> tuple[Choice, ...]:
    """Where the skew limits come from."""
    return (
        ("own", tr("As typed"), tr("The two numbers below.")),
        ("truths", tr("From ground truths"), tr("Mean minus and plus one standard deviation of their skew.")),
    )


def crown_scores() -> tuple[Choice, ...]:
    """What decides whether two crowns are the same."""
    return (
        ("iou", tr("IoU"), tr("Area shared over area covered by either.")),
        ("randcrowns", tr("RandCrowns"), tr("Forgives the edge that nobody can draw exactly (Stewart et al. 2021).")),
    )


def presets() -> tuple[Choice, ...]:
    """Lengths of RandCrowns."""
    return (
        ("image_boxes", tr("Boxes on images"), tr("alpha 0.7 m, omega 1.2 m, gamma 3.")),
        ("field_polygons", tr("Field polygons"), tr("alpha 0.6 m, omega 3 m, gamma 3.")),
    )


def priors() -> tuple[Choice, ...]:
    """STAPLE's prior."""
    return (
        ("mean", tr("Mean decision"), tr("The fraction that the annotators marked on average.")),
        ("any", tr("Marked by anyone"), tr("The fraction that anybody marked; marks more.")),
    )


def rules() -> tuple[Choice, ...]:
    """Ground truths that can be made anew of drawn annotators."""
    choices = {key: (words, tooltip) for key, words, tooltip in ground_truth_choices()}
    return tuple((key, *choices[key]) for key in ("0.5", "any", "0.75", "excl-0.5", "staple", "simple"))
