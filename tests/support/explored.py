"""Runs to explore that are made from crowns of the core, without QGIS."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.crowns import Crowns
from randcrowns.core.scoring.layer import score_crowns
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.report.explore.core_runs import (
    PageTexts,
    ScoredDelineations,
    explore_scored_crowns,
)

LENGTHS = RandCrownsParameters(0.6, 1.2, 3.0)
#: Distance between neighbouring crowns, metres.
SPACING = 10.0


def tree_outlines(n, seed, shift=0.0, vertices=16):
    """Outlines like crowns on a grid; ``shift`` is how far they lie beside it."""
    random = np.random.default_rng(seed)
    side = max(1, int(np.ceil(np.sqrt(n))))
    number = np.arange(n)
    centres = np.stack([number % side, number // side], axis=1) * SPACING
    centres = centres + shift * random.standard_normal((n, 2))
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    radius = 3.5 * (1 + 0.05 * random.standard_normal((n, vertices)))
    radius *= 1 + 0.1 * random.standard_normal((n, 1))
    x = centres[:, :1] + radius * np.cos(angle)
    y = centres[:, 1:] + radius * np.sin(angle)
    return shapely.polygons(np.stack([x, y], axis=-1))


def scored_crowns(n, seed=1):
    """Targets, delineations and scores; every tenth target has no delineation, four are extra."""
    targets = Crowns(
        tree_outlines(n, seed),
        plots=np.array([f"plot {row % 3}" for row in range(n)], dtype=object),
        name="field crowns",
        classes=np.array(["oak" if row % 2 else "pine" for row in range(n)], dtype=object),
    )
    drawn = tree_outlines(n, seed + 1, shift=0.8)[np.arange(n) % 10 != 3]
    extra = shapely.transform(tree_outlines(4, seed + 2), lambda vertices: vertices - [0, 40])
    delineations = Crowns(np.concatenate([drawn, extra]), name="boxes")
    return targets, delineations, score_crowns(targets, delineations, LENGTHS)


def scored_run(n, seed=1, title="boxes compared with field crowns", names=(), **changes):
    """The content of a page on crowns that were scored, with some of their names replaced."""
    targets, delineations, scores = scored_crowns(n, seed)
    run = explore_scored_crowns(
        targets,
        [ScoredDelineations(delineations, scores)],
        PageTexts(title, "Made today", ["The boxes fit well."], "run 1"),
        pd.DataFrame({"height": np.arange(n) / 2.0}),
    )
    view = run.views[0]
    rows = view.rows.copy()
    rows.loc[: len(names) - 1, "name"] = list(names)
    return replace(run, **{"views": [replace(view, rows=rows)], **changes})
