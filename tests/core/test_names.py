from __future__ import annotations

from randcrowns.core.names import numeric_sort_key


def test_numbers_sort_by_number_before_words():
    assert sorted(["b", "10", "2", "nan", "a", "-3"], key=numeric_sort_key) == [
        "-3",
        "2",
        "10",
        "a",
        "b",
        "nan",
    ]
