"""Splitter between a form and what is below it."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QSplitter, QWidget


class FormSplitter(QSplitter):
    """Splitter that gives the lower part the height that the form in the upper part does not need.

    Sizes that the user has set stay until :meth:`forget_user_sizes` is called.

    Args:
        upper: widget with the form.
        lower: widget below the form, such as results or a preview.
    """

    def __init__(self, upper: QWidget, lower: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        #: True if the user has moved the splitter.
        self._has_user_sizes = False
        self.setChildrenCollapsible(False)
        self.addWidget(upper)
        self.addWidget(lower)
        self.splitterMoved.connect(self._on_moved)

    def forget_user_sizes(self) -> None:
        """Let :meth:`fit` set the sizes again, as after a group of the form was folded."""
        self._has_user_sizes = False

    def fit(self, needed_height: int, max_share: float = 0.5, reserved_height: int = 0) -> None:
        """Give the upper part a height, unless the user has set the sizes.

        Args:
            needed_height: height that the upper part needs, pixels.
            max_share: maximum share of the height for the upper part, 0 to 1.
            reserved_height: height that the lower part will soon need in addition to its minimum,
                pixels.
        """
        if self._has_user_sizes:
            return
        upper_height = min(needed_height, int(self.height() * max_share))
        if reserved_height:
            lower_height = self.widget(1).minimumSizeHint().height() + reserved_height
            remaining_height = self.height() - self.handleWidth() - lower_height
            upper_height = max(0, min(upper_height, remaining_height))
        self.setSizes([upper_height, self.height() - upper_height])

    def _on_moved(self, *_: object) -> None:
        self._has_user_sizes = True
