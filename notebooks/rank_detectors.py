# %% [markdown]
"""# Rank detectors.

Three detectors are compared with four annotators. A detector is only called better if it is better
with every ground truth that the annotators make together.
"""

# %%
from pathlib import Path

import randcrowns as rc

sample = Path(rc.__file__).parent / "resources" / "sample" / "crowns.gpkg"
annotators = {f"annotator {n}": f"{sample}|layername=annotator_{n}" for n in (1, 2, 3, 4)}
detectors = {
    name: f"{sample}|layername={layer}"
    for name, layer in (("first", "detector"), ("second", "detector_2"), ("third", "detector_3"))
}

# %%
ranking = rc.rank_detectors(detectors, annotators, bootstrap_samples=100)
ranking

# %% [markdown]
"""A row of the summary is the rank of a detector with one ground truth and measure."""

# %%
ranking.summary[["measure", "truth", "detector", "value", "rank"]].head(9)

# %%
ranking.plot()
ranking.report("ranking.html")
