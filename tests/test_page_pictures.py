"""``make pictures`` draws a page at three widths, light and dark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageStat

SCRIPT = Path(__file__).parents[1] / "scripts" / "page_pictures.py"


def _run(folder: Path, pages: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PAGES": pages, "OUTPUT": str(folder)}
    return subprocess.run(
        [sys.executable, str(SCRIPT)], env=environment, capture_output=True, text=True, check=False
    )


def test_a_page_is_drawn(tmp_path: Path) -> None:
    done = _run(tmp_path, "start")
    assert done.returncode == 0, done.stderr
    brightness = {}
    for look in ("light", "dark"):
        for width in (300, 360, 600):
            picture = Image.open(tmp_path / f"start_{look}_{width}.png").convert("L")
            assert picture.width == width
            brightness[look, width] = ImageStat.Stat(picture).mean[0]
    assert len(list(tmp_path.iterdir())) == len(brightness)
    assert all(brightness["dark", width] < brightness["light", width] for width in (300, 360, 600))


def test_an_unknown_page_is_refused(tmp_path: Path) -> None:
    done = _run(tmp_path / "pictures", "start sizes")
    assert done.returncode != 0
    assert "There is no page sizes." in done.stderr
    assert not (tmp_path / "pictures").exists()
