"""The names that users of the core import, and the examples in its docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import FunctionType, ModuleType

import pytest

from randcrowns import core

PACKAGES = (
    "",
    ".agreement",
    ".classes",
    ".detectors",
    ".instances",
    ".instances.pointtree",
    ".tuning",
)
MODULES = sorted(found.name for found in pkgutil.walk_packages(core.__path__, "randcrowns.core."))


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_functions_with_an_example_and_classes(package: str) -> None:
    module = importlib.import_module("randcrowns.core" + package)
    assert module.__all__
    for name in module.__all__:
        found = getattr(module, name)
        assert not isinstance(found, ModuleType)
        assert (
            not isinstance(found, FunctionType)
            or name == "shapely_answers_rightly"
            or ">>>" in found.__doc__
        )


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
