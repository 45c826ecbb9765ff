"""The plugin's icons, read from the resources folder."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtGui import QIcon

__all__ = ["icon"]

_FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icons"


def icon(name: str) -> QIcon:
    """The icon ``resources/icons/<name>.svg``."""
    return QIcon(str(_FOLDER / f"{name}.svg"))
