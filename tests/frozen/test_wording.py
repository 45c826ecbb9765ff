"""Labels, help and sentences as they were frozen: what is worded anew on purpose is made anew, or left out here."""

from __future__ import annotations

import pytest
from support.frozen_cases import CASES
from support.frozen_definitions import wording
from support.frozen_values import differences, load, plain


def test_labels_and_help(algorithms):
    assert differences(load("wording.json"), plain(wording(algorithms))) == []


@pytest.mark.parametrize("case", ["demo", *CASES])
def test_sentences_of_outputs(case, outcome):
    assert differences(load("output_words.json.gz")[case], outcome(case)[1]) == []
