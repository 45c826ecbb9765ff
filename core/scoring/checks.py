"""Errors and messages about the layers, plots and lengths of a scoring run."""

from __future__ import annotations

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note, warning
from randcrowns.core.scoring.idtrees import rows_of_other_size
from randcrowns.core.scoring.parameters import RandCrownsParameters

#: Share of the mean diameter of the targets that omega has at least, and alpha at most, in a run
#: without a warning.
_MIN_OMEGA_SHARE = 0.01
_MAX_ALPHA_SHARE = 0.25


def no_delineations_error() -> InputError:
    """Return the error that there is no layer of delineations."""
    return InputError("delineations.not_chosen", "Choose at least one layer of delineations.")


def no_plot_field_error(layer: str, field: str) -> InputError:
    """Return the error that the target layer has no field with the plots.

    Args:
        layer: name of the layer.
        field: name of the field.
    """
    return InputError(
        "plots.no_group_field",
        "Layer '{name}' has no field '{field}' with the plot. Add it, or leave the field empty.",
        name=layer,
        field=field,
    )


def no_scores_error(field: str) -> InputError:
    """Return the error that no delineation layer has a field with the scores of a detector."""
    return InputError(
        "delineations.no_score_field",
        "None of the delineation layers has a field '{field}' with scores.",
        field=field,
    )


def unused_threshold_message(threshold: float) -> Message:
    """Return the message that a minimum score is given, but no field that holds the scores.

    Args:
        threshold: the minimum score.
    """
    return note(
        "scores.threshold_not_used",
        "The score threshold {threshold:g} is not used, because no score field is named; "
        "delineations of every score count.",
        threshold=threshold,
    )


def no_plots_error() -> InputError:
    """Return the error that the IDTReeS preset requires the bounds of the plots."""
    return InputError(
        "idtrees.no_plots",
        "The IDTReeS 2020 preset requires the bounds of each plot's image (20 x 20 m). Choose the "
        "image, or a layer with one polygon per plot, as 'Image extent'.",
    )


def idtrees_within_classes_error(parameter: str) -> InputError:
    """Return the error that the IDTReeS preset cannot pair crowns within classes.

    Args:
        parameter: label of the parameter that restricts pairs to classes.
    """
    return InputError(
        "idtrees.within_classes",
        "The IDTReeS 2020 preset pairs crowns by its own rule, not within classes. Switch off "
        "'{parameter}', or choose another preset.",
        parameter=parameter,
    )


def no_spread_field_error(layer: str, field: str) -> InputError:
    """Return the error that the targets lack the field with the spread of their outlines.

    Args:
        layer: name of the targets' layer.
        field: name of the field.
    """
    return InputError(
        "scoring.no_spread_field",
        "Layer '{name}' has no field '{field}' with the spread of its outlines. Choose another "
        "field or none.",
        name=layer,
        field=field,
    )


def idtrees_with_spread_error(parameter: str) -> InputError:
    """Return the error that the IDTReeS preset cannot use the spread of the targets' outlines.

    Args:
        parameter: label of the parameter with the spread.
    """
    return InputError(
        "idtrees.with_spread",
        "The IDTReeS 2020 preset has one alpha and omega for all targets. Leave '{parameter}' "
        "empty, or choose another preset.",
        parameter=parameter,
    )


def idtrees_with_warped_targets_error(parameter: str) -> InputError:
    """Return the error that the IDTReeS preset does not score against warped targets.

    Args:
        parameter: label of the parameter with the number of warped targets.
    """
    return InputError(
        "idtrees.with_warped_targets",
        "The IDTReeS 2020 preset has regions of its own, without warped targets. Set '{parameter}' "
        "to 0, or choose another preset.",
        parameter=parameter,
    )


def check_plot_sizes(bounds: Floats) -> list[Message]:
    """Return a note if plots do not have the size of the images of the IDTReeS competition.

    Args:
        bounds: (p, 4) xmin, ymin, xmax, ymax of the plots, metres.
    """
    n_other_sizes = len(rows_of_other_size(bounds))
    if not n_other_sizes:
        return []
    message = note(
        "idtrees.plots",
        "{odd} of {all} plots are not 20 x 20 m like the images of IDTReeS 2020.",
        odd=n_other_sizes,
        all=len(bounds),
    )
    return [message]


def mean_diameter(outlines: Objects) -> float:
    """Return the mean diameter of the circles that have the areas of crowns.

    Args:
        outlines: (n,) polygons; those without an area are ignored.

    Returns:
        The diameter in the unit of the polygons; NaN without an area.

    >>> round(mean_diameter(np.array([shapely.box(0, 0, 1, 1), shapely.box(0, 0, 3, 3)])), 3)
    2.257
    """
    areas = shapely.area(outlines)
    known_areas = areas[areas > 0]
    return float(np.mean(2 * np.sqrt(known_areas / np.pi))) if len(known_areas) else np.nan


def check_lengths_for_size(diameter: float, lengths: RandCrownsParameters) -> list[Message]:
    """Return a warning if alpha and omega do not suit the size of the targets.

    Args:
        diameter: mean diameter of the targets, metres; NaN if unknown.
        lengths: parameters of RandCrowns.

    >>> lengths = RandCrownsParameters(alpha=0.7, omega=1.2, gamma=3)
    >>> [message.key for message in check_lengths_for_size(2.7, lengths)]
    ['lengths.long']
    >>> check_lengths_for_size(5.0, lengths)
    []
    """
    if max(lengths.alpha, lengths.omega) < _MIN_OMEGA_SHARE * diameter:
        message = warning(
            "lengths.short",
            "Alpha ({alpha:g} m) and omega ({omega:g} m) are below {share:.0%} of the mean "
            "diameter of the targets ({diameter:,.0f} m). RandCrowns is then high for nearly every "
            "crown that overlaps its target. Use longer lengths for crowns of this size.",
            alpha=lengths.alpha,
            omega=lengths.omega,
            share=_MIN_OMEGA_SHARE,
            diameter=diameter,
        )
        return [message]
    if lengths.alpha > _MAX_ALPHA_SHARE * diameter:
        message = warning(
            "lengths.long",
            "Alpha ({alpha:g} m) is above {share:.0%} of the mean diameter of the targets "
            "({diameter:.1f} m). Little or nothing of such a crown is then certain. Use a shorter "
            "length for crowns of this size.",
            alpha=lengths.alpha,
            share=_MAX_ALPHA_SHARE,
            diameter=diameter,
        )
        return [message]
    return []
