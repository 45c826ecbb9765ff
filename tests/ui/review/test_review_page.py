"""Page Review in the real dock: verdicts by shortcut, saved in the GeoPackage and read again."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from getpass import getuser
from random import Random

import pytest
import shapely
from qgis.core import Qgis, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest
from support.layers import TARGET_BOXES
from support.panel import empty_project, opened_dock
from support.qt import spin, wait_until
from support.reviewing import (
    forget_verdicts,
    ids,
    layer_named,
    move,
    of_targets,
    open_copy,
    outline,
    press,
)
from support.shown import shows
from support.writing import held, let_go

from randcrowns.algorithms.report.schema.parameters import HTML, PARTS
from randcrowns.core.errors import InputError
from randcrowns.core.review.verdicts import VERDICT_COLUMNS, outline_hashes
from randcrowns.layers.databases import MAX_LOCK_WAIT
from randcrowns.layers.files.verdict_file import (
    VERDICT_TABLE,
    VerdictFile,
    layer_outline_hashes,
)
from randcrowns.ui.review import scored_layer
from randcrowns.ui.services.settings import REVIEWER_PREFERENCE, set_preference, write_parameters

#: Targets, and the one delineation that is a false positive.
CROWNS = len(TARGET_BOXES) + 1


@pytest.fixture(scope="module")
def opened(qgis_iface, one_run, tmp_path_factory):
    """A dock on a project that every test leaves as it is but for verdicts; its file of results."""
    with empty_project(), opened_dock(qgis_iface) as made:
        yield made, open_copy(one_run, tmp_path_factory.mktemp("reviewed"))


@pytest.fixture
def dock(opened):
    return opened[0]


@pytest.fixture
def project_file(opened):
    return opened[1]


@pytest.fixture
def scored(dock, project_file):
    """Page Review before its first crown, after a run of page Score into the project's file."""
    page = dock.show_page("review")
    page.crown_table.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    page.go_to(-1)
    forget_verdicts(project_file)
    write_parameters("review", {})
    page.reviewer_field.setText(getuser())
    page.load_parameters()
    page.highlight.settling_timer.stop()  # no project was opened
    spin()
    page.go_to(-1)
    return page


def test_the_page_opens_at_the_worst_crown(scored):
    scored.load_parameters()
    assert scored.session.current_crown["feature_id"] == ids(scored)[0]
    assert scored.verdict_bar.buttons["accepted"].isEnabled()
    assert scored.crown_table.view.selected_rows() == [0]


def test_the_worst_crown_stands_first_and_each_key_goes_on_to_the_next(scored, project_file):
    crowns = scored.session.crowns
    assert ids(scored) == crowns.sort_values(["score", "feature_id"])["feature_id"].tolist()
    assert len(crowns) == CROWNS
    first, second, third = ids(scored)[:3]
    press(scored, "next")
    assert scored.session.current_crown["feature_id"] == first
    assert "no delineation" in scored.crown_label.text()
    scored.verdict_bar.comment_field.setText("no tree <b>here</b>")
    press(scored, "rejected")
    assert scored.session.current_crown["feature_id"] == second
    assert scored.verdict_bar.comment_field.text() == ""
    press(scored, "accepted")
    assert scored.session.current_crown["feature_id"] == third
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "verdict", "comment"]].to_numpy().tolist() == [
        [first, "rejected", "no tree <b>here</b>"],
        [second, "accepted", ""],
    ]
    assert kept["layer"].unique().tolist() == ["crowns"]
    assert scored.progress_label.text() == f"2 of {CROWNS} reviewed, 1 accepted, 1 rejected"
    press(scored, "previous")
    assert scored.session.current_crown["feature_id"] == second


def test_a_verdict_is_shown_without_reading_all_verdicts_again(scored, monkeypatch):
    press(scored, "next")
    press(scored, "accepted")

    def refuse(*_):
        raise InputError("file.missing", "gone")

    monkeypatch.setattr(VerdictFile, "read", refuse)
    press(scored, "rejected")
    expected = f"2 of {CROWNS} reviewed, 1 accepted, 1 rejected"
    assert scored.progress_label.text() == expected
    scored.queue_form.order_box.set_value("iou")
    assert scored.progress_label.text() == expected


