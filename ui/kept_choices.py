"""Choices that a project kept, taken up with care: what is unknown or of the wrong kind falls back to its default."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

__all__ = ["taken_up"]

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
