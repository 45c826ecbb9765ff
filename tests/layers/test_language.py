from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from qgis.core import QgsExpression
from qgis.PyQt.QtCore import QLocale

from randcrowns.core.arrays import number_with_interval_text
from randcrowns.core.errors import InputError
from randcrowns.core.messages import note
from randcrowns.core.review.problems import describe_causes
from randcrowns.layers import language
from randcrowns.layers.localization import (
    display_value,
    error_message,
    format_day,
    format_time,
    format_value,
    localize_expressions,
    localize_number,
    message_texts,
    tr,
)

CATALOGUE = Path(__file__).parents[1] / "data" / "i18n"
#: The catalogues of the plugin.
CATALOGUES = Path(language.__file__).parents[1] / "i18n"


@pytest.fixture
def speak(qgis_app):
    """QGIS in a language, with the plugin's catalogue of it; English again at the end."""
    from qgis.core import QgsSettings

    settings = QgsSettings()

    def speak(locale, folder=CATALOGUE):
        settings.setValue("locale/overrideFlag", True)
        settings.setValue("locale/userLocale", locale)
        return language.install_translation(folder)

    yield speak
    language.remove_translation()
    settings.remove("locale/overrideFlag")
    settings.remove("locale/userLocale")


@pytest.mark.parametrize("locale", ["de", "de_AT"])
def test_texts_are_in_the_language_of_qgis(speak, locale):
    assert speak(locale)
    assert tr("No crowns in {layer}.", layer="a {b}") == "Keine Kronen in a {b}."
    assert message_texts([note("a", "No crowns in {layer}.", layer="x")]) == ["Keine Kronen in x."]
    error = InputError("layer.empty", "No crowns in {layer}.", layer="x")
    assert (str(error), error_message(error)) == ("No crowns in x.", "Keine Kronen in x.")
    assert tr("{error}", error=error) == error_message(OSError("Keine Kronen in x."))


@pytest.mark.parametrize(
    ("locale", "one", "many", "number"),
    [
        ("de_AT", "Krone", "Kronen", "12\u00a0345,6"),
        ("es", "copa", "copas", "12.345,6"),
        ("es_MX", "copa", "copas", "12,345.6"),
        ("fr", "houppier", "houppiers", "12\u202f345,6"),
        ("fr_CA", "houppier", "houppiers", "12\u00a0345,6"),
        ("pt_BR", "copa", "copas", "12.345,6"),
        ("pt", "copa", "copas", "12.345,6"),
    ],
)
def test_each_country_has_the_texts_and_numbers_of_its_language(speak, locale, one, many, number):
    """The numbers are those of CLDR (Unicode) for the country."""
    assert speak(locale, CATALOGUES)
    told = [
        tr("{count:,} crowns", one="1 crown", count=count).rpartition(" ")[2] for count in (1, 2)
    ]
    assert told == [one, many]
    assert format_value(12345.6, 1) == number


def test_numbers_of_four_digits_have_no_separator_where_qt_writes_none(speak, monkeypatch):
    """As in Spanish with Qt 6, which follows CLDR: 1234 but 12.345."""

    class Spanish(QLocale):
        def toString(self, number):  # noqa: N802 - Qt's name
            return str(number)

    speak("de")
    monkeypatch.setattr(language, "locale", lambda: Spanish("es"))
    numbers = ["1,234", "-1,234.50", "12,345", "1,234,567", "234", "1,234.5%"]
    assert list(map(language.localize_separators, numbers)) == [
        "1234",
        "-1234,50",
        "12.345",
        "1.234.567",
        "234",
        "1234,5%",
    ]


def test_the_language_of_a_start_goes_before_that_of_the_settings(speak, qgis_app):
    qgis_app.setTranslation("de")
    try:
        assert speak("xx")
    finally:
        qgis_app.setTranslation("")


def test_numbers_have_their_forms(speak):
    told = [tr("{count:,} crowns", one="1 crown", count=count) for count in (0, 1, 2, 1200)]
    assert told == ["0 crowns", "1 crown", "2 crowns", "1,200 crowns"]
    assert speak("de")
    told = [tr("{count:,} crowns", one="1 crown", count=count) for count in (0, 1, 2, 1200, 10**12)]
    assert told == ["0 Kronen", "1 Krone", "2 Kronen", "1.200 Kronen", "1.000.000.000.000 Kronen"]
    assert str(note("a", "{count:,} crowns", one="1 crown", count=1)) == "1 crown"


