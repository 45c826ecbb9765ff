"""The page to explore a run: one HTML file with its scripts, styles, data and image."""

from __future__ import annotations

import base64
import json
from html import escape
from pathlib import Path

from randcrowns.report.explore.content import ExploredRun, ImagePyramid
from randcrowns.report.explore.leaflet import Leaflet, read_leaflet
from randcrowns.report.explore.payload import build_payload
from randcrowns.report.explore.texts import page_texts
from randcrowns.report.explore.tiles import TILE_SIZE
from randcrowns.report.language import tr
from randcrowns.report.names import cut_middle
from randcrowns.report.render import typeset

_RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "explore"
#: Scripts of the page in their order; each uses only those before it.
SCRIPTS = (
    "data.js",
    "colours.js",
    "outlines.js",
    "regions.js",
    "filters.js",
    "map.js",
    "table.js",
    "verdicts.js",
    "panel.js",
    "thresholds.js",
    "main.js",
)
#: Maximum number of sentences of the answer that are not folded.
_MAXIMUM_SENTENCES = 3
#: Maximum length of the heading, letters. The title of the window is whole.
_MAXIMUM_TITLE = 160
#: The browser may run the page's own scripts and show its own images, and load nothing else.
_SECURITY_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)


def render_explorer(run: ExploredRun, leaflet: Leaflet | None = None) -> str:
    """Return the page to explore a run as one HTML file.

    Args:
        run: content of the page.
        leaflet: files of Leaflet; None for those of the installed package.

    Raises:
        MissingLibraryError: if Leaflet is not installed.
    """
    library = leaflet or read_leaflet()
    texts = page_texts()
    manifest, numbers = build_payload(run, texts)
    styles = library.style + _read_resource("explore.css")
    scripts = "".join(_script_element(_read_resource(name)) for name in SCRIPTS)
    data = (
        _data_element("manifest", manifest)
        + _data_element("numbers", numbers)
        + _data_element("image", _image_data(run.image))
    )
    return "".join(
        (
            f'<!DOCTYPE html>\n<html lang="{escape(tr("en"))}">\n<head>\n',
            '<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{_SECURITY_POLICY}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            f"<title>{escape(run.title)}</title>\n",
            f"<style>\n{styles}\n</style>\n</head>\n<body>\n",
            _body(run, texts),
            data,
            _script_element(library.script),
            scripts,
            "</body>\n</html>\n",
        )
    )


def _body(run: ExploredRun, texts: dict[str, str]) -> str:
    """Return the visible elements of the page that do not depend on scripts."""
    shown_title = cut_middle(run.title, _MAXIMUM_TITLE)
    # A title that is cut is shown as a whole while the mouse is on it.
    tooltip = "" if shown_title == run.title else f' title="{escape(run.title)}"'
    return (
        f"<header><h1{tooltip}>{escape(shown_title)}</h1>\n{_answer(run)}\n"
        f"{_warnings(run)}"
        f'<p class="quiet">{escape(run.provenance)}</p></header>\n'
        f'<main id="explore" data-old-browser="{escape(texts["oldBrowser"])}"'
        f' data-failed="{escape(texts["failed"])}">'
        f'<p id="loading" role="status">{escape(texts["loading"])}</p></main>\n'
        f"<noscript><p>{escape(texts['noScript'])}</p></noscript>\n"
    )


def _answer(run: ExploredRun) -> str:
    """Return the sentences of the answer; all but the first of many are folded."""
    sentences = [escape(typeset(sentence)) for sentence in run.answer]
    if len(sentences) > _MAXIMUM_SENTENCES:
        further = "".join(f"<p>{sentence}</p>" for sentence in sentences[1:])
        return f"<details><summary>{sentences[0]}</summary>{further}</details>"
    return "".join(f"<p>{sentence}</p>" for sentence in sentences)


def _warnings(run: ExploredRun) -> str:
    """Return the distinct warnings of the run, a paragraph each."""
    return "".join(
        f'<p class="warning">{escape(typeset(sentence))}</p>\n'
        for sentence in dict.fromkeys(run.warnings)
    )


def _read_resource(name: str) -> str:
    """Return the content of a script or style of the page."""
    return (_RESOURCES / name).read_text(encoding="utf-8")


def _script_element(content: str) -> str:
    """Return a script of the page; the resources contain no end tag of a script."""
    return f"<script>\n{content}\n</script>\n"


def _data_element(name: str, content: str) -> str:
    """Return an element with data; the content has no characters of markup."""
    return f'<script type="text/plain" id="data-{name}">{content}</script>\n'


def _image_data(image: ImagePyramid | None) -> str:
    """Return the tiles of the image as JSON without characters of markup; "" without an image."""
    if image is None:
        return ""
    tiles = {}
    masks = {}
    for tile in image.tiles:
        name = f"{tile.zoom}/{tile.column}/{tile.row}"
        tiles[name] = base64.b64encode(tile.data).decode("ascii")
        if tile.mask:
            masks[name] = base64.b64encode(tile.mask).decode("ascii")
    zooms = [tile.zoom for tile in image.tiles]
    return json.dumps(
        {
            "type": image.mime_type,
            "size": TILE_SIZE,
            "lowest": min(zooms),
            "highest": max(zooms),
            "tiles": tiles,
            "masks": masks,
        }
    )
