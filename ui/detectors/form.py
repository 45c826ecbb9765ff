"""The upper half of page Detectors: which detectors, which annotators, and how they are compared."""

from __future__ import annotations

from collections.abc import Callable

from qgis.core import QgsMapLayer, QgsVectorLayer

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.choices import ANNOTATOR_FIELD, CORNERS, LENGTHS, MARK_VALUE, OWN
from randcrowns.algorithms.detectors.choices import (
    ALL_DRAWN,
    ANNOTATORS,
    BAND,
    CERTAINTY,
    CROWN_PRESET,
    CROWN_SCORE,
    CROWN_THRESHOLD,
    DETECTORS,
    DRAWS,
    GROUP_FIELD,
    HIGH,
    IGNORED,
    LINES,
    LOW,
    MADE_TRUTHS,
    POINTS,
    RESOLUTION,
    RULE,
    SCORE_FIELD,
    SKEW,
    STAPLE_PRIOR,
    STUDY_AREA,
    TILE_SIDE,
    TOLERANCE,
    TRAINING,
    TRUTHS,
    UNITS,
)
from randcrowns.algorithms.estimation import (
    ASSIGN_CONSENSUS,
    CLIPPED,
    CURVATURE,
    PRIOR_VALUE,
    ROUNDS,
    SIMPLE_A,
    SIMPLE_RULE,
)
from randcrowns.algorithms.images import IMAGES
from randcrowns.algorithms.layer_choice import AreaValue, is_raster
from randcrowns.layers.raster.marks import holds_marks
from randcrowns.layers.vector.guesses import SCORES, score_field, usual_area
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import (
    Compared,
    LayerCheck,
    drawings,
    lie_in_pixels,
    numeric_fields,
    polygon_layers,
    raster_layers,
    usual_annotators,
    vector_layer,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part, Row
from randcrowns.ui.widgets.colours import WARN
from randcrowns.ui.widgets.editors import FILE, REPLACE, editor_in
from randcrowns.ui.widgets.layer_checklist import LayerChecklist, offer_people
from randcrowns.ui.widgets.parts import tell, wrapped


class DetectorForm(ChoiceForm):
    """Edits the choices of a ranking."""

    def __init__(self) -> None:
        check = LayerCheck()
        self.detectors = LayerChecklist(
            check, _candidates, tr("Check it to rank it as a detector.")
        )
        told = tr("Check it to compare the detectors with this annotator.")
        self.annotators = LayerChecklist(check, drawings, told)
        told = tr("Check it to compare the detectors with it as it is.")
        self.truths = LayerChecklist(
            check, lambda: [*polygon_layers(made=True), *raster_layers()], told
        )
        self.scores = OptionBox()
        self.person = OptionBox()
        self.why_partial = wrapped(tone=WARN)
        self._compared = Compared()
        super().__init__(
            (
                Part(
                    tr("What"),
                    (
                        *(
                            Row(DETECTORS, wide=True),
                            SCORE_FIELD,
                            Row(ANNOTATORS, wide=True),
                            ANNOTATOR_FIELD,
                            STUDY_AREA,
                        ),
                        *(
                            Row(GROUP_FIELD, _of_polygons),
                            Row(ALL_DRAWN, _of_polygons, _crowns),
                            self.why_partial,
                        ),
                    ),
                ),
                Part(
                    tr("More"),
                    (
                        *(
                            Row(TRUTHS, enabled=_areas, wide=True),
                            Row(MADE_TRUTHS, enabled=_areas, wide=True),
                        ),
                        *(UNITS, TRAINING, IGNORED, Row(POINTS, enabled=_crowns)),
                        *(Row(RESOLUTION, enabled=_areas), BAND, Row(TOLERANCE, enabled=_areas)),
                        Row(LINES, enabled=_areas),
                        *(
                            Row(one, shown=_of_rasters, wide=one is IMAGES)
                            for one in (IMAGES, MARK_VALUE)
                        ),
                        tr("Curve"),
                        *(
                            Row(SKEW, enabled=_areas),
                            Row(LOW, enabled=_own_limits),
                            Row(HIGH, enabled=_own_limits),
                        ),
                        tr("Crowns"),
                        *(Row(CROWN_SCORE, enabled=_crowns), Row(CROWN_THRESHOLD, enabled=_crowns)),
                        Row(CROWN_PRESET, enabled=_randcrowns),
                        *(
                            Row(one, lambda now: _randcrowns(now) and now[CROWN_PRESET] == OWN)
                            for one in LENGTHS
                        ),
                        Row(CORNERS, enabled=_randcrowns),
                        tr("Certainty"),
                        *(Row(RULE, enabled=_areas), DRAWS),
                        *(Row(TILE_SIDE, enabled=lambda settings: settings[DRAWS] > 0), CERTAINTY),
                        tr("Consensus"),
                        *(
                            Row(STAPLE_PRIOR, shown=_makes("staple"), wide=True),
                            Row(PRIOR_VALUE, shown=_own_prior),
                        ),
                        Row(ASSIGN_CONSENSUS, shown=_makes("staple")),
                        *(Row(one, shown=_makes("simple")) for one in (SIMPLE_RULE, SIMPLE_A)),
                        *(Row(one, shown=_makes("lsml")) for one in (CLIPPED, ROUNDS, CURVATURE)),
                    ),
                    folded=True,
                ),
                Part(tr("Output"), (FILE, REPLACE)),
            ),
            {
                DETECTORS: editor_in(self.detectors),
                ANNOTATORS: editor_in(self.annotators),
                SCORE_FIELD: editor_in(self.scores),
                ANNOTATOR_FIELD: editor_in(self.person),
                MADE_TRUTHS: editor_in(self.truths),
            },
            check,
        )

    def what_run_does(self) -> str:
        number = len(self.detectors.checked_ids())
        if self.settings()[IMAGES]:
            return tr("Rank {count} rasters of several images", count=number)
        if number < 2:
            return tr("Score the detector") if number else tr("Rank")
        return tr("Rank {count:,} detectors", one="Rank 1 detector", count=number)

    def why_not(self) -> str:
        return self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Check what look like detectors and annotators, and offer the fields of those checked."""
        self.detectors.check_unless_chosen(_usual_detectors())
        self.annotators.leave_out(*self.detectors.checked_ids(), *self.truths.checked_ids())
        areas = (*settings[STUDY_AREA].layer_ids, settings[TRAINING])
        self.annotators.check_unless_chosen(usual_annotators(*self.detectors.checked_ids(), *areas))
        self.truths.leave_out(*self.detectors.checked_ids(), *self.annotators.checked_ids())
        area = usual_area(*self.detectors.checked_ids(), *self.annotators.checked_ids())
        self.preset(STUDY_AREA, AreaValue("layer" if area else "none", area))
        layers = filter(None, map(vector_layer, self.detectors.checked_ids()))
        names = dict.fromkeys(name for layer in layers for name in numeric_fields(layer))
        # Those that look like a score first.
        offered = sorted(
            names, key=lambda name: (not name.lower().startswith(SCORES), name.lower())
        )
        self.scores.offer(Option(name, name) for name in offered)
        self.show_row(SCORE_FIELD, bool(offered))
        self.show_row(ANNOTATOR_FIELD, offer_people(self.person, self.annotators.checked_ids()))
        self.preset(ANNOTATOR_FIELD, self.person.usual)
        pixels = lie_in_pixels((*self.detectors.checked_ids(), *self.annotators.checked_ids()))
        self.field(TOLERANCE).setSuffix(f" {TOLERANCE.unit_of(pixels)}")
        self._preset_crowns()

    def _preset_crowns(self) -> None:
        """The plots that all layers name, and whether the annotators drew all crowns, as the layers look."""
        annotators, detectors = self.annotators.checked_ids(), self.detectors.checked_ids()
        layers = [
            layer for layer in map(vector_layer, (*annotators, *detectors)) if layer is not None
        ]
        drawn = [layer for layer in layers if layer.id() in annotators]
        most = max(drawn, key=QgsVectorLayer.featureCount, default=None)
        first = "" if most is None else str(most.id())
        self.offer_fields(GROUP_FIELD, most)
        plot = self._compared.plot_field(first, detectors)
        named = all(layer.fields().lookupField(plot) >= 0 for layer in layers)
        self.preset(GROUP_FIELD, plot if named else "")
        why = self._compared.partial_because(
            first, detectors, self.field(GROUP_FIELD).currentField()
        )
        self.preset(ALL_DRAWN, why is None)
        self.preset(CROWN_PRESET, self._compared.preset(first))
        tell(self.why_partial, "" if why is None else tr("{why}.", why=why.sentence(tr)))


def _of_rasters(settings: Settings) -> bool:
    return any(map(is_raster, settings[ANNOTATORS]))


def _of_polygons(settings: Settings) -> bool:
    """Whether some layer is not a raster, or none is chosen yet."""
    chosen = (*settings[DETECTORS], *settings[ANNOTATORS])
    return not chosen or not all(map(is_raster, chosen))


def _areas(settings: Settings) -> bool:
    return settings[UNITS] != "crowns"


def _crowns(settings: Settings) -> bool:
    return settings[UNITS] != "areas"


def _makes(method: str) -> Callable[[Settings], bool]:
    """Whether a run makes this ground truth, of all annotators or of those resampled."""
    return lambda settings: (
        _areas(settings) and (method in settings[TRUTHS] or settings[RULE] == method)
    )


def _own_prior(settings: Settings) -> bool:
    return _makes("staple")(settings) and settings[STAPLE_PRIOR] == "number"


def _own_limits(settings: Settings) -> bool:
    return _areas(settings) and settings[SKEW] == "own"


def _randcrowns(settings: Settings) -> bool:
    return _crowns(settings) and settings[CROWN_SCORE] == "randcrowns"


def _candidates() -> list[QgsMapLayer]:
    """Layers that can be detectors: polygons with a numeric field, and rasters."""
    return [*(layer for layer in polygon_layers() if numeric_fields(layer)), *raster_layers()]


def _usual_detectors() -> tuple[str, ...]:
    """Polygon layers with a field that looks like a score; else rasters of one band."""
    scored = [layer for layer in polygon_layers() if score_field(layer)]
    single = [
        layer for layer in raster_layers() if layer.bandCount() == 1 and not holds_marks(layer)
    ]
    return tuple(layer.id() for layer in scored or single)
