"""The catalogues in i18n/ hold what the code says, and translations name the same values."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import translations
from messages import find_messages
from support.code import ROOT, no_search_for_garbage

LANGUAGES = sorted(translations.LANGUAGES)


@pytest.fixture(scope="module")
def found():
    with no_search_for_garbage():
        return find_messages()


def test_every_text_is_known_from_the_code(found):
    assert found.unknown == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_is_up_to_date(found, language):
    """Run ``make translations`` where it is not; texts that have merely moved to another file
    do not make it stale.
    """
    known = translations.read_catalogue(translations.catalogue_path(language))
    assert (found.messages.keys() - known.keys(), known.keys() - found.messages.keys()) == (
        set(),
        set(),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_says_what_the_catalogue_says(qgis_app, language):
    from qgis.PyQt.QtCore import QCoreApplication, QTranslator

    path, translator = translations.catalogue_path(language), QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    assert QCoreApplication.installTranslator(translator)
    try:
        for message, entry in translations.read_catalogue(path).items():
            if all(entry.forms):
                # The numbers up to 200 have all plural forms of any language.
                numbers = range(201) if message.has_plural else [-1]
                said = {
                    QCoreApplication.translate(translations.CONTEXT, message.text, None, number)
                    for number in numbers
                }
                assert said == set(entry.forms)
    finally:
        QCoreApplication.removeTranslator(translator)


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_name_the_values_of_the_text(language):
    """A form for one thing may do without its number."""
    for message, entry in translations.read_catalogue(
        translations.catalogue_path(language)
    ).items():
        wanted = translations.placeholder_names(message.text)
        for form in filter(None, entry.forms):
            named = translations.placeholder_names(form)
            assert named == wanted or (
                message.has_plural and set(wanted) - set(named) <= {"count"}
            ), form
            form.format(**dict.fromkeys(wanted, _Any()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_ellipsis_at_the_end_has_no_space_before_it(language):
    """The rule of QGIS, also in German: a button is called "Speichern…"."""
    catalogue = translations.read_catalogue(translations.catalogue_path(language))
    texts = [message.text for message in catalogue]
    texts += [form for entry in catalogue.values() for form in entry.forms]
    assert len([text for text in texts if text.endswith("…")]) > 20
    assert [text for text in texts if re.search(r"\s…$", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_in_texts_have_the_decimal_sign_of_the_language(language):
    """Names of levels, a grid's first:last:step as it is typed, and code stay."""
    from qgis.PyQt.QtCore import QLocale

    known = re.compile(
        r"\{[^{}]*\}|[\d.]+-GT|[\d.]+:[\d.]+:[\d.]+|0\.5 0\.7|>= 0\.5|\d\.\d{3}(?![\d,])"
    )
    wrong_sign = {",": r"\d\.\d", ".": r"\d,\d(?!\d\d)"}[QLocale(language).decimalPoint()]
    texts = [
        form
        for entry in translations.read_catalogue(translations.catalogue_path(language)).values()
        for form in entry.forms
    ]
    assert [text for text in texts if re.search(wrong_sign, known.sub("", text))] == []


#: Languages of the plugin by the columns of the glossary.
GLOSSARY_COLUMNS = {"de": "German", "es": "Spanish", "fr": "French", "pt_BR": "Portuguese (Brazil)"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terms_of_the_glossary_are_those_of_the_plugin(language):
    """Each term, in any form of its words, translates the English one in some text."""
    lines = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    heading, _, *rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    column = heading.index(GLOSSARY_COLUMNS[language])
    catalogue = translations.read_catalogue(translations.catalogue_path(language))
    pairs = [
        (message.text.lower(), " ".join(entry.forms).lower())
        for message, entry in catalogue.items()
    ]
    terms = {row[0]: row[column].lower() for row in rows}
    # A plural may replace the last letter, as in Italian "intervallo" and "intervalli".
    patterns = {
        english: re.compile(" ".join(rf"{re.escape(word[:-1])}\w{{0,3}}" for word in term.split()))
        for english, term in terms.items()
    }
    unused = [
        terms[english]
        for english, pattern in patterns.items()
        if not any(english in text and pattern.search(told) for text, told in pairs)
    ]
    assert (len(rows) > 30, unused) == (True, [])


def test_the_texts_of_a_page_are_listed_by_file(found):
    texts = translations.list_page_texts("score", found.messages, {})
    assert "Search radius" in texts["algorithms/scoring/schema/parameters.py"]
    assert "Search radius" not in texts.get("ui/scoring/form.py", [])
    assert "Preset" in texts["algorithms/common_parameters.py"]
    assert {Path(file).parts[1] for file in texts}.isdisjoint(("agreement", "tuning", "detectors"))
    listed = [text for file_texts in texts.values() for text in file_texts]
    assert len(listed) == len(set(listed)) > 400


def test_a_page_has_no_text_to_translate_once_all_are_translated(found):
    key = translations.Message("Search radius", False)
    known = dict.fromkeys(found.messages, translations.Translation(("x",), True))
    assert translations.list_page_texts("score", found.messages, known) == {}
    known[key] = translations.Translation(("",), False)
    assert translations.list_page_texts("score", found.messages, known) == {
        "algorithms/scoring/schema/parameters.py": ["Search radius"]
    }


def test_each_text_is_listed_by_a_page_or_by_none(found):
    keys = [*translations.page_packages(), translations.OTHER]
    texts = {key: translations.list_page_texts(key, found.messages, {}) for key in keys}
    assert "Start" in texts[translations.OTHER]["ui/shell/dock.py"]
    by_pages = {text for key in keys[:-1] for lines in texts[key].values() for text in lines}
    others = {text for lines in texts[translations.OTHER].values() for text in lines}
    assert by_pages | others == {message.text for message in found.messages}
    assert by_pages & others <= {m.text for m in found.messages if m.has_plural}


def test_each_page_of_the_dock_has_texts():
    from randcrowns.ui.shell.dock import PAGES

    assert list(translations.page_packages()) == [entry.key for entry in PAGES]


def test_nothing_that_people_see_is_left_untranslated():
    """In a process of its own, in which a language made of English is spoken from the start."""
    words = [
        "-m",
        "pytest",
        "-q",
        "-p",
        "language.pseudo",
        "-p",
        "no:cacheprovider",
        "tests/language/everything.py",
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-20_000:]


class _Any:
    """A value that any format takes."""

    def __format__(self, _: str) -> str:
        return "x"

    def __getattr__(self, _: str) -> _Any:
        return self
