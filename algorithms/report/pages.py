"""Sets a report on a page: HTML by a template, PDF by Qt."""

from __future__ import annotations

import base64
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qgis.PyQt.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from qgis.PyQt.QtGui import (
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from randcrowns.algorithms.choice import refusal
from randcrowns.algorithms.report.content import Report
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


def pdf_pages(report: Report, progress: Progress = no_progress) -> bytes:
    """The report as a PDF file: A4, each page with its number."""
    document = QTextDocument()
    font = QFont("sans-serif")
    font.setPointSize(_POINTS)
    document.setDefaultFont(font)
    html, pictures = paper_page(report)
    for name, picture in pictures.items():
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), QImage.fromData(picture.data))
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
    # Words are as large on the page as in the layout, whatever the screen has.
    document.documentLayout().setPaintDevice(_measure())
    document.setHtml(html)
    document.setPageSize(text)
    _keep_titles(document, text.height())
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


def _keep_titles(document: QTextDocument, height: float) -> None:
    """Begin a page with a title where what follows it would stand on the next one."""
    layout, block = document.documentLayout(), document.begin()
    while block.isValid():
        following = block.next()
        if block.blockFormat().headingLevel() and following.isValid():
            top, below = (layout.blockBoundingRect(one) for one in (block, following))
            if int(top.top() // height) != int((below.bottom() - 1) // height) and below.height() < height:
                form = block.blockFormat()
                form.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
                QTextCursor(block).setBlockFormat(form)
        block = following


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
        raise refusal("{why}", why=trouble(REPORTS))
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
        where = tr(" (line {line})", line=line) if line else ""
        said = "The template {file} cannot be used{where}: {why}"
        raise refusal(said, file=path.name, where=where, why=f"{type(error).__name__}: {error}") from error
