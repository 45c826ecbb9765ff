"""Short names of layers in sentences."""

from __future__ import annotations

from randcrowns.report.names import MAX_NAME, shorten_names

LONG = [f"{'crowns of the inventory ' * 4}{letter}" for letter in ("north", "south")]


def test_long_names_are_short_and_distinct_in_sentences() -> None:
    sentences = [f"{LONG[0]} is better than {LONG[1]}.", "ben is the last."]
    first, second = shorten_names(sentences, [*LONG, "ben"])
    better, worse = first.removesuffix(".").split(" is better than ")
    assert better != worse
    assert max(len(better), len(worse)) <= MAX_NAME
    assert second == "ben is the last."


def test_a_name_within_another_name_is_shortened_as_a_whole() -> None:
    longer = f"{LONG[0]} and {LONG[1]}"
    whole, part = shorten_names([f"{longer}.", f"{LONG[0]}."], [LONG[0], longer])
    assert whole != part
    assert "and" in whole or "…" in whole
    assert len(whole) <= MAX_NAME + 1


def test_names_of_normal_length_stay() -> None:
    assert shorten_names(["a and b."], ["a", "b"]) == ["a and b."]


def test_names_from_right_to_left_leave_the_order_of_the_words() -> None:
    """Such names are isolated (Unicode Standard Annex 9), also those with marks of direction."""
    arabic, marked = "\u0634\u062c\u0631 \u06f2", "\u202eesrever"
    (sentence,) = shorten_names([f"{arabic}, {marked}, ben."], [arabic, marked, "ben"])
    assert sentence == f"\u2068{arabic}\u2069, \u2068{marked}\u2069, ben."
    long = arabic * 20
    (sentence,) = shorten_names([f"{long} is better."], [long])
    assert sentence.startswith("\u2068")
    assert sentence.endswith("\u2069 is better.")
    assert len(sentence) < 60