def test_the_map_shows_the_reference_dotted_and_the_match(scored):
    scored.crown_table.choose_frame_row(len(ids(scored)) - 1)
    bands = scored.highlight.bands
    lines = [band.asGeometry().boundingBox() for band in bands]
    assert [band.width() for band in bands] == [
        1,
        1,
        0,
        2,
        3,
    ]  # what is near, a veil, the match, the crown
    assert bands[-1].strokeColor() != bands[-2].strokeColor()
    assert scored.iface.mapCanvas().extent().contains(lines[-1])
    scored.leave()
    assert scored.highlight.bands == []


def test_false_positives_are_listed_judged_and_kept(scored, project_file):
    number, page = len(TARGET_BOXES), scored
    page.queue_form.problem_box.set_value("extra")
    assert ids(page) == [number]
    press(page, "next")
    assert page.crown_label.text().splitlines() == [
        f"Delineation {number} of drawn.",
        "No target for this delineation: false detection",
        "You judge the delineation: is it a tree, and drawn right?",
    ]
    shape = page.highlight.bands[-1]
    middle = layer_named("drawn").getFeature(number).geometry().boundingBox().center()
    assert shape.asGeometry().boundingBox().center().distance(middle) < 1e-6
    press(page, "rejected")
    assert page.progress_label.text() == "1 of 1 reviewed, 1 rejected"
    (kept,) = VerdictFile(project_file).read().to_dict("records")
    assert (kept["side"], kept["feature_id"], kept["problem"]) == ("delineation", number, "extra")
    page.store_parameters()
    page.session.current_row = -1
    page.load_parameters()
    assert (page.session.current_crown["side"], page.session.current_crown["verdict"]) == (
        "delineation",
        "rejected",
    )


def test_a_verdict_stores_the_outlines_that_were_judged(scored, project_file):
    """The hashes are those of the outlines in the input layers, computed without page Review."""

    def expected(name: str, number: int) -> str:
        wkb = bytes(layer_named(name).getFeature(number).geometry().asWkb())
        return outline_hashes([shapely.from_wkb(wkb)])[0]

    session = scored.session
    matched = of_targets(scored).query("problem == 'none'").index[0]
    (missed,) = of_targets(scored).query("problem == 'missing'").index
    extra = len(TARGET_BOXES)
    for side, number in (("target", matched), ("target", missed), ("delineation", extra)):
        scored.go_to(session.row_of(int(number), side))
        press(scored, "accepted")
    match = int(of_targets(scored).loc[matched, "delineation_id"])
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "outline", "match"]].to_numpy().tolist() == [
        [matched, expected("crowns", matched), expected("drawn", match)],
        [missed, expected("crowns", missed), ""],
        [extra, expected("drawn", extra), ""],
    ]


def test_only_outlines_of_judged_crowns_are_read(scored, monkeypatch):
    """The outlines of 100,000 crowns took half of the time until the list was shown."""
    read_ids = []

    def record(source, feature_ids=None):
        read_ids.append(feature_ids)
        return layer_outline_hashes(source, feature_ids)

    monkeypatch.setattr(scored_layer, "layer_outline_hashes", record)
    scored.load_parameters()
    assert len(ids(scored)) == CROWNS
    assert read_ids == []
    press(scored, "next")
    judged = scored.session.current_crown
    press(scored, "accepted")
    states = [[judged["feature"]], *([[judged["match_feature"]]] if judged["match"] != "" else [])]
    assert read_ids == states
    scored.load_parameters()
    assert read_ids == [*states, *states]
    assert scored.session.crowns["changed"].sum() == 0


def test_a_target_and_a_delineation_of_one_id_are_told_apart(scored):
    model, number = scored.crown_table.model, len(TARGET_BOXES)
    at = [column.title for column in model.columns].index("Side")
    sides = sorted(
        model.index(row, at).data()
        for row in range(model.rowCount())
        if crown_in(scored, row) == number
    )
    assert sides == ["delineation", "target"]
    scored.queue_form.problem_box.set_value("extra")
    assert "Side" not in [column.title for column in model.columns]


@pytest.fixture
def reviewer_kept():
    yield
    set_preference(REVIEWER_PREFERENCE, "")


