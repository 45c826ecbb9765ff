"""What is odd about the numbers of the trees of a point cloud."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.instances.labels import Instances
from randcrowns.core.instances.points import LabelledPoints
from randcrowns.layers.words import tr

__all__ = ["LabelCheck"]

_IDS_NAMED = 3
#: No point has it, and nothing else is taken for it.
_SURELY_NO_TREE = -2
#: A tree this many times as large as the next one may be the ground.
_TOO_LARGE = 3.0


@dataclass
class LabelCheck:
    """Sentences about the labels of a file.

    Attributes:
        file: its name.
        notes: what is good to know.
        warnings: those of the notes that say that the results are useless.
    """

    file: str
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def check_ids(self, attribute: str, invalid_id: int, instances: Instances, zeros: int = 0) -> None:
        """Say what is odd about the numbers in one attribute.

        Args:
            attribute: its name.
            invalid_id: its number for points without a tree.
            instances: its trees.
            zeros: number of points that belong to no tree because they have 0.

        Raises:
            InputError: for a number of points without a tree that is not below the trees'.
        """
        ids, size, n_points = instances.ids, instances.size, len(instances.labels)
        named = {"file": self.file, "name": attribute, "invalid": invalid_id}
        if n_points == 0:
            return
        if len(ids) == 0:
            self._say(tr("{file}: attribute '{name}' has no tree: no point has a tree's number.").format(**named), True)
            return
        if ids[0] < invalid_id:
            raise InputError(
                tr(
                    "Attribute '{name}' of {file} has trees numbered {first}, below the number of points without a "
                    "tree ({invalid}); change that number, it seems to be {first}. Each attribute may have its own."
                ).format(first=ids[0], **named)
            )
        largest, times = int(ids[size.argmax()]), _times_the_next(size)
        counted = {"common": largest, "share": size.max() / n_points, **named}
        if size.sum() == n_points:
            sentence = tr(
                "{file}: every point has a tree in attribute '{name}'; is {invalid} its number for points without one? "
                "Most points have {common} ({share:.0%})."
            ).format(**counted)
            if largest != 0 and ids[0] == 0:
                sentence += " " + tr("{share:.0%} have 0.").format(share=size[0] / n_points)
            self._say(sentence, ids[0] == 0 or times > _TOO_LARGE)
        elif largest == 0 and times > _TOO_LARGE:
            sentence = tr(
                "{file}: {common} is taken for the number of a tree in attribute '{name}', and {share:.0%} of all "
                "points have it, many more than any other tree; should it mean that they have none, change the number "
                "for points without a tree from {invalid} to {common}, and give those with {invalid} that number too."
            ).format(**counted)
            self._say(sentence, True)
        if len(ids) > 1 and size.min() <= zeros <= size.max():
            sentence = tr(
                "{file}: 0 is taken for no tree in attribute '{name}', but its {count:,} points are as many as a tree "
                "has ({least:,} to {most:,}); should 0 be a tree, change the number for points without one to {other}."
            ).format(count=zeros, least=size.min(), most=size.max(), other=_SURELY_NO_TREE, **named)
            self._say(sentence, True)
        missing = int(ids[-1]) - int(ids[0]) + 1 - len(ids)
        if missing:
            sentence = tr("{file}: the numbers in attribute '{name}' have gaps ({count:,} missing, as {some}).")
            self.notes.append(sentence.format(count=missing, some=_missing(ids), **named))

    def check_both(self, points: LabelledPoints) -> None:
        """Say where nothing can be compared."""
        if len(points.targets.labels) == 0:
            self._say(tr("{file} has no points.").format(file=self.file), True)
        elif not points.empty and len(points.table.shared) == 0:
            sentence = tr(
                "{file}: no target and prediction overlap, for no point has both; are these the right attributes?"
            )
            self._say(sentence.format(file=self.file), True)

    def _say(self, sentence: str, useless: bool) -> None:
        self.notes.append(sentence)
        if useless:
            self.warnings.append(sentence)


def _times_the_next(size: Ints) -> float:
    """How many times as large as the next the largest is; 1 without any other."""
    if len(size) < 2:
        return 1.0
    next_one, largest = np.partition(size, -2)[-2:]
    return float(largest / next_one)


def _missing(ids: Ints) -> str:
    """The first few ids that are missing."""
    some: list[str] = []
    for before, after in zip(ids[:-1].tolist(), ids[1:].tolist()):
        some += [str(number) for number in range(before + 1, min(after, before + 1 + _IDS_NAMED))]
        if len(some) >= _IDS_NAMED:
            break
    return ", ".join(some[:_IDS_NAMED])
