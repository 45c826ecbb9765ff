"""Structure of the manifest of a results directory, and the check of stored manifests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

#: Version of the layout of results directories. It grows when older ones can no longer be read.
FORMAT_VERSION = 2
# Types of the entries of a manifest.
_TYPES: Mapping[str, Any] = {
    "format": int,
    "kind": str,
    "choices": dict,
    "inputs": list,
    "versions": dict,
    "started": str,
    "finished": (str, type(None)),
    "grid": list,
    "diagonals": list,
    "bounds": list,
    "rows": list,
    "without_place": list,
    "tiles": dict,
}
_NUMBER = (int, float)
# Types of the choices that the summary reads, by kind of run.
_CHOICES_OF_KIND: Mapping[str, Mapping[str, Any]] = {
    "score": {
        **{"alpha": _NUMBER, "omega": _NUMBER, "gamma": _NUMBER},
        **{"pairing": str, "all_drawn": bool, "limits": dict},
    },
    "agree": {},
    "evaluate": {"all_drawn": bool},
}
# Types of the limits that the summary reads, if the choices contain limits.
_LIMITS = {"score": _NUMBER}
# Entries of a crown in a list of problems.
_PROBLEM_ENTRIES = {"layer", "id", "problem", "done"}
# Number of values of the grid, and of a tile.
_GRID_LENGTH = 3
_TILE_LENGTH = 4


def is_complete_manifest(manifest: Any) -> bool:
    """Return True if a value read from JSON has all entries of a manifest, with their types."""
    if not _has_types(manifest, _TYPES):
        return False
    kind = manifest["kind"]
    if kind not in _CHOICES_OF_KIND or not _are_choices(manifest["choices"], kind):
        return False
    inputs = manifest["inputs"]
    tiles = manifest["tiles"].values()
    return (
        all(_is_input(entry) for entry in inputs)
        and _are_texts(manifest.get("messages", []))
        and _are_numbers(manifest["rows"], len(inputs))
        and _are_numbers(manifest["grid"], _GRID_LENGTH)
        and _are_problems(manifest["without_place"])
        and all(_is_tile(tile) for tile in tiles)
    )


def _are_choices(choices: Mapping[str, Any], kind: str) -> bool:
    """Return True if a dictionary has the choices that the summary reads.

    Args:
        choices: ``choices`` of a manifest.
        kind: kind of the run, a key of ``_CHOICES_OF_KIND``.
    """
    if not _has_types(choices, _CHOICES_OF_KIND[kind]):
        return False
    return "limits" not in choices or _has_types(choices["limits"], _LIMITS)


def _is_input(entry: Any) -> bool:
    """Return True if a value describes a layer of a run."""
    return _has_types(entry, {"name": str}) and _are_texts(entry.get("notes", []))


def _has_types(entry: Any, types: Mapping[str, Any]) -> bool:
    """Return True if a value is a dictionary that has the named entries, each of its type."""
    return isinstance(entry, dict) and all(
        name in entry and isinstance(entry[name], kind) for name, kind in types.items()
    )


def _are_texts(values: Any) -> bool:
    """Return True if a value is a list of texts."""
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _are_numbers(values: Any, length: int) -> bool:
    """Return True if a value is a list of numbers with this length."""
    return (
        isinstance(values, list)
        and len(values) == length
        and all(isinstance(value, (int, float)) for value in values)
    )


def _are_problems(entries: Any) -> bool:
    """Return True if a value is a list of problems of crowns."""
    return isinstance(entries, list) and all(
        isinstance(entry, dict) and set(entry) >= _PROBLEM_ENTRIES for entry in entries
    )


def _is_tile(tile: Any) -> bool:
    """Return True if a value describes a tile and its finished stages."""
    return (
        _has_types(tile, {"tile": list, "stages": dict})
        and _are_numbers(tile["tile"], _TILE_LENGTH)
        and all(_is_report(report) for report in tile["stages"].values())
    )


def _is_report(report: Any) -> bool:
    """Return True if a value is the report of a finished stage of a tile."""
    if not _has_types(report, {"files": dict}):
        return False
    crown_counts = report.get("crowns", {})
    return (
        _are_files(report["files"].items())
        and _are_problems(report.get("problems", []))
        and isinstance(crown_counts, dict)
        and all(isinstance(count, int) for count in crown_counts.values())
    )


def _are_files(files: Iterable[tuple[str, Any]]) -> bool:
    """Return True if names and entries describe files within the results directory."""
    return all(
        _has_types(entry, {"bytes": int, "sha256": str})
        and not PurePosixPath(name).is_absolute()
        and ".." not in PurePosixPath(name).parts
        for name, entry in files
    )
