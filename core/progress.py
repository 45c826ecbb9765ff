"""How long work tells how far it is, and how it is stopped."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Callable, TypeVar

from randcrowns.core.errors import Cancelled

__all__ = ["Progress", "aside", "no_progress", "part_of"]

Result = TypeVar("Result")
# Seconds between two looks at whether the user has cancelled.
_LOOK = 0.1

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


def aside(work: Callable[[Progress], Result], progress: Progress) -> Result:
    """Do long work in a thread of its own, so that a cancel is heard at once, even within one long array operation.

    Args:
        work: gets a progress of its own. Most of its time it should spend where Python's lock is let go (sorting,
            summing, reading). After a cancel it ends when it next tells its progress, and its result is dropped; so
            it must not touch anything that is gone by then.
        progress: told every tenth of a second what ``work`` told last; may raise to cancel.

    Raises:
        Cancelled: as ``progress`` raised it; and whatever ``work`` raises.
    """
    told = [0.0]
    stopped = Event()

    def tell(fraction: float) -> None:
        if stopped.is_set():
            raise Cancelled
        told[0] = fraction

    pool = ThreadPoolExecutor(max_workers=1)
    try:
        working = pool.submit(work, tell)
        while wait([working], timeout=_LOOK).not_done:
            progress(told[0])
        return working.result()
    finally:
        stopped.set()
        pool.shutdown(wait=False)
