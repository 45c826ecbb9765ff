"""What is remembered: the choices of a form in the project, habits in the user's settings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qgis.core import QgsProject, QgsReferencedRectangle, QgsSettings

if TYPE_CHECKING:  # habits are also kept where the libraries that choices need are missing
    from randcrowns.algorithms.choice import Choice, Given

_SCOPE = "RandCrowns"
#: What is said of a page whose choices cannot be read.
UNREADABLE = "What the project keeps for page {page} cannot be read; the page has its defaults."


class Settings(dict["Choice[Any]", Any]):
    """What a form shows: a value for each of some choices, never changed. A choice not among them has its default."""

    @classmethod
    def of(cls, choices: Iterable[Choice[Any]], kept: Mapping[str, Any] | None = None) -> Settings:
        """The choices as a project kept them; without, with the user's defaults; what does not fit has its own."""
        known = {**habits(), **(kept or {})}
        return cls({choice: _value(choice, choice.taken_up, known) for choice in choices})

    @classmethod
    def of_run(cls, choices: Iterable[Choice[Any]], given: Given) -> Settings:
        """The choices that an algorithm was given; what does not fit has its default."""
        return cls({choice: _value(choice, choice.plain, given) for choice in choices})

    def __missing__(self, choice: Choice[Any]) -> Any:
        return choice.default

    def replaced(self, values: Mapping[Choice[Any], Any]) -> Settings:
        """The same with other values."""
        return Settings({**self, **values})

    def on_canvas(self, shown: QgsReferencedRectangle) -> Settings:
        """The same with what the map shows, for areas that are as the map."""
        from randcrowns.algorithms.layer_choice import AreaValue  # not above, as it imports numpy

        areas = {choice: area for choice, area in self.items() if isinstance(area, AreaValue)}
        return self.replaced(
            {choice: replace(area, canvas=shown) for choice, area in areas.items()}
        )

    def only(self, choices: Iterable[Choice[Any]]) -> Settings:
        """Those of these choices."""
        return Settings({choice: self[choice] for choice in choices})

    def to_kept(self) -> dict[str, Any]:
        """As plain values for the project."""
        return {
            key: value for choice, own in self.items() for key, value in choice.to_kept(own).items()
        }

    def to_parameters(self, choices: Iterable[Choice[Any]]) -> dict[str, Any]:
        """The parameters of the algorithm with these choices; those that are not here are left to their defaults."""
        return {
            name: value
            for choice in choices
            if choice in self
            for name, value in choice.to_parameters(self[choice]).items()
        }


def _value(choice: Choice[Any], take: Callable[[Any], Any], of: Any) -> Any:
    try:
        return take(of)
    except Exception:  # noqa: BLE001 - a project or a file may hold anything: long numbers, lists for texts, any depth
        return choice.default


def remember(page: str, choices: dict[str, Any]) -> None:
    """Keep the choices of a page in the project (saved with it)."""
    project = QgsProject.instance()
    text = json.dumps(choices, sort_keys=True)
    if project.readEntry(_SCOPE, page, "")[0] != text:
        project.writeEntry(_SCOPE, page, text)


def recall(page: str) -> dict[str, Any]:
    """The choices kept in the project for a page; empty when there are none that can be read."""
    return _kept(page) or {}


def is_damaged(page: str) -> bool:
    """Whether the project keeps something for a page that cannot be read."""
    return _kept(page) is None


def _kept(page: str) -> dict[str, Any] | None:
    return _read(QgsProject.instance().readEntry(_SCOPE, page, "")[0])


def _read(text: str) -> dict[str, Any] | None:
    try:
        choices = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return choices if isinstance(choices, dict) else None


#: Name of the preference with the choices that pages begin with, and of the one with the reviewer's name.
_HABITS, REVIEWER = "defaults", "reviewer"


def habits() -> dict[str, Any]:
    """The user's own defaults of choices, as a project keeps choices; empty when there are none that can be read."""
    return _read(preference(_HABITS, "")) or {}


def set_habits(settings: Settings) -> None:
    """Make these the user's defaults; those that are the choices' own are not kept, and follow these."""
    own = {choice: value for choice, value in settings.items() if value != choice.default}
    set_preference(_HABITS, json.dumps(Settings(own).to_kept(), sort_keys=True))


def preference(name: str, default: str) -> str:
    """A habit of the user, kept from session to session."""
    return str(QgsSettings().value(f"{_SCOPE}/{name}", default))


def set_preference(name: str, value: str) -> None:
    """Keep a habit of the user; what is kept already is not written to the profile again."""
    settings, key = QgsSettings(), f"{_SCOPE}/{name}"
    if settings.value(key) != value:
        settings.setValue(key, value)
