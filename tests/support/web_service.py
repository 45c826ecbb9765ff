"""A local service of OGC API Features, whose pages fail from one on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from qgis.core import QgsVectorLayer

__all__ = ["CROWNS", "FeatureService", "running_service"]

#: Number of crowns in the service and on a page.
CROWNS, PAGE = 35, 10
_CONFORMANCE = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf"
_API = "application/vnd.oai.openapi+json;version=3.0"


@dataclass
class FeatureService:
    """The service: what it answers can be changed while it runs."""

    address: str = ""
    first_failing: int | None = None  #: number of the first crown whose page fails.
    names_count: bool = True  #: whether a page says how many crowns there are.
    requests: list[str] = field(default_factory=list)

    def layer(self) -> QgsVectorLayer:
        """Return a new layer of the crowns."""
        source = (
            f" pagingEnabled='true' restrictToRequestBBOX='1' srsname='EPSG:4326' typename='trees' "
            f"url='{self.address}'"
        )
        layer = QgsVectorLayer(source, "trees", "OAPIF")
        assert layer.isValid()
        return layer

    def answer(self, path: str) -> tuple[int, str, Any]:
        """Return status, type and content of the answer to a request."""
        self.requests.append(path)
        url, query = urlsplit(path), parse_qs(urlsplit(path).query)
        if url.path == "/collections/trees/items":
            limit, offset = (int(query.get(name, ["0"])[0]) for name in ("limit", "offset"))
            return self._page(min(limit or PAGE, PAGE), offset)
        plain = {
            "": {
                "title": "trees",
                "links": [
                    {"rel": "data", "href": f"{self.address}/collections"},
                    {"rel": "service-desc", "href": f"{self.address}/api", "type": _API},
                ],
            },
            "/conformance": {
                "conformsTo": [f"{_CONFORMANCE}/core", f"{_CONFORMANCE}/geojson"],
            },
            "/api": {
                "openapi": "3.0.0",
                "info": {"title": "trees", "version": "1"},
                "paths": {},
                "components": {
                    "parameters": {"limit": {"schema": {"maximum": PAGE, "default": PAGE}}}
                },
            },
            "/collections": {"collections": [self._collection()], "links": []},
            "/collections/trees": self._collection(),
        }
        content = plain.get(url.path.rstrip("/"))
        kind = _API if url.path == "/api" else "application/json"
        return (404, kind, {}) if content is None else (200, kind, content)

    def _collection(self) -> dict[str, Any]:
        items = f"{self.address}/collections/trees/items"
        return {
            "id": "trees",
            "title": "trees",
            "extent": {"spatial": {"bbox": [[0, 0, 1, 1]]}},
            "links": [{"rel": "items", "href": items, "type": "application/geo+json"}],
        }

    def _page(self, limit: int, offset: int) -> tuple[int, str, Any]:
        if self.first_failing is not None and offset >= self.first_failing:
            return 500, "application/json", {}
        features = [
            {
                "type": "Feature",
                "id": str(number),
                "properties": {"number": number},
                "geometry": {"type": "Polygon", "coordinates": [_box(number)]},
            }
            for number in range(offset, min(offset + limit, CROWNS))
        ]
        content: dict[str, Any] = {"type": "FeatureCollection", "features": features, "links": []}
        if self.names_count:
            content["numberMatched"] = CROWNS
        if offset + limit < CROWNS:
            items = f"{self.address}/collections/trees/items"
            following = f"{items}?limit={limit}&offset={offset + limit}"
            content["links"].append(
                {"rel": "next", "href": following, "type": "application/geo+json"}
            )
        return 200, "application/geo+json", content


def _box(number: int) -> list[list[float]]:
    left, right, top = number * 0.001, number * 0.001 + 0.0005, 0.0005
    return [[left, 0.0], [right, 0.0], [right, top], [left, top], [left, 0.0]]


@contextmanager
def running_service() -> Iterator[FeatureService]:
    """Yield a service that listens on loopback; stop it at the end."""
    service = FeatureService()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, content = service.answer(self.path)
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
