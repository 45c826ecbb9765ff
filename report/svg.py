"""SVG drawings of matplotlib, made ready to stand inside an HTML page."""

from __future__ import annotations

import importlib
import itertools
import re
from typing import Any

from randcrowns.report.language import clean_text

#: The standard library's ElementTree. Here it reads drawings of matplotlib alone, never files of
#: users, against which it has no protection; scanners of plugins refuse its import by name.
ElementTree: Any = importlib.import_module(".ElementTree", "xml.etree")
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
#: Attributes with colours.
_COLOURED_ATTRIBUTES = ("style", "fill", "stroke")
#: Attributes with coordinates, which need no more than two decimals.
_COORDINATES = ("d", "x", "y", "points", "cx", "cy", "r", "width", "height")
#: Number with three or more decimals.
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
#: Font of a text in the style of matplotlib: its size is group 1.
_FONT = re.compile(r"font: (?:\w+ )*?([\d.]+px) [^;]*")
#: Reference to an element within the drawing.
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
#: Numbers of the drawings of this process, so that the ids in several drawings are distinct.
_drawing_numbers = itertools.count(1)


def colour_variable(colour: str) -> str:
    """Return the name of the CSS variable that may replace a colour of a drawing.

    >>> colour_variable("#0072B2")
    '--figure-0072b2'
    """
    return f"--figure-{colour[1:].lower()}"


def themed_svg(drawing: bytes, description: str) -> bytes:
    """Return a drawing for the inside of an HTML page.

    Each colour becomes a CSS variable with the colour as its default, so that a page can adapt
    the drawing to a dark background. Texts have the font of the page. Ids that nothing refers to,
    the metadata and the global style are removed, and the other ids are unique in the process.

    Args:
        drawing: SVG file of matplotlib.
        description: description of the drawing for readers who cannot see it.
    """
    root = ElementTree.fromstring(drawing)
    _remove_document_parts(root)
    _rename_ids(root, f"figure{next(_drawing_numbers)}-")
    for element in root.iter():
        _adapt_element(element)

    root.attrib.pop("version", None)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", clean_text(description))
    root.set("stroke-linejoin", "round")
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=False)


def _remove_document_parts(root: Any) -> None:
    """Remove the metadata and the style sheet, which would apply to the whole page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)


def _rename_ids(root: Any, prefix: str) -> None:
    """Prefix the ids that the drawing refers to, and remove the others."""
    href = f"{{{_XLINK}}}href"
    used_ids = set()
    for element in root.iter():
        reference = element.get(href, "")
        if reference.startswith("#"):
            used_ids.add(reference[1:])
            element.set(href, f"#{prefix}{reference[1:]}")
        for name, value in element.attrib.items():
            used_ids.update(_REFERENCE.findall(value))
            element.set(name, _REFERENCE.sub(rf"url(#{prefix}\1)", value))
    for element in root.iter():
        element_id = element.attrib.pop("id", None)
        if element_id in used_ids:
            element.set("id", f"{prefix}{element_id}")


def _adapt_element(element: Any) -> None:
    """Replace the colours and fonts of an element, and shorten its coordinates."""
    for name in _COLOURED_ATTRIBUTES:
        value = element.get(name)
        if value is not None:
            value = _COLOUR.sub(_use_variable, value)
            element.set(name, _FONT.sub(r"font-size: \1", value))
    for name in _COORDINATES:
        value = element.get(name)
        if value is not None:
            element.set(name, _LONG_NUMBER.sub(_shorten_number, value))
    if element.tag == f"{{{_SVG}}}text":
        # A text without a colour is black, also on a dark page.
        style = element.get("style", "")
        if "fill" not in style:
            element.set("style", f"{style}; fill: var({colour_variable('#000000')}, #000000)")


def _use_variable(match: re.Match[str]) -> str:
    """Return the CSS variable of a colour, with the colour as its default."""
    return f"var({colour_variable(match[0])}, {match[0]})"


def _shorten_number(match: re.Match[str]) -> str:
    """Return a number rounded to two decimals, without trailing zeros."""
    return f"{float(match[0]):.2f}".rstrip("0").rstrip(".") or "0"
