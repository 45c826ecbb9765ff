"""Form of page Annotators: the annotators' layers, the study area, and the parameters."""

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

#: Parameter of the dock only: the algorithm has a destination for the raster instead.
RASTER = Flag(
    "raster",
    tr("Agreement map as a raster too"),
    tr(
        "Number of annotators per pixel, in pixels of the size above or the image's own; 255 "
        "outside the study area."
    ),
)

#: Colour of the icon of a layer that is not checked.
_TRANSPARENT = "#00000000"


class AnnotatorForm(ChoiceForm):
    """Form with the parameters of a comparison of annotators."""

    def __init__(self) -> None:
        check = LayerCheck()
        self.annotators = AnnotatorList(check)
        #: Field with the annotators' names, if all annotators are in one layer.
        self.person = OptionBox()
        super().__init__(
            (self._layers_group(), _advanced_group(), Part(tr("Output"), (FILE, REPLACE))),
            {ANNOTATORS: editor_in(self.annotators), ANNOTATOR_FIELD: editor_in(self.person)},
            check,
        )
        window = self.field(WINDOW)
        # A window is centred on a pixel, so that its side is an odd number of pixels.
        window.editingFinished.connect(lambda: window.setValue(window.value() | 1))

    def what_run_does(self) -> str:
        """Return the label of the Run button: what a run compares."""
        if self.person.value():
            return tr("Compare the annotators of field {name}", name=self.person.value())
        layer_count = len(self.annotators.checked_ids())
        if layer_count < 2:
            return tr("Compare")
        if self.settings()[IMAGES]:
            return tr(
                "Compare {count} rasters of several images",
                one="Compare 1 raster of several images",
                count=layer_count,
            )
        return tr("Compare {count:,} annotators", one="Compare 1 annotator", count=layer_count)

    def why_not(self) -> str:
        """Return the reason why the annotators cannot be compared, or "" if they can."""
        settings = self.settings()
        project = QgsProject.instance()
        layer_ids = settings[ANNOTATORS]
        if not layer_ids:
            return tr("Check the annotators' layers, one per annotator.")

        is_one_annotator_per_layer = not (settings[ANNOTATOR_FIELD] or settings[IMAGES])
        if len(layer_ids) > MOST_ANNOTATORS and is_one_annotator_per_layer:
            return tr("At most {most} annotators can be compared.", most=MOST_ANNOTATORS)

        needs_map_crs = settings[STUDY_AREA].kind == "canvas" and not lie_in_pixels(layer_ids)
        if needs_map_crs and not project.crs().isValid():
            return tr(
                "The map has no coordinate system: set one in the project's properties, or choose "
                "another study area."
            )

        layers_by_role = {
            role: project.mapLayer(layer_id)
            for role, layer_id in _layers_in_other_roles(settings).items()
        }
        annotator_layers = [project.mapLayer(layer_id) for layer_id in layer_ids]
        return role_problem(annotator_layers, layers_by_role) or self.kept_in.why_not()

    def pass_on(self, settings: Settings) -> None:
        """Check the layers that are probably annotators, and update the fields they determine.

        Presets the study area and the annotator field, and offers the plot fields.
        """
        other_layer_ids = _layers_in_other_roles(settings).values()
        self.annotators.check_unless_chosen(usual_annotators(*other_layer_ids))
        checked_ids = self.annotators.checked_ids()
        area_id = usual_area(*checked_ids)
        self.preset(STUDY_AREA, AreaValue("layer" if area_id else "none", area_id))
        self.show_row(ANNOTATOR_FIELD, offer_people(self.person, checked_ids))
        self.preset(ANNOTATOR_FIELD, self.person.usual)
        first_vector_layer = next(filter(None, map(vector_layer, checked_ids)), None)
        self.offer_fields(GROUP_FIELD, first_vector_layer)

    def _layers_group(self) -> Part:
        """Return the group with the layers and the study area."""
        return Part(
            tr("Layers"),
            (self._make_heading(), Row(ANNOTATORS, labelled=False), ANNOTATOR_FIELD, STUDY_AREA),
        )

    def _make_heading(self) -> QWidget:
        """Return the heading of the annotators, with buttons that check all layers or none."""
        heading = QWidget()
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
        fill(QHBoxLayout(heading), label, *buttons, wide=label)
        return heading


