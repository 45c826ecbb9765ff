"""Provider of the algorithms."""

from __future__ import annotations

from qgis.core import QgsApplication

import randcrowns.core  # noqa: F401 - before shapely
from randcrowns.algorithms.provider import RandCrownsProvider

__all__ = ["provider"]

#: QGIS does not keep the Python half of a provider alive.
_KEPT: list[RandCrownsProvider] = []


def provider() -> RandCrownsProvider:
    """Return the provider; register it if necessary."""
    registry = QgsApplication.processingRegistry()
    found = registry.providerById("randcrowns")
    if found is None:
        found = RandCrownsProvider()
        registry.addProvider(found)
        _KEPT.append(found)
    return found
