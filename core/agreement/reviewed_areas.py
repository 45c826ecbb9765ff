"""Areas that annotators have reviewed; outside them their ratings are missing, which is no "no"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Ints, Objects
from randcrowns.core.crs import geometry_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import clip_geometries
from randcrowns.core.messages import TranslatableText
from randcrowns.core.outlines import repair_outlines
from randcrowns.core.thresholds import reaches

#: Field of a layer of reviewed areas that names the annotators, if the run has no such field.
DEFAULT_FIELD = "annotator"
#: Share of a crown from which it counts as inside an area.
_INSIDE_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class ReviewedAreas:
    """Areas that K annotators have reviewed, if not everywhere.

    Attributes:
        areas: R distinct (multi)polygons.
        area_of_annotator: (K,) number of the area of each annotator; -1 for everywhere.
    """

    areas: tuple[Any, ...]
    area_of_annotator: Ints

    @classmethod
    def from_layers(cls, names: Sequence[str], reviewed: Mapping[str, Any] | None) -> ReviewedAreas:
        """Return the reviewed areas of annotators.

        Args:
            names: names of the K annotators.
            reviewed: polygons that an annotator has reviewed, by name; those who are not in it
                have reviewed everything. None for nobody.

        Raises:
            InputError: if an area is of no annotator.

        >>> reviews = ReviewedAreas.from_layers(["ann", "ben"], {"ben": shapely.box(0, 0, 1, 1)})
        >>> reviews.area_of_annotator.tolist()
        [-1, 0]
        """
        reviewed_layers = reviewed or {}
        unknown_names = [name for name in reviewed_layers if name not in names]
        if unknown_names:
            raise InputError(
                "reviewed.unknown_annotator",
                "There is a reviewed area of '{name}', but no annotator with this name.",
                name=unknown_names[0],
            )
        areas: list[Any] = []
        area_of_annotator = np.full(len(names), -1)
        for number, name in enumerate(names):
            if name not in reviewed_layers:
                continue
            area = _unite(geometry_array(reviewed_layers[name], name))
            is_equal = [shapely.equals(other_area, area) for other_area in areas]
            if any(is_equal):
                area_of_annotator[number] = is_equal.index(True)
            else:
                area_of_annotator[number] = len(areas)
                areas.append(area)
        return cls(tuple(areas), area_of_annotator)

    def limit(self, area: Any, layers: Sequence[Any]) -> Any:
        """Return the study area, limited to what anybody has reviewed.

        Args:
            area: the study area, one polygon or several; None for the area that annotators marked.
            layers: polygons of each annotator.

        Returns:
            The limited area. None only if nobody has a reviewed area and there is no study area.

        >>> reviews = ReviewedAreas.from_layers(["ann"], {"ann": shapely.box(0, 0, 1, 1)})
        >>> reviews.limit(shapely.box(0, 0, 9, 0.5), [[]]).bounds
        (0.0, 0.0, 1.0, 0.5)
        """
        if not self.areas:
            return area
        has_reviewed_everywhere = self.area_of_annotator < 0
        if has_reviewed_everywhere.any():
            if area is not None:
                return area
            return _unite(np.concatenate([_polygons(layer) for layer in layers]))
        reviewed = shapely.union_all(self.areas)
        if area is None:
            return reviewed
        return shapely.intersection(_unite(_polygons(area)), reviewed)

    def are_reviewed(self, polygons: Objects, annotator: int) -> Bools:
        """Return a mask (n,) of polygons of which an annotator has reviewed at least half.

        Args:
            polygons: (n,) polygons, such as crowns.
            annotator: number of the annotator.

        >>> reviews = ReviewedAreas.from_layers(["ann", "ben"], {"ben": shapely.box(0, 0, 1, 1)})
        >>> boxes = np.array([shapely.box(0, 0, 2, 1), shapely.box(3, 0, 4, 1)])
        >>> [reviews.are_reviewed(boxes, number).tolist() for number in (0, 1)]
        [[True, True], [True, False]]
        """
        number = int(self.area_of_annotator[annotator])
        if number < 0:
            return np.ones(len(polygons), dtype=bool)
        return lie_inside(polygons, self.areas[number])

    def missing(self, is_reviewed: Bools) -> Bools | None:
        """Return where ratings are missing.

        Args:
            is_reviewed: (N, R) True for units inside each area.

        Returns:
            (N, K) True where an annotator did not look; None if everybody looked everywhere.

        >>> reviews = ReviewedAreas.from_layers(["ann", "ben"], {"ben": shapely.box(0, 0, 1, 1)})
        >>> reviews.missing(np.array([[False], [True]])).tolist()
        [[False, True], [False, False]]
        """
        if not self.areas:
            return None
        everywhere = np.ones((len(is_reviewed), 1), dtype=bool)
        # The number -1 selects the last column.
        return ~np.hstack([is_reviewed, everywhere])[:, self.area_of_annotator]


@dataclass(frozen=True, eq=False)
class AnnotatorsOfAreas:
    """Annotators of the areas in a polygon layer.

    Attributes:
        layer: name of the layer, for errors.
        field: field that names the annotators.
        names: (n,) annotator of each area; None for an area of nobody.
    """

    layer: str
    field: str
    names: Objects

    @property
    def distinct_names(self) -> list[str]:
        """Names of the annotators, sorted."""
        return sorted({name for name in self.names if name is not None})


def choose_reviewed_field(
    layer: str, annotator_field: str, has_field: Callable[[str], bool]
) -> str:
    """Return the field of a layer that names the annotators of its reviewed areas.

    Args:
        layer: name of the layer, for errors.
        annotator_field: field of the run that names the annotators; "" for none.
        has_field: returns True if the layer has a field.

    Raises:
        InputError: if the layer has neither this field nor :data:`DEFAULT_FIELD`.

    >>> choose_reviewed_field("areas", "", ["annotator", "area"].__contains__)
    'annotator'
    """
    fields = [name for name in (annotator_field, DEFAULT_FIELD) if name]
    for name in fields:
        if has_field(name):
            return name
    raise InputError(
        "reviewed.no_field",
        "Layer '{layer}' has no field '{field}', which names the annotator of each reviewed area. "
        "Add it, or choose another layer.",
        layer=layer,
        field=fields[0],
    )


def areas_by_annotator(
    annotators_of_areas: AnnotatorsOfAreas, polygons: Objects, annotators: Collection[str]
) -> dict[str, Any]:
    """Return the area that each annotator has reviewed, by name.

    Args:
        annotators_of_areas: annotators of n areas.
        polygons: (n,) areas.
        annotators: names of the annotators. Areas of others are not used.

    Raises:
        InputError: if there is no area of any annotator.

    >>> owners = AnnotatorsOfAreas("areas", "annotator", np.array(["ann", None], dtype=object))
    >>> areas_by_annotator(owners, shapely.box(0, 0, [1, 2], 1), ["ann", "ben"])["ann"].bounds
    (0.0, 0.0, 1.0, 1.0)
    """
    found_names = annotators_of_areas.distinct_names
    areas = {}
    for name in found_names:
        if name in annotators:
            is_own = annotators_of_areas.names == name
            areas[name] = shapely.union_all(polygons[is_own])
    if not areas:
        raise InputError(
            "reviewed.no_annotator",
            "Layer '{layer}' has no reviewed area of an annotator: its field '{field}' names "
            "{found}, but the annotators are {annotators}.",
            layer=annotators_of_areas.layer,
            field=annotators_of_areas.field,
            found=found_names or TranslatableText("no names"),
            annotators=list(annotators),
        )
    return areas


def unite_area(area: Any) -> Any:
    """Return a study area as one geometry.

    Args:
        area: one polygon or several, of which some may be invalid or missing; None for everywhere.

    >>> unite_area([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]).bounds
    (0.0, 0.0, 2.0, 1.0)
    """
    return None if area is None else _unite(_polygons(area))


def lie_inside(polygons: Objects, area: Any) -> Bools:
    """Return a mask (n,) of polygons of which at least half lies in an area.

    Args:
        polygons: (n,) polygons.
        area: polygon or multipolygon in the same coordinate system.

    >>> boxes = np.array([shapely.box(0, 0, 2, 1), shapely.box(3, 0, 4, 1)])
    >>> lie_inside(boxes, shapely.box(0, 0, 1, 1)).tolist()
    [True, False]
    """
    inner_areas = shapely.area(clip_geometries(area, polygons))
    shares = inner_areas / shapely.area(polygons)
    return np.asarray(reaches(shares, _INSIDE_SHARE))


def _polygons(layer: Any) -> Any:
    """Return the polygons (n,) of an annotator or a study area."""
    return geometry_array(layer, "layer")


def _unite(polygons: Any) -> Any:
    """Return the union of polygons (n,), of which some may be invalid or missing."""
    return shapely.union_all(repair_outlines(polygons[~shapely.is_missing(polygons)]))
