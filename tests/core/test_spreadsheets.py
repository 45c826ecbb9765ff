"""Texts that a spreadsheet would take for formulas, in tables of CSV."""

from __future__ import annotations

import pandas as pd
import pytest

from randcrowns.core.spreadsheets import escape_formula, escape_formulas

#: From OWASP's list and from fields of forestry.
FORMULAS = (
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-oak",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "=",
    "-2+3",
    "+49 761",
    "\uff1d1",
    "\uff0b49 761",
    "\uff0doak",
    "\uff20SUM(A1)",
)
TEXTS = ("oak", "", "-0.5", "-0,5", "+1", "-1e-3", "-5 %", "a=b", "'=1", " =1", "3-4")


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_gets_an_apostrophe(text):
    assert escape_formula(text) == "'" + text


@pytest.mark.parametrize("value", [*TEXTS, -1, None, 2.5, True])
def test_other_texts_and_values_stay(value):
    assert escape_formula(value) is value


def test_a_table_with_its_titles():
    frame = pd.DataFrame(
        {"=name": ["=1", None, "oak"], "score": [-1.0, 2.0, float("nan")], "n": [-1, 2, 3]}
    )
    frame["kind"] = pd.Categorical(["-a", "b", "b"])
    escaped = escape_formulas(frame)
    assert escaped.columns.tolist() == ["'=name", "score", "n", "kind"]
    assert escaped["'=name"].tolist() == ["'=1", None, "oak"]
    assert escaped["kind"].tolist() == ["'-a", "b", "b"]
    pd.testing.assert_frame_equal(escaped[["score", "n"]], frame[["score", "n"]])
    assert frame["=name"][0] == "=1"
    assert escape_formulas(pd.DataFrame()).empty
