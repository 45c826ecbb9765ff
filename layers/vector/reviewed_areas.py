"""Areas that annotators have reviewed, read from a polygon layer that names the annotators."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import shapely

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, TranslatableText, note
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.fields import field_index
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns

#: Field of the layer that names the annotators, if the run has no such field.
DEFAULT_FIELD = "annotator"


class ReviewedLayer(NamedTuple):
    """Reviewed areas of a layer."""

    areas: dict[str, Any]  #: (multi)polygon in working coordinates, by name of the annotator.
    messages: list[Message]  #: messages about the layer.


def read_reviewed_areas(
    snapshot: LayerSnapshot | None,
    annotator_field: str,
    annotators: Collection[str],
    working: WorkingCrs,
) -> ReviewedLayer:
    """Read the areas that annotators have reviewed.

    Args:
        snapshot: polygon layer; None if all annotators have reviewed everything.
        annotator_field: field of the run that names the annotators; "" for none.
        annotators: names of the annotators. Areas of others are not used; a message names them.
        working: working CRS of the result.

    Raises:
        InputError: if the layer has no field that names annotators, or no area of any of them.
    """
    if snapshot is None:
        return ReviewedLayer({}, [])
    fields = [field for field in (annotator_field, DEFAULT_FIELD) if field]
    field = next((name for name in fields if field_index(snapshot.fields, name) >= 0), "")
    if not field:
        raise InputError(
            "reviewed.no_field",
            "Layer '{layer}' has no field '{field}', which names the annotator of each reviewed "
            "area. Add it, or choose another layer.",
            layer=snapshot.name,
            field=fields[0],
        )

    layer = read_crowns(LayerRequest(snapshot, group_field=field), working)
    crowns = layer.crowns
    names = sorted({name for name in crowns.plots if name is not None})  # type: ignore[union-attr]
    areas = {
        name: shapely.union_all(crowns.geometry[crowns.plots == name])
        for name in names
        if name in annotators
    }
    if not areas:
        raise InputError(
            "reviewed.no_annotator",
            "Layer '{layer}' has no reviewed area of an annotator: its field '{field}' names "
            "{found}, but the annotators are {annotators}.",
            layer=snapshot.name,
            field=field,
            found=names or TranslatableText("no names"),
            annotators=list(annotators),
        )
    return ReviewedLayer(areas, [*layer.messages(), *_other_names(snapshot.name, names, areas)])


def _other_names(layer: str, names: Collection[str], areas: Collection[str]) -> list[Message]:
    """Return a note about the names of a layer that no annotator has; [] if there are none."""
    others = [name for name in names if name not in areas]
    if not others:
        return []
    return [
        note(
            "reviewed.other_names",
            "Layer '{layer}': the reviewed areas of {names} are not used, because no annotator has "
            "this name.",
            layer=layer,
            names=others,
        )
    ]
