"""Pages of a report: HTML from a template, and PDF laid out by Qt."""

from __future__ import annotations

import base64
import functools
import math
import re
import traceback
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Callable, NamedTuple

from qgis.PyQt.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QThread, QUrl
from qgis.PyQt.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextDocument,
    QTextOption,
    QTextTable,
)

from randcrowns.algorithms.report.content import RESOURCES, Report, template_environment
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.localization import tr
from randcrowns.layers.markup import TableContent
from randcrowns.layers.styles.pictures import Picture

#: Templates of the HTML file and of the PDF file.
_SCREEN_TEMPLATE, _PAPER_TEMPLATE = "report.html", "report_paper.html"
#: Margin of a page, millimetres.
_MARGIN = 16.0
#: Size of the text, points.
_TEXT_POINTS = 9
#: Height of the line with the page number at the foot of a page, layout pixels.
_FOOT_HEIGHT = 14.0
#: Resolution of the layout, dots per inch. Sizes in layout pixels refer to it.
_LAYOUT_DPI = 96
#: Dots of the printer per layout pixel.
_PRINTER_SCALE = 4
_METRES_PER_INCH = 0.0254
#: Beginning of the tag of a title or table, before which a page may begin.
_BREAKABLE_TAG = re.compile(r"<(?:h[23]|table)(?=[ >])")
#: Attribute of such a tag that begins a new page.
_PAGE_BREAK = ' style="page-break-before: always"'
#: Size of the text in tables, points.
_TABLE_POINTS = 8
#: Width of a page for tables, layout pixels.
_TABLE_WIDTH = 664
#: Maximum width of a column of texts, layout pixels.
_MAXIMUM_TEXT_WIDTH = 180
#: Padding of a cell, left and right together, layout pixels.
_CELL_PADDING = 14
#: Number of columns of numbers, plus one, that may identify rows that texts do not; for example
#: alpha, omega and gamma.
_NUMBER_KEYS = 4
#: Maximum share of the width of a page for the columns that are repeated in each part of a table.
_MAXIMUM_KEY_SHARE = 0.6


def render_html(report: Report, template: str = "") -> str:
    """Return a report as one HTML file that contains its pictures.

    Args:
        report: content of the report.
        template: path of a Jinja2 template; empty for that of the plugin.

    Raises:
        InputError: if the template cannot be used.
    """

    def data_address(picture: Picture) -> str:
        return f"data:{picture.mime_type};base64,{base64.b64encode(picture.data).decode('ascii')}"

    return _render(report, template or str(RESOURCES / _SCREEN_TEMPLATE), data_address)


def render_paper_html(report: Report) -> tuple[str, Mapping[str, Picture]]:
    """Return a report in the subset of HTML that Qt supports, and its pictures by address."""
    pictures: dict[str, Picture] = {}

    def numbered_address(picture: Picture) -> str:
        address = f"picture:{len(pictures)}"
        pictures[address] = picture
        return address

    return _render(report, str(RESOURCES / _PAPER_TEMPLATE), numbered_address), pictures


class _PdfThread(QThread):
    """Thread that lays out a report.

    Documents of Qt use timers, which require a thread that Qt started.

    Args:
        report: content of the report.
        progress: callback that receives the completed fraction.
    """

    def __init__(self, report: Report, progress: Progress) -> None:
        super().__init__()
        self._report = report
        self._progress = progress
        self.pdf = b""  #: content of the file.
        self.error: BaseException | None = None  #: error that ended the thread.

    def run(self) -> None:
        """Lay out the report; an error is stored in ``error``."""
        try:
            self.pdf = _write_pdf(self._report, self._progress)
        except BaseException as error:  # noqa: BLE001 - pdf_pages raises it
            # The frames hold documents and painters, which this thread must delete.
            traceback.clear_frames(error.__traceback__)
            self.error = error


