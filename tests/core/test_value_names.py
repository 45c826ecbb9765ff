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
        (datetime.datetime(2024, 5, 1, 0, 0), "2024-05-01"),
        (pd.Timestamp("2024-05-01T00:00", tz="UTC"), "2024-05-01"),
        (datetime.datetime(2024, 5, 1, 10, 30, 0, 250_000), "2024-05-01T10:30:00.250000"),
        (datetime.date(1203, 5, 1), "1203-05-01"),
        (datetime.time(0, 0), "00:00:00"),
        (np.datetime64("NaT"), None),
    ],
)
def test_a_value_has_one_name(value: Any, name: str | None) -> None:
    assert name_of_value(value) == name


def test_plots_and_classes_are_named_alike() -> None:
    values = ["7.0", 7, 7.0, "7", "07", " ash"]
    expected = ["7", "7", "7", "7", "07", "ash"]
    assert plot_names(values).tolist() == expected
    assert class_values(values).tolist() == expected


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_columns_of_times_have_names_in_iso_format(unit: str) -> None:
    times = np.array(["2024-05-01T10:30", "NaT"], f"datetime64[{unit}]")
    expected = ["2024-05-01T10:30:00", None]
    for column in (times, pd.Series(times), pd.Series(times).astype(object)):
        assert plot_names(column).tolist() == expected
        assert class_values(column).tolist() == expected
    in_zone = pd.Series(times).dt.tz_localize("Europe/Berlin")
    assert class_values(in_zone).tolist() == expected
