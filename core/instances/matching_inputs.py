"""Measures of instances that some matching methods require besides the overlap table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError


@dataclass(frozen=True, eq=False)
class MatchingInputs:
    """Measures of T targets and P predictions that some matching methods require.

    Crowns and labelled points prepare them: :meth:`of_crowns`, and
    :meth:`randcrowns.core.instances.labelled_points.LabelledPoints.matching_inputs`.

    Attributes:
        heights: (T,) heights of the targets; None if they are unknown.

    >>> MatchingInputs(heights=[3, 4]).target_heights(2).tolist()
    [3.0, 4.0]
    """

    heights: ArrayLike | None = None

    @classmethod
    def of_crowns(
        cls,
        targets: Crowns,
        predictions: Crowns,  # noqa: ARG003 - callers need no change if a measure requires them
        heights: Floats | None = None,
    ) -> MatchingInputs:
        """Return the measures of crowns.

        Args:
            targets: T reference crowns.
            predictions: P predicted crowns.
            heights: (T,) heights of the targets; None to use their areas instead.
        """
        return cls(heights=targets.areas if heights is None else heights)

    def target_heights(self, n_targets: int) -> Floats:
        """Return the heights as (T,) floats.

        Args:
            n_targets: number of targets T.

        Raises:
            InputError: if the heights are unknown, one is NaN, or their number differs.
        """
        if self.heights is None:
            raise InputError(
                "matching.no_heights",
                "This matching method takes the tallest target first, so it needs the targets' "
                "heights.",
            )
        values = np.asarray(self.heights)
        if not np.issubdtype(values.dtype, np.floating):
            values = values.astype(np.float64)
        if values.shape != (n_targets,):
            raise InputError(
                "matching.wrong_height_count",
                "There must be one height per target ({n_targets}); there are {heights}.",
                n_targets=n_targets,
                heights=values.size,
            )
        missing = np.flatnonzero(np.isnan(values))
        if len(missing):
            raise InputError(
                "matching.height_missing",
                "Every target needs a height; that of target number {number} is missing.",
                number=int(missing[0]) + 1,
            )
        return values


def as_matching_inputs(inputs: MatchingInputs | ArrayLike | None) -> MatchingInputs:
    """Return measures as :class:`MatchingInputs`; an array is the (T,) heights of the targets.

    >>> as_matching_inputs(None).heights is None
    True
    """
    return inputs if isinstance(inputs, MatchingInputs) else MatchingInputs(heights=inputs)
