# %% [markdown]
"""# Compare four annotators.

Four people drew the crowns of the same image. How far do they agree, where do they differ, and what
do they draw together?
"""

# %%
from pathlib import Path

import randcrowns as rc
from randcrowns import plotting

sample = Path(rc.__file__).parent / "resources" / "sample" / "crowns.gpkg"
annotators = {
    name: f"{sample}|layername=annotator_{number}"
    for number, name in enumerate(("anna", "ben", "cleo", "dora"), start=1)
}

# %%
agreement = rc.compare_annotators(annotators, plot="plot", bootstrap_samples=200)
agreement

# %% [markdown]
"""The F1 of each pair, and the number of annotators who marked each place."""

# %%
plotting.pairwise_f1(agreement).figure.savefig("pairwise_f1.png", dpi=200)
plotting.agreement_map(agreement)

# %% [markdown]
"""The consensus has one outline for each tree that at least half of the annotators drew."""

# %%
consensus = rc.consensus(annotators, method="crowns")
consensus.consensus[["votes", "looked", "mean_iou", "geometry"]].head()

# %%
consensus.write("consensus.gpkg")
agreement.report("agreement.html")
