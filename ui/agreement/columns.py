"""How the tables of page Annotators are titled and explained."""

from __future__ import annotations

from typing import Any

import pandas as pd

from randcrowns.layers.words import tr
from randcrowns.ui.widgets.table_model import Column, as_number, as_text


def annotator_columns() -> list[Column]:
    """A row per annotator."""
    number = as_number(3)
    return [
        Column("swatch", "", tr("The annotator's colour in every plot and on the map."), as_text, shade="colour"),
        Column("annotator", tr("annotator"), tr("Layer, or value of the field."), as_text, right=False),
        Column(
            "outlier",
            tr("outlier"),
            tr(
                "Unlike the others: the mean of 1 - F1 with the others is above the mean of all annotators plus one "
                "standard deviation. It does not mean that the drawing is wrong."
            ),
            lambda value: tr("unlike the others") if value else "",
            right=False,
        ),
        Column("mean_f1", tr("mean F1"), tr("Mean F1 with each of the others, 0 to 1 (Eq. 6)."), number),
        Column("marked", tr("marked (m²)"), tr("Area marked inside the study area, square metres."), as_number(1)),
        Column("share", tr("share"), tr("Of the study area, 0 to 1."), number),
        Column("sensitivity", tr("sensitivity"), tr("Share of the consensus that this annotator marked."), number),
        Column(
            "specificity",
            tr("specificity"),
            tr("Share of what is no consensus that was left unmarked."),
            number,
        ),
        Column("ppv", "PPV", tr("Positive predictive value: share of the marked area that is consensus."), number),
        Column("npv", "NPV", tr("Negative predictive value: share of what was left that is no consensus."), number),
        Column("kappa", "kappa", tr("Cohen's kappa with the consensus: agreement beyond chance, up to 1."), number),
    ]


def agreement_columns() -> list[Column]:
    """The headline numbers."""
    return [
        Column(
            "meaning",
            tr("what"),
            tr("What the number is, with its unit in brackets if it has one."),
            as_text,
            right=False,
        ),
        Column("value", tr("value"), tr("Square metres for areas, otherwise no unit."), _number),
        Column("low", tr("from"), tr("Lower end of the 95 % interval."), _number),
        Column("high", tr("to"), tr("Upper end of the 95 % interval."), _number),
    ]


def image_columns() -> list[Column]:
    """Correlations with the image."""
    tooltip = tr("Pearson correlation of the number of annotators with the image, -1 to 1.")
    return [
        Column("property", tr("image"), tr("Brightness, each band, and contrast (Michelson)."), as_text, right=False),
        Column("correlation", tr("correlation"), tooltip, as_number(3)),
        Column("low", tr("from"), tr("Lower end of the 95 % interval."), as_number(3)),
        Column("high", tr("to"), tr("Upper end of the 95 % interval."), as_number(3)),
        Column("p_value", "p", tr("Of no correlation; blocks count, not pixels."), as_number(3)),
        Column(
            "n_effective",
            tr("blocks"),
            tr("In how many blocks the number of annotators varies, as if it varied alike in all of them."),
            as_number(1),
        ),
    ]


def disagreement_columns() -> list[Column]:
    """Places where annotators differ."""
    return [
        Column("rank", tr("no."), tr("The largest place is 1."), as_text),
        Column("area", tr("area (m²)"), tr("Square metres."), as_number(2)),
        Column("n_yes", tr("yes"), tr("How many annotators marked it."), as_text),
        Column("n_no", tr("no"), tr("How many did not."), as_text),
        Column("yes", tr("who said yes"), tr("Who marked it."), as_text, right=False),
        Column("no", tr("who said no"), tr("Who did not."), as_text, right=False),
    ]


def _number(value: Any) -> str:
    if pd.isna(value):
        return ""
    if abs(value) >= 2:
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
    return f"{value:.4f}"
