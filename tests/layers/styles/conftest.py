"""Compare drawn figures and print layouts with approved ones, as plain values.

``LOOKS=1 pytest tests/layers/styles`` approves them as they are; look at the pictures before.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest
from frozen.current_names import current_look
from frozen.values import FROZEN, differences, load, plain, save
from qgis.core import (
    Qgis,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsProject,
)

#: Figures are computed with numbers that may round another way.
_ANYWHERE = re.compile("")


KEPT = FROZEN / "looks.json.gz"
#: What is asked of every part of a figure that has it.
_ASKED = (
    *(
        "text",
        "xydata",
        "color",
        "linewidth",
        "linestyle",
        "marker",
        "markersize",
        "fontsize",
        "rotation",
        "ha",
        "va",
    ),
    *(
        "facecolor",
        "edgecolor",
        "offsets",
        "sizes",
        "hatch",
        "width",
        "height",
        "xy",
        "clim",
        "extent",
        "label",
    ),
    *("alpha", "zorder", "visible", "array", "position", "linestyles", "interpolation"),
)
#: Of more numbers than this only the shape and two sums are kept.
_MOST = 40
_PASSING = re.compile(
    r"/\S*/|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?|[0-9a-f]{8}_[0-9a-f_]{20,}|\{[0-9a-f-]{36}\}"
)


def figure_look(figure: Any) -> list[Any]:
    """Of each axes its set-up, and of each part that was drawn all that can be asked."""
    return [
        [round(float(side), 3) for side in figure.get_size_inches()],
        *map(_part, figure.texts),
    ] + [
        {
            "titles": _part(axes.title),
            "axes": [_axis(axes.xaxis), _axis(axes.yaxis)],
            "limits": _plain([axes.get_xlim(), axes.get_ylim(), axes.get_facecolor()]),
            "spines": [name for name, spine in axes.spines.items() if spine.get_visible()],
            "drawn": [
                _part(one)
                for one in (
                    *axes.lines,
                    *axes.collections,
                    *axes.patches,
                    *axes.images,
                    *axes.texts,
                )
            ],
            "legend": [_part(text) for legend in _legends(axes) for text in legend.get_texts()],
        }
        for axes in figure.axes
    ]


def _legends(axes: Any) -> Iterator[Any]:
    yield from filter(None, [axes.get_legend()])
    yield from (axes.figure.legends if axes is axes.figure.axes[0] else [])


def _axis(axis: Any) -> dict[str, Any]:
    """Ticks only where they were set."""
    fixed = type(axis.get_major_locator()).__name__ == "FixedLocator"
    ticks = [
        [text.get_text(), text.get_fontsize(), text.get_rotation()]
        for text in axis.get_ticklabels()
    ] * fixed
    return {
        "label": axis.get_label_text(),
        "scale": axis.get_scale(),
        "shown": axis.get_visible(),
        "ticks": ticks,
    }


def _part(artist: Any) -> dict[str, Any]:
    found = {
        name: _plain(getattr(artist, f"get_{name}")())
        for name in _ASKED
        if hasattr(artist, f"get_{name}")
    }
    if type(artist).__name__ == "Text" and artist is getattr(artist.axes, "title", None):
        found.pop("position", None)  # where there is room for it
    if str(found.get("label", "")).startswith("_"):
        del found["label"]
    return {"kind": type(artist).__name__, **found}


def _plain(value: Any) -> Any:
    if isinstance(value, (str, bool, int, type(None))):
        return _PASSING.sub("", value) if isinstance(value, str) else value
    try:
        numbers = np.asarray(np.ma.filled(value, np.nan), dtype=float)
    except (TypeError, ValueError):
        return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else str(value)
    if numbers.size > _MOST:
        place = np.arange(numbers.size) % 97
        numbers = np.array([*numbers.shape, np.nansum(numbers), np.nansum(numbers.ravel() * place)])
    return json.loads(
        json.dumps(numbers.tolist()).replace("NaN", "null").replace("Infinity", "null")
    )


def layout_look(project: QgsProject) -> list[Any]:
    """Of each print layout of the project its items and its atlas."""
    found: list[Any] = []
    for layout in project.layoutManager().printLayouts():
        atlas = layout.atlas()
        covers = atlas.coverageLayer().name() if atlas.enabled() and atlas.coverageLayer() else ""
        items = [_item(item) for item in layout.items() if isinstance(item, QgsLayoutItem)]
        pages = layout.pageCollection().pageCount()
        ways = [
            atlas.pageNameExpression(),
            atlas.sortExpression(),
            atlas.sortAscending(),
            atlas.filterExpression(),
        ]
        found.append([pages, covers, *map(_plain, ways), sorted(items, key=json.dumps)])
    return found


def _item(item: Any) -> list[Any]:
    place, size = item.positionWithUnits(), item.sizeWithUnits()
    sides = [round(side, 2) for side in (place.x(), place.y(), size.width(), size.height())]
    found: list[Any] = [type(item).__name__, item.id(), item.isVisible(), sides]
    if isinstance(item, QgsLayoutItemLabel):
        found += [_plain(item.text()), item.font().pointSize(), item.font().bold()]
    elif isinstance(item, QgsLayoutItemMap):
        found += [
            [layer.name() for layer in item.layers()],
            item.keepLayerSet(),
            item.keepLayerStyles(),
        ]
        found += [item.atlasDriven(), float(item.atlasMargin()), item.grid().enabled()]
    elif isinstance(item, QgsLayoutItemLegend):
        found += [item.title(), [layer.name() for layer in item.model().rootGroup().findLayers()]]
    elif hasattr(item, "multiFrame") and hasattr(item.multiFrame(), "columns"):
        table = item.multiFrame()
        found += [[column.heading() for column in table.columns()], table.maximumNumberOfFeatures()]
        found += [table.filterFeatures(), _plain(table.featureFilter())]
    return found


def kept_looks() -> dict[str, Any]:
    """What was kept, by test."""
    return dict(load(KEPT.name)) if KEPT.is_file() else {}


def keep(looks: dict[str, Any]) -> None:
    """Keep the looks of these tests anew."""
    if os.environ.get("LOOKS"):
        save(KEPT.name, {**kept_looks(), **looks, "versions": versions()})


def versions() -> list[str]:
    """What draws beside our own code; another one puts ticks and frames elsewhere."""
    return [matplotlib.__version__, Qgis.QGIS_VERSION.rpartition(".")[0]]


@pytest.fixture(scope="session")
def looks():
    kept = kept_looks()
    seen = {}
    yield kept, seen
    keep(seen)


@pytest.fixture(autouse=True)
def looks_as_it_did(request, monkeypatch, looks):
    """Compare the figures and print layouts of a test with the approved ones."""
    import matplotlib.figure

    made, begin = [], matplotlib.figure.Figure.__init__

    def begun(figure, *given, **options):
        begin(figure, *given, **options)
        made.append(figure)

    monkeypatch.setattr(matplotlib.figure.Figure, "__init__", begun)
    layouts = request.fixturenames
    yield
    kept, seen = looks
    drawn = [
        figure for figure in made if figure.axes
    ]  # matplotlib makes some of its own to measure words
    look = [
        *map(figure_look, drawn),
        *(layout_look(QgsProject.instance()) if "shown" in layouts else []),
    ]
    name = request.node.nodeid.partition("styles/")[2]
    if look:
        seen[name] = look
    if kept.get("versions") == versions() and not os.environ.get("LOOKS"):
        approved = current_look(kept.get(name, []))
        assert differences(approved, plain(look), exact=False, rounded=_ANYWHERE) == []
