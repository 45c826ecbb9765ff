"""Makes the frozen behaviour anew, in tests/data/frozen; never collected with the tests.

Run it only where behaviour is meant to change, on QGIS 3.22 with the libraries of Debian 12, and
give the reason in the commit:

    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k definitions
    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k outputs
    QT_QPA_PLATFORM=offscreen .venv/bin/python -m pytest tests/frozen/make_frozen.py -k handed_over

``handed_over`` records what the pages of the saved projects pass to the algorithms. The projects
themselves are never made again: no later version writes them with the names of that time. A new
project is saved with QGIS into tests/data/frozen/projects.
"""

from __future__ import annotations

from frozen.cases import CASES, Sample
from frozen.definitions import definitions
from frozen.projects import NAMES, entries, handed_over, shown_dock
from frozen.runs import demo_outputs, run_outputs, versions
from frozen.values import save
from qgis.core import QgsProject


def test_make_definitions(algorithms):
    save("definitions.json", definitions(algorithms))


def test_make_outputs(algorithms, qgis_new_project, demo_folder):
    made = {case: run_outputs(case, Sample(demo_folder / "sample")) for case in CASES}
    save(
        "outputs.json.gz",
        {"versions": versions(), "outputs": {"demo": demo_outputs(demo_folder), **made}},
    )


def test_make_handed_over(algorithms, qgis_new_project, qgis_iface, tmp_path):
    for name in NAMES:
        with shown_dock(qgis_iface) as dock:
            handed = handed_over(name, dock, qgis_iface, tmp_path / name)
        assert QgsProject.instance().read(str(tmp_path / name / f"{name}.qgz"))
        save(f"projects/{name}.json", {"entries": entries(), "handed over": handed})
        QgsProject.instance().clear()
