# %% [markdown]
"""# Evaluate submissions to a published benchmark.

`benchmark` reads the files of a benchmark as its authors publish them and returns the table that
they print. Several submissions are compared, with intervals. The sample plot of the package stands
for the plots of NeonTreeEvaluation here: its files are written in the layout of that benchmark.
"""

# %%
from pathlib import Path

import pandas as pd

import randcrowns as rc

sample = Path(rc.__file__).parent / "resources" / "sample"
crowns = f"{sample / 'crowns.gpkg'}|layername=crowns"
detector = f"{sample / 'crowns.gpkg'}|layername=detector"
image = sample / "image.tif"

# %% [markdown]
"""The ground truth is a folder of Pascal VOC files, an image each. A submission is a table with
`plot_name`, `xmin`, `ymin`, `xmax` and `ymax`. The name of a plot is that of its image.
"""

# %%
rc.export_crowns(crowns, "annotations", image=image, format="voc")
rc.export_crowns(crowns, "tables", detector, image=image, format="deepforest")
boxes = pd.read_csv(Path("tables") / "predictions.csv")
boxes["plot_name"] = boxes["image_path"].str.removesuffix(".tif")
boxes.to_csv("all_boxes.csv", index=False)
boxes[boxes["score"] >= 0.5].to_csv("certain_boxes.csv", index=False)

# %%
result = rc.benchmark("neon-image", ["all_boxes.csv", "certain_boxes.csv"], truth="annotations")
result.table

# %% [markdown]
"""The summary has a row per submission. Intervals require several plots, and one plot is not enough
to call a submission better. The command does the same:

    randcrowns benchmark neon-image --truth annotations --submissions *_boxes.csv
"""

# %%
result

# %%
result.plot()
result.report("benchmark.html")
