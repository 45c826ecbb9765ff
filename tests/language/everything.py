"""Everything that people see, opened in a language made of English (:mod:`language.pseudo`):
nothing may be English.

``tests/test_translations.py`` runs this in a process of its own, in which it is spoken from the
start.
"""

from __future__ import annotations

import getpass
import re
from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from language.pseudo import plain, pseudo, texts_of
from qgis.core import (
    QgsApplication,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsProcessingContext,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt
from support.layers import crowns_at, layer_of, load_sample
from support.panel import empty_project, opened_dock
from support.processing import without_window
from support.qt import spin, wait_until

import randcrowns
from randcrowns.core.exchange.formats import ANNOTATION_FORMATS
from randcrowns.layers.libraries import LIBRARIES, REQUIRED, LibraryProblem
from randcrowns.layers.localization import format_day, tr
from randcrowns.layers.persistent_functions import _list_registered_functions
from randcrowns.ui.options.page import OptionsPage
from randcrowns.ui.services.libraries_dialog import LibrariesDialog
from randcrowns.ui.shell.dock import PAGES, RandCrownsDock
from randcrowns.ui.widgets.plot import PlotWidget

#: Words that are the same in every language: names of measures, methods, formats and systems,
#: units, symbols; what
#: results hold as keys; the last lines are the sample's own, its cloud's attributes too.
_SAME = """
RandCrowns IoU IoUCrowns RC IoUC AUCR PQ SQ AP AR CCI CCO TP FP FN PPV NPV GT Any-GT Excl Excl-0.5-GT Cooke-GT LSML STAPLE SIMPLE
RQ px alpha omega gamma tau staple prior any consensus_units estimated tolerance max_iterations
for_ai_net for_ai_net_coverage for_instance panoptic_segmentation point2tree tree_learn deepforest stardist
HTML PDF CSV GeoJSON GeoPackage GeoParquet XLSX LaTeX Markdown
QGIS GEOS WGS UTM EPSG zone NULL NOT UNIQUE String Integer64 Integer Real Polygon
DetectionTP DetectionFP DetectionFN DetectionPrecision DetectionRecall DetectionF1Score DetectionCommissionError
DetectionOmissionError SegmentationMeanIoU SegmentationMeanPrecision SegmentationMeanRecall Letter
cloud.laz plot_randcrowns.gpkg plot_own simulated layername conifer broadleaf
classification edge_of_flight_line intensity key_point number_of_returns overlap point_source_id predicted_id
return_number scan_angle scan_direction_flag scanner_channel synthetic tree_id user_data withheld
"""
#: Names of programs, libraries, functions and packages.
_OF_PROGRAMS = """
numpy shapely pandas scipy python3 pip apt-get install sudo OSGeo4W Debian
rc_score rc_iou rc_iou_crowns rc_region rc_problem rc_class_confusion geometry get_feature drawn id match
target delineation region threshold layer
"""
#: How many values of a field are looked at.
_VALUES = 20
#: Formulas of figures, lines of a command, and paths.
_NO_WORDS = re.compile(r"\$[^$]*\$|^.*(?:qgis_process|-m pip|--\w+=).*$|(?<!\w)/\S+", re.MULTILINE)
#: Versions, times to the millisecond, extents with their system, what levels of a consensus are
#: called.
_NO_NUMBERS = re.compile(
    r"\d+\.\d+\.\d+|:\d+\.\d+\+|(?:[\d.,-]+ : )?[\d.,-]+ (?:\[?EPSG)|0\.\d+-GT"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*[A-Za-z]|[0-9]+[.,][0-9]+")


class Opened(NamedTuple):
    """The dock with the sample plot, saved; where on each page, before a run, which words stood."""

    dock: RandCrownsDock
    told: list[tuple[str, str]]


@pytest.fixture(scope="module")
def opened(qgis_iface, tmp_path_factory):
    """One for all tests."""
    with empty_project() as project:
        load_sample(project)
        project.write(str(tmp_path_factory.mktemp("plot") / "plot.qgz"))
        with opened_dock(qgis_iface) as dock:
            told = []
            for entry in PAGES:
                page = dock.show_page(entry.key)
                spin()
                told += [(f"{entry.key}: {where}", text) for where, text in texts_of(page)]
            yield Opened(dock, told)


@pytest.fixture(autouse=True)
def dock(algorithms, opened, qgis_iface):
    """The dock. What a test adds to the project goes, as do its runs and what was told."""
    project = QgsProject.instance()
    layers, groups = set(project.mapLayers()), project.layerTreeRoot().findGroups()
    yield opened.dock
    project.layoutManager().clear()
    project.removeMapLayers(list(project.mapLayers().keys() - layers))
    for group in project.layerTreeRoot().findGroups():
        if group not in groups:
            project.layerTreeRoot().removeChildNode(group)
    for results in Path(project.absolutePath()).glob("*_randcrowns.gpkg*"):
        results.unlink()
    qgis_iface.messageBar().clear_messages()
    spin()


def layer(name):
    """The project's layer of that name."""
    return QgsProject.instance().mapLayersByName(name)[0]


def given() -> set[str]:
    """Words that may be in plain letters: the same in every language, or names of the sample's
    layers and fields.
    """
    found = {*_SAME.split(), getpass.getuser(), format_day(datetime.now())}  # who reviews, when
    found |= {kind.definition.name for kind in ANNOTATION_FORMATS}
    for one in QgsProject.instance().mapLayers().values():
        found |= {one.name(), one.crs().authid(), *one.source().split("|")}
        if isinstance(one, QgsVectorLayer):
            found |= set(one.fields().names())
    return found | {word for text in found for word in _WORD.findall(text)}


@pytest.fixture
def same(dock) -> set[str]:
    """Words that may be in plain letters, before a run makes layers."""
    return given()


def judge(told: Iterable[tuple[str, str]], same: set[str]) -> None:
    """Fail with what is in plain letters, once each."""
    odd: dict[str, str] = {}
    for where, text in told:
        text = text.partition(f"\n{pseudo('References')}\n")[0].replace(
            "\u200b", ""
        )  # where a line may break
        shown = _NO_NUMBERS.sub("", _NO_WORDS.sub("", text))
        words = [
            found.group()
            for found in _WORD.finditer(shown)
            if found.group() not in same and not _is_cut_name(found, same)
        ]
        if words:
            odd.setdefault(f"{' '.join(words[:9])} in: {text[:200]}", where)
    print("\n".join(f"{where}: {text!r}" for text, where in sorted(odd.items())))
    assert not odd


def _is_cut_name(found: re.Match[str], same: set[str]) -> bool:
    """Return True for the beginning of a name that a narrow widget has cut."""
    is_cut = found.string[found.end() :].startswith("…")
    return is_cut and any(name.startswith(found.group()) for name in same)


def test_algorithms(algorithms, same):
    told = []
    for one in algorithms.algorithms():
        made = one.create()
        where = made.name()
        told += [
            (where, text)
            for text in (made.displayName(), made.group(), plain(made.shortHelpString()))
        ]
        told.append((where, made.shortDescription()))
        for definition in made.parameterDefinitions():
            place = f"{where} {definition.name()}"
            told += [(place, definition.description()), (place, plain(definition.help()))]
            told += [(place, option) for option in getattr(definition, "options", list)()]
        told += [
            (f"{where} {output.name()}", output.description())
            for output in made.outputDefinitions()
        ]
    judge(told, same)


def score(dock):
    page = dock.show_page("score")
    page.form.target_picker.select_layer(layer("annotator_1").id())
    page.form.delineation_list.check_layers((layer("annotator_2").id(), layer("annotator_3").id()))
    page.start()
    wait_until(lambda: page.run is None and not page.results.isHidden())
    spin()
    page.results.crown_table.choose_frame_row(0)
    spin()
    return page


def annotators(dock):
    from randcrowns.algorithms.agreement.schema.parameters import IMAGE, METHOD

    page = dock.show_page("annotators")
    page.form.annotator_list.check_layers(
        tuple(layer(f"annotator_{number}").id() for number in (1, 2, 3, 4))
    )
    page.form.set_value(IMAGE, layer("image").id())
    page.start()
    wait_until(lambda: page.run is None and page.results.results is not None)
    for number in range(page.results.tabs.count()):
        page.results.tabs.setCurrentIndex(number)
        spin()
    page.results.heatmap.cell_label.setText(page.results.heatmap.describe_cell(0, 2))
    page.results.disagreement_table.next_button.click()
    page.results.consensus_form.set_value(METHOD, "staple")
    page.make_consensus()
    wait_until(lambda: page.run is None)
    return page


def detectors(dock):
    from randcrowns.algorithms.detectors.schema.parameters import BOOTSTRAP_SAMPLES

    page = dock.show_page("detectors")
    page.form.set_value(BOOTSTRAP_SAMPLES, 20)
    page.start()
    wait_until(lambda: page.run is None and not page.results.isHidden())
    page.results.score_table.view.setCurrentIndex(page.results.score_table.model.index(5, 3))
    for number in range(page.results.tabs.count()):
        page.results.tabs.setCurrentIndex(number)
        spin()
    return page


def instances(dock):
    from randcrowns.algorithms.instances.schema.parameters import PREDICTIONS, TARGETS

    page = dock.show_page("instances")
    page.form.set_value(TARGETS, layer("crowns").id())
    page.form.set_value(PREDICTIONS, layer("detector").id())
    page.start()
    wait_until(lambda: page.run is None and page.results.results is not None)
    page.results.target_table.choose_frame_row(0)
    return page


def parameters(dock):
    page = dock.show_page("parameters")
    page.form.annotator_list.check_layers(
        tuple(layer(f"annotator_{number}").id() for number in (1, 2, 3, 4))
    )
    page.start()
    wait_until(
        lambda: (
            page.run is None and not page.runs.side_run_keys and page.results.experiment is not None
        )
    )
    page.results.variance_map.select_set(0.7, 1.2, 3.0)
    wait_until(lambda: not page.runs.side_run_keys)
    for number in range(page.results.tabs.count()):
        page.results.tabs.setCurrentIndex(number)
        wait_until(lambda: not page.runs.side_run_keys)
    return page


def review(dock):
    page = dock.show_page("review")
    spin()
    for verdict in ("rejected", "accepted", "unsure"):
        page.verdict_bar.actions_by_name["next"].trigger()
        page.verdict_bar.actions_by_name[verdict].trigger()
        spin()
    return page


def report(dock):
    dock.show_page("score").quote_row.report.click()
    page = dock.page
    wait_until(lambda: bool(page.preview.toPlainText()))
    return page


def test_pages_before_a_run(opened, same):
    assert len({where.partition(":")[0] for where, _ in opened.told}) == len(PAGES)
    judge(opened.told, same)


@pytest.mark.parametrize(
    "work", [score, annotators, detectors, instances, parameters], ids=lambda one: one.__name__
)
def test_pages_and_print_layouts_after_a_run(dock, work, qgis_iface, same, monkeypatch):
    monkeypatch.setattr(PlotWidget, "to_png", lambda *_: b"")  # layouts tell no words of a picture
    before = set(QgsProject.instance().mapLayers())
    page = work(dock)
    judge([*texts_of(page), *of_bar(qgis_iface.messageBar())], same)
    for following in {score: (review, report)}.get(work, ()):
        shown = following(dock)
        judge([*texts_of(shown), *of_bar(qgis_iface.messageBar())], same)
        assert not hasattr(shown, "printing")
        dock.show_page(page.key)
    judge(of_layers(before), same)  # with what the review wrote
    lay_out(page, qgis_iface.messageBar())


def test_numbers_above_a_thousand(dock, qgis_iface):
    places = [
        (404000 + 10 * (number % 50), 3286000 + 10 * (number // 50)) for number in range(1002)
    ]
    for name, there in (("many", places), ("found", [(x + 1, y + 0.5) for x, y in places])):
        QgsProject.instance().addMapLayer(layer_of(name, crowns_at(there, corners=4)))
    same, page = given(), dock.show_page("score")
    page.form.target_picker.select_layer(layer("many").id())
    page.form.delineation_list.check_layers((layer("found").id(),))
    page.start()
    wait_until(lambda: page.run is None and not page.results.isHidden(), 120)
    told = [*texts_of(page), *of_bar(qgis_iface.messageBar())]
    assert {where for where, text in told if "1٬002" in text} >= {"ThemedLabel", "bar 3"}
    judge(told, same)


def of_layers(before: set[str]):
    """What the layers that a run made say: names, fields, legend, map tips."""
    for group in QgsProject.instance().layerTreeRoot().findGroups(True):
        yield "group", group.name()
    for key, made in QgsProject.instance().mapLayers().items():
        if key in before:
            continue
        yield "layer", made.name()
        yield f"{made.name()} abstract", made.metadata().abstract()
        if isinstance(made, QgsVectorLayer):
            for number in range(made.fields().count()):
                yield f"{made.name()} field", made.attributeDisplayName(number)
                setup, name = made.editorWidgetSetup(number), made.fields().at(number).name()
                shown = (
                    QgsApplication.fieldFormatterRegistry()
                    .fieldFormatter(setup.type())
                    .representValue
                )
                for value in (
                    one for one in made.uniqueValues(number, _VALUES) if isinstance(one, str)
                ):
                    yield f"{made.name()} {name}", shown(made, number, setup.config(), None, value)
            legend = made.renderer().legendSymbolItems() if made.renderer() is not None else []
            for item in legend:
                yield f"{made.name()} legend", item.label()
            feature = next(made.getFeatures(), None)
            if made.mapTipTemplate() and feature is not None:
                context = QgsExpressionContext(
                    QgsExpressionContextUtils.globalProjectLayerScopes(made)
                )
                context.setFeature(feature)
                yield (
                    f"{made.name()} tip",
                    plain(QgsExpression.replaceExpressionText(made.mapTipTemplate(), context)),
                )


def lay_out(page, bar):
    """The print layouts of a run, judged."""
    for plots in (False, True)[: 1 + page.print_content.has_plot_pages]:
        page.printing.create_layout(plots)
    page.printing.update_action.trigger()
    assert (
        QgsProject.instance().layoutManager().printLayouts()
    )  # of plots only where the run has some, else a sentence
    judge([*of_layouts(), *of_bar(bar)], given())


def of_bar(bar):
    """What the message bar says."""
    return [(f"bar {level}", text) for level in range(4) for text in bar.get_messages(level)]


def of_layouts():
    """What the pages of the print layouts say: words, tables, legends."""
    for layout in QgsProject.instance().layoutManager().printLayouts():
        yield "name", layout.name()
        layout.atlas().seekTo(0)
        yield "page", layout.atlas().currentFilename() or layout.atlas().nameForPage(0)
        for frame in layout.multiFrames():
            layer = frame.sourceLayer()
            context = QgsExpressionContext(
                QgsExpressionContextUtils.globalProjectLayerScopes(layer)
            )
            for column in frame.columns():
                yield "heading", column.heading()
                for feature in islice(layer.getFeatures(), _VALUES):
                    context.setFeature(feature)
                    yield (
                        column.heading(),
                        str(QgsExpression(column.attribute()).evaluate(context) or ""),
                    )
        for item in layout.items():
            if isinstance(item, QgsLayoutItemLabel):
                yield item.id(), plain(item.currentText())
            elif isinstance(item, QgsLayoutItemLegend):
                nodes = item.model().rootGroup().findLayers()
                signs = [sign for node in nodes for sign in item.model().layerLegendNodes(node)]
                yield from (
                    ("legend", str(one.data(Qt.ItemDataRole.DisplayRole) or "")) for one in signs
                )
                yield from (("legend", node.name()) for node in nodes)


@pytest.fixture
def dialogs(algorithms, monkeypatch):
    """Opens the dialog of an algorithm, as the toolbox does."""
    shown, opened = without_window(monkeypatch), []

    def opening(algorithm):
        opened.append(shown.AlgorithmDialog(algorithm.create()))
        opened[-1].show()
        spin()
        return opened[-1]

    yield opening
    for dialog in opened:
        dialog.deleteLater()


def test_dialogs_of_the_toolbox(dialogs, algorithms, same):
    limits = re.compile(
        rf"{pseudo('value')}: \S+$", re.MULTILINE
    )  # in QGIS's tooltips, as Python takes them
    for one in algorithms.algorithms():
        told = [(where, limits.sub("", text)) for where, text in texts_of(dialogs(one))]
        names = {
            definition.name() for definition in one.parameterDefinitions()
        }  # QGIS's tooltips have them
        judge(told, same | names)


def test_menu_options_and_the_dialog_of_libraries(qgis_iface, same):
    plugin = randcrowns.classFactory(qgis_iface)
    plugin.initGui()
    told = [("menu", text) for one in plugin._actions for text in (one.text(), one.toolTip())]
    told += [
        ("function", plain(QgsExpression.helpText(name))) for name in _list_registered_functions()
    ]
    plugin.unload()
    page, missing = (
        OptionsPage(),
        [LibraryProblem(one, tr("not installed")) for one in LIBRARIES[REQUIRED]],
    )
    dialog = LibrariesDialog(missing, REQUIRED)
    judge(
        [*told, *texts_of(page), *texts_of(dialog)],
        same | set(_OF_PROGRAMS.split()) | {one.minimum_version for one in LIBRARIES[REQUIRED]},
    )


def test_refusals(algorithms, same):
    told = []
    for one in algorithms.algorithms():
        made, context = one.create(), QgsProcessingContext()
        right, why = made.checkParameterValues({}, context)
        if made.name() == "explore":  # it takes the project's last run by default
            continue
        told.append((made.name(), why))
        assert not right
        same |= {
            definition.name() for definition in made.parameterDefinitions()
        }  # QGIS's own refusals name them
    judge(told, same)
