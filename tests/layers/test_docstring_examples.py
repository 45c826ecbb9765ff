"""The examples in docstrings of the layers run and give the shown results."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from randcrowns import layers

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(layers.__path__, "randcrowns.layers.")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str, qgis_app: object) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_some_layers_have_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    module = importlib.import_module("randcrowns.layers.vector.read")
    assert any(test.examples for test in finder.find(module))
