"""Whatever names, projects, layers, styles and result tables hold: nothing runs, pages open
with at most a note.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from html import escape

import pytest
from qgis.core import Qgis, QgsApplication, QgsProject, QgsVectorLayer
from qgis.gui import QgsRubberBand
from qgis.PyQt.QtWidgets import QAction, QDockWidget
from support.layers import TARGET_BOXES, box_layer, save, shifted
from support.pages import running_pages
from support.panel import opened_dock
from support.processing import run_algorithm
from support.qt import spin, wait_until
from support.rich_texts import evil_layer, is_safe, looked_at, of_layer, rich_texts

import randcrowns
from randcrowns.layers.compat import save_style
from randcrowns.ui.services.run_outcome import Succeeded, add_result_layers, destinations
from randcrowns.ui.shell.dock import PAGES

pytestmark = pytest.mark.usefixtures("run")

KEYS = [entry.key for entry in PAGES]
_PROPERTIES = (
    "randcrowns/made",
    "randcrowns/output",
    "randcrowns/fields",
    "randcrowns/sample",
    "randcrowns/result",
)
_UNFORESEEN = ("please report it", "should not have")
#: Pieces of what would run, load or be filled in.
_PIECES = (
    *(
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<i onclick=x>",
        "</b>",
    ),
    *(
        "<iframe src=javascript:alert(1)>",
        "&lt;script&gt;",
        "&#60;img src=x&#62;",
        "'",
        '"',
        "&",
        "<!--",
        "]]>",
        "\\",
    ),
    *("{{7*7}}", "{% raw %}", "[% 7*7 %]", "${x}", "{0}", "%s", "%1", "\u202e", "<", ">", "a", "ß"),
)
_LEAVES = (
    None,
    True,
    0,
    -1,
    10**400,
    2**63,
    0.5,
    float("nan"),
    float("inf"),
    "",
    "x" * 5000,
    "\0",
    "<img src=x>",
    "1e999",
)


@pytest.fixture
def dock(qgis_iface):
    with opened_dock(qgis_iface) as made:
        yield made
    QgsProject.instance().clear()


def anything(rng, depth=0):
    """A value that JSON can hold, of any kind and depth."""
    kind = rng.integers(6 if depth < 3 else 3)
    if kind < 3:
        return _LEAVES[rng.integers(len(_LEAVES))]
    if kind == 3:
        return int(rng.integers(-(2**40), 2**40))
    inner = [anything(rng, depth + 1) for _ in range(rng.integers(4))]
    return inner if kind == 4 else {str(one)[:9]: anything(rng, depth + 1) for one in inner}


def crafted(rng, text):
    """A text of JSON with parts replaced by anything, or no JSON at all."""
    if rng.random() < 0.2:
        return str(
            rng.choice(
                [
                    "[" * 100_000,
                    '{"a":' * 50_000,
                    "9" * 5000,
                    "",
                    "{",
                    "null",
                    "\0",
                    text[: len(text) // 2],
                ]
            )
        )
    found = json.loads(text)
    place = found
    while isinstance(place, dict) and place:
        key = rng.choice(list(place))
        if rng.random() < 0.5 or not isinstance(place[key], dict):
            place[key] = anything(rng)
            break
        place = place[key]
    return json.dumps(found)


def check_pages(dock, bar):
    """Look at every page: no error but in words, at most one note each, and nothing that would
    run.
    """
    for key in KEYS:
        bar.clear_messages()
        page = dock.show_page(key)
        page.load_parameters()
        spin()
        if getattr(page, "history", None) is not None:
            page.history.menu.aboutToShow.emit()
        levels = Qgis.MessageLevel.Warning, Qgis.MessageLevel.Critical
        said = {
            text for level in levels for text in bar.get_messages(level)
        }  # QGIS shows one text once
        assert len(said) <= 1, (key, said)
        assert not [text for text in said if any(part in text for part in _UNFORESEEN)], (key, said)
        page.store_parameters()
        if hasattr(page, "results") and page.results.isVisible():
            looked_at(page)
    assert [text for text in rich_texts(dock) if not is_safe(text)] == []


def test_markup(promise, dock):
    keys = [key for key in running_pages() if key != "detectors"]

    def attempt(rng):
        project = QgsProject.instance()
        project.clear()
        evil = "{}" + "".join(rng.choice(_PIECES, rng.integers(1, 8))).replace("{", "{{").replace(
            "}", "}}"
        )
        layers = [
            evil_layer(number, shifted(TARGET_BOXES, 0.4 * number), evil) for number in range(3)
        ]
        project.addMapLayers(layers)
        project.setCrs(layers[0].crs())
        page = dock.show_page(str(rng.choice(keys)))
        page.start()
        under_way = page.run
        wait_until(lambda: page.run is not under_way, 300)
        looked_at(page)
        assert not page.results.isHidden()
        made = [layer for layer in project.mapLayers().values() if layer not in layers]
        for key in ("detectors", "review", "report"):
            looked_at(dock.show_page(key)) if key == "detectors" else dock.show_page(key)
            spin()
        texts = [*rich_texts(dock), *(text for layer in made for text in of_layer(layer))]
        assert len(texts) > 10
        assert [text for text in texts if not is_safe(text)] == []

    promise.keep(
        "markup in names, fields and values runs in no tooltip, label, map tip or metadata",
        attempt,
        many=200,
        seconds=120,
        conditions="3 layers named so, with such annotators and values; a run of one page, then all pages looked at",
    )


@pytest.fixture(scope="module")
def made_before():
    """The folder that :func:`kept` makes, once."""
    return []


@pytest.fixture
def kept(made_before, tmp_path_factory, dock):
    """A folder with a project, and with a GeoPackage of the results of four algorithms, in
    their styles.
    """
    if made_before:
        return made_before[0]
    folder, project = tmp_path_factory.mktemp("kept"), QgsProject.instance()
    fields = {
        "fields": "&field=score:double",
        "rows": [(0.9 - 0.05 * number,) for number in range(len(TARGET_BOXES))],
    }
    boxes = {
        name: box_layer(name, shifted(TARGET_BOXES, by), **fields)
        for name, by in (("a", 0), ("b", 0.5), ("c", 1))
    }
    one, two, three = (save(layer, folder / "in.gpkg", name=name) for name, layer in boxes.items())
    project.addMapLayers([one, two, three])
    given = {
        "scorecrowns": {"TARGETS": one, "DELINEATIONS": [two]},
        "compareannotators": {"ANNOTATORS": [one, two]},
        "evaluateinstances": {"TARGETS": one, "PREDICTIONS": two},
        "rankdetectors": {
            "ANNOTATORS": [one, two],
            "DETECTORS": [three],
            "SCORE_FIELD": "score",
            "BOOTSTRAP_SAMPLES": 0,
        },
    }
    for name, parameters in given.items():
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
        outputs = [output for output in algorithm.outputs if output.has_features]
        done = run_algorithm(
            name, {**parameters, **destinations(outputs, str(folder / "work_randcrowns.gpkg"))}
        )
        assert done.ok, done.refused or done.error
        layers = {
            output.id: done.layer(output.id) for output in outputs if output.id in done.results
        }
        add_result_layers(Succeeded(done.results, layers, "", add_to_project=True), outputs)
    for layer in project.mapLayers().values():
        if isinstance(layer, QgsVectorLayer) and layer.isSpatial():
            save_style(layer, "ours")
    for key in KEYS:
        dock.show_page(key).store_parameters()
    assert project.write(str(folder / "work.qgz"))
    project.clear()
    spin()
    made_before.append(folder)
    return folder


def copied(kept, folders):
    folder = next(folders)
    shutil.copytree(kept, folder)
    return folder


def test_projects(promise, dock, kept, qgis_iface):
    def attempt(rng):
        project = QgsProject.instance()
        assert project.read(str(kept / "work.qgz"))
        for key in rng.choice(KEYS, rng.integers(1, 4), replace=False):
            project.writeEntry(
                "RandCrowns",
                str(key),
                crafted(rng, project.readEntry("RandCrowns", str(key), "{}")[0]),
            )
        check_pages(dock, qgis_iface.messageBar())

    promise.keep(
        "a crafted project opens, its pages with defaults and at most one note each",
        attempt,
        many=400,
        seconds=400,
        conditions="choices of 1 to 3 pages replaced by values of any kind and depth, long numbers, 100,000 brackets",
    )


def test_properties(promise, dock, kept, qgis_iface):
    def attempt(rng):
        project = QgsProject.instance()
        assert project.read(str(kept / "work.qgz"))
        layers = list(project.mapLayers().values())
        for number in rng.integers(0, len(layers), rng.integers(1, 6)):
            layer, name = layers[number], str(rng.choice(_PROPERTIES))
            text = str(layer.customProperty(name) or "")
            value = (
                crafted(rng, text) if text.startswith("{") and rng.random() < 0.7 else anything(rng)
            )
            with suppress(TypeError, OverflowError):  # QGIS itself keeps no such value
                layer.setCustomProperty(name, value)
                project.layerTreeRoot().findLayer(layer).setCustomProperty(
                    "randcrowns/place", value
                )
        check_pages(dock, qgis_iface.messageBar())

    promise.keep(
        "layers with crafted properties are opened, pages with at most one note each",
        attempt,
        many=400,
        seconds=400,
        conditions="records of runs and other properties of 1 to 5 result layers, and of the layer tree",
    )


def opened(folder):
    """The tables of a GeoPackage in a project, as QGIS opens them: in the styles that it holds."""
    project = QgsProject.instance()
    with closing(sqlite3.connect(folder / "work_randcrowns.gpkg")) as database:
        names = [
            name
            for (name,) in database.execute(
                "SELECT table_name FROM gpkg_contents WHERE data_type <> 'x'"
            )
        ]
    layers = [
        QgsVectorLayer(f"{folder}/work_randcrowns.gpkg|layername={name}", name, "ogr")
        for name in names
    ]
    project.addMapLayers([layer for layer in layers if layer.isValid()])
    return layers


def _with_another_value(rng, text):
    """A style with one value replaced, or with some of its text lost."""
    start = int(rng.integers(len(text)))
    if rng.random() < 0.2:
        return text[:start] + text[start + int(rng.choice([1, 30, 3000])) :]
    begin = text.find('="', start) + 2
    value = json.dumps(anything(rng))[: int(rng.choice([5, 50, 5000]))] + "".join(
        rng.choice(_PIECES, 2)
    )
    return text[:begin] + escape(value) + text[text.find('"', begin) :]


def test_styles(promise, dock, kept, folders, qgis_iface):
    def attempt(rng):
        folder, project = copied(kept, folders), QgsProject.instance()
        with closing(sqlite3.connect(folder / "work_randcrowns.gpkg")) as database, database:
            for number, text in database.execute(
                "SELECT id, styleQML FROM layer_styles"
            ).fetchall():
                changed = text
                for _ in range(rng.integers(1, 20)):
                    changed = _with_another_value(rng, changed)
                database.execute(
                    "UPDATE layer_styles SET styleQML = ? WHERE id = ?", (changed, number)
                )
        project.clear()
        project.setFileName(str(folder / "work.qgz"))
        assert opened(folder)
        check_pages(dock, qgis_iface.messageBar())

    promise.keep(
        "layers of a GeoPackage with crafted styles are opened, pages with at most one note each",
        attempt,
        many=300,
        seconds=400,
        conditions="every style of 4 runs changed in 1 to 19 places, properties, aliases and map tips among them",
    )


def _change(rng, database, table):
    """One change of a table, its list or its notes, as another program or a bad disk could make
    it.
    """
    columns = [name for _, name, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall()]
    column = str(rng.choice(columns[1:] or columns))
    values = (
        "text",
        "",
        None,
        -1,
        0,
        2**63 - 1,
        1e308,
        float("inf"),
        b"\x00\xff",
        "x" * 5000,
        "<img src=x>",
        0.5,
    )
    value = values[rng.integers(len(values))]
    some = rng.choice(["", " WHERE rowid = 1", " WHERE rowid % 2"])
    others = ", ".join(f'"{name}"' for name in columns[1:])
    changes = {
        "update": (f'UPDATE "{table}" SET "{column}" = ?{some}', (value,)),
        "delete": (f'DELETE FROM "{table}"{some}', ()),
        "lose": (f'ALTER TABLE "{table}" DROP COLUMN "{column}"', ()),
        "rename": (f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "other"', ()),
        "double": (f'INSERT INTO "{table}" ({others}) SELECT {others} FROM "{table}"', ()),
        "drop": (f'DROP TABLE "{table}"', ()),
        "unlist": ("DELETE FROM gpkg_contents WHERE table_name = ?", (table,)),
    }
    database.execute(
        *changes[str(rng.choice(list(changes), p=[0.5, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05]))]
    )


def test_tables(promise, dock, kept, folders, qgis_iface):
    def attempt(rng):
        folder = copied(kept, folders)
        with closing(sqlite3.connect(folder / "work_randcrowns.gpkg")) as database, database:
            triggers = [
                name
                for (name,) in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'trigger'"
                )
            ]
            for name in triggers:  # they call functions that only GDAL has
                database.execute(f'DROP TRIGGER "{name}"')
            tables = [name for (name,) in database.execute("SELECT table_name FROM gpkg_contents")]
            for table in rng.choice(tables, rng.integers(1, 6), replace=False):
                with suppress(sqlite3.Error):
                    _change(rng, database, str(table))
            notes = database.execute(
                "SELECT id, metadata FROM gpkg_metadata WHERE md_standard_uri LIKE 'urn:randcrowns%'"
            )
            for number, text in notes.fetchall():
                if rng.random() < 0.2:
                    changed = crafted(rng, text).encode("utf-8", "replace").decode()
                    database.execute(
                        "UPDATE gpkg_metadata SET metadata = ? WHERE id = ?", (changed, number)
                    )
        assert QgsProject.instance().read(str(folder / "work.qgz")) or True
        check_pages(dock, qgis_iface.messageBar())

    promise.keep(
        "result tables that were changed or damaged are shown or reported, pages with at most one note each",
        attempt,
        many=400,
        seconds=400,
        conditions="1 to 5 tables of 4 runs with other values, columns or rows, dropped or unlisted; crafted records",
    )


def test_reload(promise, qgis_iface):
    rounds = 50 if promise.thoroughly else 3
    registry = QgsApplication.processingRegistry()
    found = registry.providerById("randcrowns")
    if found is not None:
        registry.removeProvider(found)

    def attempt(_rng):
        window, plugin = qgis_iface.mainWindow(), randcrowns.classFactory(qgis_iface)
        before = len(window.findChildren(QAction))
        for number in range(rounds):
            plugin.initGui()
            plugin.toggle_panel(True)
            plugin.dock.show_page(KEYS[number % len(KEYS)])
            spin()
            assert registry.providerById("randcrowns") is not None
            plugin.unload()
            spin()
            assert registry.providerById("randcrowns") is None
            assert window.findChildren(QDockWidget) == []
            assert len(window.findChildren(QAction)) == before
        scene = qgis_iface.mapCanvas().scene()
        wait_until(lambda: not [item for item in scene.items() if isinstance(item, QgsRubberBand)])

    promise.keep(
        f"reloading the plugin {rounds} times leaves nothing behind",
        attempt,
        many=3,
        seconds=60,
        each=rounds,
        conditions="with the panel open, each page in turn: no dock, action, provider or drawing is left",
    )
