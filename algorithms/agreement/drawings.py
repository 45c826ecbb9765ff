"""What the annotators drew, read from their layers, and what is odd about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.agreement.choices import AnnotatorLayers
from randcrowns.core.agreement.packing import MOST_ANNOTATORS
from randcrowns.core.arrays import Bools, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.crs import WorkingCrs
from randcrowns.layers.vector.extent import run_extent
from randcrowns.layers.vector.read import CrownLayer, read_crowns
from randcrowns.layers.words import counted, tr

__all__ = ["Drawings", "read_drawings"]

# An annotator who drew farther from everybody else than this hardly drew the same place; metres.
_FAR = 50_000.0


@dataclass(frozen=True, eq=False)
class Drawings:
    """What was drawn, in working metres.

    Attributes:
        annotators: polygons of each, by name.
        area: the study area, or None for whatever anybody marked.
        left_out: polygons inside it that do not count, or None.
        working: the working coordinate system.
        grid: the image's pixels, when there is an image.
        sentences: what was odd, and what was decided.
        outside: which annotators have no polygon inside the study area; a sentence each.
        unnamed: how many polygons of a layer name nobody; a sentence each.
        of_image: what must be known beside the correlations with the image; a sentence each.
    """

    annotators: dict[str, Objects]
    area: Any
    left_out: Any
    working: WorkingCrs
    grid: Grid | None
    sentences: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    of_image: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Of the annotators."""
        return list(self.annotators)

    @property
    def region(self) -> Any:
        """The study area without what is left out; None where there is neither."""
        if self.left_out is None:
            return self.area
        area = self.area
        if area is None:
            area = shapely.union_all(np.concatenate(list(self.annotators.values())))
        rest = shapely.difference(area, self.left_out)
        if rest.is_empty:
            raise InputError(tr("Nothing is left of the study area; leave less of it out."))
        return rest

    @property
    def bounds(self) -> tuple[float, ...]:
        """xmin, ymin, xmax, ymax of the study area, or of everything drawn."""
        if self.area is not None:
            return tuple(self.area.bounds)
        return tuple(shapely.total_bounds(np.concatenate(list(self.annotators.values()))))


def read_drawings(taken: AnnotatorLayers, progress: Progress) -> Drawings:
    """Read all layers.

    Raises:
        InputError: if there is nothing to compare, or too many annotators.
    """
    working: Any = taken.transform_context
    grid = None
    if taken.image is not None:
        grid = Grid.of_raster(taken.image, taken.transform_context)
        working = grid.working
    sentences: list[str] = []
    read: dict[str, CrownLayer] = {}
    for number, (name, snapshot) in enumerate(taken.layers.items()):
        share = part_of(progress, number / len(taken.layers), (number + 1) / len(taken.layers))
        layer = read_crowns(snapshot, working, name=name, group_field=taken.field, progress=share)
        if len(layer.crowns):
            working = layer.working
        read[name] = layer
        sentences += _sentences(layer, taken.field)
    if not isinstance(working, WorkingCrs):
        working = next(iter(read.values())).working
    annotators = _by_field(read, taken) if taken.field else {name: one.crowns.geometry for name, one in read.items()}
    if taken.field:
        sentences += [
            tr("{name}: no polygon that can be used, so this annotator marked nothing.").format(name=name)
            for name, polygons in annotators.items()
            if len(polygons) == 0
        ]
    if not annotators:
        raise InputError(
            tr("No polygon has anything in field '{field}', so there is no annotator.").format(field=taken.field)
        )
    if len(annotators) > MOST_ANNOTATORS:
        raise InputError(
            tr("At most {most} annotators can be compared, but field '{field}' names {count}.").format(
                most=MOST_ANNOTATORS, field=taken.field, count=len(annotators)
            )
        )
    plots = None if taken.extent.plots is None else read_crowns(taken.extent.plots, working)
    if plots is not None:
        sentences += plots.report.sentences()
    drawn = np.concatenate(list(annotators.values()))
    area = run_extent(taken.extent.rectangle, taken.extent.crs, plots, working, drawn)
    if area is None and grid is not None:
        area = shapely.box(*grid.bounds)
        sentences.append(tr("No study area was chosen: the image's rectangle was taken."))
    if area is None and len(drawn) == 0:
        raise InputError(tr("None of the annotators' layers has a polygon that can be used."))
    left_out = None
    if taken.left_out is not None:
        masks = read_crowns(taken.left_out, working)
        sentences += masks.report.sentences()
        left_out = shapely.union_all(masks.crowns.geometry) if len(masks.crowns) else None
    found = Drawings(annotators, area, left_out, working, grid, sentences)
    found.outside.extend(_outside_sentences(found))
    found.unnamed.extend(filter(None, (_unnamed_sentence(layer, taken.field) for layer in read.values())))
    if len(drawn) and len(found.outside) == sum(len(polygons) > 0 for polygons in annotators.values()):
        raise InputError(_nothing_inside(found, drawn))
    sentences += found.outside + _far_sentences(annotators)
    return found


