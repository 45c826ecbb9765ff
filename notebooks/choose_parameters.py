# %% [markdown]
"""# Choose alpha, omega and gamma.

RandCrowns should hardly depend on who drew the target. The parameters are chosen so that its
variance between annotators is small, and that it still distinguishes right from wrong pairs.
"""

# %%
from pathlib import Path

import geopandas

import randcrowns as rc
from randcrowns import plotting

sample = Path(rc.__file__).parent / "resources" / "sample" / "crowns.gpkg"
annotators = {f"annotator {n}": f"{sample}|layername=annotator_{n}" for n in (1, 2, 3, 4)}

# %%
search = rc.tune(annotators, alphas="0.4:1:0.3", omegas="0.8 1.2", gammas="2 3")
search.grid.sort_values("variance")[["alpha", "omega", "gamma", "mean", "variance"]].head()

# %%
best = search.summary.iloc[0]
own = {name: float(best[name]) for name in ("alpha", "omega", "gamma")}
print(own)

# %% [markdown]
"""The variance with these parameters and with those of the paper."""

# %%
chosen = rc.variance(annotators, **own)
paper = rc.variance(annotators, preset="image_boxes")
for result in (chosen, paper):
    print(result.summary[["target_annotator", "crowns", "randcrowns_variance"]].head(1))

# %%
plotting.variances(search)
target, drawn = (geopandas.read_file(sample, layer=f"annotator_{n}").geometry[0] for n in (1, 2))
plotting.crown(target, drawn)
