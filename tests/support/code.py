"""The code of the plugin as trees, for tests that look at all of it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["ROOT", "no_search_for_garbage", "trees_of"]

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def no_search_for_garbage() -> Iterator[None]:
    """While hundreds of thousands of nodes are made, which all stay, it takes more than half of
    the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def trees_of(
    paths: Iterable[Path], version: tuple[int, int] | None = None
) -> dict[str, ast.Module]:
    """Name of each file -> what it says, to a Python of that version."""
    with no_search_for_garbage():
        return {
            path.relative_to(ROOT).as_posix(): ast.parse(
                path.read_text(encoding="utf-8"), feature_version=version
            )
            for path in paths
        }
