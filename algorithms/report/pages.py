"""Pages of a report: HTML from a template, and PDF laid out by Qt."""

from __future__ import annotations

import functools
import math
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from qgis.PyQt.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QMarginsF,
    QObject,
    QRectF,
    QSizeF,
    Qt,
    QThread,
)
from qgis.PyQt.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextDocument,
    QTextFormat,
    QTextObjectInterface,
    QTextOption,
    QTextTable,
)
from qgis.PyQt.QtSvg import QSvgRenderer

from randcrowns.algorithms.report.content import check_report_libraries
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.localization import keep_numbers_whole, tr
from randcrowns.report import render
from randcrowns.report.content import Panel, Picture, Report, TableContent
from randcrowns.report.references import RESOURCES
from randcrowns.report.render import fill_template
from randcrowns.report.theme import encode_panel

#: Template of the PDF file.
_PAPER_TEMPLATE = "report_paper.html"
#: Margin of a page, millimetres.
_MARGIN = 16.0
#: Preferred maximum height of the map, layout pixels.
MAP_HEIGHT = 380
#: Heights of the map, layout pixels, with sizes of the text, points; the preferred one first.
_LAYOUTS = ((MAP_HEIGHT, 9.0), (300, 9.0), (300, 8.5))
#: Share of a page that a layout must save to be used instead of a preferred one.
_SAVED_SHARE = 0.25
#: Height of the foot of a page, layout pixels, and size and colour of its text.
_FOOT_HEIGHT = 18.0
_FOOT_POINTS = 7
_FOOT_COLOUR = "#555555"
#: Sizes of pages by the key of the option.
_PAGE_SIZES = {"a4": QPageSize.PageSizeId.A4, "letter": QPageSize.PageSizeId.Letter}
#: Share of the width of a page for the title in its foot.
_FOOT_TITLE_SHARE = 0.6
#: Resolution of the layout, dots per inch. Sizes in layout pixels refer to it.
_LAYOUT_DPI = 96
#: Dots of the printer per layout pixel.
_PRINTER_SCALE = 4
_METRES_PER_INCH = 0.0254
#: Beginning of the tag of a title or table, before which a page may begin.
_BREAKABLE_TAG = re.compile(r"<(?:h[23]|table)(?=[ >])")
#: Attribute of such a tag that begins a new page.
_PAGE_BREAK = ' style="page-break-before: always"'
#: Row below the head of a table.
_ROW = re.compile(r"<tr>\s*<td.*?</tr>", re.DOTALL)
#: Tag of a diagram or map that may be smaller; pictures of a group have the same scale. The minimum
#: scale is in percent.
_FITTED = re.compile(
    r'<img class="fitted (?P<minimum>\d+) (?P<group>[^"]*)" src="(?P<address>[^"]*)" '
    r'width="(?P<width>\d+)" height="(?P<height>\d+)"'
)
#: Element of a drawing that Qt cannot paint.
_HATCH = b"<pattern"
#: Kind of the objects in a document that are pictures, ``QTextFormat::ImageObject``.
_IMAGE_OBJECT = 1
#: Size of the text in tables, points.
_TABLE_POINTS = 8
#: Margin of the text on a page at each side, layout pixels.
_DOCUMENT_MARGIN = 4
#: Maximum width of a column of texts, layout pixels.
_MAXIMUM_TEXT_WIDTH = 180
#: Minimum width of a column of texts with long words, layout pixels.
_MINIMUM_TEXT_WIDTH = 90
#: Number of lines of a long title if there is room for its column.
_TITLE_LINES = 2
#: Width of a title that has one line if there is room for its column, layout pixels.
_SHORT_TITLE = 110
#: Padding of a cell, left and right together, layout pixels.
_CELL_PADDING = 14
#: The same in a table that would not fit on a page otherwise.
_NARROW_PADDING = 11
#: Number of columns of numbers, plus one, that may identify rows that texts do not; for example
#: alpha, omega and gamma.
_NUMBER_KEYS = 4
#: Maximum share of the width of a page for the columns that are repeated in each part of a table.
_MAXIMUM_KEY_SHARE = 0.6


def render_html(report: Report, template: str = "", progress: Progress = no_progress) -> str:
    """Return a report as one HTML file that contains its pictures.

    Args:
        report: content of the report.
        template: path of a Jinja2 template; empty for that of the plugin.
        progress: callback that receives the completed fraction.

    Raises:
        Cancelled: if ``progress`` raises it.
        InputError: if the template cannot be used, or a library is missing.
    """
    check_report_libraries()
    return render.render_html(report, template, {"panels": panels}, progress)


