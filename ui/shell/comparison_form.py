"""Form of the pages that compare target crowns with other layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QLabel, QWidget

from randcrowns.algorithms.classes.parameters import ClassParameters
from randcrowns.algorithms.exchange.schema.outputs import is_imported
from randcrowns.algorithms.parameter_types import FieldParameter, Parameter
from randcrowns.core.classes.summarise import SummariseBy
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.vector.guesses import (
    LayerRole,
    find_score_field,
    guess_predictions,
    guess_target,
    imported_role,
)
from randcrowns.ui.services.layer_info import (
    LayerComparison,
    layer_name,
    plot_field_label,
    polygon_layers,
    vector_layer,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.colours import WARNING_TONE
from randcrowns.ui.widgets.editors import Editor
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm, ParameterRow
from randcrowns.ui.widgets.parts import make_tool_button, make_wrapped_label, set_text_or_hide
from randcrowns.ui.widgets.run_question import Answer, RunQuestion


class _RoleNotice(NamedTuple):
    """A notice about roles of layers that the form has changed by itself."""

    #: Ids of the target layer and of the layers compared with it, for which the notice is valid.
    layer_ids: tuple[str, ...] = ()
    #: Text of the notice; "" for no notice.
    text: str = ""


class ComparisonForm(ParameterForm):
    """Form with a target layer and the layers that are compared with it.

    The form guesses the roles of the project's layers and presets the plot field, and whether
    all crowns were drawn. It never changes a value that the user has chosen.

    Args:
        targets: Parameter of the target layer.
        plot: Parameter of the plot field of the targets.
        all_drawn: Parameter that is True if all crowns were drawn as targets.
        parts: Groups of the form. They contain the widgets that :meth:`create_widgets` creates.
        editors: Editors of some parameters, see :class:`ParameterForm`.
        class_field: Parameter of the class field of the targets; None for no classes.
    """

    swap_button: QWidget  #: Button that swaps the target layer and the other layer.
    role_notice: QLabel  #: Notice that the form has changed the roles of layers.
    partial_notice: QLabel  #: Reason for the assumption that only some crowns were drawn.

    def __init__(
        self,
        targets: Parameter[Any],
        plot: FieldParameter,
        all_drawn: Parameter[Any],
        parts: Sequence[FormGroup],
        editors: Mapping[Parameter[Any], Editor],
        class_field: FieldParameter | None = None,
    ) -> None:
        self._class_field = class_field
        self._targets = targets
        self._plot = plot
        self._all_drawn = all_drawn
        self._compared = LayerComparison()
        #: Ids of the polygon layers at the last guess of the roles.
        self._known_layer_ids: set[str] = set()
        #: Id of the previous target layer; "" before the first one.
        self._previous_target = ""
        self._role_notice = _RoleNotice()
        super().__init__(parts, editors)

    def create_widgets(self) -> None:
        """Create the widgets of the groups; called before the constructor of this class."""
        tooltip = tr("Swap the target layer and the layer that is compared with it.")
        self.swap_button = make_tool_button(tr("⇅ Swap"), tooltip, lambda: self.swap_layers())
        self.role_notice = make_wrapped_label(tone=WARNING_TONE)
        self.partial_notice = make_wrapped_label(tone=WARNING_TONE)

    def reload_layers(self) -> None:
        """Update the offered layers, and guess their roles if layers were added or removed.

        Layers that are imported later do not change roles that are plausible, see
        :meth:`_has_plausible_roles`. If they change roles, a notice names the roles.
        """
        super().reload_layers()
        layers = polygon_layers()
        target_field = self.field(self._targets)
        layer_ids = {layer.id() for layer in layers}
        if layer_ids == self._known_layer_ids:
            return  # only crowns were drawn, which changes no role
        new_layers = [layer for layer in layers if layer.id() not in self._known_layer_ids]
        has_import = any(is_imported(layer) for layer in new_layers)
        is_first_guess = not self._known_layer_ids
        self._known_layer_ids = layer_ids
        if has_import and not is_first_guess and self._has_plausible_roles():
            return

        target_field.set_default_layer(guess_target(layers, target_field.layer_id()))
        self.select_others(guess_predictions(layers, target_field.layer_id()))
        self._clear_role_notice()
        if has_import and not is_first_guess and self.other_layer_ids():
            self._show_role_notice(target_field.layer_id(), self.other_layer_ids())

    def _has_plausible_roles(self) -> bool:
        """Return True if both roles have a layer, and the targets have no detector's scores."""
        target_field = self.field(self._targets)
        target = target_field.layer()
        has_other_layer = any(
            layer_id != target_field.layer_id() for layer_id in self.other_layer_ids()
        )
        return has_other_layer and target is not None and not find_score_field(target)

    def _show_role_notice(self, target_id: str, other_ids: Sequence[str]) -> None:
        """Show a notice that names the roles of the layers after an import.

        Args:
            target_id: Id of the target layer.
            other_ids: Ids of the layers that are compared with it; the first one is named.
        """
        text = tr(
            "After the import, '{targets}' are the targets, and '{layer}' is compared with them.",
            targets=layer_name(target_id),
            layer=layer_name(other_ids[0]),
        )
        self._role_notice = _RoleNotice((target_id, *other_ids), text)
        self._on_value_changed()

    def set_settings(self, settings: Settings, reset_defaults: bool = False) -> None:
        """Show settings in the form, see :meth:`ParameterForm.set_settings`."""
        super().set_settings(settings, reset_defaults)
        self._clear_role_notice()

    def separate_roles(self) -> None:
        """Keep the target layer different from the layer that is compared with it.

        If the new target layer is the only layer it would be compared with, the previous target
        layer takes that role and a notice says so. Called before the form is otherwise adapted
        to another target layer.
        """
        target_id = self.field(self._targets).layer_id()
        previous_id = self._previous_target
        other_ids = set(self.other_layer_ids())
        self._previous_target = target_id
        has_separate_layer = bool(other_ids - {target_id})
        if target_id == previous_id or has_separate_layer:
            return
        swapped_layer = vector_layer(previous_id) if other_ids else None
        if swapped_layer is None:
            self.select_others(guess_predictions(polygon_layers(), target_id))
            return
        text = tr(
            "The two layers were swapped: '{layer}' is now compared with the targets.",
            layer=layer_name(previous_id),
        )
        self._role_notice = _RoleNotice((target_id, previous_id), text)
        self.select_others([swapped_layer])

    def select_others(self, layers: Sequence[QgsVectorLayer]) -> None:
        """Select the layers that are compared with the targets, unless the user has selected some.

        Args:
            layers: The layers, the first one if the page compares one layer; may be empty.
        """
        raise NotImplementedError

    def other_layer_ids(self) -> Sequence[str]:
        """Return the ids of the layers that are compared with the targets."""
        raise NotImplementedError

    def set_roles(self, targets: str, other: str) -> None:
        """Select the target layer and the only layer that is compared with it.

        Args:
            targets: Id of the target layer.
            other: Id of the other layer.
        """
        raise NotImplementedError

    def swap_layers(self) -> None:
        """Swap the target layer and the other layer if exactly one other is selected."""
        target_id = self.field(self._targets).layer_id()
        other_ids = self.other_layer_ids()
        if target_id and len(other_ids) == 1:
            self.set_roles(targets=other_ids[0], other=target_id)

    def update_presets(self, targets: str, others: Iterable[str], shown: bool = True) -> None:
        """Preset the plot field and whether all crowns were drawn; update button and notices.

        Args:
            targets: Id of the target layer.
            others: Ids of the layers that are compared with it.
            shown: False while the page compares something else than layers, so that the button
                and the notices are hidden.
        """
        other_ids = tuple(others)
        self.swap_button.setVisible(shown)
        self.swap_button.setEnabled(bool(targets) and len(other_ids) == 1)
        is_notice_valid = shown and (targets, *other_ids) == self._role_notice.layer_ids
        set_text_or_hide(self.role_notice, self._role_notice.text if is_notice_valid else "")

        named_plot_field = self._plot.default_field(QgsProject.instance().mapLayer(targets))
        self.set_default(
            self._plot, named_plot_field or self._compared.plot_field(targets, other_ids)
        )
        if self._class_field is not None:
            guessed_class = self._compared.class_field(targets, other_ids) if other_ids else ""
            self.set_default(self._class_field, guessed_class)
        plot_field = self.field(self._plot).currentField()
        message = self._compared.partial_drawing_message(targets, other_ids, plot_field)
        self.set_default(self._all_drawn, message is None)
        reason = ""
        if message is not None and shown:
            reason = tr("{why}.", why=message.sentence(tr))
        set_text_or_hide(self.partial_notice, reason)

    def run_question(self) -> RunQuestion | None:
        """Return a question about layers whose roles seem to be swapped; None if they do not.

        The numbers of crowns say nothing while a person is drawing.
        """
        target_id = self.field(self._targets).layer_id()
        other_ids = tuple(self.other_layer_ids())
        doubts = self._compared.role_messages(target_id, other_ids)
        if any(_is_being_drawn(layer_id) for layer_id in other_ids):
            doubts = [doubt for doubt in doubts if doubt.key != "roles.more_targets"]
        if not doubts:
            return None
        answers = [Answer(tr("Run as selected"))]
        if len(other_ids) == 1:
            answers.insert(0, Answer(tr("Swap and run"), self.swap_layers))
        text = " ".join(message_texts(doubts))
        return RunQuestion((target_id, *other_ids), text, tuple(answers))

    def answer_labels(
        self, settings: Settings, undefined: str, other_label: str
    ) -> tuple[str, ...]:
        """Return labels of the settings that an answer depends on.

        Args:
            settings: Settings of the run.
            undefined: Names of the numbers that are undefined if only some crowns were drawn.
            other_label: Label of the layers that are compared with the targets.

        Returns:
            Labels of the targets, the other layers, the plot field, and which crowns were drawn.
        """
        if settings[self._all_drawn]:
            drawn_label = tr("all crowns were drawn as targets")
        else:
            drawn_label = tr("only some crowns were drawn: {undefined} n/a", undefined=undefined)
        return (
            tr("targets: {layer}", layer=layer_name(settings[self._targets])),
            other_label,
            plot_field_label(settings[self._plot]),
            drawn_label,
        )

    def _clear_role_notice(self) -> None:
        """Remove the notice about changed roles."""
        self._role_notice = _RoleNotice()
        set_text_or_hide(self.role_notice, "")


