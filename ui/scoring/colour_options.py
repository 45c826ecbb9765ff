"""Options for the colours of scored targets on the map: scores, problems, or any field."""

from __future__ import annotations

from randcrowns.algorithms.parameter_types import Option
from randcrowns.algorithms.scoring.schema.outputs import (
    FIELD_ENDINGS,
    PROBLEM_STYLE,
    SCORE_FIELDS,
    SCORE_STYLE,
    SCORED_TARGETS,
)
from randcrowns.core.scoring.layer import SCORE_NAMES
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.colouring import Colouring
from randcrowns.ui.scoring.results import LayerScores, ScoreResults
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.widgets.boxes import OptionBox

#: Keys of the options that are styles of the layer.
_BY_SCORE = "score"
_BY_PROBLEM = "problem"
#: Beginning of the key of a field of the layer.
_FIELD_KEY = "field:"
#: Ending of the field of each score, by the name of the score.
_ENDING_OF_SCORE = dict(zip(SCORE_FIELDS, FIELD_ENDINGS))


def offer_colourings(box: OptionBox, results: ScoreResults) -> None:
    """Offer the colourings of the scored targets of a run; the selected one stays.

    They are the scores, the problems, and the fields that the targets had before the run. The box
    is hidden if the scores are no layer of their own.

    Args:
        box: Combo box to fill.
        results: Results of the run.
    """
    layer = vector_layer(results.layer_ids.get(SCORED_TARGETS.id, ""))
    box.setVisible(layer is not None)
    if layer is None:
        return
    options = [Option(_BY_SCORE, SCORE_NAMES["randcrowns"])]
    for name, label in SCORE_NAMES.items():
        if name != "randcrowns":
            options.append(Option(name, label))
    options.append(Option(_BY_PROBLEM, tr("Problem")))
    run_fields = {results.id_field}
    for prefix in _field_prefixes(results):
        run_fields.update(prefix + ending for ending in FIELD_ENDINGS)
    for index, name in enumerate(layer.fields().names()):
        if name not in run_fields and not name.startswith("run_"):
            options.append(Option(f"{_FIELD_KEY}{name}", layer.attributeDisplayName(index)))
    box.set_options(options)


def colouring_of(key: str, scores: LayerScores) -> Colouring:
    """Return the colouring of an option.

    Args:
        key: Key of the option.
        scores: Scores of the displayed delineation layer.
    """
    if key.startswith(_FIELD_KEY):
        return Colouring(field=key.removeprefix(_FIELD_KEY))
    if key in _ENDING_OF_SCORE:
        return Colouring(field=scores.prefix + _ENDING_OF_SCORE[key], is_score=True)
    return Colouring(style=PROBLEM_STYLE if key == _BY_PROBLEM else SCORE_STYLE)


def _field_prefixes(results: ScoreResults) -> list[str]:
    """Return the field prefixes of all delineation layers of a run."""
    return [scores.prefix for scores in results.layers]
