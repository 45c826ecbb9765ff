from __future__ import annotations

import re
from pathlib import Path

import pytest
from demo_map import save_default_style
from qgis.core import (
    QgsCoordinateTransformContext,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsGeometry,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsRenderContext,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QColor
from support.errors import raises
from support.layers import crowns_at, layer_of

from randcrowns.core.review.problems import Problem
from randcrowns.layers.compat import is_null
from randcrowns.layers.styles.casing import main_outline
from randcrowns.layers.styles.pictures import legend_entries
from randcrowns.layers.styles.score_fields import select_delineations, select_prefix
from randcrowns.layers.styles.styles import (
    add_problem_style,
    load_style,
    qml_style,
    style_agreement,
    style_consensus,
    style_consensus_map,
    style_scored_targets,
    style_truths_map,
)
from randcrowns.report.colour_classes import variance_classes

ENDINGS = ("rc:double", "iou:double", "iouc:double", "status:string")
FIELDS = "".join(f"&field={prefix}_{ending}" for prefix in ("a", "b") for ending in ENDINGS)
ROWS = [
    [0.95, 0.6, 0.9, "scored", 0.1, 0.05, 0.0, "scored"],
    [0.8, 0.5, 0.7, "extent_limited", 0.0, 0.0, 0.0, "missed"],
    [0.0, 0.1, 0.0, "missed", 0.95, 0.9, 0.9, "scored"],
    [0.0, 0.0, 0.0, "unmatched", 0.6, 0.5, 0.5, "scored"],
    [None, 0.2, None, "target_too_small", None, 0.2, None, "target_too_small"],
    [None, None, None, "no_geometry", None, None, None, "no_geometry"],
]


@pytest.fixture
def scored(qgis_app):
    places = [(20 * number, 0) for number in range(len(ROWS))]
    return layer_of("scored", crowns_at(places), kind="Polygon", fields=FIELDS, rows=ROWS)


def shown(layer):
    """Return the label of the category of each feature."""
    renderer = layer.renderer().clone()
    context = QgsRenderContext()
    context.expressionContext().appendScopes(
        QgsExpressionContextUtils.globalProjectLayerScopes(layer)
    )
    renderer.startRender(context, layer.fields())
    names = []
    labels = {item.ruleKey(): item.label() for item in renderer.legendSymbolItems()}
    for feature in layer.getFeatures():
        context.expressionContext().setFeature(feature)
        keys = list(renderer.legendKeysForFeature(feature, context))
        names.append(labels.get(keys[0]) if keys else None)
    renderer.stopRender(context)
    return names


def test_classes_and_statuses_of_the_layer_that_is_asked_for(scored):
    style_scored_targets(scored, "a")
    assert shown(scored) == [
        "RandCrowns 0.9 to 1",
        "RandCrowns 0.75 to 0.9",
        "not detected (not reached): score 0",
        "not detected (no pair): score 0",
        "too small to score",
        "not scored",
    ]
    style_scored_targets(scored, "b")
    assert shown(scored)[:3] == [
        "RandCrowns 0 to 0.25",
        "not detected (not reached): score 0",
        "RandCrowns 0.9 to 1",
    ]


def test_by_hand_the_first_layer_found_is_shown(scored):
    scored.loadNamedStyle(str(Path(__file__).parents[3] / "resources" / "scored_targets.qml"))
    assert shown(scored)[0] == "RandCrowns 0.9 to 1"


def test_the_map_tip_shows_three_scores_and_the_status(scored):
    style_scored_targets(scored, "a")
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(scored))
    tips = []
    for feature in scored.getFeatures():
        context.setFeature(feature)
        tips.append(QgsExpression.replaceExpressionText(scored.mapTipTemplate(), context))
    assert all(
        text in tips[0]
        for text in ("RandCrowns", "0.950", "IoU", "0.600", "IoUCrowns", "0.900", "scored")
    )
    assert "n/a" in tips[4]
    assert "target too small" in tips[4]


def test_the_map_tip_says_what_is_wrong_and_why(qgis_app):
    fields = "".join(
        f"&field=a_{end}" for end in (*ENDINGS, "rc_problem:string", "rc_cause:string(200)")
    )
    said = "Delineation 3.0 m² beyond <b>the tolerance</b>: too large"
    rows = [[0.4, 0.4, 0.4, "scored", "too large", said], [0.9, 0.9, 0.9, "scored", "none", ""]]
    layer = layer_of(
        "scored", crowns_at([(0, 0), (20, 0)], seed=1), kind="Polygon", fields=fields, rows=rows
    )
    style_scored_targets(layer, "a")
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    tips = []
    for feature in layer.getFeatures():
        context.setFeature(feature)
        tips.append(QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context))
    assert "<br>Delineation 3.0 m² beyond &lt;b&gt;the tolerance&lt;/b&gt;: too large" in tips[0]
    assert tips[1].endswith("<br>none")


