"""Numbers in texts: percent signs and exponents are written in one way everywhere."""

from __future__ import annotations

import pytest

from randcrowns.core.messages import format_english, tidy_number
from randcrowns.report.language import (
    cell_decimals,
    format_interval,
    format_value,
    table_has_powers,
)
from randcrowns.report.render import minus_sign, typeset

#: No-break space.
SPACE = "\u00a0"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0123, "0.0123"),
        (0.019, "0.0190"),
        (0.001, "0.00100"),
        (12.3, "12.3"),
        (123.4, "123"),
        (8.449e-4, f"8.45{SPACE}×{SPACE}10⁻⁴"),
        (1e-4, f"1.00{SPACE}×{SPACE}10⁻⁴"),
        (3.2e-12, f"3.20{SPACE}×{SPACE}10⁻¹²"),
        (0.0, "0"),
        (float("nan"), "n/a"),
    ],
)
def test_variances_have_three_digits_and_powers_of_ten(value, text) -> None:
    assert format_value(value, -3) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (0.9, "0.9"), (0.125, "0.125"), (7.0, "7"), (1.25, "1.25")]
)
def test_parameters_are_written_as_they_were_entered(value, text) -> None:
    """Six digits suffice for alpha, omega and gamma; zeros at the end would claim precision."""
    assert format_value(value, -6) == text


def test_an_interval_of_a_variance_has_powers_of_ten() -> None:
    fourth = f"{SPACE}×{SPACE}10⁻⁴"
    texts = f"2.40{fourth} (0.71{fourth}–8.10{fourth})"
    assert format_interval(2.4e-4, 7.1e-5, 8.1e-4, -3) == texts


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ((0.0198, 1.09e-4), ("0.0198", "0.000109")),
        ((0.0198, 2e-5), (f"1.98{SPACE}×{SPACE}10⁻²", f"2.00{SPACE}×{SPACE}10⁻⁵")),
        ((7.2e-4, 1.09e-5), (f"7.20{SPACE}×{SPACE}10⁻⁴", f"1.09{SPACE}×{SPACE}10⁻⁵")),
        ((0.0198, 0.0, float("nan")), ("0.0198", "0", "n/a")),
    ],
)
def test_variances_of_a_table_have_one_notation(numbers, texts) -> None:
    has_powers = table_has_powers([(numbers, -3), ([1e-9], 3), ([1e-9], -6)])
    assert tuple(format_value(number, -3, has_powers) for number in numbers) == texts


def test_an_interval_has_the_notation_of_its_table() -> None:
    numbers = (1.09e-5, 2.3e-6, 5.17e-5)
    texts = "0.0000109 (0.0000023–0.0000517)"
    assert format_interval(*numbers, -3, has_powers=False) == texts


def test_both_ends_of_an_interval_have_the_decimals_of_the_number() -> None:
    assert format_interval(0.00121, 2.12e-4, 0.00245, -3) == "0.00121 (0.00021–0.00245)"


def test_large_areas_have_no_decimals() -> None:
    assert format_value(6.25e6, cell_decimals(6.25e6, 1)) == "6,250,000"
    assert [cell_decimals(value, 1) for value in (9999.4, 10_000.0)] == [1, 0]
    assert cell_decimals(1550.16, None) == 1


def test_shares_in_messages_have_the_space_of_shares_in_texts() -> None:
    assert format_english("{share:.0%} of {count}", share=1, count=3) == f"100{SPACE}% of 3"
    assert format_english("{value:.2g}", value=1e-7) == f"1{SPACE}×{SPACE}10⁻⁷"
    # Without such a number, values are formatted as Python formats them.
    assert format_english("{value:.2f} {name}", value=0.5, name="a%") == "0.50 a%"


def test_other_numbers_are_unchanged() -> None:
    for number in ("0.85", "1,200", "-3"):
        assert tidy_number(number) == number
    assert tidy_number("-1.5e+20") == f"-1.5{SPACE}×{SPACE}10²⁰"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("-0.167", "\N{MINUS SIGN}0.167"),
        ("-0.20 (-0.30–-0.10)", "\N{MINUS SIGN}0.20 (\N{MINUS SIGN}0.30–\N{MINUS SIGN}0.10)"),
        ("plot-1", "plot-1"),
        ("2026-11-29", "2026-11-29"),
    ],
)
def test_negative_numbers_have_a_minus_sign(number: str, text: str) -> None:
    assert minus_sign(number) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("omega 1.5 m, gamma 7", "omega 1.5_m, gamma 7"),
        ("an area of 12.5 m².", "an area of 12.5_m²."),
        ("95 % of 7 more plots", "95_% of 7 more plots"),
        ("3 metres", "3 metres"),
        (
            "lower bound: -0.167, otherwise write -1",
            "lower bound: \N{MINUS SIGN}0.167, otherwise write -1",
        ),
    ],
)
def test_sentences_have_minus_signs_and_unbroken_units(text: str, expected: str) -> None:
    assert typeset(text).replace("\N{NO-BREAK SPACE}", "_") == expected
