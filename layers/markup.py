"""Texts and tables escaped for plain text, Markdown and LaTeX, so that names stay unchanged."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import Callable

from randcrowns.layers.localization import ZERO_WIDTH_SPACE
from randcrowns.report.content import TableContent


class Markup(str, Enum):
    """Markup languages of a copied text."""

    TEXT = "text"
    MARKDOWN = "Markdown"
    LATEX = "LaTeX"


#: Characters with a meaning in Markdown or in the HTML within it.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
#: LaTeX code of characters.
_LATEX = {
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"},
    **{
        "²": r"\textsuperscript{2}",
        "⁴": r"\textsuperscript{4}",
        "–": "--",
        "—": "---",
        "…": r"\ldots{}",
    },
    **{"α": r"$\alpha$", "ω": r"$\omega$", "γ": r"$\gamma$", "≥": r"$\geq$", "≤": r"$\leq$"},
}
#: A letter with a combining macron, as in P̄.
_MACRON = re.compile("(.)\u0304")


def escape_markup(text: str, form: Markup) -> str:
    r"""Escape a text so that it is displayed unchanged in a markup language.

    >>> escape_markup("IoU of oak_1 & <b>", Markup.LATEX)
    'IoU of oak\\_1 \\& \\textless{}b\\textgreater{}'
    """
    return _ESCAPE[form](text)


def escape_expressions(text: str) -> str:
    r"""Insert zero-width spaces so that QGIS does not evaluate ``[% %]`` expressions in a text.

    Legends are evaluated twice, so escaping would not be enough.

    >>> escape_expressions("oak [% 1 + 1 %]")
    'oak [\u200b% 1 + 1 %]'
    """
    return re.sub(r"\[(?=%)", f"[{ZERO_WIDTH_SPACE}", text)


def format_table(cells: TableContent, form: Markup) -> str:
    r"""Return a table in a markup language, with its titles as the first row.

    Line breaks and repeated spaces within cells become single spaces.

    >>> table = TableContent(["Id", "IoU"], [False, True], [["a|b", "0.5"]])
    >>> print(format_table(table, Markup.MARKDOWN))
    | Id | IoU |
    | --- | ---: |
    | a\|b | 0.5 |
    <BLANKLINE>
    """

    def escape_row(row: Sequence[str]) -> list[str]:
        """Return the cells of a row on one line each, escaped."""
        return [escape_markup(" ".join(cell.split()), form) for cell in row]

    escaped_cells = TableContent(
        titles=escape_row(cells.titles),
        is_right_aligned=cells.is_right_aligned,
        rows=[escape_row(row) for row in cells.rows],
    )
    format_lines = _TABLE_LINES[form]
    return "".join(f"{line}\n" for line in format_lines(escaped_cells))


def _escape_latex(text: str) -> str:
    r"""Escape a text for LaTeX; a letter with a macron becomes ``$\bar{...}$``."""
    parts = [_escape_latex_characters(part) for part in _MACRON.split(text)]
    # Splitting by a group makes every second part a letter with a macron.
    for index in range(1, len(parts), 2):
        parts[index] = f"$\\bar{{{parts[index]}}}$"
    return "".join(parts)


def _escape_latex_characters(text: str) -> str:
    """Replace the characters of a text that have a meaning in LaTeX."""
    return "".join(_LATEX.get(character, character) for character in text)


def _measure_width(text: str) -> int:
    """Return the displayed width of a text in characters; combining marks have none."""
    return sum(not unicodedata.combining(character) for character in text)


def _format_text_lines(cells: TableContent) -> list[str]:
    """Return the lines of a table in plain text, with columns padded to their width."""
    widths = []
    for column, title in enumerate(cells.titles):
        texts = [title, *(row[column] for row in cells.rows)]
        widths.append(max(_measure_width(text) for text in texts))

    def format_row(row: Sequence[str]) -> str:
        """Return a line with the cells of a row."""
        padded_cells = []
        for cell, width, is_right in zip(row, widths, cells.is_right_aligned):
            padding = " " * (width - _measure_width(cell))
            padded_cells.append(padding + cell if is_right else cell + padding)
        return "  ".join(padded_cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    lines = [format_row(cells.titles), rule]
    lines += [format_row(row) for row in cells.rows]
    return lines


def _format_markdown_lines(cells: TableContent) -> list[str]:
    """Return the lines of a table in Markdown, with a rule that aligns the columns."""
    rule = ["---:" if is_right else "---" for is_right in cells.is_right_aligned]
    return [f"| {' | '.join(row)} |" for row in (cells.titles, rule, *cells.rows)]


def _format_latex_lines(cells: TableContent) -> list[str]:
    """Return the lines of a tabular environment, which needs no LaTeX package."""
    alignment = "".join("r" if is_right else "l" for is_right in cells.is_right_aligned)

    def format_row(row: Sequence[str]) -> str:
        """Return a line with the cells of a row."""
        return " & ".join(row) + r" \\"

    return [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\hline",
        format_row(cells.titles),
        r"\hline",
        *(format_row(row) for row in cells.rows),
        r"\hline",
        r"\end{tabular}",
    ]


_ESCAPE: dict[Markup, Callable[[str], str]] = {
    Markup.TEXT: str,
    Markup.MARKDOWN: partial(_MARKDOWN.sub, r"\\\1"),
    Markup.LATEX: _escape_latex,
}
_TABLE_LINES: dict[Markup, Callable[[TableContent], list[str]]] = {
    Markup.TEXT: _format_text_lines,
    Markup.MARKDOWN: _format_markdown_lines,
    Markup.LATEX: _format_latex_lines,
}
