"""Shows two annotators and their differences on the map, or one place where annotators differ; leaves no trace."""

from __future__ import annotations

from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.widgets.colours import MISSED, SHARED
from randcrowns.ui.widgets.map_highlight import MapHighlight, flash, look_at

_PLACE = "#d55e00"
#: Of the inside of faces, which lets the image show through.
_ALPHA = 110


class AnnotatorHighlight(MapHighlight):
    """Draws faces of the result layers; which ones is read from their field ``votes`` (1 or 0 per annotator).

    What draws raises :class:`InputError` if a field is gone or the map's coordinate system has no place for a layer.
    """

    def show_pair(self, layer_id: str, first: int, second: int, colours: tuple[str, str]) -> bool:
        """Only what these two marked: grey where both did, their colours where only one did. False if nothing is."""
        return self._show_two(layer_id, _marked(first), _marked(second), colours)

    def show_against_consensus(self, layer_id: str, annotator: int, colour: str, of_others: bool) -> bool:
        """One annotator against what half of all (or of the others) marked; False if neither marked anything.

        Grey where both did, the annotator's colour where only they did, yellow where they missed the consensus.
        """
        own = _marked(annotator)
        consensus = '("n_yes" > 0 and 2 * "n_yes" >= "n_yes" + "n_no")'
        if of_others:
            without = f'("n_yes" - {own})'
            consensus = f'({without} > 0 and 2 * {without} >= "n_yes" + "n_no" - 1)'
        return self._show_two(layer_id, own, consensus, (colour, MISSED))

    def _show_two(self, layer_id: str, one: str, other: str, colours: tuple[str, str]) -> bool:
        """Only the faces of which one holds, or both, on the image that was drawn on."""
        self.clear()
        layer = vector_layer(layer_id)
        if layer is None:
            return False
        parts = (
            (f"{one} and {other}", SHARED),
            (f"{one} and not {other}", colours[0]),
            (f"not {one} and {other}", colours[1]),
        )
        drawn = [(self.joined(layer, where), colour, _ALPHA, 2) for where, colour in parts]
        self.show_only(self.images())
        extent = self.draw(*drawn, veil=0)
        look_at(self._canvas, extent)
        return not extent.isEmpty()

    def show_place(self, layer_id: str, rank: int) -> bool:
        """The place of that rank in the layer of disagreements; False when it is gone."""
        self.clear()
        layer = vector_layer(layer_id)
        if layer is None:
            return False
        place = self.joined(layer, f'"rank" = {rank}')
        extent = self.draw((place, _PLACE, 90, 3), veil=0)
        if extent.isEmpty():
            return False
        look_at(self._canvas, extent.buffered(max(extent.width(), extent.height()) / 2))
        flash(self._canvas, place)
        return True


def _marked(annotator: int) -> str:
    """Holds for the faces that the annotator marked."""
    return f"""(substr("votes", {annotator + 1}, 1) = '1')"""
