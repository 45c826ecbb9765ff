"""The line around targets with a low score looks like no class of the style, and hides none."""

from __future__ import annotations

import pytest
from qgis.core import QgsMapRendererSequentialJob, QgsMapSettings
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage
from support.layers import crowns_at, layer_of

from randcrowns.layers.styles.colouring import low_score_legend, outline_low_scores
from randcrowns.layers.styles.pictures import swatch_entry
from randcrowns.layers.styles.styles import style_scored_targets

FIELDS = "&field=a_rc:double&field=a_iou:double&field=a_status:string"
#: Outlines of targets with a RandCrowns from 0.75 to 0.9, and of those that were not detected.
GOOD, NOT_DETECTED = QColor("#2b8cbe"), QColor("#d01c8b")


def scored(*rows):
    places = [(20 * number, 0) for number in range(len(rows))]
    layer = layer_of("scored", crowns_at(places), kind="Polygon", fields=FIELDS, rows=list(rows))
    style_scored_targets(layer, "a")
    layer.setLabelsEnabled(False)  # QGIS does not always draw a label at the same place.
    return layer


def drawn_colours(layer):
    """The colours of a map of a layer."""
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setExtent(layer.extent().buffered(1))
    settings.setOutputSize(QSize(200, 200))
    settings.setOutputDpi(200)
    settings.setBackgroundColor(QColor("#26301f"))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    return {image.pixelColor(x, y).name() for x in range(200) for y in range(200)}


def is_like(first, second):
    """Return True if two colours have nearly the same hue, and both are colourful."""
    if min(first.hsvSaturationF(), second.hsvSaturationF()) < 0.4:
        return False
    distance = abs(first.hue() - second.hue())
    return min(distance, 360 - distance) < 30


def test_a_detected_target_with_a_low_iou_does_not_look_as_if_it_were_not_detected(qgis_app):
    detected = scored([0.8, 0.45, "scored"])
    without_line = drawn_colours(detected)
    outline_low_scores(detected, "a")
    with_line = drawn_colours(detected)
    assert with_line != without_line
    assert GOOD.name() in with_line
    assert not any(is_like(QColor(name), NOT_DETECTED) for name in with_line)


#: A score that is 0.5 but for a rounding error is not below 0.5, see docs/numbers.md.
ROUNDED = 0.5 - 4e-9


@pytest.mark.parametrize(
    "row",
    [[0.8, 0.6, "scored"], [None, None, "no_geometry"], [ROUNDED, ROUNDED, "scored"]],
    ids=["high", "no geometry", "at the limit"],
)
def test_other_targets_have_no_line(qgis_app, row):
    target = scored(row)
    without_line = drawn_colours(target)
    outline_low_scores(target, "a")
    assert drawn_colours(target) == without_line


def test_the_line_contrasts_with_the_outlines_of_all_classes(qgis_app):
    rows = [[0.95, 0.45, "scored"], [0.6, 0.4, "scored"], [0.1, 0.1, "scored"]]
    rows.append([0.0, 0.0, "unmatched"])
    for row in rows:
        target = scored(row)
        without_line = drawn_colours(target)
        outline_low_scores(target, "a")
        assert drawn_colours(target) != without_line, row


def swatch_colours(entry):
    """Colours of the pixels of the picture of a legend's line, in a fixed order."""
    image = QImage.fromData(entry.swatch.data)
    return [
        image.pixelColor(x, y).name(QColor.NameFormat.HexArgb)
        for x in range(image.width())
        for y in range(image.height())
    ]


def test_the_line_around_low_scores_is_in_the_legend_if_a_target_has_it(qgis_app):
    target = scored([0.8, 0.45, "scored"], [0.9, 0.7, "scored"])
    assert low_score_legend(target) == []  # The map has no such line.
    outline_low_scores(target, "a")
    (entry,) = low_score_legend(target)
    assert entry.label == "dashed line: RandCrowns or IoU below 0.5"
    categories = target.renderer().categories()  # They own their symbols.
    plain = swatch_entry(categories[0].symbol(), "")
    pairs = zip(swatch_colours(entry), swatch_colours(plain))
    assert sum(with_line != without for with_line, without in pairs) > 10
    assert GOOD.name() in drawn_colours(target)  # The symbols of the map are not changed.


def test_the_legend_has_no_line_around_low_scores_if_no_target_has_it(qgis_app):
    target = scored([0.8, 0.6, "scored"], [None, None, "no_geometry"])
    outline_low_scores(target, "a")
    assert low_score_legend(target) == []
