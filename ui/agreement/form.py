"""Form of page Annotators: the annotators' layers, the study area, and the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker, Qt
from qgis.PyQt.QtWidgets import QHBoxLayout, QWidget

from randcrowns.algorithms.agreement.schema.parameters import (
    ANNOTATORS,
    BLOCK_SIDE,
    BOOTSTRAP_SAMPLES,
    CLASS_FIELD,
    CLASS_SCALE,
    COLOUR_BANDS,
    COMPARED_CLASS_FIELD,
    COMPARED_CLASS_VALUES,
    CONSENSUS_CLASS_VALUES,
    EXCLUDED,
    IMAGE,
    LEAVE_ONE_OUT,
    MIN_AREA,
    PLOT_FIELD,
    RESOLUTION,
    STUDY_AREA,
    UNMARKED_CLASS,
    WINDOW,
)
from randcrowns.algorithms.classes.parameters import CLASS_GROUPS
from randcrowns.algorithms.common_parameters import (
    ANNOTATOR_FIELD,
    MARK_BAND,
    MARK_COLOUR,
    MARK_VALUE,
    REVIEWED,
    VALUES,
    duplicate_layer_problem,
)
from randcrowns.algorithms.layer_parameters import AreaValue, is_raster_id
from randcrowns.algorithms.multiple_images import IMAGES
from randcrowns.algorithms.parameter_types import BooleanParameter
from randcrowns.core.agreement.votes import MAX_ANNOTATORS
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.roles import layer_colour
from randcrowns.layers.vector.guesses import LayerRole, guess_area_layer, imported_role
from randcrowns.layers.vector.names import unique_names
from randcrowns.ui.services.layer_info import (
    LayerCheck,
    LayerComparison,
    annotation_layers,
    any_in_pixels,
    guess_annotator_layers,
    vector_layers,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import (
    annotator_colours,
    colour_icon,
    transfer_colour,
)
from randcrowns.ui.widgets.editors import REPLACE_LAST, RESULT_FILE, editor_for_field, make_label
from randcrowns.ui.widgets.layer_checklist import LayerChecklist, offer_annotator_fields
from randcrowns.ui.widgets.new_layer_button import make_new_layer_button
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import fill_layout, make_tool_button

#: Parameter of the dock only: the algorithm has a destination for the raster instead.
AGREEMENT_RASTER_FLAG = BooleanParameter(
    "raster",
    tr("Agreement map as a raster too"),
    tr(
        "Number of annotators per pixel, in pixels of the size above or the image's own; 255 "
        "outside the study area."
    ),
)

#: Colour of the icon of a layer that is not checked.
_TRANSPARENT = "#00000000"


class AnnotatorForm(ParameterForm):
    """Form with the parameters of a comparison of annotators.

    Args:
        iface: The interface of the QGIS window.
    """

    def __init__(self, iface: Any = None) -> None:
        #: Button that adds a layer to draw crowns in.
        self.new_layer_button = make_new_layer_button(iface)
        self.new_layer_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.new_layer_button.setAutoRaise(True)
        check = LayerCheck()
        self.annotator_list = AnnotatorChecklist(check)
        #: Field with the annotators' names, if all annotators are in one layer.
        self.annotator_box = OptionBox()
        #: Guesses about the annotators' layers.
        self._compared_layers = LayerComparison()
        groups = (
            self._create_layers_group(),
            _create_advanced_group(),
            FormGroup(tr("Output"), (RESULT_FILE, REPLACE_LAST)),
        )
        editors = {
            ANNOTATORS: editor_for_field(self.annotator_list),
            ANNOTATOR_FIELD: editor_for_field(self.annotator_box),
        }
        super().__init__(groups, editors, check)
        self.field(WINDOW).editingFinished.connect(self._make_window_odd)

    def _make_window_odd(self) -> None:
        """Enlarge an even side of the window: a window is centred on a pixel."""
        window_box = self.field(WINDOW)
        if window_box.value() % 2 == 0:
            window_box.setValue(window_box.value() + 1)

    def run_label(self) -> str:
        """Return the label of the Run button: what a run compares."""
        if self.annotator_box.value():
            return tr("Compare the annotators of field {name}", name=self.annotator_box.value())
        layer_count = len(self.annotator_list.checked_ids())
        if layer_count < 2:
            return tr("Compare")
        if self.settings()[IMAGES]:
            return tr(
                "Compare {count} rasters of several images",
                one="Compare 1 raster of several images",
                count=layer_count,
            )
        return tr("Compare {count:,} annotators", one="Compare 1 annotator", count=layer_count)

    def run_problem(self) -> str:
        """Return the reason why the annotators cannot be compared, or "" if they can."""
        settings = self.settings()
        layer_ids = settings[ANNOTATORS]
        if not layer_ids:
            return tr("Tick the annotators' layers, one per annotator.")

        is_one_annotator_per_layer = not (settings[ANNOTATOR_FIELD] or settings[IMAGES])
        if len(layer_ids) > MAX_ANNOTATORS and is_one_annotator_per_layer:
            return tr("At most {most} annotators can be compared.", most=MAX_ANNOTATORS)

        needs_map_crs = settings[STUDY_AREA].kind == "canvas" and not any_in_pixels(layer_ids)
        if needs_map_crs and not QgsProject.instance().crs().isValid():
            return tr(
                "The map has no coordinate system: set one in the project's properties, or choose "
                "another study area."
            )
        return _find_duplicate_layer(settings) or self.result_file_field.file_problem_message()

    def update_fields(self, settings: Settings) -> None:
        """Check the layers that are probably annotators, and update the fields they determine.

        Presets the study area, the annotator field and the class field, and offers the plot
        fields.

        Args:
            settings: Settings that the form shows.
        """
        other_layer_ids = _layers_in_other_roles(settings).values()
        self.annotator_list.check_unless_chosen(guess_annotator_layers(*other_layer_ids))
        checked_ids = self.annotator_list.checked_ids()
        area_id = guess_area_layer(*checked_ids)
        self.set_default(STUDY_AREA, AreaValue("layer" if area_id else "none", area_id))
        has_annotator_fields = offer_annotator_fields(self.annotator_box, checked_ids)
        self.set_row_visible(ANNOTATOR_FIELD, has_annotator_fields)
        self.set_default(ANNOTATOR_FIELD, self.annotator_box.default_key)
        checked_layers = vector_layers(checked_ids)
        first_vector_layer = checked_layers[0] if checked_layers else None
        self.offer_fields(PLOT_FIELD, first_vector_layer)
        self.offer_fields(COMPARED_CLASS_FIELD, first_vector_layer)
        self.set_default(COMPARED_CLASS_FIELD, self.class_field())

    def class_field(self) -> str:
        """Return the field with the classes of all annotators' crowns, "" if there is none."""
        layer_ids = self.annotator_list.checked_ids()
        if len(layer_ids) < 2 or any(map(is_raster_id, layer_ids)):
            return ""
        return self._compared_layers.class_field(layer_ids[0], layer_ids[1:])

    def _create_layers_group(self) -> FormGroup:
        """Return the group with the layers and the study area."""
        return FormGroup(
            tr("Layers"),
            (
                self._make_heading(),
                ParameterRow(ANNOTATORS, labelled=False),
                ANNOTATOR_FIELD,
                STUDY_AREA,
                ParameterRow(COMPARED_CLASS_FIELD, is_visible=_has_vector_layers),
            ),
        )

    def _make_heading(self) -> QWidget:
        """Return the heading of the annotators, with buttons that check all layers or none."""
        heading = QWidget()
        label = make_label(ANNOTATORS.label, ANNOTATORS.help, self.annotator_list)
        check_all = self.annotator_list.check_all
        all_button = make_tool_button(
            tr("All"), tr("Tick every layer."), lambda *_: check_all(checked=True)
        )
        none_button = make_tool_button(
            tr("None"), tr("Untick every layer."), lambda *_: check_all(checked=False)
        )
        all_button.setAutoRaise(True)
        none_button.setAutoRaise(True)
        fill_layout(
            QHBoxLayout(heading),
            label,
            self.new_layer_button,
            all_button,
            none_button,
            stretched=label,
        )
        return heading


