"""Palettes of desktops."""

from __future__ import annotations

from qgis.PyQt.QtGui import QColor, QPalette

__all__ = ["DARK", "HIGH_CONTRAST", "desktop_palette"]

#: Colours of a dark desktop: window, field, text, button.
DARK = ("#2b2b2b", "#1e1e1e", "#e6e6e6", "#3c3c3c")
#: The same with the highest contrast.
HIGH_CONTRAST = ("#000000", "#000000", "#ffffff", "#000000")


def desktop_palette(window: str, field: str, text: str, button: str) -> QPalette:
    """Return the palette of a desktop with these colours."""
    palette = QPalette()
    roles = QPalette.ColorRole
    for role in (roles.Window, roles.AlternateBase, roles.ToolTipBase):
        palette.setColor(role, QColor(window))
    for role in (roles.WindowText, roles.Text, roles.ButtonText, roles.ToolTipText):
        palette.setColor(role, QColor(text))
    palette.setColor(roles.Base, QColor(field))
    palette.setColor(roles.Button, QColor(button))
    return palette
