"""Parameters of RandCrowns, and presets in common use."""

from __future__ import annotations

from dataclasses import dataclass

from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.core.validation import validate_arguments

#: Maximum of lengths, in metres, and of area ratios.
MAXIMUM = 1e6
_OFFSETS = ("auto", "mitre", "round")


@validate_arguments
@dataclass(frozen=True)
class RandCrownsParameters:
    """Parameters of RandCrowns (Stewart et al. 2021, Section II).

    Attributes:
        alpha: true positive boundary, metres: distance inside the target's outline at which the
            certain crown begins.
        omega: true negative inner boundary, metres: distance outside the target's outline that a
            delineation may reach without penalty.
        gamma: area ratio: area of the true negative region divided by area of the true positive
            region.
        offsets: kind of the target's offsets. ``"mitre"`` keeps corners square (the paper's
            boxes), ``"round"`` rounds them (the paper's polygons), ``"auto"`` uses mitre for
            targets that
            are axis-aligned rectangles and round for all others.
        quad_segs: number of segments per quarter circle of a round offset.

    Raises:
        InputError: if a length or the ratio is negative, greater than a million, or not a number.

    >>> RandCrownsParameters(alpha=0.7, omega=1.2, gamma=3).quad_segs
    16
    """

    alpha: float
    omega: float
    gamma: float
    offsets: str = "auto"
    quad_segs: int = 16

    def __post_init__(self) -> None:
        values = {
            TranslatableText("True positive boundary (alpha)"): self.alpha,
            TranslatableText("True negative inner boundary (omega)"): self.omega,
            TranslatableText("Area ratio (gamma)"): self.gamma,
        }
        for name, value in values.items():
            if not 0 <= value <= MAXIMUM:
                text = "'{name}' must be a number from 0 to {most:,.0f}, but it is {value}."
                raise InputError(
                    "parameters.out_of_range", text, name=name, most=MAXIMUM, value=value
                )
        if self.offsets not in _OFFSETS:
            text = "The kind of offsets must be one of {kinds}, not '{kind}'."
            raise InputError(
                "parameters.unknown_offsets", text, kinds=", ".join(_OFFSETS), kind=self.offsets
            )
        if int(self.quad_segs) != self.quad_segs or self.quad_segs < 1:
            text = (
                "The segments per quarter circle must be a whole number of at least 1, "
                "not {quad_segs}."
            )
            raise InputError("parameters.invalid_segments", text, quad_segs=self.quad_segs)


#: Parameters that the paper chose, by preset name: Section IV-A for boxes drawn on images, and
#: Section IV-B for polygons drawn in the field.
PRESETS = {
    "image_boxes": RandCrownsParameters(alpha=0.7, omega=1.2, gamma=3.0),
    "field_polygons": RandCrownsParameters(alpha=0.6, omega=3.0, gamma=3.0),
}
