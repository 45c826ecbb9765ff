"""pytest plugin that lets Qt work without a display.

``pyproject.toml`` loads it before pytest-qgis, which starts QGIS before it reads ``conftest.py``.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
