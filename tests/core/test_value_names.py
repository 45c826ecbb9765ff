"""Names of plots, annotators and classes, which files store as texts, numbers or dates."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from randcrowns.core.class_names import class_values
from randcrowns.core.crowns import plot_names
from randcrowns.core.value_names import name_of_value


@pytest.mark.parametrize(
    ("value", "name"),
    [
        *((value, "7") for value in (7, 7.0, np.float32(7), np.int8(7), "7", "7.0", " 7.0\n")),
        *((value, None) for value in ("", "  ", "\0", None, np.nan, np.inf, pd.NA, pd.NaT)),
        *((text, text) for text in ("07", "7.00", "7.1", "1.10", "v7.0", "7.0.0", "1,0", "-0.0")),
        ("-7.0", "-7"),
        ("0.0", "0"),
        (0.0, "0"),
        (1.5, "1.5"),
        (2.0**60, "1152921504606846976"),
        ("Mühle ", "Mühle"),
        (datetime.date(2024, 5, 1), "2024-05-01"),
        (pd.Timestamp("2024-05-01"), "2024-05-01"),
        (np.datetime64("2024-05-01T10:30"), "2024-05-01T10:30:00"),
    ],
)
def test_a_value_has_one_name(value: Any, name: str | None) -> None:
    assert name_of_value(value) == name


def test_plots_and_classes_are_named_alike() -> None:
    values = ["7.0", 7, 7.0, "7", "07", " ash"]
    expected = ["7", "7", "7", "7", "07", "ash"]
    assert plot_names(values).tolist() == expected
    assert class_values(values).tolist() == expected
