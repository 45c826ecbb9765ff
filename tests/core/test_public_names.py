"""The names that users of the core import, and the examples in its docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

from randcrowns import core

PACKAGES = ("", ".agreement", ".detectors", ".instances", ".instances.pointtree", ".tuning")
MODULES = sorted(found.name for found in pkgutil.walk_packages(core.__path__, "randcrowns.core."))


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_functions_and_classes(package: str) -> None:
    module = importlib.import_module("randcrowns.core" + package)
    assert module.__all__
    for name in module.__all__:
        assert not isinstance(getattr(module, name), ModuleType)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