def test_each_reviewer_has_a_queue_of_their_own_and_sees_the_others_named(
    scored, project_file, reviewer_kept
):
    scored.reviewer_field.setText("Ann")
    press(scored, "next")
    first, ann = int(scored.session.current_crown["feature_id"]), "Ann"
    scored.verdict_bar.comment_field.setText("Ann's comment")
    press(scored, "rejected")
    scored.reviewer_field.setText("Ben")
    scored.reviewer_field.editingFinished.emit()
    assert scored.progress_label.text() == f"0 of {CROWNS} reviewed"
    scored.crown_table.choose_frame_row(ids(scored).index(first))
    assert scored.verdict_bar.comment_field.text() == ""
    assert f"Others: {ann}: rejected." in scored.crown_label.text()
    press(scored, "accepted")
    told = of_targets(scored).loc[first]
    assert (told["verdict"], told["others"]) == ("accepted", ((ann, "rejected", False),))
    assert VerdictFile(project_file).read()["reviewer"].tolist() == [ann, "Ben"]


def test_a_comment_without_a_verdict_is_kept(scored, project_file, dock):
    press(scored, "next")
    first, second, third = ids(scored)[:3]
    scored.verdict_bar.comment_field.setText("which tree?")
    press(scored, "next")
    scored.verdict_bar.comment_field.setText("and this?")
    scored.crown_table.choose_frame_row(2)
    scored.verdict_bar.comment_field.setText("left open")
    scored.queue_form.max_score_box.setValue(0.99)
    dock.show_page("score")
    kept = VerdictFile(project_file).read()
    assert kept[["feature_id", "verdict", "comment"]].to_numpy().tolist() == [
        [first, "", "which tree?"],
        [second, "", "and this?"],
        [third, "", "left open"],
    ]
    assert scored.progress_label.text().startswith("0 of")
    dock.show_page("review")
    scored.crown_table.choose_frame_row(ids(scored).index(first))
    assert scored.verdict_bar.comment_field.text() == "which tree?"
    press(scored, "accepted")
    assert VerdictFile(project_file).read().iloc[-1][["verdict", "comment"]].tolist() == [
        "accepted",
        "which tree?",
    ]


def test_what_was_judged_is_there_in_another_session(scored):
    press(scored, "next")
    press(scored, "unsure")
    at = scored.session.current_crown["feature_id"]
    scored.store_parameters()
    scored.session.current_row = -1
    scored.load_parameters()
    assert scored.session.current_crown["feature_id"] == at
    assert scored.progress_label.text().endswith("1 unsure")


def test_filters(scored):
    scored.queue_form.problem_box.set_value("missing")
    assert scored.crown_table.model.frame["problem"].unique().tolist() == ["missing"]
    scored.queue_form.problem_box.set_value("")
    scored.queue_form.max_score_box.setValue(0.5)
    assert (scored.crown_table.model.frame["score"] < 0.5).all()


def test_a_sample_tells_the_share_of_the_layer(scored):
    scored.queue_form.order_box.set_value("sample")
    scored.queue_form.sample_size_box.setValue(5)
    assert len(ids(scored)) == 5
    press(scored, "next")
    for verdict in ("accepted", "accepted", "accepted", "rejected", "accepted"):
        press(scored, verdict)
    # Of nine crowns, five are reviewed: 0.490 to 0.943, rounded outwards to 4 and at most 8 crowns.
    assert (
        "Of the whole layer 80\N{NO-BREAK SPACE}% would be accepted (95 % interval 44\N{NO-BREAK SPACE}% to 89\N{NO-BREAK SPACE}%; "
        in scored.progress_label.text()
    )


def test_crowns_judged_for_another_reason_than_chance_tell_nothing_of_the_layer(scored):
    scored.queue_form.order_box.set_value("sample")
    scored.queue_form.sample_size_box.setValue(5)
    for place, verdict in ((4, "accepted"), (2, "accepted"), (0, "rejected")):
        scored.crown_table.choose_frame_row(place)
        press(scored, verdict)
    assert (
        "Of the whole layer 0\N{NO-BREAK SPACE}% would be accepted" in scored.progress_label.text()
    )
    scored.crown_table.choose_frame_row(1)
    press(scored, "rejected")
    assert (
        "Of the whole layer 33\N{NO-BREAK SPACE}% would be accepted" in scored.progress_label.text()
    )


