"""Where the real data is, for tests that read it."""

from __future__ import annotations

from pathlib import Path

import pytest

_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def real_data(name: str) -> Path:
    """A folder of real data; the test that asks for it is skipped, with the reason, where it is absent."""
    folder = _DATA / name
    if not folder.is_dir():
        pytest.skip(f"the real data '{name}' is not beside this checkout")
    return folder