def _is_being_drawn(layer_id: str) -> bool:
    """Return True if a layer is in edit mode, or was made for a person to draw crowns in."""
    layer = vector_layer(layer_id)
    return layer is not None and (layer.isEditable() or imported_role(layer) is LayerRole.ANNOTATOR)


def class_parameter_rows(classes: ClassParameters) -> list[ParameterRow]:
    """Return the rows of the rarely changed parameters of classes and strata.

    Rows whose parameter has no effect with the other settings are disabled.

    Args:
        classes: Parameters of the form.
    """

    def has_classes(settings: Settings) -> bool:
        """Return True if a class field is selected."""
        return bool(settings[classes.class_field])

    # A value stays editable without classes, because a run refuses it then.
    def has_classes_or_other_field(settings: Settings) -> bool:
        """Return True if there are classes, or a class field of other layers to edit."""
        return has_classes(settings) or bool(settings[classes.other_class_field])

    def has_classes_or_groups(settings: Settings) -> bool:
        """Return True if there are classes, or groups of classes to edit."""
        return has_classes(settings) or bool(settings[classes.groups])

    def has_strata(settings: Settings) -> bool:
        """Return True if the results are summarised by groups of crowns."""
        return bool(settings[classes.summarise_by] != SummariseBy.NONE.value)

    def has_strata_of_field(settings: Settings) -> bool:
        """Return True if the crowns are grouped by the values of a field."""
        return bool(settings[classes.summarise_by] == SummariseBy.ATTRIBUTE.value)

    return [
        ParameterRow(classes.other_class_field, is_enabled=has_classes_or_other_field),
        ParameterRow(classes.groups, is_enabled=has_classes_or_groups),
        ParameterRow(classes.within),
        ParameterRow(classes.summarise_by),
        ParameterRow(classes.strata_field, is_enabled=has_strata_of_field),
        ParameterRow(classes.breaks, is_enabled=has_strata),
    ]
