"""Fields are looked up by their names."""

from __future__ import annotations

from qgis.core import QgsField, QgsFields

from randcrowns.layers.fields import field_index


def test_a_field_is_found_by_its_name_in_any_case_but_not_by_its_alias():
    fields = QgsFields()
    for name in ("Plot", "plot", "AREA"):
        fields.append(QgsField(name))
    titled = fields.at(2)
    titled.setAlias("size")
    fields.remove(2)
    fields.append(titled)
    assert fields.lookupField("size") == 2
    names = ("Plot", "plot", "PLOT", "area", "size", "")
    assert [field_index(fields, name) for name in names] == [0, 1, 0, 2, -1, -1]
