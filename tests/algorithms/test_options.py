"""Options of parameters are those of the lists in core: none is forgotten when one is added."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from randcrowns.algorithms import estimation_parameters
from randcrowns.algorithms.agreement.schema import parameters as agreement
from randcrowns.algorithms.algorithm_catalogue import IMPORT_CROWNS
from randcrowns.algorithms.detectors.schema import parameters as detectors
from randcrowns.algorithms.exchange.schema import parameters as exchange
from randcrowns.algorithms.instances.schema import parameters as instances
from randcrowns.algorithms.parameter_types import OptionParameter
from randcrowns.core.agreement.cluster_outlines import OutlineMethod
from randcrowns.core.agreement.consensus import (
    AGREEMENT_LEVELS,
    CONSENSUS_METHODS,
    EACH_ANNOTATOR,
    GROUND_TRUTH_NAMES,
)
from randcrowns.core.exchange.formats import ANNOTATION_FORMATS, FileFormat, extensions_of
from randcrowns.core.instances.matching import MatchingMethod

_MATCHING_METHODS = [method.value for method in MatchingMethod]
#: Keys of consensus methods that are no functions of the vote table.
_OTHER_CONSENSUS = ("level", "lsml", agreement.CROWN_BY_CROWN, agreement.COOKE)
#: Keys of the formats that the user can choose; layers are recognised by their extension.
_FORMATS = [kind.value for kind in FileFormat if kind is not FileFormat.LAYER]


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        (instances.DETECTION_METHOD, _MATCHING_METHODS),
        (instances.SEGMENTATION_METHOD, _MATCHING_METHODS),
        (exchange.FORMAT, [exchange.AUTOMATIC_FORMAT, *_FORMATS]),
        (agreement.METHOD, [*CONSENSUS_METHODS, *_OTHER_CONSENSUS]),
        (agreement.OUTLINE, [method.value for method in OutlineMethod]),
        (
            detectors.CONSENSUS_METHODS,
            [EACH_ANNOTATOR, *GROUND_TRUTH_NAMES, AGREEMENT_LEVELS],
        ),
    ],
    ids=lambda value: value.key if isinstance(value, OptionParameter) else "",
)
def test_options_are_those_of_core(parameter: OptionParameter, expected: Iterable[str]) -> None:
    # The order of the options is stored in models, so it may differ.
    assert sorted(parameter.keys) == sorted(expected)


def test_files_of_all_formats_are_offered() -> None:
    patterns = exchange.INPUT_FILES.filter.partition("(")[2].partition(")")[0].split()
    assert patterns == [f"*{extension}" for extension in extensions_of(FileFormat)]


def test_the_toolbox_finds_the_import_by_the_name_of_each_format() -> None:
    names = {kind.definition.name.lower() for kind in ANNOTATION_FORMATS}
    assert names <= set(IMPORT_CROWNS.keywords)


def test_matching_methods_have_the_positions_of_their_options() -> None:
    assert list(instances.DETECTION_METHOD.keys) == _MATCHING_METHODS


def test_ground_truths_of_detectors_have_a_description() -> None:
    assert GROUND_TRUTH_NAMES.keys() <= estimation_parameters.CONSENSUS_HELP.keys()
