"""Base class of the pages of the dock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.localization import tr
from randcrowns.ui.services.layer_watch import ProjectLayersWatch
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.settings import (
    UNREADABLE_PARAMETERS,
    Settings,
    has_unreadable_parameters,
    read_parameters,
)
from randcrowns.ui.widgets.parameter_form import ParameterForm


class DockPage(QWidget):
    """A page of the dock, created when it is first shown and deleted with the dock.

    Subclasses take the interface of the QGIS window as argument, set :attr:`key` and
    :attr:`messages`, and implement the methods that raise ``NotImplementedError``; a page without
    parameters implements those about parameters with ``pass``.
    """

    #: Emitted to show another page: its key, and parameter values by key that it takes over.
    page_requested = pyqtSignal(str, dict)
    #: Key of the page in the dock and of its stored parameters in the project.
    key = ""
    #: Message bar of the window.
    messages: MessageBar

    def __init__(self) -> None:
        super().__init__()
        #: Reports changes of the project's layers while the page is visible.
        self.project_layers = ProjectLayersWatch(self, self.isVisible)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Follow changes of the project's layers that happened while the page was hidden."""
        super().showEvent(event)
        self.project_layers.report_missed_change()

    def show_stored_parameters(
        self, form: ParameterForm, settings_of: Callable[[dict[str, Any]], Settings]
    ) -> None:
        """Show the parameters that the project stores, or the defaults with a warning.

        The defaults are shown if the stored parameters cannot be read, whatever they contain.

        Args:
            form: The form that shows the parameters.
            settings_of: Returns the settings for stored values by key; {} for the defaults.
        """
        stored = read_parameters(self.key)
        is_unreadable = has_unreadable_parameters(self.key)
        try:
            form.set_settings(settings_of(stored), reset_defaults=not stored)
        except Exception:  # noqa: BLE001 - the page opens whatever a project contains
            is_unreadable = True
            form.set_settings(settings_of({}), reset_defaults=True)
        if is_unreadable:
            self.messages.warning(tr(UNREADABLE_PARAMETERS, page=self.key.capitalize()))

    def settings(self) -> Settings | None:
        """Return the parameters that the page shows; None if the page has none."""
        return None

    def load_parameters(self) -> None:
        """Show the parameters stored in the project; remove the results of another project."""
        raise NotImplementedError

    def store_parameters(self, *_: object) -> None:
        """Store the parameters in the project."""
        raise NotImplementedError

    def show_parameters(self, stored_values: dict[str, Any]) -> None:
        """Show parameters that another page has sent.

        Args:
            stored_values: Values by key, as a project stores them.
        """
        raise NotImplementedError

    def adapt_to_previous(self, page: DockPage) -> None:
        """Adapt to what the previous page showed; called after this page is shown."""

    def run_from_shortcut(self) -> None:
        """Run the page's algorithm, if it has one; called when the shortcut is pressed."""

    def leave(self) -> None:
        """Remove the page's drawings from the map; called before the page is hidden."""
        raise NotImplementedError

    def close_down(self) -> None:
        """Stop all work, and remove all signal connections and drawings."""
        raise NotImplementedError