class AnnotatorList(LayerChecklist):
    """Checklist of layers; an icon shows the annotator's colour of each checked layer.

    Args:
        check: Background check of layers, whose problems the badges show.
    """

    def __init__(self, check: LayerCheck) -> None:
        #: Annotator's name in the last update by id of the layer.
        self._names: dict[str, str] = {}
        tooltip = tr("Check it to compare it with the others.")
        super().__init__(check, drawings, tooltip, polygons=True)
        self.changed.connect(self._update_icons)

    def refresh(self) -> None:
        """Reload the project's layers and their colours."""
        super().refresh()
        self._update_icons()

    def _update_icons(self) -> None:
        """Show the colours of the annotators, with the names that a run gives them.

        Two layers of the same name are two annotators with different names. A renamed layer
        keeps its colour.
        """
        project = QgsProject.instance()
        layers = [layer for layer in map(project.mapLayer, self.checked_ids()) if layer is not None]
        layer_ids = [layer.id() for layer in layers]
        names = unique_names([layer.name() for layer in layers])
        for layer_id, name in zip(layer_ids, names):
            previous_name = self._names.get(layer_id, name)
            if previous_name not in names:
                keep_colour(previous_name, name)
        self._names.update(zip(layer_ids, names))

        map_colours = {name: colour_on_map(layer) for name, layer in zip(names, layers)}
        colours = dict(zip(layer_ids, annotator_colours(names, map_colours).values()))
        with QSignalBlocker(self):
            for item, layer_id in zip(self.layer_items(), self._ids()):
                item.setIcon(0, colour_icon(colours.get(layer_id, _TRANSPARENT)))


def has_pixels(settings: Settings) -> bool:
    """Return True if an agreement raster can be made.

    Its pixels are those of the selected size, of the annotators' rasters or of the image.
    """
    return bool(settings[IMAGE]) or counts_pixels(settings)


def counts_pixels(settings: Settings) -> bool:
    """Return True if decisions are counted in pixels of the selected size or of rasters."""
    return settings[RESOLUTION] > 0 or _has_rasters(settings)


def _advanced_group() -> Part:
    """Return the group with the parameters that are rarely changed."""
    return Part(
        tr("Advanced"),
        (
            RESOLUTION,
            IMAGE,
            Row(COLOURS, shown=lambda settings: any(settings[COLOURS])),
            Row(WINDOW, shown=lambda settings: bool(settings[IMAGE])),
            LEFT_OUT,
            Row(GROUP_FIELD, shown=_has_vector_layers),
            Row(IMAGES, shown=_has_rasters, wide=True),
            Row(MARK_VALUE, shown=_has_rasters),
            MIN_AREA,
            BLOCK_SIDE,
            DRAWS,
            LEAVE_ONE_OUT,
            Row(RASTER, shown=has_pixels),
        ),
        folded=True,
    )


def _has_vector_layers(settings: Settings) -> bool:
    """Return True if the polygons of an annotator are in a vector layer."""
    return any(map(vector_layer, settings[ANNOTATORS]))


def _has_rasters(settings: Settings) -> bool:
    """Return True if an annotator's layer is a raster."""
    return any(map(is_raster, settings[ANNOTATORS]))


def _layers_in_other_roles(settings: Settings) -> dict[str, str]:
    """Return the ids of the layers that are selected as something else than an annotator.

    Returns:
        Label of the parameter -> id of its layer, for the excluded area and the study area.
    """
    layer_ids = {LEFT_OUT.label: settings[LEFT_OUT]}
    if settings[STUDY_AREA].kind == "layer":
        layer_ids[STUDY_AREA.label] = settings[STUDY_AREA].layer
    return {role: layer_id for role, layer_id in layer_ids.items() if layer_id}
