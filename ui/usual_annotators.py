"""Which layers are taken for annotators' as long as nobody chose any: one rule for all pages."""

from __future__ import annotations

from randcrowns.ui.layer_facts import polygon_layers

__all__ = ["PEOPLE", "usual_annotators"]

#: Beginnings of the names of fields that say who drew, and of layers that are no annotator but a study area.
PEOPLE, _AREAS = ("annotator", "labeler", "labeller", "observer"), ("aoi", "study", "extent", "plot", "area")
#: Beginnings of the names of layers that were measured on the ground, not drawn on the image.
_NO_PEOPLE = ("field polygon", "field_polygon")


def usual_annotators(*left_out: str) -> tuple[str, ...]:
    """Ids of the layers with a field that says who drew; else of every polygon layer that is no study area by its name.

    Args:
        left_out: ids of layers that stand elsewhere, such as those of detectors.
    """
    layers = [
        layer
        for layer in polygon_layers()
        if layer.id() not in left_out and not layer.name().lower().startswith((*_AREAS, *_NO_PEOPLE))
    ]
    named = [layer for layer in layers if any(f.name().lower().startswith(PEOPLE) for f in layer.fields())]
    return tuple(layer.id() for layer in named or layers)
