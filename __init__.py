"""RandCrowns: how good a tree crown delineation is, and how far people agree about it."""

from __future__ import annotations

from typing import Any


def classFactory(iface: Any) -> Any:  # noqa: N802 - the name QGIS calls
    """Make the plugin (QGIS calls this once, on load)."""
    from randcrowns.layers import language

    language.install()  # before the modules are imported whose texts it translates
    from randcrowns.plugin import RandCrownsPlugin

    return RandCrownsPlugin(iface)