class AnnotatorChecklist(LayerChecklist):
    """Checklist of layers; an icon shows the annotator's colour of each checked layer.

    Args:
        check: Background check of layers, whose problems the badges show.
    """

    def __init__(self, check: LayerCheck) -> None:
        #: Annotator's name in the last update by id of the layer.
        self._names: dict[str, str] = {}
        tooltip = tr("Tick it to compare it with the others.")
        super().__init__(check, annotation_layers, tooltip, polygons=True)
        self.changed.connect(self._update_icons)

    def refresh(self) -> None:
        """Reload the project's layers and their colours."""
        super().refresh()
        self._update_icons()

    def _keeps_checks(self, checked_ids: Sequence[str], new_layers: Sequence[QgsMapLayer]) -> bool:
        """Return False if all layers were imported as those of annotators, who are compared.

        A study area that is imported with them does not matter.
        """
        layers = [*map(QgsProject.instance().mapLayer, checked_ids), *new_layers]
        roles = {imported_role(layer) for layer in layers if isinstance(layer, QgsVectorLayer)}
        roles.discard(LayerRole.STUDY_AREA)
        return roles != {LayerRole.ANNOTATOR} and super()._keeps_checks(checked_ids, new_layers)

    def _update_icons(self) -> None:
        """Show the colours of the annotators, with the names that a run gives them.

        Two layers of the same name are two annotators with different names. A renamed layer
        keeps its colour.
        """
        project = QgsProject.instance()
        checked_layers = [project.mapLayer(layer_id) for layer_id in self.checked_ids()]
        layers = [layer for layer in checked_layers if layer is not None]
        names = unique_names([layer.name() for layer in layers])
        map_colours = {}
        for layer, name in zip(layers, names):
            map_colours[name] = layer_colour(layer)
            previous_name = self._names.get(layer.id(), name)
            if previous_name not in names:
                transfer_colour(previous_name, name)
            self._names[layer.id()] = name
        colour_by_name = annotator_colours(names, map_colours)
        colour_by_id = {layer.id(): colour_by_name[name] for layer, name in zip(layers, names)}
        with QSignalBlocker(self):
            for item, layer_id in zip(self.layer_items(), self._layer_ids()):
                item.setIcon(0, colour_icon(colour_by_id.get(layer_id, _TRANSPARENT)))