def test_a_second_style_is_by_problem_of_the_layer_that_is_asked_for(qgis_app):
    fields = "".join(
        f"&field={prefix}_{end}" for prefix in ("a", "b") for end in (*ENDINGS, "rc_problem:string")
    )
    rows = [[0.9, 0.9, 0.9, "scored", "none", 0.9, 0.9, 0.9, "scored", "split"]] * 2
    layer = layer_of(
        "scored", crowns_at([(0, 0), (20, 0)], seed=1), kind="Polygon", fields=fields, rows=rows
    )
    style_scored_targets(layer, "a")
    add_problem_style(layer, "Problem", "Score", {problem: problem.value for problem in Problem})
    assert layer.styleManager().styles() == ["Problem", "Score"]
    before = shown(layer)
    layer.styleManager().setCurrentStyle("Problem")
    style_of = [select_prefix(layer, prefix) or shown(layer) for prefix in ("a", "b")]
    assert style_of == [["none"] * 2, ["split"] * 2]
    layer.styleManager().setCurrentStyle("Score")
    assert shown(layer) == before


def test_labels_are_on(scored):
    style_scored_targets(scored, "a")
    assert scored.labelsEnabled()


@pytest.mark.parametrize("scale", [500, 1500])
def test_labels_are_drawn_where_they_fit_into_their_crown(scored, scale):
    """Labels of all sizes, placed beside one another, took four fifths of the time of a map.

    The crowns are 5.2 m wide: 10 mm at 1:500, 3.5 mm at 1:1,500. A label is about 6 mm wide.
    """
    style_scored_targets(scored, "a")
    settings = QgsMapSettings()
    settings.setLayers([scored])
    settings.setDestinationCrs(scored.crs())
    extent = scored.extent().buffered(2)
    settings.setExtent(extent)
    pixels_per_metre = settings.outputDpi() / 0.0254 / scale
    settings.setOutputSize(
        QSize(round(extent.width() * pixels_per_metre), round(extent.height() * pixels_per_metre))
    )
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    labels = job.takeLabelingResults().labelsWithinRect(extent)
    scores = {feature.id(): feature["a_rc"] for feature in scored.getFeatures()}
    expected = {number for number, score in scores.items() if not is_null(score)}
    assert {label.featureId for label in labels} == (expected if scale == 500 else set())
    for label in labels:
        outline = scored.getFeature(label.featureId).geometry()
        centre = QgsGeometry.fromPointXY(label.labelRect.center())
        assert outline.centroid().distance(centre) < 1.0


def test_custom_properties_survive(scored):
    scored.setCustomProperty("randcrowns/result", "x")
    style_scored_targets(scored, "a")
    assert scored.customProperty("randcrowns/result") == "x"


def colours(layer):
    return {
        category.value(): category.symbol().color().name()
        for category in layer.renderer().categories()
    }


def test_the_papers_colours(qgis_app):
    layer = layer_of(
        "r", crowns_at([(0, 0)]), kind="Polygon", fields="&field=region:string&field=term:string"
    )
    load_style(layer, "regions")
    assert colours(layer)["a"] == "#f7dc3b"
    assert colours(layer)["b"] == "#98e0c0"
    qml_style("terms")(layer, {})
    found = colours(layer)
    assert [found[term] for term in "abcd"] == ["#f7dc3b", "#98e0c0", "#f58a1f", "#2fc4ea"]


@pytest.mark.parametrize(
    "name", ["scored_delineations", "pairs", "regions", "terms", "target", "delineation"]
)
def test_every_style_is_read(qgis_app, name):
    kind = "LineString" if name == "pairs" else "Polygon"
    layer = layer_of(
        "x",
        [],
        kind=kind,
        fields="&field=status:string&field=randcrowns:double&field=assigned:integer",
    )
    before = layer.renderer().dump()
    load_style(layer, name)
    assert layer.renderer().dump() != before


