"""The plot field of page Parameters."""

from __future__ import annotations

from support.layers import crowns_at, layer_of

from randcrowns.algorithms.tuning.schema.parameters import FIELD_TARGETS, PLOT_FIELD


def test_the_plot_is_in_sight_and_preset(project, dock):
    places = [(0, 0), (20, 0)]
    layers = [
        layer_of(
            f"annotator_{n}",
            crowns_at(places, seed=n),
            fields="&field=plotID:string",
            rows=[["A"], ["B"]],
        )
        for n in (1, 2)
    ]
    project.addMapLayers([*layers, layer_of("field polygons", crowns_at(places))])
    form = dock.show_page("parameters").form
    assert form.settings()[PLOT_FIELD] == "plotID"
    assert form.field(PLOT_FIELD).isVisible()
    form.field(FIELD_TARGETS).select_layer(project.mapLayersByName("field polygons")[0].id())
    assert form.settings()[PLOT_FIELD] == ""
    form.field(FIELD_TARGETS).select_layer_or_none("")
    form.reload_layers()
    assert form.settings()[PLOT_FIELD] == "plotID"
