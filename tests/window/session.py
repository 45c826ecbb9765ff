"""A real QGIS window on a virtual screen, controlled by a script that QGIS runs.

The test calls :func:`found_in_window`. The script, an argument of ``--code``, uses the other
functions. Its steps follow one another by :func:`later` and store results in FOUND; the last step
calls :func:`finish`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: Opens QGIS with the plugin and the sample project.
RUN = (ROOT / "scripts" / "run.sh",)
SCREEN = ("xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x1000x24")
_ANSWER = "RANDCROWNS_FOUND"
#: Results of the script.
FOUND: dict[str, Any] = {"errors": []}


def found_in_window(
    script: str, folder: Path, words: Sequence[Any] = RUN, patience: float = 300, **told: str
) -> dict:
    """Return the results of a script of this folder; fail with the output of QGIS without any.

    Args:
        script: name of the script.
        folder: folder of the sample, the profile and the results; the same for another session.
        words: the command that starts QGIS.
        patience: time limit, s.
        told: variables of the environment.
    """
    import pytest  # QGIS's Python need not have pytest

    if not (shutil.which("xvfb-run") and shutil.which("qgis")):
        pytest.skip("needs the QGIS window and xvfb (on Debian: apt-get install qgis xvfb xauth)")
    answer = folder / "found.json"
    answer.unlink(missing_ok=True)
    # The window uses neither the profile nor the screen of the test run.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("QT_", "QGIS_"))
    }
    environment.pop("DISPLAY", None)
    environment.pop("WAYLAND_DISPLAY", None)
    # QGIS asks before it closes layers in the system's folder for temporary files.
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment.update(
        {_ANSWER: str(answer), "RANDCROWNS_RUN": str(folder), "TMPDIR": str(temporary), **told}
    )
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [told.get("PYTHONPATH", ""), str(ROOT / "tests")])
    )
    command = [*map(str, words), "--code", str(Path(__file__).with_name(script))]
    # In a separate session, a window that hangs ends together with its screen.
    pipes: Any = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
        "text": True,
        "start_new_session": True,
    }
    with subprocess.Popen(command, env=environment, **pipes) as window:
        try:
            said, _ = window.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(window.pid, signal.SIGKILL)
            raise
    assert answer.exists(), said
    found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    assert found["errors"] == [], "\n".join(found["errors"])
    return found


def later(condition: Callable[[], Any], then: Callable[[], Any], patience: float = 300) -> None:
    """Call ``then`` in the window when the condition holds; fail after ``patience`` seconds."""
    from qgis.PyQt.QtCore import QTimer

    left = [patience]

    def look() -> None:
        try:
            if condition():
                then()
            elif left[0] <= 0:
                raise TimeoutError(then.__name__)
            else:
                left[0] -= 0.1
                QTimer.singleShot(100, look)
        except Exception:
            FOUND["errors"].append(traceback.format_exc())
            finish()

    QTimer.singleShot(100, look)


def note() -> None:
    """Write the results so far."""
    Path(os.environ[_ANSWER]).write_text(json.dumps(FOUND), encoding="utf-8")


def finish() -> None:
    """Write the results and end QGIS."""
    note()
    os._exit(0)


def layer(name: str) -> Any:
    """Return the project's first layer of a name."""
    from qgis.core import QgsProject

    return QgsProject.instance().mapLayersByName(name)[0]


def begin_when_loaded(then: Callable[[], Any]) -> None:
    """Call ``then`` when the window, the plugin and the sample project are loaded."""

    def is_loaded() -> bool:
        from qgis import utils
        from qgis.core import QgsProject

        return (
            utils.iface is not None
            and "randcrowns" in utils.plugins
            and bool(QgsProject.instance().mapLayersByName("crowns"))
        )

    later(is_loaded, then)
