"""What is remembered: choices in the project, habits in the user's settings."""

from __future__ import annotations

import json
from typing import Any

from qgis.core import QgsProject, QgsSettings

_SCOPE = "RandCrowns"


def remember(page: str, choices: dict[str, Any]) -> None:
    """Keep the choices of a page in the project (saved with it)."""
    project = QgsProject.instance()
    text = json.dumps(choices, sort_keys=True)
    if project.readEntry(_SCOPE, page, "")[0] != text:
        project.writeEntry(_SCOPE, page, text)


def recall(page: str) -> dict[str, Any]:
    """The choices kept in the project for a page; empty when there are none that can be read."""
    text, found = QgsProject.instance().readEntry(_SCOPE, page, "")
    if not found or not text:
        return {}
    try:
        choices = json.loads(text)
    except ValueError:
        return {}
    return choices if isinstance(choices, dict) else {}


def preference(name: str, default: Any = None, kind: type | None = None) -> Any:
    """A habit of the user, kept from session to session."""
    if kind is None:
        return QgsSettings().value(f"{_SCOPE}/{name}", default)
    return QgsSettings().value(f"{_SCOPE}/{name}", default, type=kind)


def set_preference(name: str, value: Any) -> None:
    """Keep a habit of the user."""
    QgsSettings().setValue(f"{_SCOPE}/{name}", value)
