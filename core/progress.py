"""How long work tells how far it is, and how it is stopped."""

from __future__ import annotations

from typing import Callable

__all__ = ["Progress", "no_progress", "part_of"]

#: Called with the fraction done (0 to 1), several times a second; raises
#: :class:`randcrowns.core.errors.Cancelled` when the user has cancelled.
Progress = Callable[[float], None]


def no_progress(fraction: float) -> None:
    """Report nothing and never cancel."""


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """A progress for one step of a job, which covers ``start`` to ``end`` of the whole."""

    def report(fraction: float) -> None:
        progress(start + (end - start) * fraction)

    return report
