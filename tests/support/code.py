"""Syntax trees of the plugin's code."""

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
    """Switch off garbage collection, which takes half of the time to parse many files."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def trees_of(
    paths: Iterable[Path], version: tuple[int, int] | None = None
) -> dict[str, ast.Module]:
    """Return the syntax tree of each file by its name, parsed as a version of Python."""
    with no_search_for_garbage():
        return {
            path.relative_to(ROOT).as_posix(): ast.parse(
                path.read_text(encoding="utf-8"), feature_version=version
            )
            for path in paths
        }
