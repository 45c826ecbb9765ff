"""Who is scored against whom in an experiment with several annotators (Stewart et al. 2021, Section IV)."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from numpy.typing import NDArray

from randcrowns.core.errors import InputError
from randcrowns.core.offsets import polygonal

__all__ = [
    "Experiment",
    "crowns_from_west",
    "cut_to",
    "in_millimetres",
    "outside_extent",
    "same_drawings",
    "seen_crowns",
    "west_to_east",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: How the reason ends of crowns that are left out for lying outside the image.
_OUTSIDE = "outside the image extent"


class Experiment(NamedTuple):
    """K shared crowns of N labelers, and which of them are targets.

    Attributes:
        names: (N,) the labelers; the first ``n_targets`` are in turn the target.
        geometry: (N, K) every labeler's drawing of every shared crown.
        ids: (N, K) their ids.
        n_targets: N for the cross-validation, 1 against a layer of targets.
        delineation: (Z, n_targets · K) what is scored against each target: positions in the flattened ``geometry``,
            whose first n_targets · K items are the targets.
        left_out: a row per crown that takes no part: ``annotator``, ``crown_id``, ``reason``; against a layer of
            targets only the targets.
    """

    names: tuple[str, ...]
    geometry: NDArray[np.object_]
    ids: Ints
    n_targets: int
    delineation: Ints
    left_out: pd.DataFrame

    @property
    def n_crowns(self) -> int:
        """Number of shared crowns, K."""
        return self.geometry.shape[1]

    @property
    def targets(self) -> NDArray[np.object_]:
        """(n_targets · K,) the targets, one labeler after the other."""
        return self.geometry[: self.n_targets].ravel()


def seen_crowns(experiment: Experiment, extent: Any) -> Experiment:
    """The experiment without the crowns of which some target lies outside the image, where nobody could have drawn it.

    Args:
        experiment: who is scored against whom.
        extent: a valid polygon, or None.

    Raises:
        InputError: when no crown is left.
    """
    if extent is None:
        return experiment
    names = experiment.names[: experiment.n_targets]
    shapely.prepare(extent)
    targets = experiment.geometry[: experiment.n_targets]
    outside = ~shapely.intersects(extent, targets) | shapely.touches(extent, targets)
    left = outside.any(axis=0)
    if not left.any():
        return experiment
    if left.all():
        raise InputError(
            "Every crown that all drew lies outside the image extent. Choose the extent of the image on which these "
            "crowns were drawn, or none."
        )
    by = np.array([f"its drawing by {name} is {_OUTSIDE}" for name in names], dtype=object)
    reason = np.where(outside, _OUTSIDE, by[outside.argmax(axis=0)])
    unseen = pd.DataFrame(
        {
            "annotator": np.repeat(np.array(names, dtype=object), left.sum()),
            "crown_id": experiment.ids[: experiment.n_targets, left].ravel(),
            "reason": reason[:, left].ravel(),
        }
    )
    place = np.cumsum(~left) - 1
    labeler, crown = np.divmod(experiment.delineation, experiment.n_crowns)
    kept = np.tile(~left, experiment.n_targets)
    delineation = (labeler * (~left).sum() + place[crown])[:, kept]
    left_out = pd.concat([experiment.left_out, unseen], ignore_index=True)
    return experiment._replace(
        geometry=experiment.geometry[:, ~left],
        ids=experiment.ids[:, ~left],
        delineation=delineation,
        left_out=left_out,
    )


def cut_to(extent: Any, drawings: NDArray[np.object_]) -> NDArray[np.object_]:
    """What of each drawing lies within the image, empty where nothing does: nobody could have drawn the rest.

    Args:
        extent: a valid polygon, or None.
        drawings: polygons.
    """
    if extent is None:
        return drawings
    shapely.prepare(extent)
    beyond = ~shapely.covers(extent, drawings)
    cut = drawings.copy()
    cut[beyond] = polygonal(shapely.intersection(drawings[beyond], extent))
    return cut


def west_to_east(experiment: Experiment) -> Ints:
    """All drawings by where they lie, whatever order they come in; the same outlines by the names of their labelers."""
    drawings = experiment.geometry.ravel()
    centre = shapely.get_coordinates(shapely.centroid(drawings))
    name = np.repeat(np.argsort(np.argsort(experiment.names)), experiment.n_crowns)
    return np.lexsort((name, *in_millimetres(np.column_stack([shapely.bounds(drawings), centre[:, ::-1]])).T))


def crowns_from_west(experiment: Experiment) -> Ints:
    """(K,) the shared crowns by their westernmost drawings, whatever order layers and crowns come in."""
    place = np.argsort(west_to_east(experiment)).reshape(experiment.geometry.shape)
    return np.argsort(place.min(axis=0))


def in_millimetres(metres: Floats) -> Floats:
    """Whole millimetres; their halves, where centres of whole ones lie, are rounded alike whatever the last digits."""
    return np.rint(1000 * metres + 0.25)


def outside_extent(left_out: pd.DataFrame) -> NDArray[np.bool_]:
    """For each row of ``left_out`` whether the crown lies outside the image, and not everybody's drawing is missing."""
    return left_out["reason"].str.endswith(_OUTSIDE).to_numpy(dtype=bool)


def same_drawings(experiment: Experiment) -> list[tuple[str, str]]:
    """The pairs of labelers who drew every shared crown exactly alike."""
    outlines = shapely.normalize(experiment.geometry)
    return [
        (experiment.names[i], experiment.names[j])
        for i, j in itertools.combinations(range(len(outlines)), 2)
        if shapely.equals_exact(outlines[i], outlines[j]).all()
    ]
