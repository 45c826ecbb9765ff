"""No reader that runs inside QGIS imports pyproj.

The pyproj of pip has a PROJ of its own, and a process with two of them crashes when QGIS quits.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[1]
#: Reads a file of each format in QGIS, and prints the modules that import pyproj.
_PROGRAM = """
import sys, traceback
from pathlib import Path
from qgis.testing import start_app

importing = []

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pyproj":
            importing.append("".join(traceback.format_stack(limit=60)))

sys.meta_path.insert(0, Finder())
application = start_app()
from randcrowns.layers.cloud.header import require_laspy

require_laspy()  # the program's own files of points are written with the same laspy
from torture.fuzzed_formats import fuzzed_formats

root = Path(sys.argv[1])
(root / "seeds").mkdir()
n_read = 0
for number, form in enumerate(fuzzed_formats(root / "seeds")):
    for file, content in form.seeds.items():
        folder = root / f"{number} {file}"
        folder.mkdir()
        for name, other in {**form.others, file: content}.items():
            (folder / name).write_bytes(other)
        form.read(folder / (form.main or file))
        n_read += 1
print(n_read, "read;", "pyproj" in sys.modules and sys.modules["pyproj"], importing)
sys.stdout.flush()
import os
os._exit(0)
"""


def test_no_reader_in_qgis_imports_pyproj(tmp_path: Path) -> None:
    path = os.pathsep.join([*filter(None, sys.path), str(_TESTS)])
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    n_read, _, result = ended.stdout.splitlines()[-1].partition(" read; ")
    assert int(n_read) > 30
    assert result == "False []", result.replace("\\n", "\n")
