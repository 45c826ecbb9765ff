"""Pages of a report: HTML from templates of Jinja2, which is imported when a page is made."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from randcrowns.core.errors import InputError, MissingLibraryError, RandCrownsError
from randcrowns.core.exchange.image_search import is_file
from randcrowns.core.progress import Progress, no_progress, run_in_thread
from randcrowns.report.content import Panel, Picture, Report
from randcrowns.report.hyphens import hyphenate
from randcrowns.report.language import clean_text, tr
from randcrowns.report.references import RESOURCES
from randcrowns.report.theme import RESOLUTION, encode_panel

#: Hyphen that is the sign of a number.
_HYPHEN_OF_NUMBER = re.compile(r"(?<![\w.,-])-(?=\d)")
_HYPHEN_OF_DECIMAL = re.compile(r"(?<![\w.,-])-(?=\d+[.,]\d)")
#: Space between a number and its unit.
_SPACE_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:(?:m|px|cm|km)[²⁴]?|ha|s|GB|%)(?!\w))")
#: Template of the HTML file.
PAGE_TEMPLATE = "report.html"
#: Maximum size of a template, bytes, and of a page, characters.
_MAX_TEMPLATE = 1_000_000
_MAX_PAGE = 500_000_000


class _BytecodeCache:
    """Cache of compiled templates in memory, with the interface of a Memcached client.

    Compiling a template takes longer than filling it in. Jinja2 itself checks that the source of a
    cached template has not changed.
    """

    def __init__(self) -> None:
        self._bytecode: dict[str, bytes] = {}

    def get(self, key: str) -> bytes:
        """Return the bytecode stored under a key; empty if there is none."""
        return self._bytecode.get(key, b"")

    def set(self, key: str, value: bytes, timeout: int | None = None) -> None:
        """Store the bytecode under a key; ``timeout`` is ignored."""
        self._bytecode[key] = value


_BYTECODE_CACHE = _BytecodeCache()


def template_environment(*folders: Path, escape_html: bool) -> Any:
    """Return a sandboxed Jinja2 environment.

    Args:
        *folders: folders that are searched for templates before that of the plugin.
        escape_html: True to escape inserted texts for HTML.

    Raises:
        MissingLibraryError: if Jinja2 cannot be imported.
    """
    try:
        from jinja2 import FileSystemLoader, MemcachedBytecodeCache

        from randcrowns.report.sandbox import TemplateSandbox
    except ImportError as error:
        raise MissingLibraryError(
            "report.no_jinja",
            "Reports require Jinja2, which cannot be imported: {why}",
            why=str(error),
        ) from error

    jinja = TemplateSandbox(
        autoescape=escape_html,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
        loader=FileSystemLoader([*map(str, folders), str(RESOURCES)]),
        bytecode_cache=MemcachedBytecodeCache(_BYTECODE_CACHE, prefix=f"escaping {escape_html} "),
    )
    jinja.globals.update(tr=tr)
    jinja.filters.update(
        css_text=css_text, hyphenate=hyphenate, minus_sign=minus_sign, typeset=typeset
    )
    return jinja


def minus_sign(number: str) -> str:
    """Return a formatted number, or several, with minus signs instead of hyphens.

    >>> minus_sign("-0.167 (-0.2–0.1)")
    '−0.167 (−0.2–0.1)'
    """
    return _HYPHEN_OF_NUMBER.sub("\N{MINUS SIGN}", number)


def typeset(sentence: str) -> str:
    r"""Return a sentence with minus signs, and with units on the line of their number.

    Only hyphens of decimals become minus signs: a whole number may be a value to enter, as in
    "write -1".

    >>> typeset("omega 1.5 m, 7 of 9 plots, from -0.2 on")
    'omega 1.5\xa0m, 7 of 9 plots, from −0.2 on'
    """
    text = _HYPHEN_OF_DECIMAL.sub("\N{MINUS SIGN}", sentence)
    return _SPACE_BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", text)


def _finalize(value: Any) -> Any:
    """Return a value without characters that a page may not contain; markup stays unchanged."""
    return clean_text(value) if type(value) is str else value


class SafeText(str):
    """Text that a template of Jinja2 does not escape again."""

    def __html__(self) -> str:
        """Return the text as HTML."""
        return str(self)


def css_text(text: str) -> SafeText:
    r"""Return a text for the inside of a string of CSS in a page.

    All characters but ASCII letters, digits and spaces are escaped, so that no text ends the string
    or the style sheet.

    >>> str(css_text('oak "1"</b'))
    'oak \\22 1\\22 \\3c \\2f b'
    """
    return SafeText(
        "".join(
            letter
            if letter == " " or (letter.isascii() and letter.isalnum())
            else f"\\{ord(letter):x} "
            for letter in clean_text(text)
        )
    )


def render_html(
    report: Report,
    template: str = "",
    functions: Mapping[str, Callable[..., Any]] | None = None,
    progress: Progress = no_progress,
) -> str:
    """Return a report as one HTML file that contains its pictures.

    Args:
        report: content of the report.
        template: path of a Jinja2 template; empty for :data:`PAGE_TEMPLATE`.
        functions: further functions of the template by name.
        progress: callback that receives the completed fraction.

    Raises:
        Cancelled: if ``progress`` raises it.
        InputError: if the template cannot be used.
        MissingLibraryError: if Jinja2, or matplotlib for a figure, cannot be imported.
    """
    path = template or str(RESOURCES / PAGE_TEMPLATE)
    n_panels = sum(len(figure.panels) for figure in report.figures)

    def fill(share: Progress) -> str:
        """Return the page; ``share`` receives the completed fraction."""
        numbers = count(1)
        fraction = 0.0

        def report_fraction(completed: float) -> None:
            nonlocal fraction
            fraction = completed
            share(completed)

        def drawing(panel: Panel) -> Any:
            """Return a diagram as an SVG element and report the progress."""
            number = min(next(numbers), n_panels)
            report_fraction((number - 1) / n_panels)
            return inline_drawing(panel)

        all_functions: dict[str, Callable[..., Any]] = {
            "address": data_address,
            "drawing": drawing,
            **(functions or {}),
        }
        return fill_template(report, path, all_functions, lambda _: share(fraction))

    # A template may contain long loops, during which a cancel takes effect.
    return run_in_thread(fill, progress)


def data_address(picture: Picture | Panel, width: int = 0) -> str:
    """Return the address of a picture that contains its data; a diagram becomes pixels.

    Args:
        picture: picture or diagram.
        width: width of a diagram, pixels; 0 for its own width at the resolution of saved pictures.
    """
    if isinstance(picture, Panel):
        resolution = width / picture.width if width else RESOLUTION
        data, mime_type = encode_panel(picture, "png", resolution), "image/png"
    else:
        data, mime_type = picture.data, picture.mime_type
    return f"data:{mime_type};base64,{base64.b64encode(data).decode('ascii')}"


def inline_drawing(panel: Panel) -> SafeText:
    """Return a diagram as an SVG element, which a template does not escape again."""
    return SafeText(encode_panel(panel, "svg").decode("utf-8"))


def fill_template(
    report: Report,
    template: str,
    functions: Mapping[str, object],
    progress: Progress = no_progress,
) -> str:
    """Return a template filled in with a report, whose texts are escaped.

    Args:
        report: content of the report, ``report`` in the template.
        template: path of the template.
        functions: functions and values of the template by name.
        progress: called with 0 for each part of the page; may raise to cancel.

    Raises:
        InputError: if the template cannot be used.
        MissingLibraryError: if Jinja2, or matplotlib for a figure, cannot be imported.
    """
    path = Path(template)
    _check_template_size(path)
    jinja = template_environment(path.parent, escape_html=True)
    from jinja2 import TemplateError

    jinja.globals.update(functions)
    try:
        return _join_page(jinja.get_template(path.name).generate(report=report), path, progress)
    except RandCrownsError:
        raise
    except (
        TemplateError,
        OSError,
        UnicodeError,
        TypeError,
        ValueError,
        ArithmeticError,
        AttributeError,
        MemoryError,
        RecursionError,
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


def _check_template_size(path: Path) -> None:
    """Raise an InputError if a template is too large to be one."""
    if is_file(path) and path.stat().st_size > _MAX_TEMPLATE:
        raise InputError(
            "report.large_template",
            "The template {file} is larger than {limit:,} bytes, so it is not read. Choose "
            "another template.",
            file=path.name,
            limit=_MAX_TEMPLATE,
        )


def _join_page(parts: Iterable[str], template: Path, progress: Progress) -> str:
    """Return the parts of a page as one text.

    Raises:
        InputError: if the page becomes too large.
    """
    page: list[str] = []
    n_characters = 0
    for part in parts:
        progress(0.0)
        page.append(part)
        n_characters += len(part)
        if n_characters > _MAX_PAGE:
            raise InputError(
                "report.large_page",
                "The template {file} makes a page of more than {limit:,} characters. Choose "
                "another template.",
                file=template.name,
                limit=_MAX_PAGE,
            )
    return "".join(page)
