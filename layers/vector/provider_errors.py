"""Errors that providers of servers report while features are read, and exact numbers of features.

An iterator of QGIS that fails ends like one that has returned everything. Providers report the
error to the message log only, some of them from another thread.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsDataSourceUri,
    QgsFeatureIterator,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt

from randcrowns.layers.servers import SERVER_PROVIDERS

#: Providers of web services, whose numbers of features are estimates or limits.
_WEB_PROVIDERS = ("WFS", "OAPIF", "arcgisfeatureserver")
#: Providers that read other layers, which may be on servers.
_DERIVED_PROVIDERS = ("virtual",)
#: Parts of messages that are no errors although they have the level of a warning.
_HARMLESS = ("NOTICE:",)
#: Parameter by which QGIS counts all keys of a table when it opens a layer.
_CHECK_KEYS = "checkPrimaryKeyUnicity"
#: Sources of web services that were read incompletely. QGIS tells a layer so only when the event
#: loop of the main thread runs.
_INCOMPLETE_SOURCES: set[str] = set()


@dataclass(frozen=True)
class ServerSource:
    """Source of a layer in a database on a server, or of a web service."""

    provider: str  #: name of the provider.
    source: str = field(repr=False)  #: source of the layer.

    @classmethod
    def of_layer(cls, layer: QgsVectorLayer) -> ServerSource | None:
        """Return the source of a layer; None if it cannot depend on a server."""
        provider = layer.dataProvider()
        named_providers = (*SERVER_PROVIDERS, *_WEB_PROVIDERS, *_DERIVED_PROVIDERS)
        if provider is None or provider.name() not in named_providers:
            return None
        return cls(str(provider.name()), layer.source())

    @property
    def is_web_service(self) -> bool:
        """True if the number of features is not exact."""
        return self.provider in _WEB_PROVIDERS

    def count(self) -> int:
        """Return the number of the layer's features on the server now; -1 if unknown.

        QGIS counts them for a new layer: the count of an open layer may be old or estimated.
        """
        if self.provider not in SERVER_PROVIDERS:
            return -1
        uri = QgsDataSourceUri(self.source)
        uri.setUseEstimatedMetadata(False)
        uri.removeParam(_CHECK_KEYS)
        uri.setParam(_CHECK_KEYS, "0")
        options = QgsVectorLayer.LayerOptions(loadDefaultStyle=False)
        layer = QgsVectorLayer(uri.uri(False), "counted", self.provider, options)
        return int(layer.featureCount()) if layer.isValid() else -1

    def reload_after_errors(self, layer: QgsVectorLayer) -> None:
        """Drop the cached features of a web service if an earlier attempt to read it failed.

        QGIS keeps the features that arrived, and would take them for all.

        Args:
            layer: the layer, whose cached features are dropped; call this on its thread.
        """
        provider = layer.dataProvider()
        if not self.is_web_service or provider is None:
            return
        if provider.hasErrors() or self.source in _INCOMPLETE_SOURCES:
            _INCOMPLETE_SOURCES.discard(self.source)
            provider.clearErrors()
            provider.reloadData()


class ProviderErrors:
    """Context manager that records whether a provider reports errors meanwhile.

    Args:
        server: the source that is read; None if it is on no server, so that nothing is recorded.
    """

    def __init__(self, server: ServerSource | None) -> None:
        self._server = server
        self._thread = threading.get_ident()
        self.has_errors = False

    def __enter__(self) -> ProviderErrors:
        if self._server is not None:
            log = QgsApplication.messageLog()
            # Without a direct connection, messages would wait for the event loop of this thread.
            log.messageReceived.connect(self._record, Qt.ConnectionType.DirectConnection)
        return self

    def __exit__(self, *error: object) -> None:
        if self._server is not None:
            QgsApplication.messageLog().messageReceived.disconnect(self._record)
            if self.has_errors:
                _INCOMPLETE_SOURCES.add(self._server.source)

    def check_iterator(self, iterator: QgsFeatureIterator) -> None:
        """Record an error if QGIS could not begin to read."""
        if self._server is not None and not iterator.isValid():
            self.has_errors = True

    def _record(self, text: str, tag: str, level: Any) -> None:
        """Record an error of this thread, or of the web service's own thread.

        Args:
            text: text of the message.
            tag: tab of the message log.
            level: level of the message.
        """
        is_error = level in (Qgis.MessageLevel.Warning, Qgis.MessageLevel.Critical)
        if not is_error or self._server is None or any(part in text for part in _HARMLESS):
            return
        is_own_thread = threading.get_ident() == self._thread
        if is_own_thread or (self._server.is_web_service and tag == self._server.provider):
            self.has_errors = True
