"""Printed output of the command: tables, JSON, and the progress of a run tile by tile."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from randcrowns.core.messages import default_decimals
from randcrowns.jobs.tables import format_whole, whole_columns

if TYPE_CHECKING:
    import pandas as pd

    from randcrowns.batch.progress import StageProgress
#: Numbers below this, such as variances, are printed with three significant digits.
_SMALL = 0.01


def print_table(table: pd.DataFrame, as_json: bool, columns: Sequence[str] = ()) -> None:
    """Print a table as JSON, or the given columns of it (by default all) as text.

    Args:
        table: the table.
        as_json: True for JSON, False for text.
        columns: columns of the text; all by default.
    """
    if as_json:
        # pandas writes NaN as null, which json does not.
        rows = json.loads(table.to_json(orient="records", double_precision=15))
        print(json.dumps(rows, indent=1))
        return
    shown = table[[name for name in columns if name in table]] if columns else table
    formatters = dict.fromkeys(whole_columns(shown), format_whole)
    print(shown.to_string(index=False, float_format=_format_number, formatters=formatters))


def _format_number(value: float) -> str:
    """Return a number as text, without decimals if it is a count.

    >>> _format_number(0.51234), _format_number(0.00012345)
    ('0.5123', '0.000123')
    """
    if 0 < abs(value) < _SMALL:
        return f"{value:.3g}"
    return f"{value:.{default_decimals(value)}f}"


class ProgressBar:
    """Progress bar in one line: finished share, crowns per second, and remaining time.

    Args:
        stream: text stream to write to.
        silent: True to write nothing.
    """

    def __init__(self, stream: Any, silent: bool = False) -> None:
        self._stream = stream
        self._silent = silent
        #: Number of characters in the line that is shown.
        self._length = 0

    def __call__(self, report: StageProgress) -> None:
        """Replace the line by one with the progress in ``report``."""
        if self._silent:
            return
        share = report.finished_crowns / report.n_crowns if report.n_crowns else 1.0
        width = max(10, min(30, shutil.get_terminal_size().columns - 70))
        bar = "#" * int(share * width)
        line = (
            f"{report.stage} [{bar:<{width}}] {share:4.0%}  "
            f"{report.finished_tiles:,}/{report.n_tiles:,} tiles  "
            f"{report.crowns_per_second:,.0f} crowns/s  "
            f"{_format_duration(report.seconds_left)} left"
        )
        # Spaces cover the rest of a longer line before.
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)

    def close(self) -> None:
        """End the line, if there is one."""
        if self._length:
            self._stream.write("\n")
            self._length = 0


def _format_duration(seconds: float) -> str:
    """Return a duration as text.

    >>> _format_duration(4000), _format_duration(75), _format_duration(float("inf"))
    ('1:06 h', '1:15 min', '?')
    """
    if seconds == float("inf"):
        return "?"
    minutes, seconds_left = divmod(int(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60}:{minutes % 60:02} h"
    return f"{minutes}:{seconds_left:02} min"
