"""Styles of the result layers."""

from __future__ import annotations

from qgis.core import QgsVectorLayer

__all__ = ["style_output"]


def style_output(layer: QgsVectorLayer, output: str, prefix: str = "") -> None:
    """Style one output of an algorithm."""
