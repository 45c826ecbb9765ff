"""Stored settings: parameters of the pages in the project, the user's defaults in the profile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qgis.core import QgsProject, QgsReferencedRectangle, QgsSettings

# Preferences are also stored while libraries are missing that the parameters import.
if TYPE_CHECKING:
    from randcrowns.algorithms.choice import Choice, Given

#: Scope of the project entries and prefix of the keys in the user's profile.
_SCOPE = "RandCrowns"
#: Warning for a page whose parameters in the project cannot be read.
UNREADABLE = "The stored parameters of page {page} cannot be read; the page has its defaults."


class Settings(dict["Choice[Any]", Any]):
    """Parameter -> plain value, as a form shows them.

    Settings are not changed after construction. A parameter that is missing has its default
    value.
    """

    @classmethod
    def of(cls, choices: Iterable[Choice[Any]], kept: Mapping[str, Any] | None = None) -> Settings:
        """Return the settings that a project stores.

        Args:
            choices: Parameters of the settings.
            kept: Key -> stored value. The user's defaults replace missing keys; a value that
                does not fit its parameter is replaced by the parameter's default.
        """
        stored = {**habits(), **(kept or {})}
        return cls(
            {choice: _read_or_default(choice, choice.taken_up, stored) for choice in choices}
        )

    @classmethod
    def of_run(cls, choices: Iterable[Choice[Any]], given: Given) -> Settings:
        """Return the settings of a run.

        Args:
            choices: Parameters of the settings.
            given: Parameter values of the run. A value that does not fit its parameter is
                replaced by the parameter's default.
        """
        return cls({choice: _read_or_default(choice, choice.plain, given) for choice in choices})

    def __missing__(self, choice: Choice[Any]) -> Any:
        return choice.default

    def replaced(self, values: Mapping[Choice[Any], Any]) -> Settings:
        """Return a copy with other values of some parameters."""
        return Settings({**self, **values})

    def on_canvas(self, shown: QgsReferencedRectangle) -> Settings:
        """Return a copy whose areas have the extent of the map canvas.

        Args:
            shown: Current extent of the map canvas, which areas of kind "canvas" refer to.
        """
        from randcrowns.algorithms.layer_choice import AreaValue  # imports numpy

        areas = {choice: area for choice, area in self.items() if isinstance(area, AreaValue)}
        return self.replaced(
            {choice: replace(area, canvas=shown) for choice, area in areas.items()}
        )

    def only(self, choices: Iterable[Choice[Any]]) -> Settings:
        """Return the settings of some parameters, with defaults for missing ones."""
        return Settings({choice: self[choice] for choice in choices})

    def to_kept(self) -> dict[str, Any]:
        """Return key -> JSON value, as :meth:`of` reads them from a project."""
        stored: dict[str, Any] = {}
        for choice, value in self.items():
            stored.update(choice.to_kept(value))
        return stored

    def to_parameters(self, choices: Iterable[Choice[Any]]) -> dict[str, Any]:
        """Return Processing parameter id -> value, for running an algorithm.

        Args:
            choices: Parameters of the algorithm. Those without a setting are left out, so that
                the algorithm uses its defaults.
        """
        parameters: dict[str, Any] = {}
        for choice in choices:
            if choice in self:
                parameters.update(choice.to_parameters(self[choice]))
        return parameters


def _read_or_default(choice: Choice[Any], read: Callable[[Any], Any], source: Any) -> Any:
    """Return ``read(source)``, or the parameter's default if reading fails."""
    try:
        return read(source)
    # A project or a file may contain anything: huge numbers, lists instead of texts, any depth.
    except Exception:  # noqa: BLE001
        return choice.default


def remember(page: str, choices: dict[str, Any]) -> None:
    """Store the parameters of a page in the project, which is saved by the user.

    Args:
        page: Key of the page.
        choices: Values that can be written as JSON, by key.
    """
    project = QgsProject.instance()
    text = json.dumps(choices, sort_keys=True)
    if project.readEntry(_SCOPE, page, "")[0] != text:
        project.writeEntry(_SCOPE, page, text)


def recall(page: str) -> dict[str, Any]:
    """Return the stored parameters of a page by key; {} if there are none or they are damaged."""
    return _stored_parameters(page) or {}


def is_damaged(page: str) -> bool:
    """Return True if the project has stored parameters of the page that cannot be read."""
    return _stored_parameters(page) is None


def _stored_parameters(page: str) -> dict[str, Any] | None:
    """Return the stored parameters of a page; {} if there are none, None if they are damaged."""
    return _read_json_object(QgsProject.instance().readEntry(_SCOPE, page, "")[0])


def _read_json_object(text: str) -> dict[str, Any] | None:
    """Return the dict of a JSON text; {} for "", None if the text is no JSON object."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


#: Name of the preference with the user's default parameters.
_DEFAULTS = "defaults"
#: Name of the preference with the reviewer's name.
REVIEWER = "reviewer"


def habits() -> dict[str, Any]:
    """Return the user's default parameters by key, {} if there are none or they are damaged."""
    return _read_json_object(preference(_DEFAULTS, "")) or {}


def set_habits(settings: Settings) -> None:
    """Store settings as the user's defaults.

    Values that equal the default of their parameter are not stored, so that they follow a later
    change of that default.
    """
    changed = {choice: value for choice, value in settings.items() if value != choice.default}
    set_preference(_DEFAULTS, json.dumps(Settings(changed).to_kept(), sort_keys=True))


def preference(name: str, default: str) -> str:
    """Return a preference from the user's profile, or the default if it is not set."""
    return str(QgsSettings().value(f"{_SCOPE}/{name}", default))


def set_preference(name: str, value: str) -> None:
    """Store a preference in the user's profile, which is written only if the value changes."""
    settings = QgsSettings()
    key = f"{_SCOPE}/{name}"
    if settings.value(key) != value:
        settings.setValue(key, value)
