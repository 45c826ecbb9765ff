"""Soft hyphens in long words of tables."""

from __future__ import annotations

import pytest

from randcrowns.report.content import Report, Section, Table, TableContent
from randcrowns.report.hyphens import SOFT_HYPHEN, hyphenate
from randcrowns.report.language import Language, use_language
from randcrowns.report.render import render_html


@pytest.mark.parametrize(
    "word",
    [
        "Segmentierungs|qualität",
        "Produzenten|genauigkeit",
        "Über|einstimmungs|verhältnis",
        "Zusammen|gefasst",
        "Nutzer|genauigkeit",
    ],
)
def test_german_words_break_between_their_parts(word):
    assert hyphenate(word.replace("|", ""), "de_AT") == word.replace("|", SOFT_HYPHEN)


def test_names_and_words_of_other_languages_are_not_broken():
    assert hyphenate("Segmentierungsqualität", "fr") == "Segmentierungsqualität"
    assert hyphenate("Kronen", "de") == "Kronen"


def test_a_german_table_has_soft_hyphens_in_titles_and_row_names():
    def translate(text, one="", **values):
        return "de" if text == "en" else text.format(**values)

    cells = TableContent(
        ["Maß", "Produzentengenauigkeit"], [False, True], [["Segmentierungsqualität", "1"]]
    )
    section = Section("run", answer_table=Table("Scores", cells))
    before = use_language(Language(translate))
    try:
        page = render_html(Report("title", "made", [section], []))
    finally:
        use_language(before)
    assert f"Segmentierungs{SOFT_HYPHEN}qualität</th>" in page
    assert f">Produzenten{SOFT_HYPHEN}genauigkeit</th>" in page