def render_pdf(report: Report, progress: Progress = no_progress) -> bytes:
    """Return a report as a PDF file with numbered A4 pages.

    Args:
        report: content of the report.
        progress: callback that receives the completed fraction.

    Raises:
        Cancelled: if ``progress`` raises it.
    """
    thread = _PdfThread(report, progress)
    thread.start()
    thread.wait()
    if thread.error is not None:
        raise thread.error
    return thread.pdf


def _write_pdf(report: Report, progress: Progress) -> bytes:
    """Return a report as a PDF file; runs in a thread that Qt started."""
    html, pictures = render_paper_html(report)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(report.title)
    writer.setCreator("RandCrowns")
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN),
            QPageLayout.Unit.Millimeter,
        )
    )
    writer.setResolution(_LAYOUT_DPI * _PRINTER_SCALE)
    scale = writer.resolution() / _LAYOUT_DPI
    text_size = QSizeF(writer.width() / scale, writer.height() / scale - _FOOT_HEIGHT)
    font = QFont("sans-serif")
    font.setPointSize(_TEXT_POINTS)
    document = lay_out_pages(html, pictures, font, text_size)
    painter = QPainter(writer)
    try:
        painter.scale(scale, scale)
        number_font = QFont(font)
        number_font.setPixelSize(round(_TEXT_POINTS * _LAYOUT_DPI / 72))
        n_pages = document.pageCount()
        for number in range(n_pages):
            if number:
                writer.newPage()
            _paint_page(painter, document, text_size, number, number_font)
            progress((number + 1) / n_pages)
    finally:
        # The painter must end before its device is deleted.
        painter.end()
    return bytes(buffer.data())


def _paint_page(
    painter: QPainter, document: QTextDocument, text_size: QSizeF, number: int, number_font: QFont
) -> None:
    """Paint one page with its number.

    Args:
        painter: painter in layout pixels, with its origin at the upper left of the page.
        document: document with all pages, one below the other.
        text_size: size of the text on a page, layout pixels.
        number: number of the page, from 0.
        number_font: font of the page number.
    """
    width = text_size.width()
    height = text_size.height()
    painter.save()
    painter.translate(0, -number * height)
    document.drawContents(painter, QRectF(0, number * height, width, height))
    painter.restore()
    painter.setFont(number_font)
    text = tr("{number} of {pages}", number=number + 1, pages=document.pageCount())
    foot = QRectF(0, height, width, _FOOT_HEIGHT)
    painter.drawText(foot, int(Qt.AlignmentFlag.AlignRight), text)


def lay_out_pages(
    html: str, pictures: Mapping[str, Picture], font: QFont, page: QSizeF
) -> QTextDocument:
    """Lay out HTML on pages such that titles stay with what follows them.

    A page is begun before a title or table that the end of a page would separate from what belongs
    to it. Qt does not draw all text of a document that is changed after its layout, so a new
    document is made for each additional page break.

    Args:
        html: the text.
        pictures: pictures by address.
        font: default font.
        page: size of the text on a page, layout pixels.
    """
    page_breaks: set[int] = set()
    while True:
        document = _lay_out(_insert_page_breaks(html, page_breaks), pictures, font, page)
        separated = _find_separated(document, page.height(), page_breaks)
        if separated is None:
            return document
        page_breaks.add(separated)


def _lay_out(
    html: str, pictures: Mapping[str, Picture], font: QFont, page: QSizeF
) -> QTextDocument:
    """Return a document with the HTML on pages; arguments as for :func:`lay_out_pages`."""
    document = QTextDocument()
    document.setDefaultFont(font)
    for address, picture in pictures.items():
        document.addResource(
            QTextDocument.ResourceType.ImageResource, QUrl(address), QImage.fromData(picture.data)
        )
    # The resolution of the layout, not that of the screen, decides the size of the text.
    document.documentLayout().setPaintDevice(_layout_device())
    document.setPageSize(page)
    option = document.defaultTextOption()
    # Paths of files have no spaces to break lines at.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    document.setHtml(html)
    return document


