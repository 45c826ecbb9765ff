"""The form of pages that compare targets with other layers: what fits them is preset; they can be swapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QLabel, QWidget

from randcrowns.algorithms.choice import Choice, Field
from randcrowns.algorithms.exchange.outputs import is_imported
from randcrowns.layers.vector.guesses import usual_prediction, usual_target
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import (
    Compared,
    name_of,
    plots_told,
    polygon_layers,
    vector_layer,
)
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.choice_form import ChoiceForm, Part
from randcrowns.ui.widgets.colours import WARN
from randcrowns.ui.widgets.editors import Editor
from randcrowns.ui.widgets.parts import tell, tool_button, wrapped


class ComparingForm(ChoiceForm):
    """Edits choices among which are the ``targets``, their ``plot``, and whether all crowns were drawn.

    Its parts hold :attr:`swap`, a button, :attr:`swapped`, that the two sides changed places by themselves, and
    :attr:`why_partial`, what shows that only some crowns were drawn.
    """

    swap: QWidget
    swapped: QLabel
    why_partial: QLabel

    def __init__(
        self,
        targets: Choice[Any],
        plot: Field,
        all_drawn: Choice[Any],
        parts: Sequence[Part],
        editors: Mapping[Choice[Any], Editor],
    ) -> None:
        self._targets, self._plot, self._all_drawn = targets, plot, all_drawn
        self._compared = Compared()
        self._seen: set[str] = set()
        #: Id of the targets of which the others were told apart; sides that nobody chose, and what is said of these.
        self._before = ""
        self._turned: tuple[tuple[str, ...], str] = (), ""
        super().__init__(parts, editors)

    def make_ready(self) -> None:
        """Make what the parts hold; called before they are listed."""
        told = tr(
            "Take the targets as what is compared with them, and the other layer as the targets."
        )
        self.swap = tool_button(tr("⇅ Swap"), told, lambda: self.swap_layers())
        self.swapped, self.why_partial = wrapped(tone=WARN), wrapped(tone=WARN)

    def follow_project(self) -> None:
        """Take up layers that came, went or changed; pick the likeliest roles unless somebody picked them.

        What is imported changes no roles, but where one is without a layer.
        """
        super().follow_project()
        layers, targets = polygon_layers(), self.field(self._targets)
        ids = {layer.id() for layer in layers}
        if ids == self._seen:  # crowns that are drawn meanwhile change no role
            return
        imported = any(is_imported(layer) for layer in layers if layer.id() not in self._seen)
        begun, self._seen = bool(self._seen), ids
        if imported and set(self.others()) - {targets.layer_id()}:
            return
        targets.pick_unless_chosen(usual_target(layers, targets.layer_id()))
        self.pick_other(usual_prediction(layers, targets.layer_id()))
        self._forget_turn()
        if imported and begun and self.others():
            sides = (targets.layer_id(), *self.others())
            said = "After the import, '{targets}' are the targets, and '{layer}' is compared with them."
            self._turned = sides, tr(said, targets=name_of(sides[0]), layer=name_of(sides[1]))
            self._tell()

    def show_settings(self, settings: Settings, anew: bool = False) -> None:
        super().show_settings(settings, anew)
        self._forget_turn()

    def keep_apart(self) -> None:
        """Other targets are compared with the same as before; with what was targets, where that is what they are now.

        Called before anything else takes up other targets.
        """
        targets, before, others = (
            self.field(self._targets).layer_id(),
            self._before,
            set(self.others()),
        )
        self._before = targets
        if targets == before or others - {targets}:
            return
        turned = vector_layer(before) if others else None
        if turned is not None:
            said = tr(
                "'{layer}' is compared with them now: the two layers changed places.",
                layer=name_of(before),
            )
            self._turned = (targets, before), said
        self.pick_other(turned or usual_prediction(polygon_layers(), targets))

    def _forget_turn(self) -> None:
        self._turned = (), ""
        tell(self.swapped, "")

    def pick_other(self, layer: QgsVectorLayer | None) -> None:
        """Pick the layer that the targets are compared with, where there is one, unless somebody picked another."""
        raise NotImplementedError

    def others(self) -> Sequence[str]:
        """Ids of the layers that are compared with the targets."""
        raise NotImplementedError

    def pick_sides(self, targets: str, other: str) -> None:
        """Pick the targets and the one layer compared with them."""
        raise NotImplementedError

    def swap_layers(self) -> None:
        """Let the targets and the other layer change places, where there is one."""
        targets, others = self.field(self._targets).layer_id(), self.others()
        if targets and len(others) == 1:
            self.pick_sides(others[0], targets)

    def preset_for(self, targets: str, others: Iterable[str], shown: bool = True) -> None:
        """Preset the plot and whether all crowns were drawn, as the layers look."""
        ids = tuple(others)
        self.swap.setVisible(shown)
        self.swap.setEnabled(bool(targets) and len(ids) == 1)
        sides, said = self._turned
        tell(self.swapped, said if shown and (targets, *ids) == sides else "")
        guessed = self._plot.guessed(QgsProject.instance().mapLayer(targets))
        self.preset(self._plot, guessed or self._compared.plot_field(targets, ids))
        why = self._compared.partial_because(targets, ids, self.field(self._plot).currentField())
        self.preset(self._all_drawn, why is None)
        tell(
            self.why_partial,
            tr("{why}.", why=why.sentence(tr)) if why is not None and shown else "",
        )

    def decided(self, settings: Settings, undefined: str, compared: str) -> tuple[str, ...]:
        """What the answer of a run depends on: the targets and what was ``compared`` with them, plots, what was drawn.

        Where only some crowns were drawn, some numbers are ``undefined``.
        """
        drawn = tr("only some crowns were drawn: {undefined} n/a", undefined=undefined)
        return (
            tr("targets: {layer}", layer=name_of(settings[self._targets])),
            compared,
            plots_told(settings[self._plot]),
            tr("all crowns were drawn") if settings[self._all_drawn] else drawn,
        )