def test_another_reviewers_verdicts_and_kappa(scored, tmp_path, project_file):
    press(scored, "next")
    press(scored, "accepted")
    press(scored, "rejected")
    theirs = VerdictFile(tmp_path / "ben.gpkg")
    for verdict in VerdictFile(project_file).read().assign(reviewer="Ben").to_dict("records"):
        theirs.add(verdict)
    scored.merge_verdicts(theirs.path)
    assert "2 crowns, 100\N{NO-BREAK SPACE}%" in scored.agreement_label.text()
    assert "kappa 1.00" in scored.agreement_label.text()
    scored.merge_verdicts(project_file.with_name("no.gpkg"))
    assert shows(
        scored.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1], "verdicts.no_table"
    )


def test_a_verdict_on_a_locked_file_is_refused_at_once_and_can_be_given_again(scored, project_file):
    press(scored, "next")
    first, second = ids(scored)[:2]
    press(scored, "accepted")
    scored.verdict_bar.comment_field.setText("mine")
    other, began = held(project_file), time.monotonic()
    scored.save_verdict("rejected")
    assert (
        time.monotonic() - began < MAX_LOCK_WAIT
    )  # two waits of half a second, on however busy a machine
    said = scored.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]
    assert shows(said, "verdicts.not_saved")
    assert shows(said, "file.in_use")
    assert (
        scored.session.current_crown["feature_id"],
        scored.verdict_bar.comment_field.text(),
    ) == (second, "mine")
    let_go(other)
    press(scored, "rejected")
    kept = VerdictFile(project_file).read()[["feature_id", "verdict", "comment"]]
    assert kept.to_numpy().tolist() == [[first, "accepted", ""], [second, "rejected", "mine"]]


ODD = (None, "", "inf", 1e999, -1e999, 2.0**70, 0.5, b"\x00\xff", "x" * 10_000, "\x00", "<b>")


def test_odd_rows_in_the_table_leave_the_page_as_it_is(scored, project_file):
    press(scored, "next")
    press(scored, "accepted")
    press(scored, "rejected")
    first = VerdictFile(project_file).read().iloc[0].to_dict()
    rows = [{**first, column: odd} for column in VERDICT_COLUMNS for odd in ODD]
    names, marks = ", ".join(VERDICT_COLUMNS), ", ".join("?" * len(VERDICT_COLUMNS))
    with closing(sqlite3.connect(project_file)) as database, database:
        insert = f"INSERT INTO {VERDICT_TABLE} ({names}) VALUES ({marks})"
        database.executemany(insert, [list(row.values()) for row in [*rows, first]])
    before, bar = len(VerdictFile(project_file).read()), scored.iface.messageBar()
    told = len(bar.get_messages(Qgis.MessageLevel.Critical))
    scored.load_parameters()
    assert len(ids(scored)) == CROWNS
    assert scored.progress_label.text() == f"2 of {CROWNS} reviewed, 1 accepted, 1 rejected"
    scored.go_to(int(scored.session.listed_rows[0]))
    assert "Others: " in scored.crown_label.text()
    press(scored, "unsure")
    assert scored.progress_label.text() == f"2 of {CROWNS} reviewed, 1 rejected, 1 unsure"
    assert len(VerdictFile(project_file).read()) == before + 1
    assert len(bar.get_messages(Qgis.MessageLevel.Critical)) == told


def test_keys_are_left_to_qgis_while_another_page_is_on_show(scored, dock):
    press(scored, "next")
    assert scored.verdict_bar.actions_by_name["accepted"].isEnabled()
    dock.show_page("score")
    assert not any(action.isEnabled() for action in scored.verdict_bar.actions_by_name.values())


def test_a_key_typed_into_the_comment_is_a_letter(scored):
    press(scored, "next")
    scored.verdict_bar.comment_field.setFocus()
    QTest.keyClicks(scored.verdict_bar.comment_field, "1 n")
    assert scored.verdict_bar.comment_field.text() == "1 n"
    assert scored.progress_label.text().startswith("0 of")


def _filter(page):
    assert page.queue_form.selected_layer().layer.setSubsetString("fid < 0")


def _delete(page):
    layer = page.queue_form.selected_layer().layer
    assert layer.startEditing()
    assert layer.deleteFeatures(layer.allFeatureIds())