def render_paper_html(
    report: Report, page_width: float, map_height: int = MAP_HEIGHT, page_height: float = 0.0
) -> tuple[str, Mapping[str, Picture | Panel]]:
    """Return a report in the subset of HTML that Qt supports, and its pictures by address.

    Args:
        report: content of the report.
        page_width: width of the text on a page with its margins, layout pixels.
        map_height: maximum height of the map, layout pixels.
        page_height: height of the text on a page, on which each diagram must have room with its
            title and caption, layout pixels; 0 for diagrams of any height.
    """
    pictures: dict[str, Picture | Panel] = {}

    def numbered_address(picture: Picture | Panel, _width: int = 0) -> str:
        address = f"picture:{len(pictures)}"
        pictures[address] = picture
        return address

    check_report_libraries()
    template = str(RESOURCES / _PAPER_TEMPLATE)
    functions = {
        "address": numbered_address,
        "panels": functools.partial(panels, device=_create_layout_device()),
        "room": math.floor(page_width) - 2 * _DOCUMENT_MARGIN,
        "map_height": map_height,
        "page_height": page_height,
    }
    return fill_template(report, template, functions), pictures


class _PdfThread(QThread):
    """Thread that lays out a report.

    Documents of Qt use timers, which require a thread that Qt started.

    Args:
        report: content of the report.
        progress: callback that receives the completed fraction.
        page_size: size of the pages.
    """

    def __init__(self, report: Report, progress: Progress, page_size: QPageSize.PageSizeId) -> None:
        super().__init__()
        self._report = report
        self._progress = progress
        self._page_size = page_size
        self.pdf = b""  #: content of the file.
        self.error: BaseException | None = None  #: error that ended the thread.

    def run(self) -> None:
        """Lay out the report; an error is stored in ``error``."""
        try:
            self.pdf = _write_pdf(self._report, self._progress, self._page_size)
        except BaseException as error:  # noqa: BLE001 - pdf_pages raises it
            # The frames hold documents and painters, which this thread must delete.
            traceback.clear_frames(error.__traceback__)
            self.error = error


def render_pdf(report: Report, progress: Progress = no_progress, page_size: str = "a4") -> bytes:
    """Return a report as a PDF file with numbered pages.

    Args:
        report: content of the report.
        progress: callback that receives the completed fraction.
        page_size: ``a4`` or ``letter``.

    Raises:
        Cancelled: if ``progress`` raises it.
    """
    thread = _PdfThread(report, progress, _PAGE_SIZES[page_size])
    thread.start()
    thread.wait()
    if thread.error is not None:
        raise thread.error
    return thread.pdf


