"""Parameters and outputs of randcrowns:consensus."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
)

from randcrowns.algorithms.annotator_parameters import add_annotators, add_study_area
from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.consensus_methods import KEYS, ConsensusMethod, method_titles
from randcrowns.algorithms.shared_parameters import add
from randcrowns.core.agreement.simple import RULES

__all__ = ["PRIORS", "add_consensus_parameters", "consensus_problem", "method_of"]

_KINDS = QgsProcessing.SourceType
_NUMBER = QgsProcessingParameterNumber.Type
PRIORS = ("mean", "any", "number")


def add_consensus_parameters(algorithm: CrownAlgorithm) -> None:
    """Declare everything, in the order of the dialog."""
    add_annotators(algorithm)
    add_study_area(algorithm)
    titles = method_titles()
    add(
        algorithm,
        QgsProcessingParameterEnum("METHOD", tr("Method"), [titles[key] for key in KEYS], defaultValue=0),
        tr("How many decisions become one. LSML moves over pixels and needs a pixel size."),
    )
    _add_method_numbers(algorithm)
    add(
        algorithm,
        QgsProcessingParameterBoolean("LEAVE_ONE_OUT", tr("One consensus without each annotator"), defaultValue=False),
        tr("A consensus for every annotator from the others' drawings, so that nobody is held against their own."),
        advanced=True,
    )
    _add_consensus_outputs(algorithm)


def method_of(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> ConsensusMethod:
    """The method and its parameters as given."""
    prior = PRIORS[algorithm.parameterAsEnum(parameters, "PRIOR", context)]
    value = algorithm.parameterAsDouble(parameters, "PRIOR_VALUE", context)
    return ConsensusMethod(
        key=KEYS[algorithm.parameterAsEnum(parameters, "METHOD", context)],
        share=algorithm.parameterAsDouble(parameters, "LEVEL", context),
        prior=value if prior == "number" else prior,
        assign_consensus=algorithm.parameterAsBoolean(parameters, "ASSIGN_CONSENSUS", context),
        rule=RULES[algorithm.parameterAsEnum(parameters, "SIMPLE_RULE", context)],
        a=algorithm.parameterAsDouble(parameters, "SIMPLE_A", context),
        clipped=algorithm.parameterAsBoolean(parameters, "CLIPPED", context),
        rounds=algorithm.parameterAsInt(parameters, "ROUNDS", context),
        curvature=algorithm.parameterAsDouble(parameters, "CURVATURE", context),
    )


def consensus_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """What does not go together; empty when all does."""
    method = method_of(algorithm, parameters, context)
    if method.key == "lsml" and not algorithm.parameterAsDouble(parameters, "RESOLUTION", context) > 0:
        return tr("LSML moves a contour over pixels: give a pixel size.")
    if method.key == "staple" and not isinstance(method.prior, str) and not 0 < method.prior < 1:
        return tr("The prior must lie between 0 and 1, both left out, but it is {value:g}.").format(value=method.prior)
    if method.key == "level" and method.share > 1:
        return tr("The share of the annotators must lie between 0 and 1, but it is {value:g}.").format(
            value=method.share
        )
    if method.key != "staple" and parameters.get("PROBABILITY") not in (None, ""):
        return tr("Only STAPLE gives probabilities; leave the probability raster out, or choose STAPLE.")
    return ""


def _add_method_numbers(algorithm: CrownAlgorithm) -> None:
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "LEVEL", tr("Share of the annotators"), _NUMBER.Double, defaultValue=0.5, minValue=0.0, maxValue=1.0
        ),
        tr("0 to 1; a place is marked when at least this share marked it, 0 means anybody. Only for 'your own'."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "PRIOR",
            tr("STAPLE: prior"),
            [
                tr("Mean decision of the annotators"),
                tr("Share of the area that anybody marked"),
                tr("The number below"),
            ],
            defaultValue=0,
        ),
        tr("How much of the area STAPLE expects to be marked. It decides the result: see the output on the prior."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterNumber(
            "PRIOR_VALUE", tr("STAPLE: prior as a number"), _NUMBER.Double, defaultValue=0.5, minValue=0.0, maxValue=1.0
        ),
        tr("Between 0 and 1; read only when the prior is 'the number below'."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterBoolean(
            "ASSIGN_CONSENSUS", tr("STAPLE: fix what all agree on beforehand"), defaultValue=False
        ),
        tr("Otherwise places on which all agree stay in the estimation, as in the source."),
        advanced=True,
    )
    add(
        algorithm,
        QgsProcessingParameterEnum(
            "SIMPLE_RULE",
            tr("SIMPLE: discard annotators below"),
            [tr("mean - a x standard deviation of the overlap"), tr("a x mean of the overlap")],
            defaultValue=0,
        ),
        tr("The published threshold differs between sources; the first is our choice."),
        advanced=True,
    )
    real, whole = _NUMBER.Double, _NUMBER.Integer
    for name, label, kind, value, least, most, explained in (
        ("SIMPLE_A", tr("SIMPLE: a"), real, 1.0, 0.0, 10.0, tr("How strictly annotators are discarded.")),
        ("ROUNDS", tr("LSML: most rounds"), whole, 1000, 1, 1e6, tr("1,000 as published, or until it is stable.")),
        ("CURVATURE", tr("LSML: weight of the curvature"), real, 0.0, 0.0, 100.0, tr("0 as published.")),
    ):
        number = QgsProcessingParameterNumber(name, label, kind, defaultValue=value, minValue=least, maxValue=most)
        add(algorithm, number, explained, advanced=True)
    add(
        algorithm,
        QgsProcessingParameterBoolean("CLIPPED", tr("LSML: keep only what somebody marked"), defaultValue=True),
        tr("The published method can drift to places that nobody marked."),
        advanced=True,
    )


def _add_consensus_outputs(algorithm: CrownAlgorithm) -> None:
    table = _KINDS.TypeVector
    for name, label, kind, optional, by_default, explained in (
        (
            "CONSENSUS",
            tr("Consensus"),
            _KINDS.TypeVectorPolygon,
            False,
            True,
            tr("Its polygons, with the method and its parameters in every row and in the layer's metadata."),
        ),
        ("PERFORMANCE", tr("Annotators as the method sees them"), table, True, False, tr("A row per annotator.")),
        ("PRIORS", tr("What the prior does"), table, True, False, tr("STAPLE: the marked area along the prior.")),
    ):
        sink = QgsProcessingParameterFeatureSink(name, label, kind, None, optional, by_default)
        add(algorithm, sink, explained)
    add(
        algorithm,
        QgsProcessingParameterRasterDestination("PROBABILITY", tr("Probability raster"), None, True, False),
        tr("STAPLE's probability of every pixel, -1 outside of the study area; needs a pixel size."),
    )
    algorithm.addOutput(QgsProcessingOutputNumber("MARKED", tr("Marked area (m²)")))
    algorithm.addOutput(QgsProcessingOutputNumber("MARKED_BY_NOBODY", tr("Marked area that no annotator marked (m²)")))
    algorithm.addOutput(QgsProcessingOutputNumber("PRIOR_USED", tr("STAPLE's prior")))
    algorithm.addOutput(QgsProcessingOutputString("TITLE", tr("The method in a few words")))
    algorithm.addOutput(QgsProcessingOutputString("METHOD_USED", tr("The method and its parameters")))
    algorithm.addOutput(QgsProcessingOutputString("NOTES", tr("Keys of what must be known beside the numbers (JSON)")))
    algorithm.addOutput(QgsProcessingOutputString("EMPTY", tr("Without whom the consensus is empty")))
    algorithm.addOutput(QgsProcessingOutputString("REPORT", tr("What was odd about the input")))
