"""The results of page Parameters: the map of variances, the sets, and the crowns at the set chosen."""

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
    """Shows a :class:`SearchResults` and a :class:`LookResults`; draws nothing on the map itself."""

    #: The number of a pair (column ``pair``) the user goes to, or -1.
    pair_chosen = pyqtSignal(int)
    #: A row of the excluded crowns, or -1.
    excluded_chosen = pyqtSignal(int)
    #: The gallery came into view, or is to be made anew.
    gallery_wanted = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.search: results.SearchResults | None = None
        self.look: results.LookResults | None = None
        names = Qt.TextFormat.PlainText  # names of layers stand in them
        self.headline, self.shown, self.about_look, self.about_variance = (
            wrapped(form=names) for _ in range(4)
        )
        self.decided = wrapped("", QUIET, names)
        self.map = VarianceMap()
        self.sets = TableWithExport("randcrowns_parameter_sets")
        self.looks = TableWithExport("randcrowns_crowns_to_look_at")
        self.legend = RegionLegend()
        self.variance = TableWithExport("randcrowns_variance")
        self.excluded = TableWithExport("randcrowns_excluded")
        self.plot = ScatterPlot()
        self.plot.scrolled, self.plot.least_height = True, 240
        self.gallery = GallerySheet()
        told = tr(
            "Adds targets, delineations and excluded crowns, with all numbers, to the project as layers."
        )
        self.layers_button = tool_button(tr("Add as layers"), told)
        self.layers_button.setEnabled(False)
        self.tabs.tabBar().setStyleSheet(
            "QTabBar::tab { padding: 4px 6px; }"
        )  # six fit into 360 pixels
        self.tabs.setUsesScrollButtons(True)
        for table in (self.looks, self.variance, self.excluded):
            table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._build()
        self._tell_shown("")
        self.sets.view.row_chosen.connect(self._choose_set)
        self.looks.view.row_chosen.connect(self._choose_look)
        self.excluded.view.row_chosen.connect(self._choose_excluded)
        self.plot.row_chosen.connect(self._choose_point)
        self.tabs.currentChanged.connect(self._tab_changed)
        self.gallery.wanted.connect(self._want_gallery)

    def show_search(self, search: results.SearchResults) -> None:
        """Show a grid search; what was known of a set is forgotten."""
        self.search, self.look = search, None
        self.set_stale("")
        self.headline.setText(search.headline)
        self.decided.setText(search.decided)
        order = search.grid.sort_values(
            ["rank", "common_variance"], kind="stable", na_position="last"
        )
        self.sets.show_frame(order, results.set_columns())
        self.map.show_grid(search.grid, search.best, search.settings[LIMIT])
        self.show_waiting("")

    def stands_beside(self, remark: Remark) -> bool:
        """What was found stands in the headline."""
        return super().stands_beside(remark) and remark.topic != "finding"

    def show_waiting(self, words: str) -> None:
        """The crowns at the set chosen are being scored (or, without words, there are none)."""
        self._tell_shown("")
        self.layers_button.setEnabled(False)
        self.about_look.setText(
            words or tr("Click a cell of the map, or a set of the table, to look at its crowns.")
        )
        self.about_variance.setText(self.about_look.text())
        for table, columns in (
            (self.looks, results.look_columns()),
            (self.variance, results.variance_columns()),
            (self.excluded, results.excluded_columns()),
        ):
            table.show_frame(pd.DataFrame({column.name: [] for column in columns}), columns)
        self.plot.set_frame(pd.DataFrame({"randcrowns": [], "iou": []}), "")
        self.gallery.forget()

    def show_look(self, look: results.LookResults) -> None:
        """Show the crowns at one set."""
        self.look = look
        self.layers_button.setEnabled(True)
        words = set_words(*look.lengths)
        self.about_look.setText(
            tr("{set}: the crowns on which annotators differ most, and typical ones.", set=words)
        )
        self.about_variance.setText(f"{words}. {look.finding}")
        self.looks.show_frame(look.looks, results.look_columns(look.names))
        self.variance.show_frame(look.variance, results.variance_columns(look.names))
        self.excluded.show_frame(look.excluded, results.excluded_columns(look.names))
        self.plot.set_frame(look.delineations, words)
        if self.tabs.currentWidget() is self.gallery:
            self.gallery_wanted.emit()

    def set_stale(self, why: str) -> None:
        super().set_stale(why)
        self.map.set_stale(bool(why))

    def tell_excluded(self, row: int, candidates: dict[str, int]) -> None:
        """Say which excluded crown the map shows, and its best matches (annotator -> id)."""
        self._tell_shown(results.excluded_words(self.excluded.model.frame.iloc[row], candidates))

    def forget_choice(self) -> None:
        self._tell_shown("")
        self.looks.view.select_frame_rows([])
        self.excluded.view.select_frame_rows([])
        self.plot.choose(-1)

    def follow_images(self) -> None:
        """The gallery offers the images that the project has."""
        if self.search is not None:
            self.gallery.follow_project()

    def _build(self) -> None:
        self.looks.row.insertWidget(1, self.layers_button)
        for page, title in (
            (self.map, tr("Map")),
            (_stacked(self.sets), tr("Sets")),
            (_stacked(self.about_look, self.looks), tr("Crowns")),
            (_stacked(self.about_variance, self.variance, self.excluded), tr("Variance")),
            (self.plot, tr("Scatter")),
            (self.gallery, tr("Gallery")),
        ):
            self.add_tab(page, title)
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

    def _tell_shown(self, words: str, regions: bool = False) -> None:
        """What the map shows, in words; the legend explains the regions where there are any."""
        self.shown.setText(words)
        self.shown.setVisible(bool(words))
        self.legend.setVisible(regions)

    def _choose_set(self, row: int) -> None:
        if row >= 0:
            found = self.sets.model.frame.iloc[row]
            self.map.choose(float(found["alpha"]), float(found["omega"]), float(found["gamma"]))

    def _choose_look(self, row: int) -> None:
        if row < 0 or self.look is None:
            self._tell_shown("")
            self.pair_chosen.emit(-1)
            return
        pair = int(self.looks.model.frame.iloc[row]["pair"])
        self._choose_point(int(np.flatnonzero(self.look.delineations["pair"] == pair)[0]))

    def _choose_point(self, row: int) -> None:
        if self.look is not None:
            pair = self.look.delineations.iloc[row]
            self.plot.choose(row)
            self._tell_shown(results.pair_words(pair), regions=True)
            self.pair_chosen.emit(int(pair["pair"]))

    def _choose_excluded(self, row: int) -> None:
        self._tell_shown("")
        self.excluded_chosen.emit(row)

    def _tab_changed(self, *_: object) -> None:
        if self.tabs.currentWidget() is self.gallery and not self.gallery.is_shown:
            self._want_gallery()

    def _want_gallery(self) -> None:
        if self.look is not None:
            self.gallery_wanted.emit()


def _stacked(*widgets: QWidget) -> QWidget:
    page = QWidget()
    fill(QVBoxLayout(page), *widgets, margins=(0, 4, 0, 0), spacing=3)
    return page