def _write_pdf(report: Report, progress: Progress, page_size: QPageSize.PageSizeId) -> bytes:
    """Return a report as a PDF file; runs in a thread that Qt started.

    Args:
        report: content of the report.
        progress: called with the fraction of the pages done; may raise to cancel.
        page_size: size of a page.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _create_pdf_writer(buffer, report.title, page_size)
    # Pages are laid out in pixels of the layout, which the painter enlarges to those of the file.
    scale = writer.resolution() / _LAYOUT_DPI
    text_size = QSizeF(writer.width() / scale, writer.height() / scale - _FOOT_HEIGHT)
    document = lay_out_compactly(report, text_size)
    painter = QPainter(writer)
    try:
        painter.scale(scale, scale)
        n_pages = document.pageCount()
        for index in range(n_pages):
            if index > 0:
                writer.newPage()
            _paint_page(painter, document, text_size, index)
            _paint_foot(painter, report, text_size, _PageNumber(index + 1, n_pages))
            progress((index + 1) / n_pages)
    finally:
        # The painter must end before its device is deleted.
        painter.end()
    return bytes(buffer.data())


def _create_pdf_writer(buffer: QBuffer, title: str, page_size: QPageSize.PageSizeId) -> QPdfWriter:
    """Return a writer of upright pages with the same margin on all sides.

    Args:
        buffer: buffer to which the file is written.
        title: title of the file.
        page_size: size of a page.
    """
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("RandCrowns")
    writer.setPageLayout(
        QPageLayout(
            QPageSize(page_size),
            QPageLayout.Orientation.Portrait,
            QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN),
            QPageLayout.Unit.Millimeter,
        )
    )
    writer.setResolution(_LAYOUT_DPI * _PRINTER_SCALE)
    return writer


class _PageNumber(NamedTuple):
    """Number of a page, from 1, and number of all pages."""

    number: int
    n_pages: int


def _paint_page(painter: QPainter, document: QTextDocument, text_size: QSizeF, number: int) -> None:
    """Paint the content of one page.

    Args:
        painter: painter in layout pixels, with its origin at the upper left of the page.
        document: document with all pages, one below the other.
        text_size: size of the text on a page, layout pixels.
        number: number of the page, from 0.
    """
    width = text_size.width()
    height = text_size.height()
    painter.save()
    painter.translate(0, -number * height)
    document.drawContents(painter, QRectF(0, number * height, width, height))
    painter.restore()


def _paint_foot(painter: QPainter, report: Report, text_size: QSizeF, page: _PageNumber) -> None:
    """Paint the title, the day and the page number below the content of a page.

    Args:
        painter: painter in layout pixels, with its origin at the upper left of the page.
        report: content of the report.
        text_size: size of the text on a page, layout pixels.
        page: number of the page.
    """
    width = text_size.width()
    font = QFont("sans-serif")
    font.setPixelSize(round(_FOOT_POINTS * _LAYOUT_DPI / 72))
    painter.setFont(font)
    painter.setPen(QColor(_FOOT_COLOUR))
    foot = QRectF(0, text_size.height(), width, _FOOT_HEIGHT)
    title = QFontMetricsF(font, _create_layout_device()).elidedText(
        report.title, Qt.TextElideMode.ElideRight, _FOOT_TITLE_SHARE * width
    )
    number = tr("{number} of {pages}", number=page.number, pages=page.n_pages)
    day_and_number = "   ".join(filter(None, [report.made_day, number]))
    bottom = Qt.AlignmentFlag.AlignBottom
    painter.drawText(foot, int(Qt.AlignmentFlag.AlignLeft | bottom), title)
    painter.drawText(foot, int(Qt.AlignmentFlag.AlignRight | bottom), day_and_number)


class _Drawable(NamedTuple):
    """Picture as pixels, or as a drawing that stays sharp at any size."""

    size: QSizeF  #: size, layout pixels.
    image: QImage | None  #: pixels; None for a drawing.
    drawing: QSvgRenderer | None  #: vectors; None for pixels.

    @classmethod
    def from_picture(cls, picture: Picture | Panel) -> _Drawable:
        """Return the drawable of a picture; a diagram without hatches is drawn as vectors."""
        if isinstance(picture, Panel):
            size = QSizeF(picture.width * _LAYOUT_DPI, picture.height * _LAYOUT_DPI)
            drawing = encode_panel(picture, "paths")
            if _HATCH in drawing:
                return cls(size, QImage.fromData(encode_panel(picture, "png")), None)
            return cls(size, None, QSvgRenderer(QByteArray(drawing)))
        return cls(QSizeF(picture.width, picture.height), QImage.fromData(picture.data), None)


class _PictureHandler(QObject, QTextObjectInterface):
    """Painter of the pictures in a document; Qt itself would turn drawings into pixels.

    Args:
        drawables: pictures by address.
        document: document with the pictures, which owns the painter.
    """

    def __init__(self, drawables: Mapping[str, _Drawable], document: QTextDocument) -> None:
        super().__init__(document)
        self._drawables = drawables

    def intrinsicSize(  # noqa: N802 - Qt's name
        self, _document: QTextDocument, _position: int, picture_format: QTextFormat
    ) -> QSizeF:
        """Return the size that the document requests, or else that of the picture."""
        image_format = picture_format.toImageFormat()
        size = self._drawables[image_format.name()].size
        return QSizeF(image_format.width() or size.width(), image_format.height() or size.height())

    def drawObject(  # noqa: N802 - Qt's name
        self,
        painter: QPainter,
        place: QRectF,
        _document: QTextDocument,
        _position: int,
        picture_format: QTextFormat,
    ) -> None:
        """Paint a picture into its place on the page."""
        drawable = self._drawables[picture_format.toImageFormat().name()]
        if drawable.drawing is not None:
            drawable.drawing.render(painter, place)
        elif drawable.image is not None:
            painter.drawImage(place, drawable.image)


def lay_out_pages(
    html: str, pictures: Mapping[str, Picture | Panel], font: QFont, page: QSizeF
) -> QTextDocument:
    """Lay out HTML on pages such that titles and captions stay with what follows them.

    A page is begun before a title or table that the end of a page would separate from what belongs
    to it. Qt does not draw all text of a document that is changed after its layout, so a new
    document is made for each additional page break.

    Args:
        html: the text.
        pictures: pictures by address.
        font: default font.
        page: size of the text on a page, layout pixels.
    """
    return _lay_out_drawables(html, _draw_pictures(pictures), font, page)


def lay_out_compactly(report: Report, page: QSizeF) -> QTextDocument:
    """Lay out a report with a smaller map or text if this saves a page or a large part of one.

    Args:
        report: content of the report.
        page: size of the text on a page, layout pixels.
    """
    preferred, *others = _LAYOUTS
    html, pictures = render_paper_html(report, page.width(), preferred[0], page.height())
    # All layouts contain the same pictures.
    drawables = _draw_pictures(pictures)
    best = _lay_out_drawables(html, drawables, _text_font(preferred[1]), page)
    for map_height, text_points in others:
        if best.pageCount() == 1:
            break
        html, _ = render_paper_html(report, page.width(), map_height, page.height())
        document = _lay_out_drawables(html, drawables, _text_font(text_points), page)
        saved_height = _end_of_text(best) - _end_of_text(document)
        saves_page = document.pageCount() < best.pageCount()
        if saves_page or saved_height > _SAVED_SHARE * page.height():
            best = document
    return best


def _text_font(points: float) -> QFont:
    """Return the font of the text in a size, points."""
    font = QFont("sans-serif")
    font.setPointSizeF(points)
    return font


def _end_of_text(document: QTextDocument) -> float:
    """Return the position of the last title, table or other paragraph, layout pixels."""
    return max((block.begin_bottom for block in _list_blocks(document)), default=0.0)


def _draw_pictures(pictures: Mapping[str, Picture | Panel]) -> dict[str, _Drawable]:
    """Return the drawables of pictures by address."""
    return {address: _Drawable.from_picture(picture) for address, picture in pictures.items()}


def _lay_out_drawables(
    html: str, drawables: Mapping[str, _Drawable], font: QFont, page: QSizeF
) -> QTextDocument:
    """Lay out HTML on pages; see :func:`lay_out_pages`."""
    # On a single page without an end, blocks have the height that they need on any page.
    endless_page = QSizeF(page.width(), 0.0)
    text = html
    changes = _PageChanges()
    undivided = _list_blocks(_create_document(text, drawables, font, endless_page))
    while True:
        document = _create_document(changes.apply_to(text), drawables, font, page)
        blocks = _list_blocks(document)
        separated = _find_separated(blocks, undivided, page.height(), changes.page_breaks)
        divided = _find_lonely_rows(blocks, page.height())
        if separated is None and divided is None:
            return document
        if divided is not None and (separated is None or divided.number < separated.number):
            text = _split_table(text, divided)
            changes = changes.with_new_page(divided.number + 1)
        elif separated is not None:
            group, scale = _fit_pictures(text, separated, page.height())
            if not scale or group in changes.scales:
                changes.page_breaks.add(separated.number)
                if group not in changes.scales or separated.number == separated.table_number:
                    continue
                # The first diagrams of a figure begin a page, on which they have their whole size.
                changes.scales[group] = 1.0
            else:
                changes.scales[group] = scale
        scaled_text = _PageChanges(scales=changes.scales).apply_to(text)
        undivided = _list_blocks(_create_document(scaled_text, drawables, font, endless_page))


def _create_document(
    html: str, drawables: Mapping[str, _Drawable], font: QFont, page: QSizeF
) -> QTextDocument:
    """Return a document with the HTML on pages.

    Args:
        html: the text.
        drawables: pictures by address.
        font: default font.
        page: size of the text on a page, layout pixels.
    """
    document = QTextDocument()
    document.setDefaultFont(font)
    handler = _PictureHandler(drawables, document)
    document.documentLayout().registerHandler(_IMAGE_OBJECT, handler)
    # The resolution of the layout, not that of the screen, decides the size of the text.
    document.documentLayout().setPaintDevice(_create_layout_device())
    document.setDocumentMargin(_DOCUMENT_MARGIN)
    document.setPageSize(page)
    option = document.defaultTextOption()
    # Paths of files have no spaces to break lines at.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    document.setHtml(keep_numbers_whole(html))
    return document


@dataclass(frozen=True)
class _PageChanges:
    """Changes of HTML for the ends of pages, by the number of a title or table, from 0."""

    #: Titles and tables that begin a page.
    page_breaks: set[int] = field(default_factory=set)
    #: Scale of the pictures of a group, below 1.
    scales: dict[str, float] = field(default_factory=dict)

    def with_new_page(self, number: int) -> _PageChanges:
        """Return the changes after a table was inserted that begins a page."""
        moved = {other + (other >= number) for other in self.page_breaks}
        return _PageChanges({*moved, number}, self.scales)

    def apply_to(self, html: str) -> str:
        """Return HTML with the changes."""
        parts = _split_at_tags(_FITTED.sub(self._scale, html))
        changed = [
            _BREAKABLE_TAG.sub(lambda tag: f"{tag[0]}{_PAGE_BREAK}", part, count=1)
            if number in self.page_breaks
            else part
            for number, part in enumerate(parts[1:])
        ]
        return "".join([parts[0], *changed])

    def _scale(self, tag: re.Match[str]) -> str:
        """Return the tag of a picture with its size."""
        scale = self.scales.get(tag["group"], 1.0)
        width, height = (int(scale * int(tag[name])) for name in ("width", "height"))
        return f'<img src="{tag["address"]}" width="{width}" height="{height}"'


def _split_at_tags(html: str) -> list[str]:
    """Return the HTML before the first title or table, and that of each with what follows it."""
    starts = [tag.start() for tag in _BREAKABLE_TAG.finditer(html)]
    return [html[start:end] for start, end in zip([0, *starts], [*starts, len(html)])]


def _split_table(html: str, lonely: _LonelyRows) -> str:
    """Return HTML in which the last rows of a table are a table of their own with the same head."""
    parts = _split_at_tags(html)
    table = parts[lonely.number + 1]
    rows = list(_ROW.finditer(table))
    head = table[: rows[0].start()]
    start = rows[lonely.row].start()
    parts[lonely.number + 1] = f"{table[:start]}</table>{head}{table[start:]}"
    return "".join(parts)


#: Maximum number of rows below the head of a table that stays on one page if it fits there.
_MAX_WHOLE_ROWS = 8
#: Minimum number of rows of a longer table on a page.
_MIN_ROWS = 3
#: Number of a block that is no title and no table.
_NO_NUMBER = -1


class _Block(NamedTuple):
    """Title, table or other paragraph of a document."""

    kind: str  #: ``title``, ``table`` or ``paragraph``.
    #: Number among the titles and tables, from 0; -1 for a paragraph.
    number: int
    top: float  #: upper edge in the document, layout pixels.
    #: Lower edge of its beginning, which must be on one page: two lines, or the head and some rows.
    begin_bottom: float
    #: Lower edge of the part that is on one page if the page has room: all of a short table.
    whole_bottom: float
    row_tops: Sequence[float] = ()  #: upper edges of the rows below the head of a table.


class _Separated(NamedTuple):
    """Titles, sentences and a table or paragraph that the end of a page separates."""

    number: int  #: number of the first title or table.
    table_number: int  #: number of the last block; -1 for a paragraph.
    top: float  #: upper edge in the document, layout pixels.
    height: float  #: height of all blocks, layout pixels.


def _find_separated(
    blocks: Sequence[_Block], undivided: Sequence[_Block], height: float, page_breaks: set[int]
) -> _Separated | None:
    """Return the first title or table that a page end separates from what belongs to it, or None.

    A title belongs to the beginning of what follows it, and to the sentence before a table. A
    short table is on one page as a whole if it fits on a page with its title. Blocks that begin a
    page already are ignored.

    Args:
        blocks: blocks of the document with all pages, one below the other.
        undivided: the same blocks on a single page without an end. If the end of a page divides a
            row, Qt moves it to the next page, so that the table on pages is higher.
        height: height of the text on a page, layout pixels.
        page_breaks: numbers of the titles and tables that begin a page.
    """
    first: int | None = None
    for index, block in enumerate(blocks):
        is_before_table = index + 1 < len(blocks) and blocks[index + 1].kind == "table"
        is_sentence_of_table = block.kind == "paragraph" and is_before_table
        if block.kind == "title" or (first is not None and is_sentence_of_table):
            first = index if first is None else first
            continue

        # The block must be on the same page as the titles and sentences before it.
        first = index if first is None else first
        first_block = blocks[first]
        undivided_top = undivided[first].top
        first = None
        if first_block.number == _NO_NUMBER or first_block.number in page_breaks:
            continue
        bottom = block.begin_bottom
        needed_height = undivided[index].begin_bottom - undivided_top
        if undivided[index].whole_bottom - undivided_top < height:
            bottom = block.whole_bottom
            needed_height = undivided[index].whole_bottom - undivided_top
        elif needed_height >= height:
            continue
        if first_block.top // height != (bottom - 1) // height:
            return _Separated(first_block.number, block.number, first_block.top, needed_height)
    return None


class _LonelyRows(NamedTuple):
    """Table of which the last page has too few rows."""

    number: int  #: number of the table among the titles and tables.
    row: int  #: row below the head, from 0, that should begin the last page.


def _find_lonely_rows(blocks: Sequence[_Block], height: float) -> _LonelyRows | None:
    """Return the first table that ends with one or two rows on a page, or None.

    Args:
        blocks: blocks of the document with all pages, one below the other.
        height: height of the text on a page, layout pixels.
    """
    for block in blocks:
        pages = [top // height for top in block.row_tops]
        if not pages or pages[0] == pages[-1]:
            continue
        n_last = pages.count(pages[-1])
        n_before = pages.count(pages[-1 - n_last])
        if n_last < _MIN_ROWS <= n_before + n_last - _MIN_ROWS:
            return _LonelyRows(block.number, len(pages) - _MIN_ROWS)
    return None


def _fit_pictures(html: str, separated: _Separated, height: float) -> tuple[str, float]:
    """Return the scale at which pictures fit on the page on which their title would be.

    Args:
        html: the text without changes.
        separated: title and table with the pictures.
        height: height of the text on a page, layout pixels.

    Returns:
        The group of the pictures, and the scale; 0 without pictures that may be smaller, or if they
        would be too small.
    """
    if separated.table_number == _NO_NUMBER:
        return "", 0.0
    pictures = list(_FITTED.finditer(_split_at_tags(html)[separated.table_number + 1]))
    if not pictures:
        return "", 0.0
    picture_height = max(int(picture["height"]) for picture in pictures)
    room = height - separated.top % height - _DOCUMENT_MARGIN
    # A pixel more, because positions on the page are rounded.
    excess = separated.height - room + 1
    scale = 1 - excess / picture_height
    is_legible = scale >= max(int(picture["minimum"]) for picture in pictures) / 100
    return pictures[0]["group"], scale if is_legible and scale < 1 else 0.0


def _list_blocks(document: QTextDocument) -> list[_Block]:
    """Return the titles, tables and other paragraphs of a document from top to bottom."""
    layout = document.documentLayout()
    numbers = count()
    blocks = []
    iterator = document.rootFrame().begin()
    while not iterator.atEnd():
        table = iterator.currentFrame()
        paragraph = iterator.currentBlock()
        if isinstance(table, QTextTable):
            blocks.append(_create_table_block(table, layout, next(numbers)))
        elif paragraph.isValid():
            top = layout.blockBoundingRect(paragraph).top()
            bottom = top + _measure_two_lines(paragraph)
            # The title of the report itself has level 1 and never moves.
            if paragraph.blockFormat().headingLevel() > 1:
                blocks.append(_Block("title", next(numbers), top, bottom, bottom))
            else:
                blocks.append(_Block("paragraph", _NO_NUMBER, top, bottom, bottom))
        iterator += 1
    return blocks


def _create_table_block(
    table: QTextTable, layout: QAbstractTextDocumentLayout, number: int
) -> _Block:
    """Return the block of a table, which begins with its head and its first rows.

    Args:
        table: table of the document.
        layout: layout of the document.
        number: number of the block among the titles and tables.
    """
    box = layout.frameBoundingRect(table)
    first_row = table.format().headerRowCount()
    last_of_beginning = min(first_row + _MIN_ROWS, table.rows()) - 1
    bottoms = []
    for column in range(table.columns()):
        last_paragraph = table.cellAt(last_of_beginning, column).lastCursorPosition().block()
        bottoms.append(layout.blockBoundingRect(last_paragraph).bottom())
    begin_bottom = max(bottoms)
    row_tops = []
    for row in range(first_row, table.rows()):
        first_paragraph = table.cellAt(row, 0).firstCursorPosition().block()
        row_tops.append(layout.blockBoundingRect(first_paragraph).top())
    is_short = len(row_tops) <= _MAX_WHOLE_ROWS
    whole_bottom = box.bottom() if is_short else begin_bottom
    return _Block("table", number, box.top(), begin_bottom, whole_bottom, row_tops)


def _measure_two_lines(paragraph: QTextBlock) -> float:
    """Return the lower edge of the second line, or of a single one, from the paragraph's top."""
    lines = paragraph.layout()
    if not lines.lineCount():
        return 0.0
    return float(lines.lineAt(min(2, lines.lineCount()) - 1).rect().bottom())


