"""Numbers of tables are read exactly, with every version of pandas and without its warnings."""

from __future__ import annotations

import io
import warnings

import numpy as np
import pandas as pd

from randcrowns.core.arrays import EXACT_NUMBERS


def test_each_number_is_the_nearest_float_to_its_text() -> None:
    # UTM coordinates and shares with all digits, for which quicker readers are one bit off.
    values = np.random.default_rng(1).uniform(0, [[5e6], [1.0]], (2, 2000)).ravel()
    text = "value\n" + "\n".join(map(repr, values.tolist()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = pd.read_csv(io.StringIO(text), **EXACT_NUMBERS)
    assert table["value"].tolist() == values.tolist()
