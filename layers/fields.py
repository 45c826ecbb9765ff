"""Lookup of the fields of a layer."""

from __future__ import annotations

from qgis.core import QgsFields


def field_index(fields: QgsFields, name: str) -> int:
    """Return the index of the field with a name; -1 if there is none.

    The case of the name matters only if several fields have it. Aliases are no names, unlike in
    ``QgsFields.lookupField``.

    Args:
        fields: the fields.
        name: name of the field; "" for none.
    """
    exact_index = int(fields.indexFromName(name))
    if exact_index >= 0 or not name:
        return exact_index
    lower_names = [other.lower() for other in fields.names()]
    return lower_names.index(name.lower()) if name.lower() in lower_names else -1
