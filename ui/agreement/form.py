"""The upper half of page Annotators: whose polygons, where, and how they are compared."""

from __future__ import annotations

from functools import partial

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QSignalBlocker
from qgis.PyQt.QtWidgets import QHBoxLayout, QWidget

from randcrowns.algorithms.agreement.choices import (
    ANNOTATORS,
    BLOCK_SIDE,
    COLOURS,
    DRAWS,
    GROUP_FIELD,
    IMAGE,
    LEAVE_ONE_OUT,
    LEFT_OUT,
    MIN_AREA,
    RESOLUTION,
    STUDY_AREA,
    WINDOW,
)
from randcrowns.algorithms.choice import Flag
from randcrowns.algorithms.choices import ANNOTATOR_FIELD, MARK_VALUE, role_problem
from randcrowns.algorithms.images import IMAGES
from randcrowns.algorithms.layer_choice import AreaValue, is_raster
from randcrowns.core.agreement.votes import MOST_ANNOTATORS
from randcrowns.layers.vector.guesses import usual_area
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import (
    LayerCheck,
    drawings,
    lie_in_pixels,
    usual_annotators,
    vector_layer,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part, Row
from randcrowns.ui.widgets.colours import annotator_colours, colour_icon, colour_on_map, keep_colour
from randcrowns.ui.widgets.editors import FILE, REPLACE, editor_in, label_of
from randcrowns.ui.widgets.layer_checklist import LayerChecklist, offer_people
from randcrowns.ui.widgets.parts import fill, tool_button

#: Of the dock alone, which makes the raster where there are pixels.
RASTER = Flag(
    "raster",
    tr("Agreement map as a raster too"),
    tr(
        "Number of annotators per pixel, in pixels of the size above or the image's own; 255 outside the study area."
    ),
)


class AnnotatorForm(ChoiceForm):
    """Edits the choices of a comparison."""

    def __init__(self) -> None:
        check = LayerCheck()
        self.annotators = AnnotatorList(check)
        self.person = OptionBox()
        super().__init__(
            (
                Part(
                    tr("What"),
                    (self._heading(), Row(ANNOTATORS, labelled=False), ANNOTATOR_FIELD, STUDY_AREA),
                ),
                Part(
                    tr("More"),
                    (
                        RESOLUTION,
                        IMAGE,
                        Row(COLOURS, shown=lambda settings: any(settings[COLOURS])),
                        Row(WINDOW, shown=lambda settings: bool(settings[IMAGE])),
                        LEFT_OUT,
                        Row(
                            GROUP_FIELD,
                            shown=lambda settings: any(map(vector_layer, settings[ANNOTATORS])),
                        ),
                        Row(
                            IMAGES,
                            shown=lambda settings: any(map(is_raster, settings[ANNOTATORS])),
                            wide=True,
                        ),
                        Row(
                            MARK_VALUE,
                            shown=lambda settings: any(map(is_raster, settings[ANNOTATORS])),
                        ),
                        MIN_AREA,
                        BLOCK_SIDE,
                        DRAWS,
                        LEAVE_ONE_OUT,
                        Row(RASTER, shown=has_pixels),
                    ),
                    folded=True,
                ),
                Part(tr("Output"), (FILE, REPLACE)),
            ),
            {ANNOTATORS: editor_in(self.annotators), ANNOTATOR_FIELD: editor_in(self.person)},
            check,
        )
        window = self.field(WINDOW)
        window.editingFinished.connect(lambda: window.setValue(window.value() | 1))

    def what_run_does(self) -> str:
        if self.person.value():
            return tr("Compare the annotators of field {name}", name=self.person.value())
        number = len(self.annotators.checked_ids())
        if number < 2:
            return tr("Compare")
        if self.settings()[IMAGES]:
            return tr(
                "Compare {count} rasters of several images",
                one="Compare 1 raster of several images",
                count=number,
            )
        return tr("Compare {count:,} annotators", one="Compare 1 annotator", count=number)

    def why_not(self) -> str:
        settings, project = self.settings(), QgsProject.instance()
        number, area = len(settings[ANNOTATORS]), settings[STUDY_AREA]
        if not number:
            return tr("Check the annotators' layers, one per annotator.")
        if number > MOST_ANNOTATORS and not (settings[ANNOTATOR_FIELD] or settings[IMAGES]):
            return tr("At most {most} annotators can be compared.", most=MOST_ANNOTATORS)
        if area.kind == "canvas" and not (
            project.crs().isValid() or lie_in_pixels(settings[ANNOTATORS])
        ):
            return tr(
                "The map has no coordinate system: set one in the project's properties, or choose another study area."
            )
        roles = {
            role: project.mapLayer(layer_id) for role, layer_id in _elsewhere(settings).items()
        }
        layers = [project.mapLayer(layer_id) for layer_id in settings[ANNOTATORS]]
        return role_problem(layers, roles) or self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Check what look like annotators, and offer the fields of a single layer."""
        self.annotators.check_unless_chosen(usual_annotators(*_elsewhere(settings).values()))
        checked = self.annotators.checked_ids()
        area = usual_area(*checked)
        self.preset(STUDY_AREA, AreaValue("layer" if area else "none", area))
        self.show_row(ANNOTATOR_FIELD, offer_people(self.person, checked))
        self.preset(ANNOTATOR_FIELD, self.person.usual)
        self.offer_fields(GROUP_FIELD, next(filter(None, map(vector_layer, checked)), None))

    def _heading(self) -> QWidget:
        line = QWidget()
        label = label_of(ANNOTATORS.label, ANNOTATORS.help, self.annotators)
        buttons = (
            tool_button(
                tr("All"), tr("Check every layer."), partial(self.annotators.check_all, True)
            ),
            tool_button(
                tr("None"), tr("Check no layer."), partial(self.annotators.check_all, False)
            ),
        )
        for button in buttons:
            button.setAutoRaise(True)
        fill(QHBoxLayout(line), label, *buttons, wide=label)
        return line


def has_pixels(settings: Settings) -> bool:
    """Whether a raster can be made: it has the pixels chosen, or those of the image."""
    return bool(settings[IMAGE]) or counts_pixels(settings)


def counts_pixels(settings: Settings) -> bool:
    """Whether decisions are counted in pixels, those chosen or those of rasters."""
    return settings[RESOLUTION] > 0 or any(map(is_raster, settings[ANNOTATORS]))


def _elsewhere(settings: Settings) -> dict[str, str]:
    """The layers picked for something else, by what for."""
    picked = {LEFT_OUT.label: settings[LEFT_OUT]}
    if settings[STUDY_AREA].kind == "layer":
        picked[STUDY_AREA.label] = settings[STUDY_AREA].layer
    return {role: layer_id for role, layer_id in picked.items() if layer_id}


_NO_COLOUR = "#00000000"


class AnnotatorList(LayerChecklist):
    """Each layer checked beside its annotator's colour."""

    def __init__(self, check: LayerCheck) -> None:
        self._names: dict[str, str] = {}
        what_for = tr("Check it to compare it with the others.")
        super().__init__(check, drawings, what_for, polygons=True)
        self.changed.connect(self._show_colours)

    def refresh(self) -> None:
        super().refresh()
        self._show_colours()

    def _show_colours(self) -> None:
        """As a run will name and colour them: of two layers of one name the second is another annotator."""
        layers = [
            layer
            for layer in map(QgsProject.instance().mapLayer, self.checked_ids())
            if layer is not None
        ]
        ids = [layer.id() for layer in layers]
        names = unique_names([layer.name() for layer in layers])
        for layer_id, name in zip(ids, names):
            before = self._names.get(layer_id, name)
            if before not in names:
                keep_colour(before, name)
        self._names.update(zip(ids, names))
        own = {name: colour_on_map(layer) for name, layer in zip(names, layers)}
        colours = dict(zip(ids, annotator_colours(names, own).values()))
        with QSignalBlocker(self):
            for item, layer_id in zip(self.layer_items(), self._ids()):
                item.setIcon(0, colour_icon(colours.get(layer_id, _NO_COLOUR)))
