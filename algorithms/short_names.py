"""Short names of runs, made of the names of their layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from randcrowns.layers.localization import tr
from randcrowns.report.names import abbreviate_names, abbreviate_text, cut_middle

#: Maximum length of the name of a run, letters.
MAX_NAME_LENGTH = 40
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
    n_named_layers = sum(name in full_name for name in distinct_names)
    # The words between the layers have another length in each language.
    other_text = abbreviate_text(full_name, dict.fromkeys(distinct_names, ""))
    available_length = MAX_NAME_LENGTH - len(other_text)
    layer_length = max(available_length // max(n_named_layers, 1), _MIN_LAYER_LENGTH)
    short_names = abbreviate_names(distinct_names, 0, layer_length)
    short_sides = [abbreviate_text(side, short_names) for side in sides]
    return cut_middle(_join_sides(short_sides), MAX_NAME_LENGTH)


def _join_sides(sides: Sequence[str]) -> str:
    """Return the descriptions as one phrase: ``first vs second``."""
    name = sides[0] if sides else ""
    for side in sides[1:]:
        name = tr("{first} vs {other}", first=name, other=side)
    return name