def _by_field(read: dict[str, CrownLayer], taken: AnnotatorLayers) -> dict[str, Objects]:
    """Polygons by what the field says, numbers before words; who has features but no polygon marked nothing."""
    polygons = np.concatenate([layer.crowns.geometry for layer in read.values()])
    named = np.concatenate([np.asarray(layer.crowns.groups, dtype=object) for layer in read.values()])
    names = set[str]().union(*(layer.groups for layer in read.values()))
    return {name: polygons[named == name] for name in sorted(names, key=_by_number)}


def _by_number(name: str) -> tuple[bool, float, str]:
    """Sorts 2 before 10, and numbers before words."""
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    return (False, number, name) if math.isfinite(number) else (True, 0.0, name)


def _far_sentences(annotators: dict[str, Objects]) -> list[str]:
    """Who drew far from everybody else."""
    drew = {
        name: shapely.box(*shapely.total_bounds(polygons)) for name, polygons in annotators.items() if len(polygons)
    }
    boxes = np.array(list(drew.values()), dtype=object)
    apart = shapely.distance(boxes[:, None], boxes[None, :])
    np.fill_diagonal(apart, np.inf)
    return [
        tr("{name} drew {distance:,.0f} km away from everybody else; check the layers' coordinate systems.").format(
            name=name, distance=nearest / 1000
        )
        for name, nearest in zip(drew, apart.min(axis=1, initial=np.inf))
        if _FAR < nearest < np.inf
    ]


def _outside_sentences(drawings: Drawings) -> list[str]:
    """Who drew, but nothing inside the study area: such an annotator counts as one who marked nothing."""
    region = drawings.region
    if region is None:
        return []
    told = []
    for name, polygons in drawings.annotators.items():
        if len(polygons) and not _reaching(polygons, region).any():
            what = tr("the one polygon lies") if len(polygons) == 1 else tr("all {count:,} polygons lie")
            told.append(
                tr("{name}: {what} {where}, so nothing of it counts.").format(
                    name=name, what=what.format(count=len(polygons)), where=_where_not(drawings, polygons)
                )
            )
    return told


def _reaching(polygons: Objects, region: Any) -> Bools:
    """(n,) which polygons share more than their edge with the region."""
    shapely.prepare(region)
    return np.asarray(shapely.intersects(region, polygons) & ~shapely.touches(region, polygons))


def _where_not(drawings: Drawings, polygons: Objects) -> str:
    """Where polygons lie of which nothing counts: outside of the study area, or in what is left out of it."""
    inside = np.ones(len(polygons), dtype=bool)
    if drawings.area is not None:
        inside = _reaching(polygons, drawings.area)
    if not inside.any():
        return tr("outside the study area")
    return tr("in what is left out") if inside.all() else tr("outside the study area or in what is left out")


def _nothing_inside(drawings: Drawings, drawn: Objects) -> str:
    """Why nothing can be compared."""
    one, where = len(drawn) == 1, _where_not(drawings, drawn)
    if where != tr("outside the study area"):
        what = tr("The one polygon lies") if one else tr("All {count:,} polygons lie").format(count=len(drawn))
        return tr("{what} {where}, so nothing can be compared; leave less of it out.").format(what=what, where=where)
    what = tr("The one polygon does not reach") if one else tr("None of the {count:,} polygons reaches")
    return tr(
        "{what} into the study area, so nothing can be compared; choose another study area, or check the layers' "
        "coordinate systems."
    ).format(what=what.format(count=len(drawn)))


def _sentences(layer: CrownLayer, field_name: str) -> list[str]:
    report = layer.report
    unnamed = _unnamed_sentence(layer, field_name)
    if unnamed:
        report.notes[:] = [remark for remark in report.notes if remark.key != "input.no_group"]
    told = [*([unnamed] if unnamed else []), *report.sentences()]
    if len(layer.crowns) == 0 and not field_name:
        told.append(
            tr("Layer '{name}' has no polygon that can be used: this annotator marked nothing.").format(
                name=report.layer
            )
        )
    return told


def _unnamed_sentence(layer: CrownLayer, field_name: str) -> str:
    """How many polygons name nobody and so are nobody's; empty where each names somebody."""
    groups = layer.crowns.groups
    missing = 0 if groups is None else sum(not group for group in groups)
    if not missing:
        return ""
    return tr("Layer '{name}': left out {polygons} with nothing in field '{field}'.").format(
        name=layer.report.layer, polygons=counted(missing, tr("polygon"), tr("polygons")), field=field_name
    )
