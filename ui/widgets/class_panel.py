"""Results panel with tabs for the classes and the strata of crowns."""

from __future__ import annotations

from typing import Protocol

import pandas as pd
from qgis.PyQt.QtCore import pyqtSignal

from randcrowns.layers.localization import tr
from randcrowns.ui.widgets.class_tab import ClassTab
from randcrowns.ui.widgets.parts import ResultsPanel, make_tool_button
from randcrowns.ui.widgets.strata_tab import StrataTab


class ClassFrames(Protocol):
    """Tables of the classes and the strata of one layer; empty without classes or strata."""

    @property
    def confusion(self) -> pd.DataFrame:
        """Cells of the confusion matrix."""

    @property
    def class_metrics(self) -> pd.DataFrame:
        """Numbers per class."""

    @property
    def class_summary(self) -> pd.DataFrame:
        """Numbers of all classes."""

    @property
    def strata(self) -> pd.DataFrame:
        """Scores by strata."""


class ClassResultsPanel(ResultsPanel):
    """Results panel of crowns, with a button for their review and tabs for classes and strata.

    Args:
        class_file_name: default name of the saved numbers per class, without extension.
    """

    #: Emitted when the user clicks the button that opens page Review.
    review_requested = pyqtSignal()

    def __init__(self, class_file_name: str) -> None:
        super().__init__()
        #: Confusion matrix and numbers per class.
        self.class_tab = ClassTab(class_file_name)
        #: Scores by strata.
        self.strata_tab = StrataTab("randcrowns_strata")
        #: Button that opens page Review.
        self.review_button = make_tool_button(
            tr("Review…"),
            tr("Review these crowns on page Review, from the selected row or the worst crown on."),
            lambda: self.review_requested.emit(),
        )

    def add_class_tab(self) -> None:
        """Append the tab of classes."""
        self.add_tab(
            self.class_tab,
            tr("Confusion"),
            tr("Which classes are taken for which. Choose the field under Class."),
        )

    def add_strata_tab(self) -> None:
        """Append the tab of strata."""
        self.add_tab(
            self.strata_tab,
            tr("Strata"),
            tr("For which crowns the scores are poor. Choose a property under Summarise by."),
        )

    def show_classes(self, frames: ClassFrames) -> None:
        """Show the classes and strata of a layer, or disable their tabs without them."""
        has_classes = len(frames.confusion) > 0
        has_strata = len(frames.strata) > 0
        if has_classes:
            self.class_tab.show_classes(
                frames.confusion, frames.class_metrics, frames.class_summary
            )
        if has_strata:
            self.strata_tab.show_strata(frames.strata)
        self.enable_tab(self.class_tab, has_classes)
        self.enable_tab(self.strata_tab, has_strata)
