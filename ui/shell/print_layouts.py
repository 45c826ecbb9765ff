"""Print layouts of the run that a page shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QMenu, QWidget

from randcrowns.algorithms.provenance import Provenance
from randcrowns.algorithms.report_content import PrintContent
from randcrowns.core.errors import InputError
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.raster.image_names import read_image_names
from randcrowns.layers.styles.print_layout import (
    LayoutContent,
    create_layout,
    run_layouts,
    update_layout,
)
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.overlapping_images import choose_shown_image
from randcrowns.ui.widgets.plot import PlotWidget

#: Width and height of the plot in a layout, inches.
_PLOT_SIZE = (5.0, 2.2)
#: Maximum length of the answer in a layout, characters.
_MAX_ANSWER_LENGTH = 430


class ShownRun(NamedTuple):
    """The run that a page shows."""

    record: Provenance  #: Record of the run.
    layer_ids: Mapping[str, str]  #: Id of an output -> id of its layer in the project.
    part: str = ""  #: Displayed part of the results, such as one of several delineation layers.


class PrintLayouts:
    """Menu entries of a page that create and update print layouts.

    Args:
        iface: The interface of the QGIS window.
        printed: What a layout shows of a run.
        shown: Returns the run that the page shows, or None.
        results: Parent widget of the plots.
        menu: Menu that gets the entries.
    """

    def __init__(
        self,
        iface: Any,
        printed: PrintContent,
        shown: Callable[[], ShownRun | None],
        results: QWidget,
        menu: QMenu,
    ) -> None:
        self._iface = iface
        self._messages = MessageBar(iface)
        self._printed = printed
        self._shown_run = shown
        self._results = results
        menu.addSeparator()
        self._add_entry(menu, printed.title, plots=False)
        if printed.has_plot_pages:
            self._add_entry(menu, tr("plots"), plots=True)
        #: Action that updates all layouts of the page.
        self.update_action = menu.addAction(tr("Show this run in the print layouts"), self._update)
        self.update_action.setToolTip(
            tr(
                "The layouts of earlier runs of this page get the map, tables, texts and plot of "
                "this run. Their design stays."
            )
        )

    def create_layout(self, plots: bool) -> None:
        """Create a print layout and open it; errors are shown in the message bar.

        Args:
            plots: True for a page per plot, False for a page for each of the first outlines.
        """
        with self._messages.show_errors():
            content = self._layout_content()
            layout = create_layout(QgsProject.instance(), content, plots)
            self._show_image_note(content.outlines)
            designer = self._iface.openLayoutDesigner(layout)
            if designer is not None:
                designer.setAtlasPreviewEnabled(True)

    def _show_image_note(self, outlines: QgsVectorLayer) -> None:
        """Show which image a layout contains, if crowns lie on several images in pixels."""
        names = sorted(read_image_names(outlines))
        image = choose_shown_image(names) if len(names) > 1 else ""
        if image:
            self._messages.info(
                tr(
                    "The print layout shows image {image}, also on the pages of crowns of other "
                    "images. Show another image on the map and create a layout for its crowns.",
                    image=image,
                )
            )

    def update_layouts(self, run: str = "") -> int:
        """Update layouts of earlier runs of the page to the run that the page shows.

        Args:
            run: Id of the earlier run; "" for all runs of the algorithm.

        Returns:
            The number of updated layouts.

        Raises:
            InputError: if a layout cannot show the run. This layout is not changed; those before
                it are updated.
        """
        project = QgsProject.instance()
        shown_run = self._shown_run()
        outdated_layouts = []
        for layout, run_id, algorithm_id in run_layouts(project):
            is_requested = run in ("", run_id)
            # Without a displayed run, every layout counts: its update raises the error then.
            is_outdated = shown_run is None or (
                run_id != shown_run.record.id and algorithm_id == shown_run.record.algorithm
            )
            if is_requested and is_outdated:
                outdated_layouts.append(layout)
        if outdated_layouts:
            content = self._layout_content()
            for layout in outdated_layouts:
                update_layout(project, layout, content)
        return len(outdated_layouts)

    def _add_entry(self, menu: QMenu, title: str, plots: bool) -> None:
        """Add an entry that creates a layout to the menu.

        Args:
            menu: The menu.
            title: What the layout shows, for the text of the entry.
            plots: See :meth:`create_layout`.
        """
        action = menu.addAction(
            tr("Print layout: {title}", title=title), lambda: self.create_layout(plots)
        )
        action.setToolTip(
            tr(
                "Create a print layout with a page for each, which shows map, numbers and plot. "
                "It is an atlas that can be exported as PDF."
            )
        )

    def _update(self) -> None:
        """Update all layouts of the page and show how many there were, or why it failed."""
        with self._messages.show_errors():
            count = self.update_layouts()
            if not count:
                raise InputError(
                    "print_layout.earlier_run", "No print layout of this page shows an earlier run."
                )
            self._messages.success(
                tr(
                    "{count} print layouts show this run now.",
                    one="1 print layout shows this run now.",
                    count=count,
                )
            )

    def _layout_content(self) -> LayoutContent:
        """Return what a layout shows of the run.

        Raises:
            InputError: if the page shows no run, or its layer of outlines does not exist.
        """
        shown_run = self._shown_run()
        if shown_run is None:
            raise InputError("print_layout.no_results", "There are no results to print; run first.")
        outlines = self._outlines_of(shown_run)
        record = shown_run.record
        return LayoutContent(
            outlines=outlines,
            pages=self._printed.pages(record, outlines.fields().names(), shown_run.part),
            title=self._printed.title,
            run_id=record.id,
            algorithm_id=record.algorithm,
            summary=vector_layer(shown_run.layer_ids.get(self._printed.summary.id, "")),
            texts={
                "run": record.title,
                "answer": _shortened_answer(record),
                "made": record.one_line_text,
            },
            plot_image=self._plot_image(),
        )

    def _outlines_of(self, shown_run: ShownRun) -> QgsVectorLayer:
        """Return the layer of outlines of a run.

        Raises:
            InputError: if the project does not have the layer.
        """
        outlines = vector_layer(shown_run.layer_ids.get(self._printed.outlines.id, ""))
        if outlines is None:
            raise InputError(
                "print_layout.no_layer",
                "The project has no layer '{layer}' of this run: it was not made, or was "
                "removed. Run again.",
                layer=self._printed.outlines.label,
            )
        return outlines

    def _plot_image(self) -> bytes:
        """Return the first plot of the page that has data, as PNG; b"" if there is none."""
        for plot in self._results.findChildren(PlotWidget):
            image = plot.to_png(*_PLOT_SIZE)
            if image:
                return image
        return b""


def _shortened_answer(record: Provenance) -> str:
    """Return the first sentences of a run's answer that fit into a layout, at least one."""
    answer, *others = message_texts(record.headline) or [""]
    for sentence in others:
        longer_answer = f"{answer} {sentence}"
        if len(longer_answer) >= _MAX_ANSWER_LENGTH:
            break
        answer = longer_answer
    return answer