def test_only_delineations_without_a_target_are_drawn(qgis_app):
    """And of these only those of one layer, if the page shows it."""
    rows = [["a", "matched", 0.8], ["a", "unmatched", None], ["b", "not_judged", None]]
    layer = layer_of(
        "delineations",
        crowns_at([(20 * n, 0) for n in range(3)]),
        kind="Polygon",
        fields="&field=layer:string&field=status:string&field=randcrowns:double",
        rows=rows,
    )
    load_style(layer, "scored_delineations")
    assert [entry.label for entry in legend_entries(layer, "x")] == [
        "x",
        "false detection",
        "not judged",
    ]
    select_delineations(layer, "a")
    assert [entry.label for entry in legend_entries(layer, "x")] == ["false detection"]
    select_delineations(layer, "other")
    assert legend_entries(layer, "x") == []


def test_targets_are_outlines_by_their_variance_and_drawings_black(qgis_app):
    field = "&field=randcrowns_variance:double"
    rows = [[0.00001], [0.0005], [0.005], [0.02], [None]]
    targets = layer_of(
        "t", crowns_at([(20 * n, 0) for n in range(5)]), kind="Polygon", fields=field, rows=rows
    )
    load_style(targets, "target_variance")
    assert shown(targets) == [
        "variance under 0.0001",
        "variance 0.0001 to 0.001",
        "variance 0.001 to 0.01",
        "variance 0.01 and more",
        "no variance",
    ]
    brushes = {
        main_outline(category.symbol()).brushStyle() for category in targets.renderer().categories()
    }
    # Pages and reports have the same classes.
    classes = variance_classes()
    assert shown(targets)[:4] == list(classes.labels)
    lines = {
        category.label(): main_outline(category.symbol()).strokeColor().name()
        for category in targets.renderer().categories()
    }
    assert [lines[label] for label in classes.labels] == list(classes.colours)
    limits = re.findall(r"< ([\d.]+)", targets.renderer().classAttribute())
    assert [float(limit) for limit in limits] == list(classes.limits[1:-1])
    inks = {}
    for name in ("delineation", "target"):
        layer = layer_of(name, crowns_at([(0, 0)]), kind="Polygon")
        load_style(layer, name)
        brushes.add(main_outline(layer.renderer().symbol()).brushStyle())
        inks[name] = main_outline(layer.renderer().symbol()).strokeColor().name()
    assert inks == {"delineation": "#000000", "target": "#d7191c"}
    assert brushes == {Qt.BrushStyle.NoBrush}


def test_it_is_drawn(scored):
    style_scored_targets(scored, "a")
    settings = QgsMapSettings()
    settings.setLayers([scored])
    settings.setDestinationCrs(scored.crs())
    settings.setExtent(scored.extent().buffered(2))
    settings.setOutputSize(QSize(600, 60))
    settings.setBackgroundColor(QColor("white"))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    seen = {image.pixelColor(x, y).name() for x in range(600) for y in range(60)}
    assert "#d01c8b" in seen
    assert len(seen) > 5


@pytest.mark.parametrize("name", ["scored_targets", "scored_delineations", "pairs"])
def test_better_classes_are_darker_and_none_is_yellow_as_a_selection_is(qgis_app, name):
    kind = "LineString" if name == "pairs" else "Polygon"
    layer = layer_of("x", [], kind=kind, fields=FIELDS)
    layer.loadNamedStyle(str(Path(__file__).parents[3] / "resources" / f"{name}.qml"))
    inks = []
    for category in layer.renderer().categories():
        if category.value() in ("c1", "c2", "c3", "c4", "c5"):
            shown = category.symbol().symbolLayer(0)
            inks.append(
                (category.value(), shown.strokeColor() if kind == "Polygon" else shown.color())
            )
    ramp = [ink for _, ink in sorted(inks)]
    assert len(ramp) == 5
    lightness = [ink.lightness() for ink in ramp]
    assert lightness == sorted(lightness, reverse=True)
    assert not any(40 <= ink.hue() <= 80 for ink in ramp)


def test_a_style_is_kept_in_the_geopackage(scored, tmp_path):
    path = str(tmp_path / "x.gpkg")
    QgsVectorFileWriter.writeAsVectorFormatV3(
        scored, path, QgsCoordinateTransformContext(), QgsVectorFileWriter.SaveVectorOptions()
    )
    layer = QgsVectorLayer(path, "x", "ogr")
    style_scored_targets(layer, "b")
    save_default_style(layer)
    save_default_style(layer)
    assert shown(QgsVectorLayer(path, "again", "ogr"))[:3] == [
        "RandCrowns 0 to 0.25",
        "not detected (not reached): score 0",
        "RandCrowns 0.9 to 1",
    ]


def test_a_style_that_cannot_be_kept_is_said(scored):
    style_scored_targets(scored, "a")
    with raises("demo.style_not_saved"):
        save_default_style(scored)


