# %% [markdown]
"""# From a point cloud to a report.

Every point of the cloud has the number of its tree, and of the tree that a method predicted.
"""

# %%
from pathlib import Path

import randcrowns as rc

cloud = Path(rc.__file__).parent / "resources" / "sample" / "cloud.laz"

# %%
result = rc.evaluate_cloud(cloud, target_attribute="tree_id", prediction_attribute="predicted_id")
result

# %% [markdown]
"""Heights of the trees that were found, and of the others."""

# %%
result.targets.groupby("status")["height"].describe()[["count", "mean", "min", "max"]]

# %% [markdown]
"""Quality by distance from the trunk and by height."""

# %%
result.partitions.head()

# %%
result.write("trees.json")
result.report("trees.html", title="Trees of the plot")