@pytest.mark.parametrize(
    ("change", "back"),
    [
        (lambda page: page.queue_form.selected_layer().layer.setName("renamed"), lambda page: None),
        (_filter, lambda page: page.queue_form.selected_layer().layer.setSubsetString("")),
        (_delete, lambda page: page.queue_form.selected_layer().layer.rollBack()),
        (lambda page: QgsProject.instance().write(), lambda page: None),
    ],
    ids=["renamed", "filtered", "emptied and rolled back", "saved"],
)
def test_what_becomes_of_layers_meanwhile_loses_no_verdict(scored, project_file, change, back):
    layer = scored.queue_form.selected_layer().layer
    name = layer.name()
    press(scored, "next")
    first = scored.session.current_crown["feature_id"]
    press(scored, "accepted")
    order = ids(scored)
    change(scored)
    spin()
    press(scored, "rejected")
    press(scored, "next")
    press(scored, "previous")
    back(scored)
    spin()
    press(scored, "unsure")
    kept = VerdictFile(project_file).read()
    assert kept["verdict"].tolist() == ["accepted", "rejected", "unsure"]
    assert kept["feature_id"].tolist() == [first, order[1], order[2]]
    assert kept["layer"].unique().tolist() == ["crowns"]
    assert ids(scored) == order
    told = set(scored.iface.messageBar().get_messages(Qgis.MessageLevel.Critical))
    assert told <= {"RandCrowns:This crown is no longer in its layer."}
    scored.load_parameters()
    assert scored.progress_label.text().startswith(f"3 of {len(order)} reviewed")
    layer.setName(name)


def test_the_keyboard_alone(scored):
    """Enter in the comment keeps it with the verdict; the arrow keys walk the list."""
    press(scored, "next")
    first = scored.session.current_crown["feature_id"]
    press(scored, "fixed")
    press(scored, "previous")
    assert scored.session.current_crown["feature_id"] == first
    scored.verdict_bar.comment_field.setText("corner")
    QTest.keyClick(scored.verdict_bar.comment_field, Qt.Key.Key_Return)
    assert of_targets(scored)["comment"][first] == "corner"
    assert scored.session.current_crown["verdict"] == "fixed"


def test_the_report_of_a_reviewed_run_tells_its_verdicts_and_the_answer_is_copied(
    scored, dock, tmp_path
):
    press(scored, "next")
    press(scored, "rejected")
    press(scored, "accepted")
    assert scored.quote_row.isVisible()
    actions = {action.text(): action for action in scored.quote_row.copy.menu().actions()}
    actions["Copy as text"].trigger()
    said = f"2 of {CROWNS} reviewed, 1 accepted, 1 rejected"
    assert QGuiApplication.clipboard().text() == said
    scored.quote_row.report.click()
    report = dock.page
    assert (report.key, len(report.run_list.checked_keys())) == ("report", 1)
    path = tmp_path / "told.html"
    report.save(HTML, str(path))
    wait_until(lambda: path.exists() and report.runs.main_run is None)
    assert f"Reviewers&#39; verdicts: {said}." in path.read_text(encoding="utf-8")
    report.form.set_value(PARTS, ("methods",))
    path.unlink()
    report.save(HTML, str(path))
    wait_until(lambda: path.exists() and report.runs.main_run is None)
    assert said not in path.read_text(encoding="utf-8")
    report.load_parameters()
    wait_until(lambda: not report.runs.side_run_keys)


def test_a_report_counts_no_verdict_on_a_crown_that_was_changed_since(scored, dock, tmp_path):
    press(scored, "next")
    layer, row = scored.session.scored_layer.layer, int(scored.session.current_crown["feature"])
    for verdict in ("rejected", "accepted"):
        press(scored, verdict)
    move(layer, row, 0.5)
    try:
        scored.load_parameters()
        assert (
            scored.progress_label.text() == f"1 of {CROWNS} reviewed, 1 accepted, 1 changed since"
        )
        scored.quote_row.report.click()
        path = tmp_path / "told.html"
        dock.page.form.set_value(PARTS, PARTS.default)
        dock.page.save(HTML, str(path))
        wait_until(lambda: path.exists() and dock.page.runs.main_run is None)
        assert f"verdicts: {scored.progress_label.text()}." in path.read_text(encoding="utf-8")
    finally:
        move(layer, row, -0.5)
    wait_until(lambda: not dock.page.runs.side_run_keys)


