"""Progress reports and cancellation of long work, in one thread or several."""

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
#: Seconds between two checks for cancellation.
_CHECK_INTERVAL = 0.1
#: Name prefix of worker threads.
_WORKER = "randcrowns-worker"
#: One event per unit of registered background work, set when that work ends.
_BACKGROUND_WORK: set[Event] = set()

#: Callback of long work: receives the fraction done (0 to 1) several times a second and raises
#: :class:`randcrowns.core.errors.Cancelled` if the user has cancelled.
Progress = Callable[[float], None]


def no_progress(fraction: float) -> None:
    """Ignore a progress report; never cancel.

    >>> no_progress(0.5)
    """


def subprogress(progress: Progress, start: float, end: float) -> Progress:
    """Return a progress callback for one step of some work.

    Args:
        progress: callback of the whole work.
        start: fraction of the whole work that is done before the step.
        end: fraction of the whole work that is done after the step.

    >>> subprogress(print, 0.5, 1.0)(0.5)
    0.75
    """
    if progress is no_progress:
        return no_progress

    def report(fraction: float) -> None:
        progress(start + (end - start) * fraction)

    return report


def iterate_with_progress(
    items: Sequence[Item], progress: Progress
) -> Iterator[tuple[Item, Progress]]:
    """Yield each item with a progress callback for its share of the work.

    A share is reported as done when the next item is requested.

    Args:
        items: items, which all need about the same time.
        progress: called with the fraction of all items done, 0 to 1.

    Yields:
        An item, and a callback that takes the fraction done of this item, 0 to 1.

    >>> [item for item, _ in iterate_with_progress("ab", print)]
    0.5
    1.0
    ['a', 'b']
    """
    for done, item in enumerate(items):
        share = subprogress(progress, done / len(items), (done + 1) / len(items))
        yield item, share
        share(1.0)


def run_in_thread(work: Callable[[Progress], Result], progress: Progress) -> Result:
    """Run work in a worker thread so that cancellation takes effect immediately.

    Without a worker, a cancel would have to wait for the end of a long array operation. No thread
    is started if ``progress`` is :func:`no_progress` or the caller is itself such a worker.

    Args:
        work: function that receives a progress callback of its own. It should spend most of its
            time in operations that release the interpreter lock (sorting, summing, reading).
            After a cancel it continues until its next progress report and its result is dropped;
            so it must not use objects that the caller deletes (see
            :func:`wait_for_background_work`).
        progress: receives the latest fraction every tenth of a second and at the end.

    Returns:
        The result of ``work``.

    Raises:
        Cancelled: if ``progress`` raises it. Exceptions of ``work`` are raised unchanged.

    >>> run_in_thread(lambda report: 42, no_progress)
    42
    """
    if progress is no_progress or current_thread().name.startswith(_WORKER):
        return work(progress)
    latest_fraction = 0.0
    is_stopped = Event()

    def report(fraction: float) -> None:
        nonlocal latest_fraction
        if is_stopped.is_set():
            raise Cancelled
        latest_fraction = fraction

    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=_WORKER)
    try:
        future = pool.submit(track_background_work()(work), report)
        while wait([future], timeout=_CHECK_INTERVAL).not_done:
            progress(latest_fraction)
        result = future.result()
        progress(latest_fraction)
        return result
    finally:
        is_stopped.set()
        pool.shutdown(wait=False)


@contextmanager
def track_background_work() -> Iterator[None]:
    """Register background work that shutdown must wait for, such as writing files.

    Use it as a context manager or as a decorator; see :func:`wait_for_background_work`.

    >>> with track_background_work():
    ...     pass
    """
    has_ended = Event()
    _BACKGROUND_WORK.add(has_ended)
    try:
        yield
    finally:
        _BACKGROUND_WORK.discard(has_ended)
        has_ended.set()


def wait_for_background_work(seconds: float) -> None:
    """Wait until all registered background work has ended, at most for the given time.

    The work is not stopped; cancel it first.

    Args:
        seconds: maximum time to wait.

    >>> wait_for_background_work(1.0)
    """
    deadline = time.monotonic() + seconds
    for has_ended in tuple(_BACKGROUND_WORK):
        has_ended.wait(max(deadline - time.monotonic(), 0.0))


