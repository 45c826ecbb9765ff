"""Results of page Parameters: the map of variances, the sets, and the crowns at one set."""

from __future__ import annotations

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.tuning.choices import LIMIT, set_words
from randcrowns.core.remarks import Remark
from randcrowns.layers.words import tr
from randcrowns.ui.tuning import results
from randcrowns.ui.tuning.plots import GallerySheet, VarianceMap
from randcrowns.ui.widgets.colours import QUIET
from randcrowns.ui.widgets.crown_list import RegionLegend
from randcrowns.ui.widgets.parts import TabbedResults, fill, tool_button, wrapped
from randcrowns.ui.widgets.plot import ScatterPlot
from randcrowns.ui.widgets.table_view import TableWithExport


class TuningPanel(TabbedResults):
    """Results of a grid search and of the experiment at one set of parameters.

    The page draws the selected crowns on the map.
    """

    #: Emitted with the number of the selected pair (column ``pair``), or -1.
    pair_chosen = pyqtSignal(int)
    #: Emitted with the selected row of the excluded crowns, or -1.
    excluded_chosen = pyqtSignal(int)
    #: Emitted when the gallery is visible and has to be created.
    gallery_wanted = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: Results of the grid search; None for none.
        self.search: results.SearchResults | None = None
        #: Results at one set of parameters; None for none.
        self.look: results.LookResults | None = None
        # These texts contain names of layers, which must not be interpreted as rich text.
        plain_text = Qt.TextFormat.PlainText
        #: Result of the search.
        self.headline = wrapped(form=plain_text)
        #: Description of what is drawn on the map.
        self.shown = wrapped(form=plain_text)
        #: Text above the example crowns.
        self.about_look = wrapped(form=plain_text)
        #: Text above the variances.
        self.about_variance = wrapped(form=plain_text)
        #: Settings that the results depend on.
        self.decided = wrapped("", QUIET, plain_text)
        #: Map of variances.
        self.map = VarianceMap()
        #: Table of parameter sets.
        self.sets = TableWithExport("randcrowns_parameter_sets")
        #: Table of example crowns.
        self.looks = TableWithExport("randcrowns_crowns_to_look_at")
        #: Legend of the regions drawn on the map.
        self.legend = RegionLegend()
        #: Table of variances.
        self.variance = TableWithExport("randcrowns_variance")
        #: Table of excluded crowns.
        self.excluded = TableWithExport("randcrowns_excluded")
        #: Scatter plot of the scores of all pairs.
        self.plot = ScatterPlot()
        self.plot.scrolled = True
        self.plot.least_height = 240
        #: Gallery of example pairs.
        self.gallery = GallerySheet()
        #: Button that adds the outlines to the project.
        self.layers_button = tool_button(
            tr("Add as layers"),
            tr(
                "Adds targets, delineations and excluded crowns, with all numbers, to the project "
                "as layers."
            ),
        )
        self.layers_button.setEnabled(False)
        self._build()
        self._show_description("")
        self.sets.view.row_chosen.connect(self._choose_set)
        self.looks.view.row_chosen.connect(self._choose_example)
        self.excluded.view.row_chosen.connect(self._choose_excluded)
        self.plot.row_chosen.connect(self._choose_pair)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.gallery.wanted.connect(self._request_gallery)

    def _build(self) -> None:
        """Add the tabs and arrange the widgets."""
        # With less padding, six tabs fit into 360 pixels.
        self.tabs.tabBar().setStyleSheet("QTabBar::tab { padding: 4px 6px; }")
        self.tabs.setUsesScrollButtons(True)
        for table in (self.looks, self.variance, self.excluded):
            table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.looks.row.insertWidget(1, self.layers_button)
        self.add_tab(self.map, tr("Map"))
        self.add_tab(_stack(self.sets), tr("Sets"))
        self.add_tab(_stack(self.about_look, self.looks), tr("Crowns"))
        self.add_tab(_stack(self.about_variance, self.variance, self.excluded), tr("Variance"))
        self.add_tab(self.plot, tr("Scatter"))
        self.add_tab(self.gallery, tr("Gallery"))
        parts = (
            self.stale,
            self.headline,
            self.decided,
            self.notes,
            self.tabs,
            self.shown,
            self.legend,
        )
        fill(QVBoxLayout(self), *parts, spacing=3, wide=self.tabs)

    def show_search(self, search: results.SearchResults) -> None:
        """Show the results of a grid search; remove those at one set."""
        self.search = search
        self.look = None
        self.set_stale("")
        self.headline.setText(search.headline)
        self.decided.setText(search.decided)
        sorted_grid = search.grid.sort_values(
            ["rank", "common_variance"], kind="stable", na_position="last"
        )
        self.sets.show_frame(sorted_grid, results.set_columns())
        self.map.show_grid(search.grid, search.best, search.settings[LIMIT])
        self.show_waiting("")

    def stands_beside(self, remark: Remark) -> bool:
        """Return True if a message is shown below the headline; the headline has the findings."""
        return super().stands_beside(remark) and remark.topic != "finding"

    def show_waiting(self, words: str) -> None:
        """Remove the results at one set and show a message in their place.

        Args:
            words: The message, such as that the crowns are being scored; "" for the instruction
                to select a set.
        """
        self._show_description("")
        self.layers_button.setEnabled(False)
        message = words or tr(
            "Click a cell of the map, or a set of the table, to look at its crowns."
        )
        self.about_look.setText(message)
        self.about_variance.setText(message)
        for table, columns in (
            (self.looks, results.look_columns()),
            (self.variance, results.variance_columns()),
            (self.excluded, results.excluded_columns()),
        ):
            table.show_frame(pd.DataFrame({column.name: [] for column in columns}), columns)
        self.plot.set_frame(pd.DataFrame({"randcrowns": [], "iou": []}), "")
        self.gallery.forget()

    def show_look(self, look: results.LookResults) -> None:
        """Show the results at one set of parameters."""
        self.look = look
        self.layers_button.setEnabled(True)
        set_label = set_words(*look.lengths)
        self.about_look.setText(
            tr(
                "{set}: the crowns on which annotators differ most, and typical ones.",
                set=set_label,
            )
        )
        self.about_variance.setText(f"{set_label}. {look.finding}")
        self.looks.show_frame(look.looks, results.look_columns(look.names))
        self.variance.show_frame(look.variance, results.variance_columns(look.names))
        self.excluded.show_frame(look.excluded, results.excluded_columns(look.names))
        self.plot.set_frame(look.delineations, set_label)
        if self.tabs.currentWidget() is self.gallery:
            self.gallery_wanted.emit()

    def set_stale(self, why: str) -> None:
        """Mark the results as outdated.

        Args:
            why: The reason; "" if they are not outdated.
        """
        super().set_stale(why)
        self.map.set_stale(bool(why))

    def tell_excluded(self, row: int, candidates: dict[str, int]) -> None:
        """Describe the excluded crown that is drawn on the map.

        Args:
            row: Row of the crown in the table.
            candidates: Annotator -> id of the best match.
        """
        crown = self.excluded.model.frame.iloc[row]
        self._show_description(results.excluded_words(crown, candidates))

    def forget_choice(self) -> None:
        """Clear the selection of crowns and its description."""
        self._show_description("")
        self.looks.view.select_frame_rows([])
        self.excluded.view.select_frame_rows([])
        self.plot.choose(-1)

    def follow_images(self) -> None:
        """Update the images that the gallery offers."""
        if self.search is not None:
            self.gallery.follow_project()

    def _show_description(self, text: str, regions: bool = False) -> None:
        """Describe what is drawn on the map.

        Args:
            text: The description; "" to hide it.
            regions: True to show the legend of the regions.
        """
        self.shown.setText(text)
        self.shown.setVisible(bool(text))
        self.legend.setVisible(regions)

    def _choose_set(self, row: int) -> None:
        """Select the set of a row of the table in the map of variances; -1 for no change."""
        if row >= 0:
            chosen_row = self.sets.model.frame.iloc[row]
            self.map.choose(
                float(chosen_row["alpha"]), float(chosen_row["omega"]), float(chosen_row["gamma"])
            )

    def _choose_example(self, row: int) -> None:
        """Show the pair of a row of the example crowns; -1 for no pair."""
        if row < 0 or self.look is None:
            self._show_description("")
            self.pair_chosen.emit(-1)
            return
        pair = int(self.looks.model.frame.iloc[row]["pair"])
        pairs = self.look.delineations["pair"]
        self._choose_pair(int(np.flatnonzero(pairs == pair)[0]))

    def _choose_pair(self, row: int) -> None:
        """Mark and describe a pair, and emit its number.

        Args:
            row: Row of :attr:`.LookResults.delineations`.
        """
        if self.look is None:
            return
        pair = self.look.delineations.iloc[row]
        self.plot.choose(row)
        self._show_description(results.pair_words(pair), regions=True)
        self.pair_chosen.emit(int(pair["pair"]))

    def _choose_excluded(self, row: int) -> None:
        """Emit the selected row of the excluded crowns; its description follows."""
        self._show_description("")
        self.excluded_chosen.emit(row)

    def _on_tab_changed(self, *_: object) -> None:
        """Request the gallery if its tab is selected for the first time."""
        if self.tabs.currentWidget() is self.gallery and not self.gallery.is_shown:
            self._request_gallery()

    def _request_gallery(self) -> None:
        """Request the gallery if there are results at one set."""
        if self.look is not None:
            self.gallery_wanted.emit()


def _stack(*widgets: QWidget) -> QWidget:
    """Return a widget that contains the widgets one below the other."""
    page = QWidget()
    fill(QVBoxLayout(page), *widgets, margins=(0, 4, 0, 0), spacing=3)
    return page
