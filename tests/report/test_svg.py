"""Drawings inside a page: colours of the page, distinct ids, and nothing that leaks out."""

from __future__ import annotations

import re

from randcrowns.report.content import Panel
from randcrowns.report.theme import encode_panel


def drawing(**style):
    """A diagram with a line, a marker and a text."""

    def draw(axes):
        axes.plot([0, 1], [0, 1], "o-", **style)
        axes.text(0.5, 0.5, "oak & <b>")

    return encode_panel(Panel(draw, 3, 2, 'a "line" <b>'), "svg").decode()


def test_colours_are_variables_of_the_page_with_the_colour_as_default():
    svg = drawing(color="#0072b2")
    assert "var(--figure-0072b2, #0072b2)" in svg
    assert not re.findall(r"(?<!, )(?<!-)#[0-9a-f]{6}", svg)


def test_ids_of_two_drawings_differ_and_every_reference_has_its_element():
    drawings = [drawing(), drawing()]
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in drawings]
    assert ids[0]
    assert ids[0].isdisjoint(ids[1])
    for svg, known in zip(drawings, ids):
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg)) == known


def test_texts_are_texts_and_nothing_concerns_the_rest_of_the_page():
    svg = drawing()
    assert "oak &amp; &lt;b&gt;" in svg
    assert 'aria-label="a &quot;line&quot; &lt;b&gt;"' in svg
    assert 'role="img"' in svg
    assert "<style" not in svg
    assert "<metadata" not in svg
    assert "<?xml" not in svg


def test_without_fonts_texts_are_outlines():
    panel = Panel(lambda axes: axes.text(0.5, 0.5, "oak"), 3, 2, "")
    assert b"<text" not in encode_panel(panel, "paths")
    assert encode_panel(panel, "png").startswith(b"\x89PNG")
