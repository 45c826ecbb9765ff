"""Version of the package."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

_PLUGIN_METADATA = Path(__file__).resolve().parents[1] / "metadata.txt"


def package_version() -> str:
    """Return the name of the package with its version."""
    return f"randcrowns {version()}"


def version() -> str:
    """Return the version of the plugin's folder or, without one, of the installed package."""
    if _PLUGIN_METADATA.exists():
        text = _PLUGIN_METADATA.read_text(encoding="utf-8")
        match = re.search(r"^version=(.+)$", text, re.MULTILINE)
        if match is not None:
            return match.group(1).strip()
    try:
        return metadata.version("randcrowns")
    except metadata.PackageNotFoundError:
        return "unknown"
