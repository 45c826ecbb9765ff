"""Page Score shows the classes and strata of random scenes as Python computes them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsVectorLayer
from support.class_scenes import STRATA, write_scene
from support.panel import errors

from randcrowns.algorithms.common_parameters import PRESET, TARGETS
from randcrowns.algorithms.scoring.schema.parameters import CLASSES, DELINEATIONS, PLOT_FIELD
from randcrowns.jobs.scoring import score

#: Scenes without an image extent, which the page takes from a layer.
SEEDS = [seed for seed, options in enumerate(STRATA) if "extent" not in options]


def _assert_same_numbers(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Assert that the numbers of both tables are the same."""
    assert len(found) == len(expected)
    names = [name for name in expected if name in found and expected[name].dtype.kind in "if"]
    assert len(names) > 4
    for name in names:
        numbers = pd.to_numeric(found[name]).to_numpy(dtype=float)
        np.testing.assert_allclose(numbers, expected[name], rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_page_shows_the_numbers_of_python(project, same_dock, run, tmp_path, seed: int) -> None:
    paths = write_scene(tmp_path, seed)
    layers = [QgsVectorLayer(path, name, "ogr") for path, name in zip(paths, ("targets", "drawn"))]
    project.addMapLayers(layers)
    page = same_dock.show_page("score")
    form = page.form
    form.field(TARGETS).select_layer(layers[0].id())
    form.field(DELINEATIONS).check_layers((layers[1].id(),))
    options = STRATA[seed]
    form.set_value(PLOT_FIELD, "plot")
    form.set_value(CLASSES.class_field, "species")
    form.set_value(CLASSES.summarise_by, options["summarise_by"])
    form.set_value(CLASSES.strata_field, options.get("strata_field", ""))
    form.set_value(CLASSES.breaks, options.get("strata_breaks", ""))
    form.set_value(CLASSES.within, options.get("within_classes", False))
    run(page)
    assert errors(page) == []
    expected = score(
        paths[0],
        [paths[1]],
        preset=form.settings()[PRESET],
        plot_field="plot",
        class_field="species",
        **options,
    )
    panel = page.results
    counts = panel.class_tab.matrix_view.matrix.counts
    assert counts.sum() == expected.tables["confusion"]["crowns"].sum()
    _assert_same_numbers(panel.class_tab.class_table.model.frame, expected.tables["class_metrics"])
    _assert_same_numbers(panel.strata_tab.table.model.frame, expected.tables["strata"])
