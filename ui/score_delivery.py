"""Puts the scores where the user wants them: layers in a group of their own, or fields of the target layer."""

from __future__ import annotations

import json

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QMessageBox, QWidget

from randcrowns.algorithms.score_tables import ENDINGS
from randcrowns.core.errors import InputError
from randcrowns.layers.styles import style_output
from randcrowns.layers.tree import add_run_group, run_title
from randcrowns.ui.layer_facts import RESULT_PROPERTY
from randcrowns.ui.runner import Succeeded
from randcrowns.ui.score_output import id_column, table_of
from randcrowns.ui.score_results import ScoreResults
from randcrowns.ui.score_settings import FIELDS
from randcrowns.ui.words import counted, tr

__all__ = ["deliver", "may_overwrite"]

#: From top to bottom in the group; those not shown at first are for looking closer.
_ORDER = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")
_SHOWN_AT_FIRST = ("SCORED_TARGETS", "SUMMARY")


def deliver(outcome: Succeeded, results: ScoreResults, parent: QWidget) -> str:
    """Put the scores where the settings say; the sentence tells where.

    Raises:
        InputError: when they cannot go there; nothing is changed then.
    """
    if results.settings.destination == FIELDS:
        return _write_fields(outcome, results, parent)
    return _add_layers(outcome, results)


def may_overwrite(parent: QWidget, sentence: str) -> bool:
    """Ask whether fields that are not ours may be written over."""
    answer = QMessageBox.question(
        parent,
        tr("RandCrowns"),
        sentence,
        QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No,
        QMessageBox.StandardButton.No,
    )
    return bool(answer == QMessageBox.StandardButton.Yes)


def _add_layers(outcome: Succeeded, results: ScoreResults) -> str:
    project = QgsProject.instance()
    prefix = json.loads(outcome.outputs["PREFIXES"])[0]["prefix"]
    layers = []
    for output in _ORDER:
        layer = outcome.layers.get(output)
        if isinstance(layer, QgsVectorLayer):
            layer.setCustomProperty(RESULT_PROPERTY, output)
            layer.setName(_name(output))
            style_output(layer, output, prefix)
            layers.append(layer)
    title = run_title(results.target_name or tr("crowns"))
    group = add_run_group(project, title, layers)
    for node in group.findLayers():
        node.setItemVisibilityChecked(node.layer().customProperty(RESULT_PROPERTY) in _SHOWN_AT_FIRST)
        node.setExpanded(node.layer().customProperty(RESULT_PROPERTY) == "SCORED_TARGETS")
    return tr("Scored {crowns}; the layers are in group '{group}'.").format(crowns=_crowns(results), group=title)


def _write_fields(outcome: Succeeded, results: ScoreResults, parent: QWidget) -> str:
    layer = QgsProject.instance().mapLayer(results.settings.target)
    if not isinstance(layer, QgsVectorLayer):
        raise InputError(tr("The target layer was removed while it was scored, so no field could be written."))
    raise NotImplementedError


def _name(output: str) -> str:
    return {
        "SCORED_TARGETS": tr("Scored targets"),
        "SCORED_DELINEATIONS": tr("Scored delineations"),
        "PAIRS": tr("Pairs"),
        "REGIONS": tr("Regions"),
        "SUMMARY": tr("Summary"),
    }[output]


def _crowns(results: ScoreResults) -> str:
    return counted(len(results.layers[0].crowns), tr("crown"), tr("crowns"))
