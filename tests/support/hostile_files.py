"""Files that name other files or addresses, and a server that records what is requested."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["RecordingServer", "geojson", "raster_vrt", "recording_server", "vector_vrt"]

#: Environment variables with the addresses that are requested without a proxy.
_NO_PROXY = ("no_proxy", "NO_PROXY")
_SQUARE = [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]


class RecordingServer(ThreadingHTTPServer):
    """A local server that answers nothing and records what is requested."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    """Record a request."""

    server: RecordingServer

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        self.send_error(404)

    do_HEAD = do_GET  # noqa: N815  # name of the base class

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def recording_server() -> Iterator[RecordingServer]:
    """Run a server while the context is open; it is not excluded from proxies."""
    excluded = {name: os.environ.pop(name) for name in _NO_PROXY if name in os.environ}
    server = RecordingServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        os.environ.update(excluded)


def geojson(crs: object = None) -> str:
    """The text of a GeoJSON file with one crown."""
    feature = {
        "type": "Feature",
        "properties": {},
        "geometry": {"type": "Polygon", "coordinates": _SQUARE},
    }
    content = {"type": "FeatureCollection", "features": [feature]}
    return json.dumps({"type": "FeatureCollection", "crs": crs, **content} if crs else content)


def vector_vrt(source: str) -> str:
    """The text of a virtual vector dataset."""
    return (
        '<OGRVRTDataSource><OGRVRTLayer name="crowns">'
        f"<SrcDataSource>{source}</SrcDataSource><SrcLayer>crowns</SrcLayer>"
        "</OGRVRTLayer></OGRVRTDataSource>"
    )


def raster_vrt(source: str, relative: int = 0) -> str:
    """The text of a virtual raster of 4 x 4 pixels."""
    return (
        '<VRTDataset rasterXSize="4" rasterYSize="4"><VRTRasterBand dataType="Byte" band="1">'
        f'<SimpleSource><SourceFilename relativeToVRT="{relative}">{source}</SourceFilename>'
        "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"
    )
