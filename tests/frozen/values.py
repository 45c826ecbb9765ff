"""The frozen behaviour as plain values: kept as JSON, and compared within a tolerance or
exactly.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import re
from pathlib import Path
from typing import Any

__all__ = ["FROZEN", "differences", "exactly", "load", "plain", "save"]

FROZEN = Path(__file__).resolve().parents[1] / "data" / "frozen"
#: Largest difference of two numbers that count as equal: relative, and absolute for numbers below
#: 1.
TOLERANCE = 1e-12
#: The same for numbers that are found in another way, which moves them by rounding alone.
ROUNDING = 1e-9
#: The same for the numbers of runs whose method became less exact.
MOVED = 1e-6
#: Checksums are compared only where everything must be exactly as it was.
_EXACT_ONLY = "sha"


def exactly() -> bool:
    """Whether every bit must be as it was (FROZEN_EXACT=1)."""
    return os.environ.get("FROZEN_EXACT") == "1"


def save(name: str, value: Any) -> Path:
    """Keep a value; a name that ends with .gz is compressed, the same for the same value."""
    path = FROZEN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        path.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))
    else:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
    return path


def load(name: str) -> Any:
    """A value that was kept."""
    path = FROZEN / name
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return json.loads(text)


def plain(value: Any) -> Any:
    """What a value is after it was kept: tuples are lists, keys are texts."""
    return json.loads(json.dumps(value, ensure_ascii=False))


def differences(
    frozen: Any,
    now: Any,
    place: str = "",
    exact: bool | None = None,
    rounded: re.Pattern[str] | None = None,
    rounding: float = ROUNDING,
) -> list[str]:
    """Where two plain values differ, a line each; in places that match ``rounded`` by more than
    ``rounding``.
    """
    exact = exactly() if exact is None else exact
    if isinstance(frozen, dict) and isinstance(now, dict):
        found = []
        for key in sorted({*frozen, *now}):
            inside = f"{place}/{key}"
            if key == _EXACT_ONLY and not exact:
                continue
            if key not in now:
                found.append(f"{inside}: gone")
            elif key not in frozen:
                found.append(f"{inside}: new")
            else:
                found += differences(frozen[key], now[key], inside, exact, rounded, rounding)
        return found
    if isinstance(frozen, list) and isinstance(now, list):
        if len(frozen) != len(now):
            return [f"{place}: {len(frozen)} entries were, {len(now)} are"]
        return [
            line
            for number, pair in enumerate(zip(frozen, now))
            for line in differences(*pair, f"{place}[{number}]", exact, rounded, rounding)
        ]
    tolerance = rounding if rounded is not None and rounded.search(place) else TOLERANCE
    return [] if _equal(frozen, now, exact, tolerance) else [f"{place}: {frozen!r} was, {now!r} is"]


def _equal(frozen: Any, now: Any, exact: bool, tolerance: float) -> bool:
    if exact or type(frozen) is not type(now) or not isinstance(frozen, float):
        return type(frozen) is type(now) and frozen == now
    return math.isclose(frozen, now, rel_tol=tolerance, abs_tol=tolerance)
