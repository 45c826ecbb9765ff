from __future__ import annotations

from pathlib import Path

import pytest

from randcrowns.core.errors import InputError
from randcrowns.core.remarks import note
from randcrowns.layers import language
from randcrowns.layers.words import reason, sentences, tr

CATALOGUE = Path(__file__).parents[1] / "data" / "i18n"


@pytest.fixture
def speak(qgis_app):
    """QGIS in a language, with the plugin's catalogue of it; English again at the end."""
    from qgis.core import QgsSettings

    settings = QgsSettings()

    def speak(locale):
        settings.setValue("locale/overrideFlag", True)
        settings.setValue("locale/userLocale", locale)
        return language.install(CATALOGUE)

    yield speak
    language.remove()
    settings.remove("locale/overrideFlag")
    settings.remove("locale/userLocale")


@pytest.mark.parametrize("locale", ["de", "de_AT"])
def test_texts_are_in_the_language_of_qgis(speak, locale):
    assert speak(locale)
    assert tr("No crowns in {layer}.", layer="a {b}") == "Keine Kronen in a {b}."
    assert sentences([note("a", "No crowns in {layer}.", layer="x")]) == ["Keine Kronen in x."]
    error = InputError("No crowns in {layer}.", layer="x")
    assert (str(error), reason(error)) == ("No crowns in x.", "Keine Kronen in x.")
    assert tr("{error}", error=error) == reason(OSError("Keine Kronen in x."))


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
    assert told == ["0 Kronen", "1 Krone", "2 Kronen", "1,200 Kronen", "1,000,000,000,000 Kronen"]
    assert str(note("a", "{count:,} crowns", one="1 crown", count=1)) == "1 crown"


def test_without_a_catalogue_and_after_unloading_texts_are_english(speak):
    assert not speak("xx")
    assert tr("No crowns in {layer}.", layer="x") == "No crowns in x."
    assert speak("de")
    language.remove()
    assert tr("{count:,} crowns", one="1 crown", count=1) == "1 crown"
