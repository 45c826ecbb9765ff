"""What stands in an SVG."""

from __future__ import annotations

from xml.etree import ElementTree

__all__ = ["words_of"]


def words_of(svg: bytes) -> set[str]:
    """The texts; parts of a text that are set apart, such as an exponent, together."""
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return {"".join(part.strip() for part in text.itertext()) for text in texts}
