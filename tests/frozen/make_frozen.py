"""Makes the frozen behaviour anew, in tests/data/frozen; never collected with the tests.

Run it only where behaviour is meant to change, on QGIS 3.22 with the libraries of Debian 12, and
say why in the commit:

    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k definitions
    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k outputs
    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k projects
    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k handed_over

``projects`` makes the saved projects anew, ``handed_over`` only what their pages hand to the
algorithms. Projects that users have saved do not change, so ``projects`` is for new ones; the old
stay as they are.
"""

from __future__ import annotations

import shutil

from qgis.core import QgsProject
from support.frozen_cases import CASES, Sample
from support.frozen_definitions import definitions
from support.frozen_projects import FOLDER, NAMES, entries, handed_over, make_projects, shown_dock
from support.frozen_runs import demo_outputs, run_outputs, versions
from support.frozen_values import save


def test_make_definitions(algorithms):
    save("definitions.json", definitions(algorithms))


def test_make_outputs(algorithms, qgis_new_project, demo_folder):
    made = {case: run_outputs(case, Sample(demo_folder / "sample")) for case in CASES}
    save(
        "outputs.json.gz",
        {"versions": versions(), "outputs": {"demo": demo_outputs(demo_folder), **made}},
    )


def test_make_projects(algorithms, qgis_new_project, qgis_iface):
    shutil.rmtree(FOLDER, ignore_errors=True)
    make_projects(qgis_iface, FOLDER)


def test_make_handed_over(algorithms, qgis_new_project, qgis_iface, tmp_path):
    for name in NAMES:
        with shown_dock(qgis_iface) as dock:
            handed = handed_over(name, dock, qgis_iface, tmp_path / name)
        assert QgsProject.instance().read(str(tmp_path / name / f"{name}.qgz"))
        save(f"projects/{name}.json", {"entries": entries(), "handed over": handed})
        QgsProject.instance().clear()
