"""What differs between versions of QGIS; that of the machine is tried wherever it is used."""

from __future__ import annotations

from randcrowns.layers.compat import save_style


def test_newer_versions_say_beside_a_code_why_a_style_was_not_saved():
    class Newer:
        def saveStyleToDatabaseV2(self, *_):  # noqa: N802 - QGIS's name, from 3.44.15 on
            return 1, "The database is full."

    assert save_style(Newer(), "ours") == "The database is full."
