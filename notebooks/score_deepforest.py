# %% [markdown]
"""# Score predictions of DeepForest.

Predictions of DeepForest are a table with boxes in pixels of an image. They are compared with
crowns that were drawn on the map. The sample plot of the package stands for your own files.
"""

# %%
from pathlib import Path

import pandas as pd

import randcrowns as rc

sample = Path(rc.__file__).parent / "resources" / "sample"
crowns = f"{sample / 'crowns.gpkg'}|layername=crowns"
image = sample / "image.tif"

# %% [markdown]
"""DeepForest's `predict_image` returns a data frame; `to_csv` writes it. Here, a layer of the
sample plot is written in this format.
"""

# %%
predictions = f"{sample / 'crowns.gpkg'}|layername=detector"
rc.export_crowns(crowns, "tables", predictions, image=image, format="deepforest")
table = Path("tables") / "predictions.csv"
pd.read_csv(table)[["image_path", "xmin", "ymin", "xmax", "ymax", "label", "score"]].head(3)

# %% [markdown]
"""A table is a layer like any other. `images` is the folder with its images, whose georeference
places the boxes on the map.
"""

# %%
result = rc.score(crowns, {"DeepForest": table}, plot="plot", images=sample)
result

# %%
result.summary[["plot", "targets", "matched", "randcrowns_mean", "iou_mean", "iou_crowns_mean"]]

# %% [markdown]
"""Each target has its scores, and the problem that explains them."""

# %%
result.targets.sort_values("randcrowns")[["target_id", "randcrowns", "iou", "problem"]].head()

# %%
result.plot().figure.savefig("scores.png", dpi=200)
result.report("scores.html")

# %% [markdown]
"""Counts of trees that were found, precision, recall and average precision are another job."""

# %%
evaluation = rc.evaluate(crowns, table, plot="plot", images=sample)
evaluation.plot()
evaluation
