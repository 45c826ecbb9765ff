"""Features to be written: what is made of a table piece by piece is all of it, and little is held."""

from __future__ import annotations

import tracemalloc
from itertools import islice

import numpy as np
import pytest
from qgis.core import QgsGeometry, QgsPointXY

from randcrowns.layers.vector.tables import FeatureTable, Pieces

pytestmark = pytest.mark.usefixtures("qgis_app")


def test_values_and_shapes_are_those_of_their_rows():
    shapes = Pieces(
        4_500,
        lambda some: [QgsGeometry.fromPointXY(QgsPointXY(row, 0)) for row in range(4_500)[some]],
    )
    table = FeatureTable(geometry=shapes)
    table.add("number", np.arange(4_500))
    table.add_field(table.fields.at(0), [str(row) for row in range(4_500)])
    blocks = list(table.blocks())
    assert [len(block) for block in blocks] == [2_000, 2_000, 500]
    features = [feature for block in blocks for feature in block]
    assert [feature.attributes() for feature in features] == [[row, str(row)] for row in range(4_500)]
    assert [feature.geometry().asPoint().x() for feature in features] == list(range(4_500))


def test_pieces_are_a_sequence():
    pieces = Pieces(5_000, lambda some: list(range(5_000)[some]))
    assert list(pieces) == list(range(5_000))
    assert (pieces[0], pieces[-1], pieces[3:5], len(pieces[:])) == (0, 4_999, [3, 4], 5_000)
    with pytest.raises(IndexError):
        pieces[5_000]


def test_features_as_large_as_layers_come_one_by_one():
    table = FeatureTable()
    table.add("truth", ["anna", "ben", "cleo"])
    assert [len(block) for block in table.blocks()] == [1, 1, 1]


def test_a_column_of_numbers_is_held_as_it_was_given():
    numbers, table = np.arange(1_000_000.0), FeatureTable()
    tracemalloc.start()
    table.add("score", numbers)
    assert sum(map(len, islice(table.blocks(), 3))) == 6_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * len(numbers)  # bytes: less than as many pointers
