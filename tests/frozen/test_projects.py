"""Projects that were saved with the dock's choices open, and every page hands over what it handed over then."""

from __future__ import annotations

import pytest
from support.frozen_choices import NOT_IN_THE_DOCK, PAGES, PROJECTS
from support.frozen_projects import NAMES, handed_over
from support.frozen_values import differences, load, plain


@pytest.fixture(autouse=True)
def clean_messages(qgis_iface):
    qgis_iface.messageBar().clear_messages()


@pytest.mark.parametrize("name", NAMES)
def test_pages_hand_over_what_they_did(name, algorithms, qgis_new_project, qgis_iface, tmp_path):
    frozen = load(f"projects/{name}.json")["handed over"]
    assert differences(frozen, plain(handed_over(name, qgis_iface, tmp_path))) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_choice_differs_from_its_default_in_some_project(page):
    kept = [load(f"projects/{name}.json")["entries"][page] for name in PROJECTS]
    usual, *others = kept
    untouched = {key for key in usual if all(other[key] == usual[key] for other in others)}
    assert {(page, key) for key in untouched} <= NOT_IN_THE_DOCK
