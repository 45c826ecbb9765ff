"""Crowns and scores of a run that stay in memory, so that scoring while drawing starts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import shapely

from randcrowns.algorithms.scoring.tables import ScoredLayer
from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.review.problems import Problems
from randcrowns.core.scoring.editable_crowns import Edits
from randcrowns.core.scoring.layer import CrownScores
from randcrowns.layers.files.recovery import file_fingerprint
from randcrowns.layers.vector.read import CrownLayer
from randcrowns.layers.vector.study_site import StudySite

#: Maximum number of vertices of the crowns that stay in memory, where they take about 250 MB.
_MAX_VERTICES = 10_000_000
#: Maximum number of edited crowns up to which the other crowns keep their scores. More edits are
#: scored faster together with all crowns.
_MAX_EDITS = 1000


@dataclass(frozen=True, eq=False)
class ScoredSite:
    """Crowns of a run and their scores, without the features of the layers."""

    #: Layers, the targets first; without features.
    site: StudySite
    #: Ids of all features of the target layer, those without a crown too.
    target_ids: Ints
    #: Scores and problems of each delineation layer.
    scores: tuple[tuple[CrownScores, Problems], ...]
    #: Fingerprint of each file with a layer; None if the layers must be read to find changes: they
    #: are on a server, or had features that were not saved and get other ids when they are.
    files: dict[Path, str] | None

    @classmethod
    def from_run(cls, site: StudySite, results: Sequence[ScoredLayer]) -> ScoredSite | None:
        """Return the crowns and scores of a run; None if the crowns are too many.

        Args:
            site: layers of the run, the targets first.
            results: results by delineation layer.
        """
        n_vertices = shapely.get_num_coordinates(site.all_polygons).sum()
        has_all_pairs = all(
            result.scores.lists_all_pairs and result.problems.compares_all_overlaps
            for result in results
        )
        if n_vertices > _MAX_VERTICES or not has_all_pairs:
            return None
        target_ids = site.layers[0].feature_ids
        ids = np.concatenate([target_ids, *(layer.crowns.ids for layer in site.layers)])
        return cls(
            site=without_features(site),
            target_ids=target_ids,
            scores=tuple((result.scores, result.problems) for result in results),
            files=_file_fingerprints(site.layers) if (ids >= 0).all() else None,
        )

    def has_current_files(self) -> bool:
        """Return True if the files of the layers are as they were; unsaved edits do not count."""
        return self.files is not None and self.files == _file_fingerprints(self.site.layers)

    def find_edits(self, site: StudySite) -> list[Edits] | None:
        """Return the crowns of each layer that differ from those of the run.

        Args:
            site: the same layers as they are now.

        Returns:
            The edits by layer, the targets first; None if there are too many, or if all crowns are
            affected because the study area, the coordinate system or the plots changed.
        """
        layers = list(zip(self.site.layers, site.layers))
        is_comparable = (
            self.site.working_crs.crs == site.working_crs.crs
            and _is_same_area(self.site.study_area, site.study_area)
            and all(_has_plots(before) == _has_plots(now) for before, now in layers)
        )
        if not is_comparable:
            return None
        edits = [_find_edits(before, now) for before, now in layers]
        n_edits = sum(len(layer_edits.ids) for layer_edits in edits)
        return edits if n_edits <= _MAX_EDITS else None


def without_features(site: StudySite) -> StudySite:
    """Return a site whose layers have crowns, but no features."""
    layers = tuple(replace(layer, features=[]) for layer in site.layers)
    return replace(site, layers=layers, extent_layer=None, excluded_layer=None)


def _file_fingerprints(layers: Sequence[CrownLayer]) -> dict[Path, str] | None:
    """Return the fingerprints of the files of layers; None for layers on a server."""
    fingerprints = {}
    for layer in layers:
        snapshot = layer.request.snapshot
        if snapshot.server is not None:
            return None
        if snapshot.file is not None and snapshot.file not in fingerprints:
            try:
                fingerprints[snapshot.file] = file_fingerprint(snapshot.file)
            except (InputError, OSError):  # the file is in use or was removed
                return None
    return fingerprints


def _is_same_area(area: object, other: object) -> bool:
    """Return True if two study areas, or None for unlimited ones, have the same vertices."""
    if area is None or other is None:
        return area is other
    return bool(shapely.equals_exact(area, other))


def _has_plots(layer: CrownLayer) -> bool:
    """Return True if the crowns of a layer have plots."""
    return layer.crowns.plots is not None


def _find_edits(before: CrownLayer, now: CrownLayer) -> Edits:
    """Return the crowns of a layer that were added, changed or deleted.

    Args:
        before: the layer as it was.
        now: the layer as it is; both have plots or none.
    """
    old_crowns = before.crowns
    crowns = now.crowns
    _, old_rows, rows = np.intersect1d(
        old_crowns.ids, crowns.ids, assume_unique=True, return_indices=True
    )
    is_same: Bools = shapely.equals_exact(old_crowns.geometry[old_rows], crowns.geometry[rows])
    if old_crowns.plots is not None and crowns.plots is not None:
        is_same &= old_crowns.plots[old_rows] == crowns.plots[rows]
    if before.clipped is not None and now.clipped is not None:
        is_same &= shapely.equals_exact(before.clipped[old_rows], now.clipped[rows])

    is_edited = np.ones(len(crowns), dtype=bool)
    is_edited[rows[is_same]] = False
    deleted_ids = np.setdiff1d(old_crowns.ids, crowns.ids)
    no_objects: Objects = np.full(len(deleted_ids), None, dtype=object)

    def with_deleted(values: Objects | None) -> Objects | None:
        """Return the values of the edited crowns, followed by None for each deleted one."""
        return None if values is None else np.append(values[is_edited], no_objects)

    return Edits(
        ids=np.append(crowns.ids[is_edited], deleted_ids),
        geometry=np.append(crowns.geometry[is_edited], no_objects),
        plots=with_deleted(crowns.plots),
        clipped=with_deleted(now.clipped),
    )