def _insert_page_breaks(html: str, numbers: set[int]) -> str:
    """Return HTML with page breaks before the titles and tables of these numbers, from 0."""
    tag_numbers = count()

    def with_break(tag: re.Match[str]) -> str:
        return tag[0] + (_PAGE_BREAK if next(tag_numbers) in numbers else "")

    return _BREAKABLE_TAG.sub(with_break, html)


class _Block(NamedTuple):
    """Title, table or other paragraph of a document."""

    kind: str  #: ``title``, ``table`` or ``paragraph``.
    #: Number among the titles and tables, from 0; -1 for a paragraph.
    number: int
    top: float  #: upper edge in the document, layout pixels.
    #: Lower edge of the part that must be on one page: two lines, or the head and one row.
    bottom: float


def _find_separated(document: QTextDocument, height: float, page_breaks: set[int]) -> int | None:
    """Return the number of the first title or table that a page end separates, or None.

    A title belongs to the beginning of what follows it, and to the sentence before a table. Blocks
    that are higher than a page, or that begin a page already, are ignored.

    Args:
        document: document with all pages, one below the other.
        height: height of the text on a page, layout pixels.
        page_breaks: numbers of the titles and tables that begin a page.
    """
    blocks = _document_blocks(document)
    open_title: _Block | None = None
    for index, block in enumerate(blocks):
        is_before_table = index + 1 < len(blocks) and blocks[index + 1].kind == "table"
        is_sentence_of_table = block.kind == "paragraph" and is_before_table
        if block.kind == "title" or (open_title is not None and is_sentence_of_table):
            open_title = open_title or block
            continue

        # The block must be on the same page as the titles and sentences before it.
        first = open_title or block
        open_title = None
        can_be_moved = first.number != -1 and first.number not in page_breaks
        fits_on_page = block.bottom - first.top < height
        first_page = first.top // height
        last_page = (block.bottom - 1) // height
        if can_be_moved and fits_on_page and first_page != last_page:
            return first.number
    return None


def _document_blocks(document: QTextDocument) -> list[_Block]:
    """Return the titles, tables and other paragraphs of a document from top to bottom."""
    layout = document.documentLayout()
    numbers = count()
    blocks = []
    parts = document.rootFrame().begin()
    while not parts.atEnd():
        table = parts.currentFrame()
        paragraph = parts.currentBlock()
        if isinstance(table, QTextTable):
            blocks.append(_table_block(table, layout, next(numbers)))
        elif paragraph.isValid():
            is_title = paragraph.blockFormat().headingLevel() > 1
            number = next(numbers) if is_title else -1
            top = layout.blockBoundingRect(paragraph).top()
            bottom = top + _end_of_second_line(paragraph)
            blocks.append(_Block("title" if is_title else "paragraph", number, top, bottom))
        parts += 1
    return blocks


def _table_block(table: QTextTable, layout: QAbstractTextDocumentLayout, number: int) -> _Block:
    """Return the block of a table, of which the head and the first row must be on one page."""
    box = layout.frameBoundingRect(table)
    if table.rows() == 1:
        return _Block("table", number, box.top(), box.bottom())
    first_row = table.format().headerRowCount()
    last_paragraphs = [
        table.cellAt(first_row, column).lastCursorPosition().block()
        for column in range(table.columns())
    ]
    bottom = max(layout.blockBoundingRect(paragraph).bottom() for paragraph in last_paragraphs)
    return _Block("table", number, box.top(), bottom)


def _end_of_second_line(paragraph: QTextBlock) -> float:
    """Return the lower edge of the second line, or of a single one, from the paragraph's top."""
    lines = paragraph.layout()
    if not lines.lineCount():
        return 0.0
    return float(lines.lineAt(min(2, lines.lineCount()) - 1).rect().bottom())


