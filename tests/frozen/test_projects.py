"""Projects that were saved with the dock's choices open, and every page hands over what it
handed over then.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from frozen.accepted import ACCEPTED_IN_PROJECTS, CAME
from frozen.current_names import current_runs
from frozen.page_runs import with_defaults
from frozen.projects import NAMES, PAGES, SAVED_BY_DOCK, handed_over, shown_dock
from frozen.values import differences, load, plain

from randcrowns.core.old_names import SETTINGS, rename_keys


@pytest.fixture(autouse=True)
def clean_messages(qgis_iface):
    qgis_iface.messageBar().clear_messages()


@pytest.fixture(scope="module")
def dock(qgis_iface):
    with shown_dock(qgis_iface) as made:
        yield made


@pytest.mark.parametrize("name", NAMES)
def test_pages_hand_over_what_they_did(
    name, algorithms, qgis_new_project, qgis_iface, dock, tmp_path
):
    frozen, now = (
        load(f"projects/{name}.json")["handed over"],
        plain(handed_over(name, dock, qgis_iface, tmp_path)),
    )
    frozen = {page: current_runs(runs) for page, runs in frozen.items()}
    found = {line.split(": ")[0]: line for line in differences(_whole(frozen), _whole(now))}
    accepted = {place for project, place in ACCEPTED_IN_PROJECTS if project == name}
    meant = {
        place for place in found if place in accepted or any(re.match(came, place) for came in CAME)
    }
    assert [line for place, line in found.items() if place not in meant] == []
    assert accepted <= meant


def _whole(pages: dict[str, Any]) -> dict[str, Any]:
    """What was handed over, defaults included."""
    return {page: [with_defaults(handed) for handed in runs] for page, runs in pages.items()}


@pytest.mark.parametrize("page", PAGES)
def test_every_choice_differs_from_its_default_in_some_project(page):
    kept = [
        rename_keys(load(f"projects/{name}.json")["entries"][page], SETTINGS)
        for name in SAVED_BY_DOCK
    ]
    usual, *others = kept
    untouched = {key for key in usual if all(other[key] == usual[key] for other in others)}
    # When the projects were saved, no field of the dock changed the cell size.
    assert {(page, key) for key in untouched} <= {("instances", "cell_size")}
