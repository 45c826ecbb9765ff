"""Sentences and tables as plain text, Markdown and LaTeX, so that names of layers stay what they are in each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import Callable, NamedTuple

from randcrowns.layers.words import BREAK


class Form(str, Enum):
    """What is pasted into."""

    TEXT = "text"
    MARKDOWN = "Markdown"
    LATEX = "LaTeX"


class Cells(NamedTuple):
    """A table as it is shown: titles, which columns are numbers (set right), and a text per cell."""

    titles: Sequence[str]
    right: Sequence[bool]
    rows: Sequence[Sequence[str]]


#: Characters that mean something in Markdown, HTML within it included.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
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
#: A letter with a bar over it, as in P̄.
_BAR = re.compile("(.)\u0304")


def quoted(text: str, form: Form) -> str:
    """A text such that it reads the same where it is pasted.

    >>> quoted("IoU of oak_1 & <b>", Form.LATEX)
    'IoU of oak\\\\_1 \\\\& \\\\textless{}b\\\\textgreater{}'
    """
    return _QUOTED[form](text)


def unevaluated(text: str) -> str:
    """A text that QGIS shows letter by letter where it evaluates expressions within texts, in legends even twice.

    >>> unevaluated("oak [% 1 + 1 %]")
    'oak [\\u200b% 1 + 1 %]'
    """
    return re.sub(r"\[(?=%)", f"[{BREAK}", text)


def quoted_table(cells: Cells, form: Form) -> str:
    """A table, its titles first.

    >>> print(quoted_table(Cells(["Id", "IoU"], [False, True], [["a|b", "0.5"]]), Form.MARKDOWN))
    | Id | IoU |
    | --- | ---: |
    | a\\|b | 0.5 |
    <BLANKLINE>
    """
    titles, *rows = (
        [quoted(" ".join(cell.split()), form) for cell in row]
        for row in (cells.titles, *cells.rows)
    )
    return "".join(f"{line}\n" for line in _TABLES[form](Cells(titles, cells.right, rows)))


def _in_latex(text: str) -> str:
    parts = _BAR.split(text)
    return "".join(
        f"$\\bar{{{_latex(part)}}}$" if number % 2 else _latex(part)
        for number, part in enumerate(parts)
    )


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def _width(text: str) -> int:
    """Places that a text takes: marks over letters take none."""
    return sum(not unicodedata.combining(character) for character in text)


def _text_lines(cells: Cells) -> list[str]:
    widths = [max(map(_width, column)) for column in zip(cells.titles, *cells.rows)]

    def set_in(cell: str, width: int, right: bool) -> str:
        room = " " * (width - _width(cell))
        return room + cell if right else cell + room

    def line(row: Sequence[str]) -> str:
        return "  ".join(map(set_in, row, widths, cells.right)).rstrip()

    return [line(cells.titles), "  ".join("-" * width for width in widths), *map(line, cells.rows)]


def _markdown_lines(cells: Cells) -> list[str]:
    rules = ["---:" if right else "---" for right in cells.right]
    return [f"| {' | '.join(row)} |" for row in (cells.titles, rules, *cells.rows)]


def _latex_lines(cells: Cells) -> list[str]:
    """No package is needed for it."""
    columns = "".join("r" if right else "l" for right in cells.right)
    rows = [f"{' & '.join(row)} \\\\" for row in (cells.titles, *cells.rows)]
    return [
        *(f"\\begin{{tabular}}{{{columns}}}", "\\hline", rows[0], "\\hline"),
        *(*rows[1:], "\\hline", "\\end{tabular}"),
    ]


_IN_MARKDOWN = partial(_MARKDOWN.sub, r"\\\1")
_QUOTED: dict[Form, Callable[[str], str]] = {
    Form.TEXT: str,
    Form.MARKDOWN: _IN_MARKDOWN,
    Form.LATEX: _in_latex,
}
_TABLES: dict[Form, Callable[[Cells], list[str]]] = {
    Form.TEXT: _text_lines,
    Form.MARKDOWN: _markdown_lines,
    Form.LATEX: _latex_lines,
}
