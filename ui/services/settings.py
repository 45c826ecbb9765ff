"""Stored settings: parameters of the pages in the project, the user's defaults in the profile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qgis.core import QgsProject, QgsReferencedRectangle, QgsSettings

from randcrowns.core.old_names import SETTINGS, rename_keys

# Preferences are also stored while libraries are missing that the parameters import.
if TYPE_CHECKING:
    from randcrowns.algorithms.parameter_types import Parameter, RunParameters

#: Scope of the project entries and prefix of the keys in the user's profile.
_SCOPE = "RandCrowns"
#: Warning for a page whose parameters in the project cannot be read.
UNREADABLE_PARAMETERS = (
    "The stored parameters of page {page} cannot be read; the page has its defaults."
)


class Settings(dict["Parameter[Any]", Any]):
    """Parameter -> plain value, as a form shows them.

    Settings are not changed after construction. A parameter that is missing has its default
    value.
    """

    @classmethod
    def from_stored(
        cls, parameters: Iterable[Parameter[Any]], stored_values: Mapping[str, Any] | None = None
    ) -> Settings:
        """Return the settings that a project stores.

        Args:
            parameters: Parameters of the settings.
            stored_values: Key -> stored value. The user's defaults replace missing keys; a value
                that does not fit its parameter is replaced by the parameter's default.
        """
        stored = {**user_defaults(), **(stored_values or {})}
        return cls(
            {
                parameter: _read_or_default(parameter, parameter.from_project, stored)
                for parameter in parameters
            }
        )

    @classmethod
    def from_run(
        cls, parameters: Iterable[Parameter[Any]], run_parameters: RunParameters
    ) -> Settings:
        """Return the settings of a run.

        Args:
            parameters: Parameters of the settings.
            run_parameters: Parameter values of the run. A value that does not fit its parameter is
                replaced by the parameter's default.
        """
        return cls(
            {
                parameter: _read_or_default(parameter, parameter.read_plain, run_parameters)
                for parameter in parameters
            }
        )

    def __missing__(self, parameter: Parameter[Any]) -> Any:
        """Return the default of a parameter that has no value."""
        return parameter.default

    def with_values(self, values: Mapping[Parameter[Any], Any]) -> Settings:
        """Return a copy with other values of some parameters."""
        return Settings({**self, **values})

    def with_canvas_extent(self, extent: QgsReferencedRectangle) -> Settings:
        """Return a copy whose areas have the extent of the map canvas.

        Args:
            extent: Current extent of the map canvas, which areas of kind "canvas" refer to.
        """
        from randcrowns.algorithms.layer_parameters import AreaValue  # imports numpy

        areas = {parameter: area for parameter, area in self.items() if isinstance(area, AreaValue)}
        return self.with_values(
            {parameter: replace(area, map_extent=extent) for parameter, area in areas.items()}
        )

    def subset(self, parameters: Iterable[Parameter[Any]]) -> Settings:
        """Return the settings of some parameters, with defaults for missing ones."""
        return Settings({parameter: self[parameter] for parameter in parameters})

    def to_stored(self) -> dict[str, Any]:
        """Return key -> JSON value, as :meth:`from_stored` reads them from a project."""
        stored: dict[str, Any] = {}
        for parameter, value in self.items():
            stored.update(parameter.to_project(value))
        return stored

    def to_parameters(self, parameters: Iterable[Parameter[Any]]) -> dict[str, Any]:
        """Return Processing parameter id -> value, for running an algorithm.

        Args:
            parameters: Parameters of the algorithm. Those without a setting are left out, so that
                the algorithm uses its defaults.
        """
        processing_values: dict[str, Any] = {}
        for parameter in parameters:
            if parameter in self:
                processing_values.update(parameter.to_processing(self[parameter]))
        return processing_values


def _read_or_default(parameter: Parameter[Any], read: Callable[[Any], Any], source: Any) -> Any:
    """Return ``read(source)``, or the parameter's default if reading fails."""
    try:
        return read(source)
    # A project or a file may contain anything: huge numbers, lists instead of texts, any depth.
    except Exception:  # noqa: BLE001
        return parameter.default


def write_parameters(page: str, parameters: dict[str, Any]) -> None:
    """Store the parameters of a page in the project, which is saved by the user.

    Args:
        page: Key of the page.
        parameters: Values that can be written as JSON, by key.
    """
    text = json.dumps(parameters, sort_keys=True)
    if _read_entry(page) != text:
        QgsProject.instance().writeEntry(_SCOPE, page, text)


def read_parameters(page: str) -> dict[str, Any]:
    """Return the stored parameters of a page by key; {} if there are none or they are damaged."""
    return _stored_parameters(page) or {}


def has_unreadable_parameters(page: str) -> bool:
    """Return True if the project has stored parameters of the page that cannot be read."""
    return _stored_parameters(page) is None


def _stored_parameters(page: str) -> dict[str, Any] | None:
    """Return the stored parameters of a page; {} if there are none, None if they are damaged."""
    return _read_json_object(_read_entry(page))


def _read_entry(page: str) -> str:
    """Return the text that the project stores for a page; "" if there is none."""
    text, _is_found = QgsProject.instance().readEntry(_SCOPE, page, "")
    return str(text)


def _read_json_object(text: str) -> dict[str, Any] | None:
    """Return the settings in a JSON text, by their current keys; None if it is no JSON object."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return rename_keys(value, SETTINGS) if isinstance(value, dict) else None


#: Name of the preference with the user's default parameters.
_DEFAULTS = "defaults"
#: Name of the preference with the reviewer's name.
REVIEWER_PREFERENCE = "reviewer"


def user_defaults() -> dict[str, Any]:
    """Return the user's default parameters by key, {} if there are none or they are damaged."""
    return _read_json_object(preference(_DEFAULTS, "")) or {}


def set_user_defaults(settings: Settings) -> None:
    """Store settings as the user's defaults.

    Values that equal the default of their parameter are not stored, so that they follow a later
    change of that default.
    """
    changed = {
        parameter: value for parameter, value in settings.items() if value != parameter.default
    }
    set_preference(_DEFAULTS, json.dumps(Settings(changed).to_stored(), sort_keys=True))


def preference(name: str, default: str) -> str:
    """Return a preference from the user's profile, or the default if it is not set to a text."""
    value = QgsSettings().value(f"{_SCOPE}/{name}", default)
    # A profile of another version, or one that was edited, may contain anything.
    return value if isinstance(value, str) else default


def set_preference(name: str, value: str) -> None:
    """Store a preference in the user's profile, which is written only if the value changes."""
    settings = QgsSettings()
    key = f"{_SCOPE}/{name}"
    if settings.value(key) != value:
        settings.setValue(key, value)