def can_make_raster(settings: Settings) -> bool:
    """Return True if an agreement raster can be made.

    Its pixels are those of the selected size, of the annotators' rasters or of the image.
    """
    return bool(settings[IMAGE]) or counts_pixels(settings)


def counts_pixels(settings: Settings) -> bool:
    """Return True if decisions are counted in pixels of the selected size or of rasters."""
    return settings[RESOLUTION] > 0 or has_rasters(settings)


def _find_duplicate_layer(settings: Settings) -> str:
    """Return that a layer of an annotator has another role or occurs twice, or "" if none does."""
    project = QgsProject.instance()
    layers_by_role = {
        role: project.mapLayer(layer_id)
        for role, layer_id in _layers_in_other_roles(settings).items()
    }
    annotator_layers = [project.mapLayer(layer_id) for layer_id in settings[ANNOTATORS]]
    return duplicate_layer_problem(annotator_layers, layers_by_role)


def _create_advanced_group() -> FormGroup:
    """Return the group with the parameters that are rarely changed."""
    return FormGroup(
        tr("Advanced"),
        (
            RESOLUTION,
            IMAGE,
            ParameterRow(COLOUR_BANDS, is_visible=lambda settings: any(settings[COLOUR_BANDS])),
            ParameterRow(WINDOW, is_visible=lambda settings: bool(settings[IMAGE])),
            EXCLUDED,
            REVIEWED,
            ParameterRow(PLOT_FIELD, is_visible=_has_vector_layers),
            ParameterRow(IMAGES, is_visible=has_rasters, wide=True),
            ParameterRow(VALUES, is_visible=has_rasters),
            ParameterRow(MARK_VALUE, is_visible=_takes_mark_value),
            ParameterRow(MARK_COLOUR, is_visible=_takes_mark_colour),
            ParameterRow(MARK_BAND, is_visible=has_rasters),
            MIN_AREA,
            BLOCK_SIDE,
            BOOTSTRAP_SAMPLES,
            LEAVE_ONE_OUT,
            ParameterRow(CLASS_GROUPS, is_visible=_uses_class_groups),
            ParameterRow(CLASS_SCALE, is_visible=can_compare_classes),
            ParameterRow(UNMARKED_CLASS, is_visible=can_compare_classes),
            ParameterRow(AGREEMENT_RASTER_FLAG, is_visible=can_make_raster),
        ),
        collapsed=True,
    )


def _has_vector_layers(settings: Settings) -> bool:
    """Return True if the polygons of an annotator are in a vector layer."""
    return len(vector_layers(settings[ANNOTATORS])) > 0


def _takes_mark_value(settings: Settings) -> bool:
    """Return True if the values of rasters are compared with a value."""
    return has_rasters(settings) and settings[VALUES] in ("automatic", "threshold", "value")


def _takes_mark_colour(settings: Settings) -> bool:
    """Return True if the pixels of a colour are marked."""
    return has_rasters(settings) and settings[VALUES] == "colour"


def has_rasters(settings: Settings) -> bool:
    """Return True if an annotator's layer is a raster."""
    return any(map(is_raster_id, settings[ANNOTATORS]))


def can_compare_classes(settings: Settings) -> bool:
    """Return True if there is a class field, or rasters whose values may be classes."""
    may_be_classes = settings[VALUES] in COMPARED_CLASS_VALUES
    return bool(settings[COMPARED_CLASS_FIELD]) or (has_rasters(settings) and may_be_classes)


def can_divide_by_class(settings: Settings) -> bool:
    """Return True if a consensus has classes: of a field, or stated values of rasters."""
    are_classes = settings[VALUES] in CONSENSUS_CLASS_VALUES
    return bool(settings[CLASS_FIELD]) or (has_rasters(settings) and are_classes)


def _uses_class_groups(settings: Settings) -> bool:
    """Return True if the groups of classes have an effect, or are refused by a run."""
    return can_compare_classes(settings) or bool(settings[CLASS_GROUPS])


def _layers_in_other_roles(settings: Settings) -> dict[str, str]:
    """Return the ids of the layers that are selected as something else than an annotator.

    Returns:
        Label of the parameter -> id of its layer, for the excluded area and the study area.
    """
    layer_ids = {
        EXCLUDED.label: settings[EXCLUDED],
        REVIEWED.label: settings[REVIEWED],
    }
    if settings[STUDY_AREA].kind == "layer":
        layer_ids[STUDY_AREA.label] = settings[STUDY_AREA].layer
    return {role: layer_id for role, layer_id in layer_ids.items() if layer_id}
