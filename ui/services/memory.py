"""What is remembered: choices in the project, habits in the user's settings."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, TypeVar

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


_Settings = TypeVar("_Settings")


def taken_up(default: _Settings, choices: dict[str, Any], without: tuple[str, ...] = ()) -> _Settings:
    """The settings (a dataclass) with those of the choices that fit, but for the fields named ``without``."""
    good: dict[str, Any] = {}
    for field in fields(default):  # type: ignore[arg-type]
        if field.name not in choices or field.name in without:
            continue
        usual, value = getattr(default, field.name), choices[field.name]
        if isinstance(usual, tuple):
            good[field.name] = tuple(str(item) for item in value) if isinstance(value, list) else usual
        elif isinstance(usual, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
            good[field.name] = float(value)
        elif type(value) is type(usual):
            good[field.name] = value
    return replace(default, **good)  # type: ignore[type-var]
