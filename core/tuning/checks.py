"""Checks of an experiment before it is computed: its annotators, and the size of a grid."""

from __future__ import annotations

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.tuning.ranges import MAX_NUMBERS


def check_annotator_count(
    number: int, has_field_targets: bool, n_copies: int, minimum: int = 3
) -> None:
    """Raise an InputError if an experiment requires more annotators.

    Args:
        number: number of annotators.
        has_field_targets: True if the targets were drawn in the field. Then one annotator less is
            required, because no annotator is the target.
        n_copies: number of warped copies that are made of a single annotator.
        minimum: number of annotators that are required without field targets.

    >>> check_annotator_count(2, has_field_targets=True, n_copies=0)
    """
    if not number:
        raise InputError(
            "tuning.annotators_missing", "Choose the layers of at least one annotator."
        )
    required = minimum - has_field_targets
    if number == 1 and 1 + n_copies < required:
        raise InputError(
            "tuning.too_few_copies",
            "One annotator requires at least {number} warped copies, or choose more annotators.",
            number=required - 1,
        )
    if 1 < number < required:
        raise InputError(
            "tuning.too_few_for_variance",
            "A variance requires two delineations per target. Choose at least three annotators; or "
            "two, and targets drawn in the field; or only one, of which warped copies are made.",
        )


def check_crowns_to_copy(annotator: Crowns) -> None:
    """Raise an InputError if an annotator has no crowns of which warped copies could be made."""
    if not len(annotator):
        raise InputError(
            "tuning.no_crowns_to_copy",
            "{name}: there are no crowns in it, of which copies could be made. "
            "Choose another layer.",
            name=annotator.name,
        )


def check_grid_size(n_sets: int) -> None:
    """Raise an InputError if a grid has too many sets of parameters.

    >>> check_grid_size(1000)
    """
    if n_sets > MAX_NUMBERS:
        raise InputError(
            "tuning.grid_too_large",
            "The grid has {sets:,} sets of parameters, more than {most:,}; take larger steps.",
            sets=n_sets,
            most=MAX_NUMBERS,
        )
