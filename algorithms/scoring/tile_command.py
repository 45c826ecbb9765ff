"""Command that does a run of page Score tile by tile, for layers that are too large for memory."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from qgis.core import QgsVectorLayer

from randcrowns.algorithms.common_parameters import (
    IDTREES,
    LENGTHS,
    OWN,
    PRESET,
    TARGETS,
    read_lengths,
)
from randcrowns.algorithms.parameter_types import Parameter, RunParameters
from randcrowns.algorithms.provenance import InputLayer, plain_parameters, unrepeatable_inputs
from randcrowns.algorithms.scoring.schema.parameters import DELINEATIONS
from randcrowns.core.messages import Message, info
from randcrowns.core.tile_parameters import TILE_PARAMETERS
from randcrowns.layers.local_files import file_of_source
from randcrowns.layers.public_sources import public_id

#: Number of crowns in all layers from which the log names the command ``randcrowns``, which does
#: not need all crowns in memory.
MIN_CROWNS_FOR_COMMAND = 500_000


def tile_command_messages(
    run_parameters: RunParameters,
    preset: str,
    targets: QgsVectorLayer | None,
    layers: Sequence[QgsVectorLayer],
) -> list[Message]:
    """Return a message with the command for the same run, if the layers are large.

    The list is empty if the command would give other numbers.

    Args:
        run_parameters: parameters of the run.
        preset: key of the preset.
        targets: target layer.
        layers: delineation layers.
    """
    used_layers = list(layers)
    if targets is not None:
        used_layers.insert(0, targets)
    n_crowns = sum(layer.featureCount() for layer in used_layers)
    if n_crowns < MIN_CROWNS_FOR_COMMAND:
        return []
    if not _has_tile_parameters_only(run_parameters, preset):
        return []
    if not _are_whole_files(run_parameters, used_layers):
        return []
    words = ["randcrowns", "score"]
    words += [layer.source() for layer in used_layers]
    words += ["--out", "scores"]
    words += _list_command_options(run_parameters, preset)
    return [
        info(
            "scoring.command",
            "For layers of this size there is a command that works tile by tile, also on a "
            "cluster: {command}",
            command=shlex.join(words),
        )
    ]


def _has_tile_parameters_only(run_parameters: RunParameters, preset: str) -> bool:
    """Return True if runs tile by tile have the preset and all parameters that are changed."""
    changed_names = {parameter.name for parameter in _list_changed_parameters(run_parameters)}
    return preset != IDTREES and changed_names <= TILE_PARAMETERS["score"]


def _are_whole_files(run_parameters: RunParameters, layers: Sequence[QgsVectorLayer]) -> bool:
    """Return True if a run uses the saved features of files, and all of them, as the command does.

    Args:
        run_parameters: parameters of the run.
        layers: layers of the run.
    """
    inputs = {public_id(layer): InputLayer.from_layer(layer) for layer in layers}
    is_filtered = any(layer.subsetString() for layer in layers)
    if is_filtered or unrepeatable_inputs(plain_parameters(run_parameters), inputs):
        return False
    return all(file_of_source(layer.source()).is_file() for layer in layers)


def _list_command_options(run_parameters: RunParameters, preset: str) -> list[str]:
    """Return the arguments of the command for the preset and the parameters that are changed."""
    options = _list_preset_options(run_parameters, preset)
    for parameter in _list_changed_parameters(run_parameters):
        if parameter not in (PRESET, *LENGTHS):
            options += _format_option(parameter.name, run_parameters[parameter])
    return options


def _list_changed_parameters(run_parameters: RunParameters) -> Iterator[Parameter[Any]]:
    """Yield the parameters of a run, without the layers, whose value is not the default."""
    defaults = RunParameters(
        run_parameters.algorithm, parameters={}, context=run_parameters.context
    )
    for parameter in run_parameters.algorithm.declared_parameters:
        if parameter in (TARGETS, DELINEATIONS):
            continue
        if parameter.read_plain(run_parameters) != parameter.read_plain(defaults):
            yield parameter


def _list_preset_options(run_parameters: RunParameters, preset: str) -> list[str]:
    """Return the options of the command for the preset and, if they are used, the user's lengths.

    Args:
        run_parameters: parameters of the run.
        preset: key of the preset; with ``OWN``, alpha, omega and gamma are those of the user.
    """
    options = _format_option(PRESET.name, preset)
    if preset == OWN:
        _, own_lengths = read_lengths(run_parameters, PRESET)
        for parameter in LENGTHS:
            # The attributes of RandCrownsParameters have the names of the parameters.
            options += _format_option(parameter.name, getattr(own_lengths, parameter.name))
    return options


def _format_option(name: str, value: Any) -> list[str]:
    """Return the arguments of the command that set a parameter.

    Args:
        name: name of the parameter.
        value: value of the parameter: a boolean, a number or a text.
    """
    option = name.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{option}" if value else f"--no-{option}"]
    return [f"--{option}", str(value)]