def test_a_layer_that_tells_no_run_has_no_report(scored):
    project = QgsProject.instance()
    own = scored.session.scored_layer.layer.clone()
    for key in own.customPropertyKeys():
        own.removeCustomProperty(key)
    project.addMapLayer(own)
    spin()
    scored.queue_form.layer_box.set_value(own.id())
    scored.queue_form.layer_changed.emit()
    assert scored.session.scored_layer.layer.id() == own.id()
    assert not scored.quote_row.isVisible()
    project.removeMapLayer(own.id())


def row_point(page, row):
    """Middle of the first cell of a row of the list."""
    view = page.crown_table.view
    return view.visualRect(page.crown_table.model.index(row, 0)).center()


def crown_in(page, row):
    """Id of the crown in a row of the list, which another test may have sorted."""
    return ids(page)[page.crown_table.model.frame_row(row)]


def check_one_crown(page):
    """The selected row, the text, the map and the session are of one crown."""
    crown = page.session.current_crown
    rows = page.crown_table.view.selected_rows()
    if crown is None:
        assert (rows, page.crown_label.text()) == ([], "")
        return
    (row,) = rows or [None]
    if row is not None:  # a filter may hide the current crown
        frame_row = page.crown_table.model.frame_row(row)
        shown = page.crown_table.model.frame.iloc[frame_row]
        assert shown["feature_id"] == crown["feature_id"]
        assert shown["side"] == crown["side"]
    else:
        assert page.crown_table.filter.text()
    assert (
        page.crown_label.text().split(":")[0].split(" of ")[0].endswith(f" {crown['feature_id']}")
    )
    if crown["side"] == "target":
        assert page.highlight.bands[-1].asGeometry().isGeosEqual(outline(page))


def test_nothing_moves_and_no_crown_changes_while_the_mouse_is_pressed(scored):
    view = scored.crown_table.view
    chosen = []
    for row in (2, 0, 3, 1):
        point = row_point(scored, row)
        place = view.viewport().mapTo(scored, point)
        QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
        spin()
        assert (
            scored.session.current_crown is None
            or not chosen
            or (scored.session.current_crown["feature_id"] == chosen[-1])
        )
        assert view.viewport().mapTo(scored, row_point(scored, row)) == place
        QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
        spin()
        chosen.append(crown_in(scored, row))
        assert scored.session.current_crown["feature_id"] == chosen[-1]
        check_one_crown(scored)


def test_a_verdict_while_the_mouse_is_pressed_is_on_the_row_below_it(scored, project_file):
    view = scored.crown_table.view
    press(scored, "next")
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(scored, 2))
    judged = crown_in(scored, 2)
    press(scored, "rejected")
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(scored, 2))
    assert VerdictFile(project_file).read()["feature_id"].tolist() == [judged]
    check_one_crown(scored)


@pytest.mark.parametrize("seed", [1, 2])
def test_row_text_map_and_verdict_are_of_one_crown_whatever_is_clicked_and_pressed(
    scored, project_file, seed
):
    random = Random(seed)
    view = scored.crown_table.view
    orders = [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder]
    keys = [Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageDown]
    modifiers = [
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ShiftModifier,
    ]

    def click():
        point = row_point(scored, random.randrange(len(ids(scored))))
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, random.choice(modifiers), point
        )

    def drag():
        first, last = random.sample(range(len(ids(scored))), 2)
        QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(scored, first))
        QTest.mouseMove(view.viewport(), row_point(scored, last))
        QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=row_point(scored, last))

    def walk():
        QTest.keyClick(view, random.choice(keys))

    def sort():
        view.sortByColumn(random.randrange(3), random.choice(orders))

    def judge():
        crown = scored.session.current_crown
        if crown is None:
            return
        press(scored, random.choice(["accepted", "rejected", "unsure"]))
        last = VerdictFile(project_file).read().iloc[-1]
        assert (last["feature_id"], last["side"]) == (crown["feature_id"], crown["side"])

    for _ in range(40):
        random.choice([click, drag, walk, sort, judge, lambda: press(scored, "next")])()
        spin()
        check_one_crown(scored)
