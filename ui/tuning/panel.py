"""Results of page Parameters: the map of variances, the sets, and the crowns at one set."""

from __future__ import annotations

import numpy as np
import pandas as pd
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.algorithms.tuning.schema.parameters import WRONG_PAIR_THRESHOLD, describe_set
from randcrowns.core.messages import Message
from randcrowns.layers.localization import tr
from randcrowns.ui.tuning import results
from randcrowns.ui.tuning.plots import GalleryView, VarianceMap
from randcrowns.ui.widgets.colours import SECONDARY_TONE
from randcrowns.ui.widgets.crown_list import RegionLegend
from randcrowns.ui.widgets.parts import (
    ResultsPanel,
    fill_layout,
    make_tool_button,
    make_wrapped_label,
    set_text_or_hide,
)
from randcrowns.ui.widgets.plot import ScatterPlot
from randcrowns.ui.widgets.table_view import TableWithExport

#: Minimum height of the scatter plot, pixels.
_MIN_SCATTER_HEIGHT = 240


class TuningPanel(ResultsPanel):
    """Results of a grid search and of the experiment at one set of parameters.

    The page draws the selected crowns on the map.
    """

    #: Emitted with the number of the selected pair (column ``pair``), or -1.
    pair_chosen = pyqtSignal(int)
    #: Emitted with the selected row of the excluded crowns, or -1.
    excluded_chosen = pyqtSignal(int)
    #: Emitted when the gallery is visible and has to be created.
    gallery_requested = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        #: Results of the grid search; None for none.
        self.search: results.SearchResults | None = None
        #: Results at one set of parameters; None for none.
        self.experiment: results.ExperimentResults | None = None
        self._create_labels()
        self._create_tables()
        self._create_plots()
        #: Button that adds the outlines to the project.
        self.layers_button = make_tool_button(
            tr("Add as layers"),
            tr(
                "Adds targets, delineations and excluded crowns, with all numbers, to the project "
                "as layers."
            ),
        )
        self.layers_button.setEnabled(False)
        self._arrange_widgets()
        self._show_description("")
        self._connect()

    def _create_labels(self) -> None:
        """Create the texts and the legend."""
        # These texts contain names of layers, which must not be interpreted as rich text.
        plain_text = Qt.TextFormat.PlainText
        #: Result of the search.
        self.headline_label = make_wrapped_label(text_format=plain_text)
        #: Description of what is drawn on the map.
        self.description_label = make_wrapped_label(text_format=plain_text)
        #: Text above the example crowns.
        self.examples_label = make_wrapped_label(text_format=plain_text)
        #: Text above the variances.
        self.variance_label = make_wrapped_label(text_format=plain_text)
        #: Settings that the results depend on.
        self.settings_label = make_wrapped_label("", SECONDARY_TONE, plain_text)
        #: Legend of the regions drawn on the map.
        self.legend = RegionLegend()

    def _create_tables(self) -> None:
        """Create the tables of the tabs."""
        #: Table of parameter sets.
        self.sets_table = TableWithExport("randcrowns_parameter_sets")
        #: Table of example crowns.
        self.examples_table = TableWithExport("randcrowns_crowns_to_look_at")
        #: Table of variances.
        self.variance_table = TableWithExport("randcrowns_variance")
        #: Table of crowns by annotator and plot.
        self.drawn_table = TableWithExport("randcrowns_crowns_by_plot")
        #: Table of excluded crowns.
        self.excluded_table = TableWithExport("randcrowns_excluded")

    def _create_plots(self) -> None:
        """Create the map of variances, the scatter plot and the gallery."""
        #: Map of variances.
        self.variance_map = VarianceMap()
        #: Scatter plot of the scores of all pairs.
        self.plot = ScatterPlot()
        self.plot.min_height = _MIN_SCATTER_HEIGHT
        #: Gallery of example pairs.
        self.gallery = GalleryView()

    def _connect(self) -> None:
        """Connect the signals of the widgets."""
        self.sets_table.view.row_chosen.connect(self._choose_set)
        self.examples_table.view.row_chosen.connect(self._choose_example)
        self.excluded_table.view.row_chosen.connect(self._choose_excluded)
        self.plot.row_chosen.connect(self._choose_pair)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.gallery.requested.connect(self._request_gallery)

    def _arrange_widgets(self) -> None:
        """Add the tabs and arrange the widgets."""
        tables = (self.examples_table, self.variance_table, self.drawn_table, self.excluded_table)
        for table in tables:
            table.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.examples_table.button_row.insertWidget(1, self.layers_button)
        self.add_tab(self.variance_map, tr("Map"))
        self.add_tab(_stack_widgets(self.sets_table), tr("Sets"))
        self.add_tab(
            _stack_widgets(self.examples_label, self.examples_table, self.drawn_table), tr("Crowns")
        )
        self.add_tab(
            _stack_widgets(self.variance_label, self.variance_table, self.excluded_table),
            tr("Variance"),
        )
        self.add_tab(self.plot, tr("Scatter"))
        self.add_tab(self.gallery, tr("Gallery"))
        parts = (
            self.stale_label,
            self.headline_label,
            self.settings_label,
            self.notes,
            self.tabs,
            self.description_label,
            self.legend,
        )
        fill_layout(QVBoxLayout(self), *parts, spacing=3, stretched=self.tabs)

    def show_search(self, search: results.SearchResults) -> None:
        """Show the results of a grid search; remove those at one set."""
        self.search = search
        self.experiment = None
        self.set_stale("")
        self.headline_label.setText(search.headline)
        self.settings_label.setText(search.settings_label)
        sorted_grid = search.grid.sort_values(
            ["rank", "common_variance"], kind="stable", na_position="last"
        )
        self.sets_table.show_frame(sorted_grid, results.set_columns())
        self.variance_map.show_grid(
            search.grid, search.recommended, search.settings[WRONG_PAIR_THRESHOLD]
        )
        self.show_placeholder("")

    def is_shown_beside_answer(self, message: Message) -> bool:
        """Return True if a message is shown below the headline; the headline has the findings."""
        return super().is_shown_beside_answer(message) and message.topic != "finding"

    def show_placeholder(self, words: str) -> None:
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
        self.examples_label.setText(message)
        self.variance_label.setText(message)
        columns_by_table = {
            self.examples_table: results.example_columns(),
            self.variance_table: results.variance_columns(),
            self.drawn_table: results.drawn_columns(),
            self.excluded_table: results.excluded_columns(),
        }
        for table, columns in columns_by_table.items():
            empty_frame = pd.DataFrame(columns=[column.name for column in columns])
            table.show_frame(empty_frame, columns)
        self.plot.set_frame(pd.DataFrame({"randcrowns": [], "iou": []}), "")
        self.gallery.clear()

    def show_experiment(self, experiment: results.ExperimentResults) -> None:
        """Show the results at one set of parameters."""
        self.experiment = experiment
        self.layers_button.setEnabled(True)
        alpha, omega, gamma = experiment.lengths
        set_label = describe_set(alpha, omega, gamma)
        self.examples_label.setText(
            tr(
                "{set}: the crowns on which annotators differ most, and typical ones.",
                set=set_label,
            )
        )
        self.variance_label.setText(f"{set_label}. {experiment.findings}")
        names = experiment.annotator_names
        self.examples_table.show_frame(experiment.examples, results.example_columns(names))
        self.variance_table.show_frame(experiment.variances, results.variance_columns(names))
        self.drawn_table.show_frame(experiment.drawn_crowns, results.drawn_columns(names))
        self.excluded_table.show_frame(experiment.excluded_crowns, results.excluded_columns(names))
        self.plot.set_frame(experiment.pairs, set_label)
        if self.tabs.currentWidget() is self.gallery:
            self.gallery_requested.emit()

    def set_stale(self, why: str) -> None:
        """Mark the results as outdated.

        Args:
            why: The reason; "" if they are not outdated.
        """
        super().set_stale(why)
        self.variance_map.set_stale(bool(why))

    def show_excluded(self, row: int, candidates: dict[str, int]) -> None:
        """Describe the excluded crown that is drawn on the map.

        Args:
            row: Row of the crown in the table.
            candidates: Annotator -> id of the best match.
        """
        crown = self.excluded_table.model.frame.iloc[row]
        self._show_description(results.describe_excluded(crown, candidates))

    def clear_selection(self) -> None:
        """Clear the selection of crowns and its description."""
        self._show_description("")
        self.examples_table.view.select_frame_rows([])
        self.excluded_table.view.select_frame_rows([])
        self.plot.mark_row(-1)

    def reload_images(self) -> None:
        """Update the images that the gallery offers."""
        if self.search is not None:
            self.gallery.reload_images()

    def _show_description(self, text: str, regions: bool = False) -> None:
        """Describe what is drawn on the map.

        Args:
            text: The description; "" to hide it.
            regions: True to show the legend of the regions.
        """
        set_text_or_hide(self.description_label, text)
        self.legend.setVisible(regions)

    def _choose_set(self, row: int) -> None:
        """Select the set of a row of the table in the map of variances; -1 for no change."""
        if row >= 0:
            lengths = self.sets_table.model.frame[["alpha", "omega", "gamma"]].iloc[row]
            alpha, omega, gamma = lengths.astype(float).tolist()
            self.variance_map.select_set(alpha, omega, gamma)

    def _choose_example(self, row: int) -> None:
        """Show the pair of a row of the example crowns; -1 for no pair."""
        if row < 0 or self.experiment is None:
            self._show_description("")
            self.pair_chosen.emit(-1)
            return
        pair_number = self.examples_table.model.frame["pair"].iloc[row]
        is_pair = self.experiment.pairs["pair"] == pair_number
        self._choose_pair(int(np.flatnonzero(is_pair)[0]))

    def _choose_pair(self, row: int) -> None:
        """Mark and describe a pair, and emit its number.

        Args:
            row: Row of ``ExperimentResults.pairs``.
        """
        if self.experiment is None:
            return
        pair = self.experiment.pairs.iloc[row]
        self.plot.mark_row(row)
        self._show_description(results.describe_pair(pair), regions=True)
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
        if self.experiment is not None:
            self.gallery_requested.emit()


def _stack_widgets(*widgets: QWidget) -> QWidget:
    """Return a widget that contains the widgets one below the other."""
    page = QWidget()
    fill_layout(QVBoxLayout(page), *widgets, margins=(0, 4, 0, 0), spacing=3)
    return page