@pytest.mark.parametrize(
    ("text", "why"), [("<qgis", "it is not valid XML"), (None, "No such file")]
)
def test_a_damaged_style_is_told(qgis_app, tmp_path, text, why):
    if text is not None:
        (tmp_path / "style.qml").write_text(text)
    with raises("style.unreadable") as caught:
        load_style(layer_of("a", []), str(tmp_path / "style"))
    assert Path(caught.value.values["file"]).name == "style.qml"
    assert why in str(caught.value.values["why"])


#: From dark to bright; three have the middle of the ramp.
@pytest.mark.parametrize(
    ("annotators", "ramp"),
    [(0, ()), (1, "0"), (2, "05"), (3, ("0", "#269089", "5"))],
    ids=[0, 1, 2, 3],
)
def test_faces_have_a_category_per_number_of_annotators(qgis_app, annotators, ramp):
    rows = [(1, annotators - 1)] if annotators else []
    faces = layer_of(
        "faces",
        crowns_at([(0, 0)])[: len(rows)],
        fields="&field=n_yes:integer&field=n_no:integer",
        rows=rows,
    )
    style_agreement(faces)
    ends = {"0": "#440154", "5": "#fde725"}
    looks = [
        (one.value(), one.label(), one.symbol().color().name())
        for one in faces.renderer().categories()
    ]
    assert looks == [
        (n, f"{n} of {annotators}", ends.get(one, one)) for n, one in enumerate(ramp, 1)
    ]


def test_ground_truths_have_a_colour_and_a_width_each_in_a_report(qgis_app):
    places = crowns_at([(0, 0), (0, 0), (0, 0)])
    rows = [("STAPLE",), ("SIMPLE",), ("Any-GT",)]
    layer = layer_of("truths", places, fields="&field=truth:string", rows=rows)
    style_truths_map(layer)
    categories = layer.renderer().categories()
    assert [one.label() for one in categories] == ["STAPLE", "SIMPLE", "Any-GT"]
    outlines = [main_outline(one.symbol()) for one in categories]
    assert len({outline.strokeColor().name() for outline in outlines}) == 3
    widths = [outline.strokeWidth() for outline in outlines]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3


def test_the_crowns_of_a_consensus_are_filled_by_their_votes_in_a_report(qgis_app):
    fields = "&field=votes:integer&field=mean_iou:double"
    places = crowns_at([(0, 0), (9, 0), (18, 0)])
    rows = [(2, 0.5), (4, 0.6), (4, 0.7)]
    layer = layer_of("consensus", places, fields=fields, rows=rows)
    style_consensus_map(layer)
    ranges = layer.renderer().ranges()
    assert [one.label() for one in ranges] == ["Votes: 2", "Votes: 4"]
    assert len({main_outline(one.symbol()).fillColor().name() for one in ranges}) == 2
    for votes, label in ((2, "Votes: 2"), (4, "Votes: 4")):
        assert layer.renderer().rangeForValue(votes).label() == label

    doubtful = layer_of("places", places[:1], fields="&field=votes:integer", rows=[(1,)])
    style_consensus_map(doubtful)
    (only,) = doubtful.renderer().ranges()
    assert only.label() == "Trees that too few annotators drew"
    assert main_outline(only.symbol()).fillColor().alpha() == 0

    areas = layer_of("areas", places, fields="&field=area:double")
    before = areas.renderer().type()
    style_consensus_map(areas)
    assert areas.renderer().type() == before


def test_a_consensus_has_one_colour_or_an_outline_for_each_who_was_left_out(qgis_app):
    layer = layer_of(
        "consensus", crowns_at([(0, 0)]), fields="&field=method:string&field=area:double"
    )
    style_consensus(layer, {})
    inside = main_outline(layer.renderer().symbol())
    assert (inside.fillColor().name(QColor.NameFormat.HexArgb), inside.strokeColor().name()) == (
        "#460072b2",
        "#0072b2",
    )
    rows = [(name, "any", 1.0) for name in ("cy", "bob", "ann")]
    fields = "&field=excluded:string&field=method:string&field=area:double"
    layer = layer_of("consensus", crowns_at([(0, 0), (9, 0), (18, 0)]), fields=fields, rows=rows)
    style_consensus(layer, {"bob": "#ff00ff"})
    looks = [
        (one.label(), main_outline(one.symbol()).strokeColor().name())
        for one in layer.renderer().categories()
    ]
    assert looks == [
        ("without ann", "#440154"),
        ("without bob", "#ff00ff"),
        ("without cy", "#fde725"),
    ]
    assert layer.mapTipTemplate().startswith("without [%")
