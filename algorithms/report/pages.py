"""Sets a report on a page: HTML by a template, PDF by Qt."""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from qgis.PyQt.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QThread, QUrl
from qgis.PyQt.QtGui import QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument, QTextOption

from randcrowns.algorithms.report.content import Report
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.installing import trouble
from randcrowns.layers.libraries import REPORTS
from randcrowns.layers.styles.pictures import Picture
from randcrowns.layers.words import tr

_FOLDER = Path(__file__).resolve().parents[2] / "resources"
_SCREEN, _PAPER = "report.html", "report_paper.html"
#: Millimetres around a page, points of its words, and the room below for its number.
_MARGIN, _POINTS, _FOOT = 16.0, 9, 14.0
#: Dots per inch that a page is laid out with; pixels of pictures are these.
_LAYOUT = 96
_INCH = 0.0254
#: Beginnings of titles, and what has a page begin with one.
_TITLES, _BREAK = re.compile(r"<h[23](?=>)"), ' style="page-break-before: always"'


def html_page(report: Report, template: str = "") -> str:
    """The report as one HTML file that holds its pictures; by a template of the user's own, where one is named.

    Raises:
        InputError: where that template cannot be used.
    """
    return _rendered(report, template or str(_FOLDER / _SCREEN), _in_page)


def paper_page(report: Report) -> tuple[str, Mapping[str, Picture]]:
    """The report in the little HTML that Qt's documents know, and its pictures by the address that it names."""
    pictures: dict[str, Picture] = {}

    def address(picture: Picture) -> str:
        name = f"picture:{len(pictures)}"
        pictures[name] = picture
        return name

    return _rendered(report, str(_FOLDER / _PAPER), address), pictures


class _Setting(QThread):
    """Sets pages in a thread that Qt began: its documents have timers, which other threads know nothing of."""

    def __init__(self, report: Report, progress: Progress) -> None:
        super().__init__()
        self._report, self._progress = report, progress
        self.made = b""
        self.error: BaseException | None = None

    def run(self) -> None:
        """Set them."""
        try:
            self.made = _pages(self._report, self._progress)
        except BaseException as error:  # noqa: BLE001 - raised where the pages are taken
            self.error = error


def pdf_pages(report: Report, progress: Progress = no_progress) -> bytes:
    """The report as a PDF file: A4, each page with its number."""
    setting = _Setting(report, progress)
    setting.start()
    setting.wait()
    if setting.error is not None:
        raise setting.error
    return setting.made


def _pages(report: Report, progress: Progress) -> bytes:
    font = QFont("sans-serif")
    font.setPointSize(_POINTS)
    html, pictures = paper_page(report)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(report.title)
    writer.setCreator("RandCrowns")
    layout = QPageLayout(
        QPageSize(QPageSize.PageSizeId.A4),
        QPageLayout.Orientation.Portrait,
        QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN),
        QPageLayout.Unit.Millimeter,
    )
    writer.setPageLayout(layout)
    writer.setResolution(_LAYOUT * 4)
    scale = writer.resolution() / _LAYOUT
    page = QSizeF(writer.width() / scale, writer.height() / scale)
    text = QSizeF(page.width(), page.height() - _FOOT)
    document = _laid_out(html, pictures, font, text)
    painter = QPainter(writer)
    painter.scale(scale, scale)
    pages = document.pageCount()
    small = QFont(font)
    small.setPixelSize(round(_POINTS * _LAYOUT / 72))
    for number in range(pages):
        if number:
            writer.newPage()
        painter.save()
        painter.translate(0, -number * text.height())
        document.drawContents(painter, QRectF(0, number * text.height(), text.width(), text.height()))
        painter.restore()
        painter.setFont(small)
        said = tr("{number} of {pages}", number=number + 1, pages=pages)
        painter.drawText(QRectF(0, text.height(), text.width(), _FOOT), int(Qt.AlignmentFlag.AlignRight), said)
        progress((number + 1) / pages)
    painter.end()
    return bytes(buffer.data())


def _laid_out(html: str, pictures: Mapping[str, Picture], font: QFont, page: QSizeF) -> QTextDocument:
    """The pages; one begins with a title where what follows it would stand on the next one.

    A document that is changed once it was laid out draws not all of its text, so each one is made anew.
    """
    broken: set[int] = set()
    while True:
        document = QTextDocument()
        document.setDefaultFont(font)
        for name, picture in pictures.items():
            document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), QImage.fromData(picture.data))
        # Words are as large on the page as in the layout, whatever the screen has.
        document.documentLayout().setPaintDevice(_measure())
        document.setPageSize(page)
        option = document.defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)  # paths have no spaces
        document.setDefaultTextOption(option)
        document.setHtml(_broken_at(html, broken))
        left = _left_alone(document, page.height(), broken)
        if left is None:
            return document
        broken.add(left)


def _broken_at(html: str, titles: set[int]) -> str:
    """The HTML with a new page at the titles of these numbers."""
    numbers = count()
    return _TITLES.sub(lambda tag: tag[0] + _BREAK * (next(numbers) in titles), html)


def _left_alone(document: QTextDocument, height: float, broken: set[int]) -> int | None:
    """The number of the first title whose following line stands on another page; None without any."""
    layout, block, number = document.documentLayout(), document.begin(), -1
    while block.isValid():
        following = block.next()
        if block.blockFormat().headingLevel() > 1:
            number += 1
            if following.isValid() and number not in broken:
                top, below = (layout.blockBoundingRect(one) for one in (block, following))
                if top.top() // height != (below.bottom() - 1) // height and below.height() < height:
                    return number
        block = following
    return None


@functools.cache
def _measure() -> QImage:
    """A picture with the dots per inch of the layout, which words are measured for."""
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(_LAYOUT / _INCH))
    image.setDotsPerMeterY(round(_LAYOUT / _INCH))
    return image


def _in_page(picture: Picture) -> str:
    return f"data:{picture.kind};base64,{base64.b64encode(picture.data).decode('ascii')}"


def _rendered(report: Report, template: str, address: Any) -> str:
    """The template with the report in it; nothing of a report is taken for HTML."""
    if trouble(REPORTS):
        raise InputError("{why}", why=trouble(REPORTS))
    from jinja2 import FileSystemLoader, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    path = Path(template)
    environment = SandboxedEnvironment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=FileSystemLoader([str(path.parent), str(_FOLDER)])
    )
    environment.globals.update(tr=tr, address=address)
    try:
        return environment.get_template(path.name).render(report=report)
    except (TemplateError, OSError, UnicodeError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        line = getattr(error, "lineno", None)
        said = "The template {file} cannot be used: {why}"
        if line:
            said = "The template {file} cannot be used (line {line}): {why}"
        raise InputError(said, file=path.name, line=line, why=f"{type(error).__name__}: {error}") from error