@pytest.mark.parametrize("locale", ["de", "de_CH", "xx"])
def test_numbers_and_days_are_written_in_the_language_of_the_texts(speak, locale):
    speak(locale)
    many, decimals = {"de": (".", ","), "de_CH": ("’", "."), "xx": (",", ".")}[locale]
    values = {
        "real": np.float64(1234.5),
        "whole": np.int64(1200),
        "plain": 1200,
        "text": "1,2.3",
        "yes": True,
    }
    said = (
        "{real:,.1f} {real} {whole:,} {plain} {real:.{digits}e} {text} {share:.1%} {yes} {listed}"
    )
    power = f"1{decimals}23\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10³"
    assert tr(said, **values, digits=2, share=0.125, listed=(0.5, 7, "0.5")) == (
        f"1{many}234{decimals}5 1234{decimals}5 1{many}200 1200 {power} 1,2.3 12{decimals}5\N{NO-BREAK SPACE}% True "
        f"0{decimals}5, 7, 0.5"
    )
    interval = number_with_interval_text(0.5, 0.25, 0.75)
    told = note("a", "{all}; {of}", all=[interval, 0.5], of=note("b", "{share:.2f}", share=0.5))
    numbers = f"0{decimals}50 (0{decimals}25–0{decimals}75)"
    assert (interval, display_value(interval)) == ("0.50 (0.25–0.75)", numbers)
    assert message_texts([told]) == [f"{numbers}, 0{decimals}5; 0{decimals}50"]
    assert error_message(InputError("test.size", "{size:.1f} m", size=0.5)) == f"0{decimals}5 m"
    assert [
        format_value(-1234.5, 2),
        format_value(0.0312, -2),
        format_value(-0.0, 1),
        format_value(float("nan"), 1),
    ] == [
        f"-1{many}234{decimals}50",
        f"0{decimals}031",
        f"0{decimals}0",
        "n/a",
    ]
    merged = {
        "problem": ["merged", "none"],
        "other": [12, 0],
        "covered": [0.912, 0.0],
        "size_ratio": [1.75, 1.0],
    }
    assert describe_causes(merged, tr)[0].count(f"1{decimals}8 times") == 1
    assert describe_causes(merged)[0].count("1.8 times") == 1
    small = describe_causes({**merged, "size_ratio": [0.0412, 1.0]}, tr)[0]
    assert small.count(f"0{decimals}04 times") == 1
    assert localize_number("1,200.5") == f"1{many}200{decimals}5"
    labelled = localize_expressions("'a' || format_number(coalesce(1234.5, 0), 2)")
    assert QgsExpression(labelled).evaluate() == f"a1{many}234{decimals}50"
    assert format_day(datetime(2026, 11, 23)) == ("23 Nov" if locale == "xx" else "23 Nov.")
    evening = datetime(2026, 11, 23, 21, 2)
    assert format_time(evening) in ("23 Nov 2026, 21:02", "23 Nov. 2026, 21:02")


@pytest.mark.parametrize("system", ["ar_EG", "fr_FR", "tr_TR", "de_DE", "en_US"])
@pytest.mark.parametrize("locale", ["xx", "de", "fr"])
def test_labels_have_the_digits_of_tables_whatever_the_system(speak, locale, system):
    speak(locale)
    before = QLocale()
    QLocale.setDefault(QLocale(system))
    try:
        label = QgsExpression(localize_expressions("format_number(1234.5, 2)")).evaluate()
    finally:
        QLocale.setDefault(before)
    assert label == format_value(1234.5, 2)
    assert label == ("1.234,50" if locale == "de" else "1,234.50")


def test_without_a_catalogue_and_after_unloading_texts_are_english(speak):
    assert not speak("xx")
    assert tr("No crowns in {layer}.", layer="x") == "No crowns in x."
    assert speak("de")
    language.remove_translation()
    assert tr("{count:,} crowns", one="1 crown", count=1) == "1 crown"
