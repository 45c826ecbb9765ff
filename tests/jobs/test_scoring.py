"""The job score refuses what it cannot score."""

from __future__ import annotations

import shapely
from support.errors import raises

import randcrowns as rc


def test_the_preset_of_idtrees_does_not_pair_within_classes() -> None:
    trees = [shapely.box(0, 0, 5, 5)]
    with raises("idtrees.within_classes", parameter="within_classes"):
        rc.score(trees, trees, preset="idtrees", within_classes=True, extent=(0, 0, 20, 20))