def panels(cells: TableContent, room: int = 0) -> list[list[tuple[int, int]]]:
    """Split the columns of a wide table into parts that fit on a page, one below the other.

    Each part begins with the columns that identify the rows. No number and no word is broken.

    Args:
        cells: content of the table.
        room: available width, layout pixels; 0 for the width of a page.

    Returns:
        The parts; each is a list of (column, width in layout pixels).
    """
    room = room or _TABLE_WIDTH
    widths = _column_widths(cells, room)
    n_keys = _count_key_columns(cells)
    # Key columns are repeated in each part, so they may take only a share of the width.
    while n_keys > 1 and sum(widths[:n_keys]) > _MAXIMUM_KEY_SHARE * room:
        n_keys -= 1
    keys = [(column, widths[column]) for column in range(n_keys)]

    parts = [list(keys)]
    for column in range(n_keys, len(widths)):
        part = parts[-1]
        used_width = sum(width for _, width in part)
        if len(part) > n_keys and used_width + widths[column] > room:
            part = list(keys)
            parts.append(part)
        part.append((column, widths[column]))
    return parts


def _column_widths(cells: TableContent, room: int) -> list[int]:
    """Return the width of each column of a table, layout pixels.

    A column of numbers is as wide as its longest number. In a column of texts, lines are broken
    between words.

    Args:
        cells: content of the table.
        room: available width, layout pixels.
    """
    font = QFont("sans-serif")
    font.setPointSize(_TABLE_POINTS)
    # Titles are bold, which is wider.
    font.setBold(True)
    text_width = QFontMetricsF(font, _layout_device()).horizontalAdvance
    widths = []
    for column, (title, is_number) in enumerate(zip(cells.titles, cells.is_right_aligned)):
        texts = [row[column] for row in cells.rows]
        longest_word = max(map(text_width, " ".join([title, *texts]).split()), default=0.0)
        longest_text = max(map(text_width, texts), default=0.0)
        if is_number:
            width = max(longest_word, longest_text)
        else:
            width = max(
                min(longest_word, room / 2), min(longest_text, _MAXIMUM_TEXT_WIDTH, room / 3)
            )
        widths.append(math.ceil(width) + _CELL_PADDING)
    return widths


def _count_key_columns(cells: TableContent) -> int:
    """Return the number of leading columns that identify the rows of a table; at least 1.

    These are the columns of texts before the first number. If they do not distinguish the rows, up
    to three columns of numbers are added, unless these do not distinguish them either.
    """
    n_columns = len(cells.titles)
    first_number = next(
        (column for column, right in enumerate(cells.is_right_aligned) if right), n_columns
    )
    n_texts = first_number or 1
    for n_keys in range(n_texts, n_texts + _NUMBER_KEYS):
        distinct_rows = {str(row[:n_keys]) for row in cells.rows}
        if len(distinct_rows) == len(cells.rows):
            return n_keys
    return n_texts


@functools.cache
def _layout_device() -> QImage:
    """Return an image with the resolution of the layout, as paint device for measuring text."""
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(_LAYOUT_DPI / _METRES_PER_INCH))
    image.setDotsPerMeterY(round(_LAYOUT_DPI / _METRES_PER_INCH))
    return image


def _render(report: Report, template: str, address: Callable[[Picture], str]) -> str:
    """Return a template filled in with a report, whose texts are escaped.

    Args:
        report: content of the report.
        template: path of the template.
        address: returns the address of a picture.

    Raises:
        InputError: if the template cannot be used.
    """
    path = Path(template)
    jinja = template_environment(path.parent, escape_html=True)
    from jinja2 import TemplateError

    jinja.globals.update(address=address, panels=panels)
    try:
        return str(jinja.get_template(path.name).render(report=report))
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
        text = "The template {file} cannot be used: {why}"
        if line:
            text = "The template {file} cannot be used (line {line}): {why}"
        raise InputError(
            "report.invalid_template",
            text,
            file=path.name,
            line=line,
            why=f"{type(error).__name__}: {error}",
        ) from error