def panels(
    cells: TableContent, room: int, device: QPaintDevice | None = None
) -> list[list[tuple[int, int]]]:
    """Split the columns of a wide table into parts that fit on a page, one below the other.

    Intervals have a line of their own if the table then fits in one part. Else each part begins
    with the columns that identify the rows. No number is broken, and no word except very long ones.

    Args:
        cells: content of the table.
        room: available width, pixels of the device.
        device: paint device of the layout; None for the screen.

    Returns:
        The parts; each is a list of (column, width in pixels of HTML).
    """
    screen = _create_screen_device()
    fonts = _TableFonts.for_device(device or screen)
    # Qt's layout takes pixels of HTML for pixels of the screen, and scales them to its device.
    html_scale = screen.logicalDpiX() / fonts.dpi

    def scale_widths(part: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return columns with their widths in pixels of HTML."""
        return [(column, round(width * html_scale)) for column, width in part]

    return [scale_widths(part) for part in _split_columns(cells, room, fonts)]


def _split_columns(
    cells: TableContent, room: int, fonts: _TableFonts
) -> list[list[tuple[int, int]]]:
    """Split the columns of a table into parts, with their widths in pixels of the device.

    Args:
        cells: content of the table.
        room: available width, pixels of the device.
        fonts: size of the letters.
    """
    widths = _compute_column_widths(cells, room, fonts)
    if sum(widths) <= room:
        wide_widths = _widen_for_titles(widths, cells, room, fonts)
        wide_widths = _widen_for_texts(wide_widths, cells, room, fonts)
        return [list(enumerate(wide_widths))]
    # A number such as "149 of 175" is broken only if the table does not fit otherwise.
    for split in (_split_into_numbers, str.split):
        narrow_widths = _narrow_column_widths(cells, room, fonts, split)
        if sum(narrow_widths) <= room:
            return [list(enumerate(narrow_widths))]

    n_keys = _count_key_columns(cells)
    # Key columns are repeated in each part, so they may take only a share of the width.
    while n_keys > 1 and sum(widths[:n_keys]) > _MAXIMUM_KEY_SHARE * room:
        n_keys -= 1
    key_columns = [(column, widths[column]) for column in range(n_keys)]
    key_width = sum(widths[:n_keys])

    parts = [list(key_columns)]
    used_width = key_width
    for column in range(n_keys, len(widths)):
        has_values = len(parts[-1]) > n_keys
        if has_values and used_width + widths[column] > room:
            parts.append(list(key_columns))
            used_width = key_width
        parts[-1].append((column, widths[column]))
        used_width += widths[column]
    return parts


def _compute_column_widths(cells: TableContent, room: int, fonts: _TableFonts) -> list[int]:
    """Return the width of each column of a table, pixels of the device.

    A column of numbers is as wide as its longest number. In a column of texts, lines are broken
    between words.

    Args:
        cells: content of the table.
        room: available width, pixels of the device.
        fonts: size of the letters.
    """
    word_widths = _measure_longest_words(cells, fonts)
    widths = []
    for column, (is_number, word_width) in enumerate(zip(cells.is_right_aligned, word_widths)):
        text_widths = [fonts.cells.horizontalAdvance(row[column]) for row in cells.rows]
        text_width = max(text_widths, default=0.0)
        if not is_number:
            # One column of texts must not take most of the page.
            word_width = min(word_width, room / 2)
            text_width = min(text_width, _MAXIMUM_TEXT_WIDTH, room / 3)
        widths.append(math.ceil(max(word_width, text_width)) + _CELL_PADDING)
    return widths


def _widen_for_titles(
    widths: Sequence[int], cells: TableContent, room: int, fonts: _TableFonts
) -> list[int]:
    """Return the widths of columns such that long titles have few lines, if there is room.

    Args:
        widths: width of each column, pixels of the device.
        cells: content of the table.
        room: available width, pixels of the device.
        fonts: size of the letters.
    """
    wider = list(widths)
    unused = room - sum(widths)
    for column, title in enumerate(cells.titles):
        title_width = fonts.titles.horizontalAdvance(title)
        # Lines are broken between words, so that they are not all full.
        longest_line = title_width / _TITLE_LINES + _measure_longest_word([title], fonts.titles) / 2
        if title_width <= _SHORT_TITLE:
            longest_line = title_width
        title_room = math.ceil(min(title_width, longest_line, _MAXIMUM_TEXT_WIDTH)) + _CELL_PADDING
        added = min(max(title_room - wider[column], 0), unused)
        wider[column] += added
        unused -= added
    return wider


def _widen_for_texts(
    widths: Sequence[int], cells: TableContent, room: int, fonts: _TableFonts
) -> list[int]:
    """Return the widths of columns such that few texts are broken into lines, if there is room.

    The column whose texts lack the least room is widened first.

    Args:
        widths: width of each column, pixels of the device.
        cells: content of the table.
        room: available width, pixels of the device.
        fonts: size of the letters.
    """
    wider = list(widths)
    lacking = {}
    for column, is_number in enumerate(cells.is_right_aligned):
        text_widths = [fonts.cells.horizontalAdvance(row[column]) for row in cells.rows]
        whole_width = math.ceil(max(text_widths, default=0.0)) + _CELL_PADDING
        if not is_number and whole_width > widths[column]:
            lacking[column] = whole_width - widths[column]
    for column in sorted(lacking, key=lacking.__getitem__):
        added = min(lacking[column], room - sum(wider))
        wider[column] += added
    return wider


def _count_key_columns(cells: TableContent) -> int:
    """Return the number of leading columns that identify the rows of a table; at least 1.

    These are the columns of texts before the first number. If they do not distinguish the rows, up
    to three columns of numbers are added, unless these do not distinguish them either.
    """
    n_texts = len(cells.titles)
    if any(cells.is_right_aligned):
        n_texts = list(cells.is_right_aligned).index(True)
    n_texts = max(n_texts, 1)
    for n_keys in range(n_texts, n_texts + _NUMBER_KEYS):
        distinct_rows = {str(row[:n_keys]) for row in cells.rows}
        if len(distinct_rows) == len(cells.rows):
            return n_keys
    return n_texts


class _TableFonts(NamedTuple):
    """Size of the letters in tables on a paint device."""

    titles: QFontMetricsF  #: letters of titles, which are bold.
    cells: QFontMetricsF  #: letters of the other cells.
    dpi: int  #: resolution of the device, dots per inch.

    @classmethod
    def for_device(cls, device: QPaintDevice) -> _TableFonts:
        """Return the size of the letters on a device."""
        font = QFont("sans-serif")
        font.setPointSize(_TABLE_POINTS)
        bold_font = QFont(font)
        bold_font.setBold(True)
        return cls(
            QFontMetricsF(bold_font, device), QFontMetricsF(font, device), device.logicalDpiX()
        )


def _create_screen_device() -> QImage:
    """Return an image with the resolution of the screen, as paint device for measuring text."""
    return QImage(1, 1, QImage.Format.Format_RGB32)


@functools.cache
def _create_layout_device() -> QImage:
    """Return an image with the resolution of the layout, as paint device for measuring text."""
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(_LAYOUT_DPI / _METRES_PER_INCH))
    image.setDotsPerMeterY(round(_LAYOUT_DPI / _METRES_PER_INCH))
    return image


def _split_into_numbers(value: str) -> list[str]:
    """Return a number and its interval.

    >>> _split_into_numbers("149 of 175"), _split_into_numbers("0.52 (0.4–0.6)")
    (['149 of 175'], ['0.52', '(0.4–0.6)'])
    """
    number, bracket, interval = value.partition(" (")
    return [number, f"({interval}"] if bracket else [number]


def _narrow_column_widths(
    cells: TableContent, room: int, fonts: _TableFonts, split: Callable[[str], list[str]]
) -> list[int]:
    """Return the widths of columns of numbers as narrow as their longest words, in pixels.

    Columns of texts share the rest; their long words are broken if it is too narrow for them. A
    column of numbers is wider if enough is left for its numbers with their intervals.

    Args:
        cells: content of the table.
        room: available width, pixels of the device.
        fonts: size of the letters.
        split: function that splits a text in a column of numbers into parts that are not broken.
    """
    longest_words = _measure_longest_words(cells, fonts, split)
    widths = [math.ceil(word) + _NARROW_PADDING for word in longest_words]
    text_columns = []
    room_of_texts = room
    for column, is_number in enumerate(cells.is_right_aligned):
        if is_number:
            room_of_texts -= widths[column]
        else:
            text_columns.append(column)
    # Narrow columns leave the unused part of their share to the wider ones.
    text_columns.sort(key=lambda column: widths[column])
    for n_done, column in enumerate(text_columns):
        share = room_of_texts // (len(text_columns) - n_done)
        widths[column] = min(widths[column], max(share, _MINIMUM_TEXT_WIDTH))
        room_of_texts -= widths[column]

    missing_widths = []
    for width, comfortable_width in zip(widths, _compute_column_widths(cells, room, fonts)):
        missing_widths.append(max(comfortable_width - width, 0))
    for column in sorted(range(len(widths)), key=lambda column: missing_widths[column]):
        unused = max(room - sum(widths), 0)
        # A part of the missing width would not keep a number on one line.
        if column in text_columns or missing_widths[column] <= unused:
            widths[column] += min(unused, missing_widths[column])
    return widths


def _measure_longest_words(
    cells: TableContent, fonts: _TableFonts, split: Callable[[str], list[str]] = str.split
) -> list[float]:
    """Return the width of the longest word of each column, pixels of the device.

    Args:
        cells: content of the table.
        fonts: size of the letters.
        split: function that splits a text in a column of numbers into parts that are not broken.
    """
    widths = []
    for column, (title, is_number) in enumerate(zip(cells.titles, cells.is_right_aligned)):
        texts = [row[column] for row in cells.rows]
        width = _measure_longest_word(texts, fonts.cells, split if is_number else str.split)
        widths.append(max(_measure_longest_word([title], fonts.titles), width))
    return widths


def _measure_longest_word(
    texts: Iterable[str], font: QFontMetricsF, split: Callable[[str], list[str]] = str.split
) -> float:
    """Return the width of the longest word of texts; 0 without a word.

    Args:
        texts: texts, such as the cells of a column.
        font: size of the letters.
        split: function that splits a text into words.
    """
    words = (word for text in texts for word in split(text))
    return max(map(font.horizontalAdvance, words), default=0.0)
