"""What the sample plot is made from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from randcrowns.core.errors import InputError

__all__ = ["Labeler", "SampleParameters", "read_parameters"]

_SHIPPED = Path(__file__).resolve().parents[2] / "resources" / "sample.json"


@dataclass(frozen=True)
class Labeler:
    """How one person (or detector) draws.

    Attributes:
        name: name of the layer, without spaces.
        polygons: draws outlines of whole crowns (in the field) and no boxes of what the image shows.
        scores: gives every drawing a score from 0 to 1.
        grow: by how much every side is drawn too far out (m; below 0: too tight).
        noise: standard deviation of one side (m).
        shift: constant displacement (m east, m north).
        shift_sd: standard deviation of the displacement of one crown (m), as by a handheld receiver.
        miss: share of crowns overlooked; small ones are overlooked more often.
        split: share of large crowns drawn as two.
        merge: share of crowns drawn together with the nearest neighbour.
        false_positives: number of drawings where no crown is.
    """

    name: str
    polygons: bool = False
    scores: bool = False
    grow: float = 0.0
    noise: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    shift_sd: float = 0.0
    miss: float = 0.0
    split: float = 0.0
    merge: float = 0.0
    false_positives: int = 0


@dataclass(frozen=True)
class SampleParameters:
    """What the plot is made from; ``resources/sample.json`` holds the shipped values.

    Attributes:
        crs: coordinate system in metres.
        upper_left: east and north of the plot's upper left corner (m).
        size: side of the square plot (m).
        pixel: side of an image pixel (m).
        crowns_per_hectare: trees placed; those hidden under others do not count as crowns.
        crown_area_mean, crown_area_sd: of the whole crowns, before others cover parts of them (m²).
        sun_azimuth, sun_elevation: degrees, clockwise from north and above the horizon.
        labelers: who draws.
    """

    crs: str
    upper_left: tuple[float, float]
    size: float
    pixel: float
    crowns_per_hectare: float
    crown_area_mean: float
    crown_area_sd: float
    sun_azimuth: float
    sun_elevation: float
    labelers: tuple[Labeler, ...]


def read_parameters(values: Mapping[str, Any] | None = None) -> SampleParameters:
    """The shipped parameters, with those in ``values`` instead.

    Raises:
        InputError: an unknown name, or a plot that cannot be made.
    """
    merged = {**json.loads(_SHIPPED.read_text(encoding="utf-8")), **(values or {})}
    labelers = tuple(_labeler(habits) for habits in merged.pop("labelers"))
    _refuse_unknown(merged, SampleParameters)
    parameters = SampleParameters(**{**merged, "upper_left": tuple(merged["upper_left"]), "labelers": labelers})
    for name in ("size", "pixel", "crowns_per_hectare", "crown_area_mean", "crown_area_sd"):
        value = getattr(parameters, name)
        if not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
            raise InputError(f"The sample plot's {name} is {value!r}; give a number above 0.")
    if parameters.size > 500:
        raise InputError(f"A sample plot of {parameters.size:g} m is too large; use up to 500 m.")
    return parameters


def _labeler(habits: Mapping[str, Any]) -> Labeler:
    _refuse_unknown(habits, Labeler)
    labeler = Labeler(**{**habits, "shift": tuple(habits.get("shift", (0.0, 0.0)))})
    for name in ("miss", "split", "merge"):
        if not 0 <= getattr(labeler, name) <= 1:
            raise InputError(f"{labeler.name}: {name} is a share, so give a number from 0 to 1.")
    return labeler


def _refuse_unknown(values: Mapping[str, Any], kind: type) -> None:
    known = [item.name for item in fields(kind)]
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise InputError(f"The sample plot knows no {', '.join(unknown)}; the names are {', '.join(known)}.")
