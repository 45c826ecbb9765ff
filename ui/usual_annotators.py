"""Which layers are taken for annotators' as long as nobody chose any: one rule for all pages."""

from __future__ import annotations

import re

from qgis.core import QgsVectorLayer

from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.ui.layer_facts import polygon_layers

__all__ = ["person_field", "usual_annotators"]

#: Beginnings of the names of fields that say who drew.
_PEOPLE = ("annotator", "labeler", "labeller", "observer")
#: Words at the beginning of, or anywhere in, the names of layers that are no annotator but a study area.
_AREA = re.compile(
    r"^(study|plot|area)s?(?![a-z])"
    r"|(?<![a-z])(aoi|roi|extent|study[\W_]*(area|site)|area[\W_]+of[\W_]+interest)s?(?![a-z])"
)
#: Beginnings of the names of layers that were measured on the ground, not drawn on the image.
_NO_PEOPLE = ("field polygon", "field_polygon")


def usual_annotators(*left_out: str) -> tuple[str, ...]:
    """Ids of the layers with a field that says who drew; else of every polygon layer that is no study area by its name.

    A layer whose field names several people is taken only where there is no other: it is not one person.

    Args:
        left_out: ids of layers that stand elsewhere, such as those of detectors.
    """
    layers = [
        layer for layer in polygon_layers() if layer.id() not in left_out and not _is_no_person(layer.name().lower())
    ]
    named = [layer for layer in layers if any(f.name().lower().startswith(_PEOPLE) for f in layer.fields())]
    taken = named or layers
    if len(taken) > 1:
        taken = [layer for layer in taken if not person_field(layer)] or taken[:1]
    return tuple(layer.id() for layer in taken)


def person_field(layer: QgsVectorLayer) -> str:
    """The field that says who drew, where it names several people; else empty."""
    for number, field in enumerate(layer.fields()):
        if field.name().lower().startswith(_PEOPLE):
            people = [one for one in layer.uniqueValues(number, MOST_ANNOTATORS + 2) if str(one or "").strip()]
            if 2 <= len(people) <= MOST_ANNOTATORS:
                return str(field.name())
    return ""


def _is_no_person(name: str) -> bool:
    return name.startswith(_NO_PEOPLE) or _AREA.search(name) is not None
