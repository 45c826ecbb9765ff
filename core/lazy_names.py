"""Public names of a package that are imported on first access.

A window that needs one module of a topic would otherwise wait for all of them, and for scipy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions ``__getattr__`` and ``__dir__`` of a package (PEP 562).

    Args:
        package: name of the package.
        modules: submodule that defines each public name.
    """

    def get_name(name: str) -> Any:
        """Import and return a public name."""
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def list_names() -> list[str]:
        """Return the names that are imported already, and the public ones."""
        return sorted({*vars(import_module(package)), *modules})

    return get_name, list_names
