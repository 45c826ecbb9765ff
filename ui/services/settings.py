"""What is remembered: the choices of a form in the project, habits in the user's settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qgis.core import QgsProject, QgsReferencedRectangle, QgsSettings

if TYPE_CHECKING:  # habits are also kept where the libraries that choices need are missing
    from randcrowns.algorithms.choice import Choice

_SCOPE = "RandCrowns"


class Settings:
    """What a form shows: a value for each of some choices; immutable. A choice not among them has its default."""

    def __init__(self, values: Mapping[Choice[Any], Any]) -> None:
        self._values = dict(values)

    @classmethod
    def of(cls, choices: Iterable[Choice[Any]], kept: Mapping[str, Any] | None = None) -> Settings:
        """The choices as a project kept them; what it did not keep, or what does not fit, has its default."""
        return cls({choice: choice.taken_up(kept or {}) for choice in choices})

    def __getitem__(self, choice: Choice[Any]) -> Any:
        return self._values.get(choice, choice.default)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{choice.name}={value!r}' for choice, value in self._values.items())})"

    def replaced(self, values: Mapping[Choice[Any], Any] | Settings) -> Settings:
        """The same with other values, or those of other settings."""
        return Settings({**self._values, **(values._values if isinstance(values, Settings) else values)})

    def on_canvas(self, shown: QgsReferencedRectangle) -> Settings:
        """The same with what the map shows, for areas that are as the map."""
        from randcrowns.algorithms.layer_choice import AreaValue  # not above, as it imports numpy

        areas = {choice: area for choice, area in self._values.items() if isinstance(area, AreaValue)}
        return self.replaced({choice: replace(area, canvas=shown) for choice, area in areas.items()})

    def only(self, choices: Iterable[Choice[Any]]) -> Settings:
        """Those of these choices."""
        return Settings({choice: self[choice] for choice in choices})

    def to_kept(self) -> dict[str, Any]:
        """As plain values for the project."""
        return {key: value for choice, own in self._values.items() for key, value in choice.to_kept(own).items()}

    def to_parameters(self, choices: Iterable[Choice[Any]]) -> dict[str, Any]:
        """The parameters of the algorithm with these choices; those that are not here are left to their defaults."""
        return {
            name: value
            for choice in choices
            if choice in self._values
            for name, value in choice.to_parameters(self._values[choice]).items()
        }


def remember(page: str, choices: dict[str, Any]) -> None:
    """Keep the choices of a page in the project (saved with it)."""
    project = QgsProject.instance()
    text = json.dumps(choices, sort_keys=True)
    if project.readEntry(_SCOPE, page, "")[0] != text:
        project.writeEntry(_SCOPE, page, text)


def recall(page: str) -> dict[str, Any]:
    """The choices kept in the project for a page; empty when there are none that can be read."""
    try:
        choices = json.loads(QgsProject.instance().readEntry(_SCOPE, page, "")[0])
    except ValueError:
        return {}
    return choices if isinstance(choices, dict) else {}


def preference(name: str, default: str) -> str:
    """A habit of the user, kept from session to session."""
    return str(QgsSettings().value(f"{_SCOPE}/{name}", default))


def set_preference(name: str, value: str) -> None:
    """Keep a habit of the user."""
    QgsSettings().setValue(f"{_SCOPE}/{name}", value)
