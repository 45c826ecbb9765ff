"""Short names of runs, made of the names of their layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from randcrowns.layers.localization import tr
from randcrowns.report.names import abbreviate_names, abbreviate_text, cut_middle

#: Maximum length of the name of a run, letters.
MAX_NAME_LENGTH = 40
#: Length of " vs " between two descriptions, letters.
_SEPARATOR_LENGTH = 4
#: Length to which a layer's name may always be shortened, letters.
_MIN_LAYER_LENGTH = 8


def short_run_name(sides: Sequence[str], layer_names: Iterable[str]) -> str:
    """Return a name for a run, of at most :data:`MAX_NAME_LENGTH` letters.

    In a longer name, beginnings and ends that all layer names share are removed.

    Args:
        sides: descriptions of the layers that were compared, such as the targets and the
            delineations.
        layer_names: names of the layers that the descriptions contain.

    >>> short_run_name(["annotator_1", "annotator_2"], ["annotator_1", "annotator_2"])
    'annotator_1 vs annotator_2'
    """
    full_name = _join_sides(sides)
    if len(full_name) <= MAX_NAME_LENGTH:
        return full_name
    distinct_names = list(dict.fromkeys(layer_names))
    all_sides = "\n".join(sides)
    n_named_layers = sum(name in all_sides for name in distinct_names)
    n_parts = max(n_named_layers, len(sides))
    available_length = MAX_NAME_LENGTH - _SEPARATOR_LENGTH * (n_parts - 1)
    layer_length = max(available_length // n_parts, _MIN_LAYER_LENGTH)
    short_names = abbreviate_names(distinct_names, 0, layer_length)
    short_sides = [abbreviate_text(side, short_names) for side in sides]
    return cut_middle(_join_sides(short_sides), MAX_NAME_LENGTH)


def _join_sides(sides: Sequence[str]) -> str:
    """Return the descriptions as one phrase: ``first vs second``."""
    name = sides[0] if sides else ""
    for side in sides[1:]:
        name = tr("{first} vs {other}", first=name, other=side)
    return name
