"""What the dock asks of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_watch import ProjectLayers
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.services.settings import UNREADABLE, Settings, is_damaged, recall
from randcrowns.ui.widgets.choice_form import ChoiceForm


class DockPage(QWidget):
    """A page of the dock. It is made when it is first looked at, and lives as long as the dock."""

    #: Key of a page to be shown, and choices that it takes over.
    page_asked = pyqtSignal(str, dict)
    #: Key of this page among those of the dock, and of its choices in the project.
    key = ""
    messages: Messages

    def __init__(self) -> None:
        super().__init__()
        #: Tells a page that is hidden once it is shown or asked for anything.
        self.project_layers = ProjectLayers(self, self.isVisible)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self.project_layers.catch_up()

    def show_kept(
        self, form: ChoiceForm, settings_of: Callable[[dict[str, Any]], Settings]
    ) -> None:
        """Show what the project keeps, whatever that is; defaults where it cannot be read, which is told."""
        kept, damaged = recall(self.key), is_damaged(self.key)
        try:
            form.show_settings(settings_of(kept), anew=not kept)
        except Exception:  # noqa: BLE001 - whatever a project keeps, the page opens
            damaged = True
            form.show_settings(settings_of({}), anew=True)
        if damaged:
            self.messages.warning(tr(UNREADABLE, page=self.key.capitalize()))

    def restore(self) -> None:
        """Take up the choices kept in the project, defaults where it kept none; what is another project's goes."""
        raise NotImplementedError

    def keep(self, *_: object) -> None:
        """Keep the choices in the project."""
        raise NotImplementedError

    def take_over(self, choices: dict[str, Any]) -> None:
        """Take up choices that another page made."""
        raise NotImplementedError

    def come_from(self, page: DockPage) -> None:
        """Follow what the page showed that was on show before."""

    def press_run(self) -> None:
        """Run, where the page runs something: the key for it was pressed."""

    def leave(self) -> None:
        """Take the drawings off the map."""
        raise NotImplementedError

    def close_down(self) -> None:
        """Stop all work, take back connections and drawings."""
        raise NotImplementedError
