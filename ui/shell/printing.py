"""Print layouts of what a page shows: made of its layers and its plot, opened, and brought to another run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QMenu, QWidget

from randcrowns.algorithms.record import Record
from randcrowns.algorithms.showing import Printed
from randcrowns.core.errors import InputError
from randcrowns.layers.styles.print_layout import LaidOut, layouts_of, new_layout, show_run
from randcrowns.layers.words import sentences, tr
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.widgets.plot import PlotWidget

#: Of a plot in a layout, inches; and characters of an answer that have room.
_SIZE, _LONGEST = (5.0, 2.2), 430


class ShownRun(NamedTuple):
    """A run that a page shows: how it was made, the layers of the project by output, and what of it is on show."""

    record: Record
    layers: Mapping[str, str]
    part: str = ""


class Printing:
    """Makes print layouts of the run that a page shows, from a menu.

    Args:
        shown: the run; None before one.
        results: the widgets that have the plots.
    """

    def __init__(
        self,
        iface: Any,
        printed: Printed,
        shown: Callable[[], ShownRun | None],
        results: QWidget,
        menu: QMenu,
    ) -> None:
        self._iface, self._messages, self._printed = iface, Messages(iface), printed
        self._shown, self._results = shown, results
        menu.addSeparator()
        told = tr(
            "A print layout with map, numbers and plot on a page for each: an atlas, to be exported as PDF."
        )
        titles = {False: printed.title, **({True: tr("plots")} if printed.plots else {})}
        for plots, title in titles.items():
            action = menu.addAction(
                tr("Print layout: {title}", title=title), lambda plots=plots: self.open(plots)
            )
            action.setToolTip(told)
        self.update = menu.addAction(tr("Show this run in the print layouts"), self._update)
        self.update.setToolTip(
            tr(
                "The layouts of earlier runs of this page get its map, tables, words and plot; how they look stays."
            )
        )

    def open(self, plots: bool) -> None:
        """Make a print layout, of the plots or of the first outlines, and open it; a sentence where there is none."""
        with self._messages.telling():
            layout = new_layout(QgsProject.instance(), self._laid_out(), plots)
            designer = self._iface.openLayoutDesigner(layout)
            if designer is not None:
                designer.setAtlasPreviewEnabled(True)

    def follow(self, run: str = "") -> int:
        """Have the layouts of a run, by id, show the run that the page shows; those of all earlier ones by default.

        Returns:
            Their number.

        Raises:
            InputError: where they cannot; the one at hand is as it was then.
        """
        project = QgsProject.instance()
        known, now = [one for one in layouts_of(project) if run in ("", one[1])], self._shown()
        others = [
            one
            for one, id_, of in known
            if now is None or (id_ != now.record.id and of == now.record.algorithm)
        ]
        if others:
            shown = self._laid_out()
            for layout in others:
                show_run(project, layout, shown)
        return len(others)

    def _update(self) -> None:
        with self._messages.telling():
            number = self.follow()
            if not number:
                raise InputError("No print layout of this page shows an earlier run.")
            said, one = (
                "{count} print layouts show this run now.",
                "1 print layout shows this run now.",
            )
            self._messages.success(tr(said, one=one, count=number))

    def _laid_out(self) -> LaidOut:
        """What a layout shows of the run."""
        shown = self._shown()
        if shown is None:
            raise InputError("There are no results to print; run first.")
        outlines = vector_layer(shown.layers.get(self._printed.outlines.id, ""))
        if outlines is None:
            said = "The project has no layer '{layer}' of this run: it was not made, or was removed; run again."
            raise InputError(said, layer=self._printed.outlines.label)
        record = shown.record
        return LaidOut(
            outlines,
            self._printed.pages(record, outlines.fields().names(), shown.part),
            self._printed.title,
            record.id,
            record.algorithm,
            vector_layer(shown.layers.get(self._printed.summary.id, "")),
            {"run": record.title, "answer": _beginning(record), "made": record.line},
            self._picture(),
        )

    def _picture(self) -> bytes:
        """The first plot of the page that has anything to show, as PNG; nothing without one."""
        plots = self._results.findChildren(PlotWidget)
        return next(filter(None, (plot.picture(*_SIZE) for plot in plots)), b"")


def _beginning(record: Record) -> str:
    """The sentences of the answer that have room in a layout; the first in any case."""
    told = sentences(record.headline)
    ends = list(accumulate(len(one) + 1 for one in told))
    return " ".join(told[: max(1, sum(end <= _LONGEST for end in ends))])
