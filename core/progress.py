"""How long work tells how far it is, and how it is stopped."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event, Thread, current_thread
from typing import Any, Callable, TypeVar

from randcrowns.core.errors import Cancelled

Item = TypeVar("Item")
Result = TypeVar("Result")
# Seconds between two looks at whether the user has cancelled.
_LOOK = 0.1
#: Of all work that the end of the program waits for: whether it has ended.
_UNDER_WAY: set[Event] = set()

#: Called with the fraction done (0 to 1), several times a second; raises
#: :class:`randcrowns.core.errors.Cancelled` when the user has cancelled. So is every argument ``progress``.
Progress = Callable[[float], None]


def no_progress(fraction: float) -> None:
    """Report nothing and never cancel."""


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """A progress for one step of a job, which covers ``start`` to ``end`` of the whole."""
    if progress is no_progress:
        return no_progress

    def report(fraction: float) -> None:
        progress(start + (end - start) * fraction)

    return report


def steps(items: Sequence[Item], progress: Progress) -> Iterator[tuple[Item, Progress]]:
    """Each item with the progress of its share of the work, which is told as done when the next one is asked for.

    >>> [item for item, _ in steps("ab", print)]
    0.5
    1.0
    ['a', 'b']
    """
    for done, item in enumerate(items):
        share = part_of(progress, done / len(items), (done + 1) / len(items))
        yield item, share
        share(1.0)


def aside(work: Callable[[Progress], Result], progress: Progress) -> Result:
    """Do long work in a thread of its own, so that a cancel is heard at once, even within one long array operation.

    Args:
        work: gets a progress of its own. Most of its time it should spend where Python's lock is let go (sorting,
            summing, reading). After a cancel it ends when it next tells its progress, and its result is dropped; so
            it must not touch anything that is gone by then, see :func:`wait_for_work`.
        progress: receives every tenth of a second, and at the end, what ``work`` reported last; may raise to cancel.
            Where nobody listens, or in the thread of other work aside, there is no thread.

    Raises:
        Cancelled: as ``progress`` raised it; and whatever ``work`` raises.
    """
    if progress is no_progress or current_thread().name.startswith("aside"):
        return work(progress)
    told = [0.0]
    stopped = Event()

    def tell(fraction: float) -> None:
        if stopped.is_set():
            raise Cancelled
        told[0] = fraction

    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aside")
    try:
        working = pool.submit(under_way()(work), tell)
        while wait([working], timeout=_LOOK).not_done:
            progress(told[0])
        found = working.result()
        progress(told[0])
        return found
    finally:
        stopped.set()
        pool.shutdown(wait=False)


@contextmanager
def under_way() -> Iterator[None]:
    """Work that :func:`wait_for_work` waits for: on files, or with what the end of QGIS takes away."""
    ended = Event()
    _UNDER_WAY.add(ended)
    try:
        yield
    finally:
        _UNDER_WAY.discard(ended)
        ended.set()


def wait_for_work(seconds: float) -> None:
    """Wait until no work is under way, or so long; what is to end soon must have been told to stop."""
    until = time.monotonic() + seconds
    for ended in tuple(_UNDER_WAY):
        ended.wait(max(until - time.monotonic(), 0.0))


@contextmanager
def stopping(stop: Callable[[], object], progress: Progress) -> Iterator[None]:
    """Work that tells no progress: after a cancel ``stop``, called from another thread until it ends, has it end.

    Raises:
        Cancelled: at the end, as ``progress`` raises it.
    """
    ended = Event()

    def watch() -> None:
        try:
            while not ended.wait(_LOOK):
                progress(0.0)
        except Cancelled:
            while not ended.wait(_LOOK):
                stop()

    watching = Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()
    progress(1.0)


def in_threads(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    progress: Progress = no_progress,
    sizes: Sequence[float] | None = None,
    most: int = 64,
) -> Iterator[Result]:
    """The results of work done on all processors, in the order of the items.

    Args:
        work: done for each item; it should let go of Python's lock most of the time. After a cancel what is begun
            still ends, and its result is dropped.
        items: what to work on.
        progress: receives the fraction of the sizes done; may raise to cancel what is not begun yet.
        sizes: how much work each item is; all the same by default.
        most: threads at a time; :func:`processors` may be fewer.

    >>> list(in_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if len(items) == 1 and progress is no_progress:
        yield work(items[0])
        return
    _keep_freed_memory()
    loads = [1.0] * len(items) if sizes is None else sizes
    done, total = 0.0, sum(loads)
    pool = ThreadPoolExecutor(min(processors(), most))
    try:
        under_way = deque(pool.submit(work, item) for item in items)
        for load in loads:
            while wait([under_way[0]], timeout=_LOOK).not_done:
                progress(done / total)
            done += load
            progress(min(done / total, 1.0))
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


# Bytes: glibc then keeps twice as much, more than one piece of work takes on top of what it holds.
_LARGE = 24 << 20


def _keep_freed_memory() -> None:
    """Have the arrays of each piece of work take the memory that those before it gave back.

    glibc returns freed memory beyond twice the largest block that was freed so far (malloc(3), M_MMAP_THRESHOLD): one
    large block, freed untouched, raises that. Pages taken anew would cost a sixth of the time of scoring pairs.
    """
    import numpy as np  # late: the plugin's start imports this module

    np.empty(_LARGE, dtype=np.uint8)


def processors() -> int:
    """Threads that may work at a time: as many as processors, or as ``OMP_NUM_THREADS`` of a cluster or a user says."""
    allowed = os.environ.get("OMP_NUM_THREADS", "")
    return int(allowed) if allowed.isdigit() and int(allowed) else os.cpu_count() or 1


def even_slices(load: Any, most: int) -> list[slice]:
    """Rows in slices of at most so much work, even for all threads; (n,) ``load`` is work up to and with each row."""
    if len(load) == 0:
        return []
    number = processors() * -(-load[-1] // (most * processors()))
    number = min(number, 16 * load[-1] // most + 1)  # another thread costs a millisecond or two
    part = load * number // (load[-1] + 1)
    cuts = [0, *((part[1:] != part[:-1]).nonzero()[0] + 1).tolist(), len(load)]
    return [slice(start, end) for start, end in zip(cuts[:-1], cuts[1:])]
