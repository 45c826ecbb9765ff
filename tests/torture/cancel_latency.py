"""How long a run goes without a look at Cancel, and how long it takes to end after one."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, Callable, NamedTuple

from support.processing import Listener

__all__ = ["Cancelling", "Looks", "Wait", "longest_wait"]

_ROOT = Path(__file__).resolve().parents[2]
#: Seconds without a look after which the place where the run is gets noted, and between two notes.
_LONG, _OFTEN = 0.4, 0.05


class Wait(NamedTuple):
    """Seconds, gone by or of the process's processor time, whichever are less; and where in the
    code they went.
    """

    seconds: float = 0.0
    place: str = ""


class _Clock:
    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._wall, self._processor = time.monotonic(), time.process_time()

    @property
    def wall(self) -> float:
        return time.monotonic() - self._wall

    @property
    def seconds(self) -> float:
        return min(self.wall, time.process_time() - self._processor)


class Looks(Listener):
    """Notes the longest time between two looks at Cancel. Call it where there is no feedback,
    as a progress is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.longest, self.long = Wait(), list[Wait]()
        self._seen, self._clock = Counter[str](), _Clock()
        self._main, self._ended = threading.get_ident(), threading.Event()

    def isCanceled(self) -> bool:  # noqa: N802 - QGIS's name
        self._look_at()
        return False

    def __call__(self, _fraction: float) -> None:
        self._look_at()

    def _look_at(self) -> None:
        waited = self._clock.seconds
        if waited > min(self.longest.seconds, _LONG):
            seen = self._seen.copy()
            wait = Wait(
                waited, max(seen, key=seen.__getitem__) if seen else f"before {_where(self._main)}"
            )
            self.longest = max(self.longest, wait)
            self.long.append(wait)
        self._seen.clear()
        self._clock.begin()

    def watch(self) -> None:
        """In a thread of its own: note where the run is when it has not looked for long."""
        while not self._ended.wait(_OFTEN):
            if self._clock.wall > _LONG:
                self._seen[_where(self._main)] += 1

    def end(self) -> Wait:
        """The run has ended."""
        self._look_at()
        self._ended.set()
        return self.longest


def longest_wait(run: Callable[[Looks], Any], most: float) -> Wait:
    """The longest time that a Cancel at any moment of a whole run would wait; fails where it is
    beyond ``most`` s.
    """
    looks = Looks()
    threading.Thread(target=looks.watch, daemon=True).start()
    try:
        run(looks)
    finally:
        looks.end()
    assert looks.longest.seconds < most, sorted(looks.long, reverse=True)
    return looks.longest


class Cancelling(Listener):
    """Cancels after so many seconds, wherever the run is then."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._clock, self.place = _Clock(), ""
        self._main = threading.get_ident()
        self._timer = threading.Timer(seconds, self._now)
        self._timer.start()

    def _now(self) -> None:
        self.place = _where(self._main)
        self._clock.begin()
        self.cancel()

    def ended(self) -> Wait | None:
        """How long the run took to end; None where it had ended before."""
        self._timer.cancel()
        self._timer.join()
        return Wait(self._clock.seconds, self.place) if self.place else None


def _where(main: int) -> str:
    """The innermost place in the plugin's code; that of a helping thread where the main one
    waits for it.
    """
    frames = sys._current_frames()
    try:
        places = [
            _place(frames.get(main)),
            *(_place(frame) for key, frame in frames.items() if key != main),
        ]
    finally:
        # Among them is this one, which would keep itself, and what its callers hold, alive
        frames.clear()
    working = [place for place in places if place and not place.startswith("core/progress")]
    return (working or [place for place in places if place] or ["QGIS"])[0]


def _place(frame: FrameType | None) -> str:
    while frame is not None:
        before, name, after = frame.f_code.co_filename.rpartition("randcrowns/")
        name = (name and after) or before.removeprefix(f"{_ROOT}/")
        if name.startswith(("core/", "layers/", "algorithms/")):
            return f"{name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
