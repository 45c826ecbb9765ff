import pytest

from randcrowns.core.arrays import VisibleNumber, decimal_text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0362, "0.036"),
        (0.00123, "0.0012"),
        (0.000468, "0.00047"),
        (-0.0000026, "-0.0000026"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (1234.5, "1,234.500"),
        (0.009996, "0.010"),
    ],
)
def test_small_numbers_keep_two_significant_digits(value: float, written: str) -> None:
    assert decimal_text(value) == written


def test_a_sign_stands_before_all_but_nothing() -> None:
    assert [decimal_text(value, "+") for value in (0.5, -0.5, 0.0)] == ["+0.500", "-0.500", "0.000"]


@pytest.mark.parametrize(
    ("value", "spec", "written"),
    [
        (0.34, ".1f", "0.3"),
        (0.004, ".1f", "0.004"),
        (0.0096, ".1f", "0.01"),
        (-0.0004, "+,.2f", "-0.0004"),
        (0.0031, ".0%", "0.3%"),
        (0.0, ".1f", "0.0"),
        (1e-12, ".1f", "0.0"),
        (float("nan"), ".1f", "nan"),
        (float("inf"), ".0%", "inf%"),
    ],
)
def test_a_visible_number_is_0_only_if_it_is(value: float, spec: str, written: str) -> None:
    assert format(VisibleNumber(value), spec) == written
