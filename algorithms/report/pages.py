"""Sets a report on a page: HTML by a template, PDF by Qt."""

from __future__ import annotations

import base64
import functools
import math
import re
import traceback
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from qgis.PyQt.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QThread, QUrl
from qgis.PyQt.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
    QTextOption,
    QTextTable,
)

from randcrowns.algorithms.report.content import RESOURCES, Report, environment
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.quoting import Cells
from randcrowns.layers.styles.pictures import Picture
from randcrowns.layers.words import tr

_SCREEN, _PAPER = "report.html", "report_paper.html"
#: Millimetres around a page, points of its words, and the room below for its number.
_MARGIN, _POINTS, _FOOT = 16.0, 9, 14.0
#: Dots per inch that a page is laid out with; pixels of pictures are these.
_LAYOUT = 96
_INCH = 0.0254
#: Beginnings of titles and tables, and what has a page begin with one.
_UNITS, _BREAK = re.compile(r"<(?:h[23]|table)(?=[ >])"), ' style="page-break-before: always"'
#: Of tables: points of their words, pixels of a page, at most of a column of words, and around the words of a cell.
_SMALL, _ROOM, _COLUMN, _PADDING = 8, 664, 180, 14
#: At most so many columns, less one, of numbers name the rows, as alpha, omega and gamma do, where words do not.
_NUMBERS = 4


def html_page(report: Report, template: str = "") -> str:
    """The report as one HTML file that holds its pictures; by a template of the user's own, where one is named.

    Raises:
        InputError: where that template cannot be used.
    """
    chosen = template or str(RESOURCES / _SCREEN)
    return _rendered(
        report,
        chosen,
        lambda one: f"data:{one.kind};base64,{base64.b64encode(one.data).decode('ascii')}",
    )


def paper_page(report: Report) -> tuple[str, Mapping[str, Picture]]:
    """The report in the little HTML that Qt's documents know, and its pictures by the address that it names."""
    pictures: dict[str, Picture] = {}

    def address(picture: Picture) -> str:
        name = f"picture:{len(pictures)}"
        pictures[name] = picture
        return name

    return _rendered(report, str(RESOURCES / _PAPER), address), pictures


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
            traceback.clear_frames(
                error.__traceback__
            )  # documents and painters end in the thread that made them
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
    document = laid_out(html, pictures, font, text)
    painter = QPainter(writer)
    try:
        painter.scale(scale, scale)
        pages = document.pageCount()
        small = QFont(font)
        small.setPixelSize(round(_POINTS * _LAYOUT / 72))
        for number in range(pages):
            if number:
                writer.newPage()
            painter.save()
            painter.translate(0, -number * text.height())
            document.drawContents(
                painter, QRectF(0, number * text.height(), text.width(), text.height())
            )
            painter.restore()
            painter.setFont(small)
            said = tr("{number} of {pages}", number=number + 1, pages=pages)
            painter.drawText(
                QRectF(0, text.height(), text.width(), _FOOT),
                int(Qt.AlignmentFlag.AlignRight),
                said,
            )
            progress((number + 1) / pages)
    finally:
        painter.end()  # before what it paints on goes
    return bytes(buffer.data())


def laid_out(
    html: str, pictures: Mapping[str, Picture], font: QFont, page: QSizeF
) -> QTextDocument:
    """The pages; one begins with what would otherwise be parted from what belongs to it.

    A document that is changed once it was laid out draws not all of its text, so each one is made anew.
    """
    broken: set[int] = set()
    while True:
        document = QTextDocument()
        document.setDefaultFont(font)
        for name, picture in pictures.items():
            document.addResource(
                QTextDocument.ResourceType.ImageResource, QUrl(name), QImage.fromData(picture.data)
            )
        # Words are as large on the page as in the layout, whatever the screen has.
        document.documentLayout().setPaintDevice(_measure())
        document.setPageSize(page)
        option = document.defaultTextOption()
        option.setWrapMode(
            QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        )  # paths have no spaces
        document.setDefaultTextOption(option)
        document.setHtml(_broken_at(html, broken))
        parted = _parted(document, page.height(), broken)
        if parted is None:
            return document
        broken.add(parted)


def _broken_at(html: str, units: set[int]) -> str:
    """The HTML with a new page at the titles and tables of these numbers."""
    numbers = count()
    return _UNITS.sub(lambda tag: tag[0] + _BREAK * (next(numbers) in units), html)


