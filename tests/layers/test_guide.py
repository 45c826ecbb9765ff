"""The pages of the guide are opened; what is not there is told."""

from __future__ import annotations

from randcrowns.layers import guide
from randcrowns.layers.guide import guide_page, guide_url, open_guide


def test_a_page_is_shown_in_the_browser(browser):
    assert open_guide("score") == ""
    assert browser == [guide_page("score")]


def test_a_name_of_a_folder_with_a_space_is_a_proper_address(monkeypatch, tmp_path):
    monkeypatch.setattr(guide, "GUIDE_FOLDER", tmp_path / "a folder")
    assert guide_url("score").startswith("file:///")
    assert guide_url("score").endswith("/a folder/score.html")


def test_a_page_that_is_missing_is_told_and_not_opened(browser):
    guide_page("score").unlink()
    assert str(guide_page("score")) in open_guide("score")
    assert browser == []


def test_no_browser_is_told(browser, monkeypatch):
    monkeypatch.setattr(guide.QDesktopServices, "openUrl", lambda url: False)
    assert str(guide_page("score")) in open_guide("score")
