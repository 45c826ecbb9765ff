"""Names of classes and plots in the jobs of Python: one rule as on the pages."""

from __future__ import annotations

import geopandas
import numpy as np
import pandas as pd
import PIL.Image
import pytest
import shapely
from support.errors import find_message, raises

import randcrowns as rc

#: U+00F6, and the letter o with the accent U+0308.
SPELLINGS = ["N\u00f6rd", "No\u0308rd"]
BOXES = [shapely.box(x, 0, x + 5, 5) for x in (0, 10, 20)]


def crowns(**columns):
    """Return boxes in metres with columns."""
    n_rows = len(next(iter(columns.values())))
    return geopandas.GeoDataFrame(columns, geometry=BOXES[:n_rows], crs="EPSG:32617")


@pytest.mark.parametrize("job", [rc.compare_annotators, rc.consensus])
def test_plots_that_differ_in_encoding_only_are_noted(job):
    layers = {name: crowns(plot=SPELLINGS) for name in ("ann", "ben")}
    done = job(layers, plot_field="plot")
    find_message(done.messages, "plots.spelling", names=sorted(SPELLINGS))


def test_imported_labels_that_differ_in_spelling_only_are_noted(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("image_path,xmin,ymin,xmax,ymax,label\na.tif,0,0,4,4,Oak\na.tif,8,0,12,4,oak\n")
    find_message(rc.read_annotations(path).messages, "classes.spelling", names=["Oak", "oak"])


@pytest.mark.parametrize("dtype", ["datetime64[ns]", "datetime64[ms]", "object"])
def test_times_are_iso_texts_in_classes_plots_and_strata(dtype):
    times = pd.Series([pd.Timestamp("2024-05-01T10:30"), None]).astype(dtype)
    done = rc.score(
        crowns(seen=times),
        crowns(seen=times),
        class_field="seen",
        plot_field="seen",
        summarise_by="attribute",
        strata_field="seen",
    )
    text = "2024-05-01T10:30:00"
    assert done.tables["class_metrics"]["class"].tolist() == [text]
    assert text in done.summary["plot"].tolist()
    assert done.tables["strata"]["stratum"].iloc[0] == text


@pytest.mark.parametrize(
    ("job", "parameters"), [(rc.compare_annotators, {}), (rc.consensus, {"method": "crowns"})]
)
def test_missing_classes_and_spellings_of_annotators_are_noted(job, parameters):
    layers = {"ann": crowns(species=["oak", None, " "]), "ben": crowns(species=["Oak", "a", "a"])}
    done = job(layers, class_field="species", **parameters)
    find_message(done.messages, "classes.missing", layer="ann", count=2, total=3)
    find_message(done.messages, "classes.spelling", names=["Oak", "oak"])


def test_a_group_with_the_name_of_another_class_is_refused():
    layer = crowns(species=["oak", "PIPA", "conifer"])
    with raises("classes.group_is_class", name="conifer", members="PIPA"):
        rc.score(layer, layer, class_field="species", class_groups="conifer=PIPA")
    for groups in ("conifer=PIPA+conifer", "conifer=PIPA; tree=conifer"):
        rc.score(layer, layer, class_field="species", class_groups=groups)


@pytest.mark.parametrize("option", ["class_groups", "delineation_class_field"])
def test_options_of_classes_require_a_class_field(option):
    layer = crowns(species=["oak", "ash", "ash"], score=[0.9, 0.8, 0.7])
    with raises("classes.option_without_field", option=option, parameter="class_field"):
        rc.score(layer, layer, **{option: "oak=ash"})


def test_groups_require_a_class_field_in_other_jobs():
    layer = crowns(species=["oak", "ash", "ash"], score=[0.9, 0.8, 0.7])
    with raises("classes.option_without_field", option="class_groups"):
        rc.evaluate(layer, layer, class_groups="a=oak+ash")
    for job in (rc.compare_annotators, rc.consensus):
        with raises("classes.option_without_field", option="class_groups"):
            job({"ann": layer, "ben": layer}, class_groups="a=oak+ash")
        with raises("classes.invalid_group", part="oak"):
            job({"ann": layer, "ben": layer}, class_field="species", class_groups="oak")
    numbers = {"class_field": "species", "class_scale": "interval", "class_groups": "a=oak+ash"}
    with raises("ratings.not_numbers", labels="a"):
        rc.compare_annotators({"ann": layer, "ben": layer}, **numbers)
    with raises("classes.option_without_field", option="class_groups"):
        rc.rank_detectors({"net": layer}, {"ann": layer}, class_groups="a=oak+ash")


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc", "yolo"])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, 2.0, None], ["1", "2", "Tree"]),
        # A text stays as it is, unless the same class is also written in another way.
        ([" oak ", "1.0", "  "], ["oak", "1.0", "Tree"]),
        (["1", "1.0", "  "], ["1", "1", "Tree"]),
        ([True, False, None], ["true", "false", "Tree"]),
    ],
)
def test_exports_have_the_class_rules_of_the_pages(tmp_path, key, values, expected):
    image = tmp_path / "a.png"
    PIL.Image.new("L", (40, 40)).save(image)
    layer = crowns(kind=pd.Series(values, dtype=object if values[0] is True else None))
    # Layers in pixels have the image below the axis.
    layer = layer.set_geometry(layer.translate(yoff=-20)).set_crs(None, allow_override=True)
    folder = tmp_path / "out"
    done = rc.export_crowns(layer, folder, image=image, format=key, class_field="kind")
    find_message(done.messages, "export.no_class", count=1, label="Tree")
    again = rc.read_annotations(folder, images=tmp_path).crowns
    order = np.argsort(again.bounds["minx"].to_numpy())
    assert again["label"].to_numpy()[order].tolist() == expected


def test_a_class_with_decimals_is_not_exported(tmp_path):
    image = tmp_path / "a.png"
    PIL.Image.new("L", (40, 40)).save(image)
    layer = crowns(kind=[1.0, 1.5]).set_crs(None, allow_override=True)
    with raises("classes.not_whole", value=1.5):
        rc.export_crowns(layer, tmp_path / "out", image=image, format="coco", class_field="kind")


def test_classes_of_annotators_and_detectors_are_checked_once_over_all_plots():
    """Names that tables reserve are replaced after the groups, as in the toolbox."""
    columns = {"plot": ["p1", "p2", "p2"], "score": [0.9, 0.8, 0.7]}
    trees = crowns(species=["background", "Oak", None], **columns)
    found = crowns(species=["oak", "Oak", "ash"], **columns)
    done = rc.rank_detectors(
        {"found": found},
        {"ann": trees},
        class_field="species",
        class_groups="tree=background+oak",
        plot_field="plot",
        extent=[shapely.box(0, 0, 5, 5), shapely.box(10, 0, 15, 5)],
        bootstrap_samples=0,
    )
    by_class = done.tables["class_precision"].set_index("class")
    # Both crowns are found; "background" and "oak" are one class, "Oak" is another one.
    assert by_class["ap"].round(9).to_dict() == {"Oak": 1.0, "tree": 1.0, "": 1.0}
    notes = [str(message) for message in done.messages if message.key.startswith("classes.")]
    assert sorted(notes) == sorted(set(notes))
    find_message(done.messages, "classes.spelling", names=["Oak", "oak"])
    find_message(done.messages, "classes.missing", layer="ann", count=1, total=3)