def _parted(document: QTextDocument, height: float, broken: set[int]) -> int | None:
    """The number of the first title, or table, that the end of a page parts from what belongs to it; None without any.

    To a title belong the sentence before a table, and the beginning of what follows.
    """
    units, title = _units(document), None
    for place, (kind, number, top, bottom) in enumerate(units):
        before_table = units[place + 1 : place + 2] and units[place + 1][0] == "table"
        if kind == "title" or (title and kind == "words" and before_table):
            title = title or (number, top)
            continue
        first, top = title or (number, top)
        title = None
        fits = bottom - top < height
        if first not in {-1, *broken} and fits and top // height != (bottom - 1) // height:
            return first
    return None


def _units(document: QTextDocument) -> list[tuple[str, int, float, float]]:
    """Titles, tables and other words from top to bottom: what it is, its number among those of :data:`_UNITS` or -1,
    its upper end, and the lower one of what must not be parted: two lines, or two rows."""
    layout, found, numbers = document.documentLayout(), [], count()
    parts = document.rootFrame().begin()
    while not parts.atEnd():
        table, block = parts.currentFrame(), parts.currentBlock()
        if isinstance(table, QTextTable):
            box, rows = layout.frameBoundingRect(table), table.format().headerRowCount() + 1
            ends = [
                table.cellAt(rows - 1, column).lastCursorPosition().block()
                for column in range(table.columns())
            ]
            least = max(layout.blockBoundingRect(end).bottom() for end in ends)
            found.append(
                ("table", next(numbers), box.top(), box.bottom() if table.rows() == 1 else least)
            )
        elif block.isValid():
            title, box, lines = (
                block.blockFormat().headingLevel() > 1,
                layout.blockBoundingRect(block),
                block.layout(),
            )
            last = (
                lines.lineAt(min(2, lines.lineCount()) - 1).rect().bottom()
                if lines.lineCount()
                else 0.0
            )
            found.append(
                (
                    "title" if title else "words",
                    next(numbers) if title else -1,
                    box.top(),
                    box.top() + last,
                )
            )
        parts += 1
    return found


def panels(cells: Cells, room: int = 0) -> list[list[tuple[int, int]]]:
    """Columns of a table, each its place and its width in pixels, in parts that stand below one another on a page.

    Each part begins with the columns that name the rows; numbers and words are whole. It has this room, or a page's.
    """
    room = room or _ROOM
    font = QFont("sans-serif")
    font.setPointSize(_SMALL)
    font.setBold(True)  # as titles are
    wide, widths = QFontMetricsF(font, _measure()).horizontalAdvance, []
    for place, (title, right) in enumerate(zip(cells.titles, cells.right)):
        texts = [row[place] for row in cells.rows]
        word = max(map(wide, " ".join([title, *texts]).split()), default=0.0)
        line = max(map(wide, texts), default=0.0)
        need = max(word, line) if right else max(min(word, room / 2), min(line, _COLUMN, room / 3))
        widths.append(math.ceil(need) + _PADDING)
    words = next((place for place, right in enumerate(cells.right) if right), len(widths)) or 1
    apart = (
        n
        for n in range(words, words + _NUMBERS)
        if len({str(row[:n]) for row in cells.rows}) == len(cells.rows)
    )
    keys = next(apart, words)
    while keys > 1 and sum(widths[:keys]) > 0.6 * room:
        keys -= 1
    found = [[*range(keys)]]
    for place in range(keys, len(widths)):
        if len(found[-1]) > keys and sum(widths[one] for one in (*found[-1], place)) > room:
            found.append([*range(keys)])
        found[-1].append(place)
    return [[(place, widths[place]) for place in part] for part in found]


@functools.cache
def _measure() -> QImage:
    """A picture with the dots per inch of the layout, which words are measured for."""
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(_LAYOUT / _INCH))
    image.setDotsPerMeterY(round(_LAYOUT / _INCH))
    return image


def _rendered(report: Report, template: str, address: Any) -> str:
    """The template with the report in it; nothing of a report is taken for HTML."""
    path = Path(template)
    made = environment(path.parent, escaping=True)
    from jinja2 import TemplateError

    made.globals.update(address=address, panels=panels)
    try:
        return made.get_template(path.name).render(report=report)
    except (
        TemplateError,
        OSError,
        UnicodeError,
        TypeError,
        ValueError,
        ArithmeticError,
        AttributeError,
    ) as error:
        line = getattr(error, "lineno", None)
        said = "The template {file} cannot be used: {why}"
        if line:
            said = "The template {file} cannot be used (line {line}): {why}"
        raise InputError(
            said, file=path.name, line=line, why=f"{type(error).__name__}: {error}"
        ) from error