@contextmanager
def stop_on_cancel(stop: Callable[[], object], progress: Progress) -> Iterator[None]:
    """Make work cancellable that reports no progress but can be stopped from another thread.

    Args:
        stop: stops the work; after a cancel it is called repeatedly from a watching thread until
            the body of the ``with`` statement ends.
        progress: checked for a cancel every tenth of a second, and once at the end.

    Raises:
        Cancelled: after the body, if ``progress`` raises it.

    >>> with stop_on_cancel(lambda: None, no_progress):
    ...     pass
    """
    has_ended = Event()

    def watch() -> None:
        try:
            while not has_ended.wait(_CHECK_INTERVAL):
                progress(0.0)
        except Cancelled:
            while not has_ended.wait(_CHECK_INTERVAL):
                stop()

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        has_ended.set()
        watcher.join()
    progress(1.0)


def map_in_threads(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    progress: Progress = no_progress,
    sizes: Sequence[float] | None = None,
    max_threads: int = 64,
) -> Iterator[Result]:
    """Yield the results of a function for each item, computed on all processors.

    Args:
        work: function of one item. It should release the interpreter lock most of the time. After
            a cancel, calls that have started still end, and their results are dropped.
        items: the arguments of ``work``.
        progress: receives the fraction of ``sizes`` that is done; if it raises, calls that have
            not started are cancelled.
        sizes: amount of work of each item; equal by default.
        max_threads: maximum number of threads; never more than :func:`thread_count`.

    Yields:
        Results in the order of the items.

    >>> list(map_in_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if len(items) == 1 and progress is no_progress:
        yield work(items[0])
        return
    _keep_freed_memory()
    loads = [1.0] * len(items) if sizes is None else sizes
    done = 0.0
    total = sum(loads)
    pool = ThreadPoolExecutor(min(thread_count(), max_threads))
    try:
        futures = deque(pool.submit(work, item) for item in items)
        for load in loads:
            while wait([futures[0]], timeout=_CHECK_INTERVAL).not_done:
                progress(done / total)
            done += load
            progress(min(done / total, 1.0))
            yield futures.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


#: Bytes of one allocation that make glibc keep up to twice as much freed memory, more than one
#: call of ``work`` needs temporarily.
_LARGE_BLOCK = 24 << 20


def _keep_freed_memory() -> None:
    """Make glibc reuse freed memory instead of returning it to the system.

    glibc returns freed memory beyond twice the largest block freed so far (malloc(3),
    M_MMAP_THRESHOLD). Allocating and freeing one large block raises that limit. Without it, new
    memory pages would cost a sixth of the time of scoring pairs.
    """
    import numpy as np  # The plugin imports this module at its start, before numpy is needed.

    np.empty(_LARGE_BLOCK, dtype=np.uint8)


def thread_count() -> int:
    """Return the number of threads to use: ``OMP_NUM_THREADS`` if set, else all processors.

    >>> thread_count() >= 1
    True
    """
    limit = os.environ.get("OMP_NUM_THREADS", "")
    if limit.isdigit() and int(limit) > 0:
        return int(limit)
    return os.cpu_count() or 1


def even_slices(load: Any, max_load: int) -> list[slice]:
    """Split rows into slices of similar work, a multiple of the number of threads.

    Args:
        load: (n,) cumulative work of the rows, integers.
        max_load: approximate maximum work of a slice.

    Returns:
        Consecutive slices that cover all rows; none for an empty ``load``.

    >>> import numpy as np
    >>> even_slices(np.array([1]), 10)
    [slice(0, 1, None)]
    """
    if len(load) == 0:
        return []
    total = load[-1]
    load_of_round = max_load * thread_count()
    n_rounds = -(-total // load_of_round)  # rounded up
    n_slices = thread_count() * n_rounds
    # A thread costs one or two milliseconds, so little work is not split further.
    n_slices = min(n_slices, 16 * total // max_load + 1)
    # The slice of each row, which rises with the load.
    slice_of_row = load * n_slices // (total + 1)
    first_rows = (slice_of_row[1:] != slice_of_row[:-1]).nonzero()[0] + 1
    starts = [0, *first_rows.tolist()]
    ends = [*starts[1:], len(load)]
    return [slice(start, end) for start, end in zip(starts, ends)]
