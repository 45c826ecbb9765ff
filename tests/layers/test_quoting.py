"""What is copied as text, Markdown or LaTeX reads the same where it is pasted, whatever layers
are called.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randcrowns.layers.markup import Markup, escape_markup, format_table
from randcrowns.report.content import TableContent

#: Means something in each form.
WILD = r"oak_1 & <b>50 %</b> $x$ #2 {~^} a|b \n `c` *d* [e](f)"
CELLS = TableContent(["Plot", "P̄ (m²)"], [False, True], [["a|b_1", "0.5"], ["<i>", "12.25"]])


def test_a_table_as_text_is_set_in_columns():
    assert format_table(CELLS, Markup.TEXT).splitlines() == [
        "Plot   P̄ (m²)",
        "-----  ------",
        "a|b_1     0.5",
        "<i>     12.25",
    ]


def test_a_table_as_markdown_sets_numbers_right_and_has_no_markup_of_names():
    assert format_table(CELLS, Markup.MARKDOWN).splitlines() == [
        "| Plot | P̄ (m²) |",
        "| --- | ---: |",
        r"| a\|b\_1 | 0.5 |",
        r"| \<i\> | 12.25 |",
    ]


def test_a_table_as_latex_needs_no_package():
    assert format_table(CELLS, Markup.LATEX).splitlines() == [
        r"\begin{tabular}{lr}",
        r"\hline",
        r"Plot & $\bar{P}$ (m\textsuperscript{2}) \\",
        r"\hline",
        r"a\textbar{}b\_1 & 0.5 \\",
        r"\textless{}i\textgreater{} & 12.25 \\",
        r"\hline",
        r"\end{tabular}",
    ]


def test_a_table_without_rows_has_its_titles():
    empty = TableContent(["Id"], [True], [])
    assert [format_table(empty, form).count("Id") for form in Markup] == [1, 1, 1]


@pytest.mark.parametrize("form", list(Markup))
def test_a_cell_with_lines_stays_in_its_row(form):
    lines = format_table(TableContent(["a"], [False], [["one\ntwo"]]), form).splitlines()
    assert sum("one two" in line for line in lines) == 1


@given(st.text(alphabet=WILD, max_size=20))
def test_every_sign_that_means_something_is_escaped(text):
    plain = escape_markup(text, Markup.MARKDOWN)
    back = "".join(two for two in plain.replace("\\\\", "\0").replace("\\", "")).replace("\0", "\\")
    assert back == text
    latex = escape_markup(text, Markup.LATEX)
    bare = (
        latex.replace("\\textbackslash{}", "")
        .replace("\\textasciitilde{}", "")
        .replace("\\textasciicircum{}", "")
    )
    for mark in "&%#_":
        assert bare.count(mark) == bare.count(f"\\{mark}") == text.count(mark)
    assert not {"<", ">", "|", "~", "^"} & set(bare)
