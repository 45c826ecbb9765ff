"""Page Parameters with three people, and the end of all that it does."""

from __future__ import annotations

from support.layers import crowns_at, layer_of
from support.qt import spin, wait_until

__all__ = ["finish", "three_layers"]

_PLACES = [(14 * column, 14 * row) for row in range(3) for column in range(4)]


def three_layers():
    """What three people drew of the same crowns."""
    return [layer_of(f"person {n}", crowns_at(_PLACES, seed=n)) for n in (1, 2, 3)]


def finish(page):
    """Wait for the crowns at a set, their gallery, and pictures that are saved."""
    wait_until(lambda: not page.runs.beside)
    spin()
