"""RandCrowns: accuracy of tree crown delineations, and agreement between annotators."""

from __future__ import annotations

from typing import Any


def classFactory(iface: Any) -> Any:  # noqa: N802 - QGIS's name
    """Return the plugin; QGIS calls this function when it loads the plugin.

    Args:
        iface: The interface of the QGIS window; None without a window.
    """
    from randcrowns.layers import language

    # Module constants are translated on import, so the translation must be installed before.
    language.install_translation()
    from randcrowns.plugin import RandCrownsPlugin

    return RandCrownsPlugin(iface)
