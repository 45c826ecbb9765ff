"""The parameters of RandCrowns, and the sets in common use."""

from __future__ import annotations

from dataclasses import dataclass

from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.remarks import Said

#: No length, in metres, and no area ratio is larger.
MOST = 1e6
_OFFSETS = ("auto", "mitre", "round")


@as_declared
@dataclass(frozen=True)
class RandCrownsParameters:
    """What RandCrowns needs beside the two crowns (Stewart et al. 2021, Section II).

    Attributes:
        alpha: true positive boundary, metres: how far inside the target the certain crown begins.
        omega: true negative inner boundary, metres: how far outside the target a crown may still reach
            without penalty.
        gamma: area ratio: area of the true negative region over area of the true positive region.
        offsets: ``"mitre"`` keeps corners square (the paper's boxes), ``"round"`` rounds them (its polygons),
            ``"auto"`` takes mitre for targets that are axis-aligned rectangles and round for all others.
        quad_segs: segments per quarter circle of a round offset.

    Raises:
        InputError: if a length or the ratio is negative, beyond a million, or not a number.
    """

    alpha: float
    omega: float
    gamma: float
    offsets: str = "auto"
    quad_segs: int = 16

    def __post_init__(self) -> None:
        named = {
            Said("True positive boundary (alpha)"): self.alpha,
            Said("True negative inner boundary (omega)"): self.omega,
            Said("Area ratio (gamma)"): self.gamma,
        }
        for name, value in named.items():
            if not 0 <= value <= MOST:
                said = "'{name}' must be a number from 0 to {most:,.0f}, but it is {value}."
                raise InputError(said, name=name, most=MOST, value=value)
        if self.offsets not in _OFFSETS:
            said = "The kind of offsets must be one of {kinds}, not '{kind}'."
            raise InputError(said, kinds=", ".join(_OFFSETS), kind=self.offsets)
        if int(self.quad_segs) != self.quad_segs or self.quad_segs < 1:
            said = "The segments per quarter circle must be a whole number of at least 1, not {quad_segs}."
            raise InputError(said, quad_segs=self.quad_segs)


#: Parameters chosen in the paper: Section IV-A (boxes drawn on images) and IV-B (polygons drawn in the field).
PRESETS = {
    "image_boxes": RandCrownsParameters(alpha=0.7, omega=1.2, gamma=3.0),
    "field_polygons": RandCrownsParameters(alpha=0.6, omega=3.0, gamma=3.0),
}
