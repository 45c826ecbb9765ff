"""What the plugin says: short in QGIS's message bar, in full in the log tab; the libraries it misses; its help."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qgis.core import Qgis, QgsMessageLog, QgsProject
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from randcrowns.layers.words import counted, sentences, tr

if TYPE_CHECKING:
    from randcrowns.core.remarks import Remark

#: Title of the messages, and of the log tab.
_TITLE = "RandCrowns"
_SECONDS = 8
#: Characters of a foreign error in a sentence.
_LONGEST_REASON = 200


class Messages:
    """Speaks through the message bar of a QGIS window; where there is none, through the log and standard error."""

    def __init__(self, iface: Any) -> None:
        self._iface = iface

    def info(self, text: str, details: str = "") -> None:
        """Say something good to know."""
        self._say(text, details, Qgis.MessageLevel.Info, _SECONDS)

    def success(self, text: str, details: str = "") -> None:
        """Say that something worked."""
        self._say(text, details, Qgis.MessageLevel.Success, _SECONDS)

    def warning(self, text: str, details: str = "") -> None:
        """Say that something needs a look."""
        self._say(text, details, Qgis.MessageLevel.Warning, _SECONDS)

    def error(self, text: str, details: str = "") -> None:
        """Say what went wrong; stays until the user closes it."""
        self._say(text, details, Qgis.MessageLevel.Critical, 0)

    def tell_remarks(self, text: str, remarks: Iterable[Remark]) -> None:
        """Say that something worked, and how much stands beside the answer: the bar shows a line, the log tab all."""
        odd = [remark for remark in remarks if remark.is_odd]
        warnings = sum(remark.is_warning for remark in odd)
        kinds = (warnings, tr("warning"), tr("warnings")), (len(odd) - warnings, tr("note"), tr("notes"))
        numbers = ", ".join(counted(*kind) for kind in kinds if kind[0])
        said = tr("{numbers} beside the answer. {text}", numbers=numbers, text=text) if odd else text
        (self.warning if warnings else self.success)(said, "\n".join(sentences(odd)))

    @contextmanager
    def telling(self, details: str = "") -> Iterator[None]:
        """What goes wrong within, while results are shown, is said in a sentence; the log keeps what led to it."""
        from randcrowns.core.errors import RandCrownsError  # not above: these words are also said when libraries miss

        try:
            yield
        except RandCrownsError as error:
            self.error(str(error), details)
        except Exception as error:
            said = tr(
                "The results cannot be shown ({kind}: {why}). Run again; should it happen again, please report it with "
                "the details in the log tab RandCrowns.",
                kind=type(error).__name__,
                why=str(error)[:_LONGEST_REASON],
            )
            self.error(said, f"{details}\n{traceback.format_exc()}".strip())

    def _say(self, text: str, details: str, level: Qgis.MessageLevel, seconds: int) -> None:
        QgsMessageLog.logMessage(f"{text}\n{details}" if details else text, _TITLE, level, False)
        if self._iface is None:
            print(f"{_TITLE}: {text}", file=sys.stderr, flush=True)  # qgis_process shows no log
        else:
            self.clear(text)  # QGIS drops a message that stands in the bar already, and it would look like silence
            self._iface.messageBar().pushMessage(_TITLE, text, level, seconds)

    def clear(self, text: str = "") -> None:
        """Take our messages off the bar: those that say this, or all."""
        bar = self._iface.messageBar() if self._iface is not None else None
        if not isinstance(bar, QgsMessageBar):
            return
        for item in list(bar.items()):
            if item.title() == _TITLE and text in ("", item.text()):
                bar.popWidget(item)


def load_sample_plot(iface: Any) -> bool:
    """Add the simulated plot to the project; True when it worked."""
    from randcrowns.core.errors import RandCrownsError  # not above: both import what may be missing
    from randcrowns.layers.sample import load_plot, sample_clouds

    messages = Messages(iface)
    try:
        load_plot(QgsProject.instance())
    except (RandCrownsError, OSError) as error:
        messages.error(tr("The sample data could not be made: {error}", error=error))
        return False
    said = tr("Sample data added: a simulated plot, its crowns drawn by simulated people and a detector.")
    if sample_clouds(QgsProject.instance()):
        said += " " + tr("Page Instances offers its point cloud: other trees, beside the image.")
    messages.info(said)
    return True


#: Library and the oldest version that works.
_NEEDED = (("numpy", (1, 20)), ("shapely", (2, 0)), ("pandas", (1, 5)), ("scipy", (1, 9)))


def missing_libraries(needed: tuple[tuple[str, tuple[int, ...]], ...] = _NEEDED) -> list[str]:
    """What to install, as pip wants it (``shapely>=2.0``), for each library that is absent or too old."""
    return [f"{name}>={'.'.join(map(str, oldest))}" for name, oldest in needed if _installed_version(name) < oldest]


def what_to_install(missing: list[str]) -> str:
    """One sentence that says what is missing and the command that brings it."""
    quoted = " ".join(f'"{requirement}"' for requirement in missing)
    python = "python" if sys.platform == "win32" else "python3"
    shell = tr("the OSGeo4W shell") if sys.platform == "win32" else tr("a terminal")
    return tr(
        "RandCrowns needs Python libraries that are not here: {names}. "
        "Type this in {shell}, then start QGIS again: {python} -m pip install --user {quoted}"
    ).format(names=", ".join(missing), shell=shell, python=python, quoted=quoted)


def shapely_trouble() -> str:
    """Why shapely, which is installed, cannot be used in this QGIS; empty when it can."""
    from randcrowns.core import shapely_answers_rightly  # not above: it imports shapely, which may be missing

    if shapely_answers_rightly():
        return ""
    return tr(
        "RandCrowns is off, since its results would be wrong: another plugin loaded the library shapely first, and in "
        "a way that mixes it up with QGIS's own geometry library. Switch that plugin off (Plugins > Manage and Install "
        "Plugins; it is one that works with shapely or geopandas), then start QGIS again."
    )


def _installed_version(name: str) -> tuple[int, ...]:
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return ()
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


_TEXT = Path(__file__).resolve().parents[2] / "resources" / "help.md"


class HelpWindow(QDialog):
    """Shows resources/help.md."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("RandCrowns help"))
        self.browser = QTextBrowser()
        self.browser.setOpenExternalLinks(True)
        self.browser.document().setDocumentMargin(14)
        self.browser.setMarkdown(_TEXT.read_text(encoding="utf-8"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.browser)
        self.resize(680, 620)
