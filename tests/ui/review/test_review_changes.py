"""Page Review after crowns were judged, edited and scored again: the changes of each crown."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import QgsRectangle
from support.layers import TARGET_BOXES
from support.panel import empty_project, opened_dock, run_page
from support.qt import spin, wait_until
from support.reviewing import (
    forget_verdicts,
    ids,
    is_drawn,
    layer_named,
    move,
    newest,
    of_targets,
    open_copy,
    press,
)

from randcrowns.layers.files.verdict_file import VerdictFile
from randcrowns.ui.services.settings import write_parameters

#: Verdicts before the second run: on a crown whose target was edited, on one whose delineation was
#: edited, and on an unchanged one.
JUDGED = {"target": "accepted", "drawn": "accepted", "same": "fixed"}


@pytest.fixture(scope="module")
def again(qgis_iface, one_run, tmp_path_factory):
    """A run, verdicts, edits and another run; ``crowns`` has the number of each edited crown.

    Of two judged crowns, the ``target`` and the ``drawn`` delineation move; one stays the ``same``.
    Of the crowns without a verdict, one is ``moved`` away from its target, and the last is deleted.
    The layers have other names then.
    """
    with empty_project(), opened_dock(qgis_iface) as dock:
        file = open_copy(one_run, tmp_path_factory.mktemp("again"))
        page = dock.show_page("review")
        before = of_targets(page)
        best = before["score"].sort_values(ascending=False).index
        crowns = dict(zip(("moved", *JUDGED), map(int, best)))
        for name, verdict in JUDGED.items():
            page.crown_table.choose_frame_row(ids(page).index(crowns[name]))
            press(page, verdict)
        targets, drawn = layer_named("crowns"), layer_named("drawn")
        move(targets, crowns["target"], 0.25)
        for name, by in (("drawn", 0.1), ("moved", 1.5)):
            move(drawn, int(before["delineation_id"][crowns[name]]), by)
        targets.startEditing()
        targets.deleteFeature(len(TARGET_BOXES))
        targets.commitChanges()
        for layer in (targets, drawn):
            layer.setName(f"{layer.name()} of 2026")
        run_page(dock.show_page("score"))
        yield SimpleNamespace(dock=dock, file=file, crowns=crowns, before=before["score"])


@pytest.fixture
def page(again):
    """Page Review with the second run, as it is at first."""
    page = again.dock.show_page("review")
    page.go_to(-1)
    forget_verdicts(again.file, after=len(JUDGED))
    write_parameters("review", {})
    page.load_parameters()
    page.highlight.settling_timer.stop()  # no project was opened
    return newest(page)


def test_crowns_edited_since_are_listed_again(page, again):
    """The target, or what was drawn of it; crowns are known whatever their layers are called."""
    crowns = of_targets(page)
    since = {again.crowns["target"], again.crowns["drawn"]}
    assert crowns["changed"].to_dict() == {one: one in since for one in crowns.index}
    assert crowns.loc[again.crowns["same"], "verdict"] == "fixed"
    assert (
        page.progress_label.text()
        == f"1 of {len(page.session.crowns)} reviewed, 1 fixed, 2 changed since"
    )
    page.queue_form.unreviewed_box.setChecked(True)
    assert since <= set(ids(page))
    assert again.crowns["same"] not in ids(page)
    row = ids(page).index(again.crowns["drawn"])
    column = [one.title for one in page.crown_table.model.columns].index("Verdict")
    assert page.crown_table.model.index(row, column).data() == "changed since accepted"
    page.crown_table.choose_frame_row(row)
    assert "Changed since your verdict: accepted." in page.crown_label.text()
    assert VerdictFile(again.file).read()["verdict"].tolist() == [*JUDGED.values()]


def test_two_runs_compared_crown_by_crown(page, again):
    (earlier,) = page.queue_form.earlier_run_box.options[1:]
    page.queue_form.earlier_run_box.set_value(earlier.key)
    page.queue_form.order_box.set_value("change")
    moved = again.crowns["moved"]
    assert ids(page)[0] == moved
    assert page.progress_label.text().endswith(
        f"1 worse, {len(TARGET_BOXES) - 2} as before, 1 gone"
    )
    shown = of_targets(page)
    assert shown.loc[moved, "difference"] == pytest.approx(
        shown.loc[moved, "score"] - again.before[moved]
    )
    page.queue_form.layer_box.set_value(earlier.key)
    assert [one.key for one in page.queue_form.earlier_run_box.options] == [""], (
        "a later run is no earlier one"
    )


def test_another_run_shows_the_crown_at_hand(page, again):
    page.go_to(page.session.row_of(again.crowns["target"]))
    wait_until(lambda: is_drawn(page))
    page.iface.mapCanvas().setExtent(QgsRectangle(600000, 3000000, 600100, 3000100))
    page.queue_form.layer_box.setCurrentIndex(1 - page.queue_form.layer_box.currentIndex())
    assert page.session.current_crown["feature_id"] == again.crowns["target"]
    assert is_drawn(page)


@pytest.mark.parametrize("number", [0, 1], ids=["later", "earlier"])
def test_page_score_goes_to_the_crown_chosen_in_its_table(page, again, number):
    score = again.dock.show_page("score")
    shown = score.history.runs()[number]
    score.history.show(shown)
    wait_until(lambda: score.history.shown_record.id == shown.record.id)
    score.results.crown_model.sort(2)
    score.results.crown_table.choose_frame_row(5)
    score.results.review_button.click()
    spin()
    assert again.dock.page is page
    assert page.session.scored_layer.layer.id() == score.results.results.layer_ids["SCORED_TARGETS"]
    assert (
        page.session.current_crown["feature_id"]
        == score.results.displayed_scores().crowns["target_id"].iloc[5]
    )
    press(page, "accepted")
    assert VerdictFile(again.file).read()["verdict"].tolist() == [*JUDGED.values(), "accepted"]
