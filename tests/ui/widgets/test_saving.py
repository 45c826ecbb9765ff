"""Saving tables and plots: the ending follows the kind chosen, and what cannot be written is
told.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from osgeo import gdal
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QFileDialog, QMessageBox, QWidget
from support.shown import shows

from randcrowns.ui.detectors.results_panel import CurvePlot
from randcrowns.ui.services.save_dialog import save_with_dialog
from randcrowns.ui.widgets.table_model import FrameModel, TableColumn, format_text
from randcrowns.ui.widgets.table_view import TableView


@pytest.fixture
def choose(monkeypatch):
    """Answers the dialog, which waits for a person."""

    def answer(path, chosen):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_: (str(path) if path else "", chosen)
        )

    return answer


@pytest.fixture
def table(qgis_app):
    model = FrameModel()
    model.set_frame(pd.DataFrame({"id": [4, 2]}), [TableColumn("id", "id", "", format_text)])
    return TableView(model, "numbers")


def errors(qgis_iface):
    return qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Critical)


def successes(qgis_iface):
    return qgis_iface.messageBar().get_messages(Qgis.MessageLevel.Success)


def test_a_table_that_cannot_be_written_is_told(choose, table, qgis_iface, tmp_path):
    choose(tmp_path / "gone" / "numbers.csv", "")
    table.ask_and_export()
    (told,) = errors(qgis_iface)
    assert shows(told, "file.not_written")
    assert shows(told, "file.not_written")
    choose(tmp_path / "numbers", "")
    table.ask_and_export()
    assert (tmp_path / "numbers.csv").read_text(encoding="utf-8-sig") == "id\n4\n2\n"
    assert len(errors(qgis_iface)) == 1
    assert successes(qgis_iface) == [f"RandCrowns:Table saved as {tmp_path / 'numbers.csv'}."]


@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_plot_is_saved_as_the_kind_chosen_or_the_reason_told(
    choose, qgis_iface, tmp_path, ending
):
    plot = CurvePlot()
    chosen = {".png": "Picture (*.png)", ".svg": "Drawing (*.svg)"}[ending]
    choose(tmp_path / "gone" / "plot", chosen)
    plot.ask_and_save()
    assert f"plot{ending} cannot be written" in errors(qgis_iface)[0]
    choose(tmp_path / "plot", chosen)
    plot.ask_and_save()
    assert (tmp_path / f"plot{ending}").stat().st_size > 500


def test_nothing_is_written_when_the_dialog_is_closed(choose, qgis_app):
    written = []
    choose("", "")
    save_with_dialog(QWidget(), "Save", "name", {".csv": "Table"}, written.append)
    assert not written


def test_a_table_is_saved_as_xlsx_with_numbers_and_titles(choose, qgis_iface, tmp_path):
    if gdal.GetDriverByName("XLSX") is None:
        pytest.skip("this GDAL writes no XLSX")
    model = FrameModel()
    frame = pd.DataFrame({"id": [4, 2], "rc": [0.123456789, None], "note": ['"a", b', None]})
    titles = [
        TableColumn("id", "id", "", format_text),
        TableColumn("rc", "RC (ä, m²)", "", format_text),
    ]
    model.set_frame(frame, [*titles, TableColumn("note", "note", "", format_text)])
    view = TableView(model, "numbers")
    view.provenance = "Algorithm: Score crowns"
    choose(tmp_path / "numbers", "Spreadsheet (*.xlsx)")
    view.ask_and_export()
    assert errors(qgis_iface) == []
    source = gdal.OpenEx(str(tmp_path / "numbers.xlsx"), gdal.OF_VECTOR)
    rows = [json.loads(feature.ExportToJson())["properties"] for feature in source.GetLayer(0)]
    assert rows == [
        {"id": 4, "RC (ä, m²)": 0.123456789, "note": '"a", b', "How it was made": view.provenance},
        {"id": 2, "RC (ä, m²)": None, "note": None, "How it was made": view.provenance},
    ]
    choose(tmp_path / "gone" / "numbers.xlsx", "")
    view.ask_and_export()
    assert shows(errors(qgis_iface)[0], "file.not_written")


@pytest.mark.parametrize("may_replace", [True, False])
def test_a_file_that_gets_its_ending_is_not_replaced_without_a_question(
    choose, table, tmp_path, monkeypatch, may_replace
):
    asked = []

    def answer(box):
        asked.append((box.text(), box.textFormat()))
        buttons = QMessageBox.StandardButton
        return buttons.Yes if may_replace else buttons.No

    monkeypatch.setattr(QMessageBox, "exec", answer)
    choose(tmp_path / "<b>numbers", "")
    table.ask_and_export()
    assert asked == []
    path = tmp_path / "<b>numbers.csv"
    path.write_text("older")
    table.ask_and_export()
    assert asked == [("<b>numbers.csv exists already. Replace it?", Qt.TextFormat.PlainText)]
    is_kept = path.read_text() == "older"
    assert is_kept is not may_replace


def test_a_free_name_is_suggested(table, qgis_new_project, monkeypatch, tmp_path):
    suggested = []

    def answer(_parent, _title, path, _filters):
        suggested.append(Path(path).name)
        return path, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    assert QgsProject.instance().write(str(tmp_path / "plot.qgz"))
    (tmp_path / "numbers_2.xlsx").touch()
    for _ in range(3):
        table.ask_and_export()
    assert suggested == ["numbers.csv", "numbers_3.csv", "numbers_4.csv"]


def test_the_dialog_opens_in_the_folder_of_the_project_and_then_in_the_last_one(
    table, qgis_new_project, monkeypatch, tmp_path
):
    offered = []

    def answer(_parent, _title, path, _filters):
        offered.append(Path(path).parent)
        return str(tmp_path / "elsewhere" / "numbers.csv"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "plot").mkdir()
    assert QgsProject.instance().write(str(tmp_path / "plot" / "plot.qgz"))
    table.ask_and_export()
    table.ask_and_export()
    assert offered == [tmp_path / "plot", tmp_path / "elsewhere"]
