"""Names that the user gives to runs, stored in the project."""

from __future__ import annotations

import json
from dataclasses import replace

from qgis.core import QgsProject

from randcrowns.algorithms.provenance import Provenance, read_output_id, read_provenance
from randcrowns.algorithms.short_names import MAX_NAME_LENGTH
from randcrowns.layers.styles.tree import rename_run_group

#: Scope and key of the project's entry with the names that the user has given: id of a run -> name.
_SCOPE = "RandCrowns"
_KEY = "run_names"
_TIME_SEPARATOR = ", "


def rename_run(record: Provenance, name: str, project: QgsProject) -> Provenance:
    """Give a run another name in a project.

    The name is stored in the project and in the layers of the run, and its group in the layer tree
    gets it, too.

    Args:
        record: provenance of the run.
        name: new name; only the first :data:`MAX_NAME_LENGTH` letters are used. An empty name
            leaves the run as it is.
        project: project to change.

    Returns:
        The record with the new title.
    """
    short_name = " ".join(name.split())[:MAX_NAME_LENGTH].strip()
    if not short_name:
        return record
    project.writeEntry(
        _SCOPE, _KEY, json.dumps({**_read_chosen_names(project), record.id: short_name})
    )
    renamed = apply_given_name(record, project)
    for layer in project.mapLayers().values():
        layer_record = read_provenance(layer)
        if layer_record is not None and layer_record.id == record.id:
            renamed.write_to_layer(layer, read_output_id(layer))
    rename_run_group(project, record.title, renamed.title)
    return renamed


def apply_given_name(record: Provenance, project: QgsProject) -> Provenance:
    """Return a record whose title has the name that the user gave to the run in a project."""
    given_name = _read_chosen_names(project).get(record.id)
    if not record.id or not given_name:
        return record
    _, _, time = record.title.rpartition(_TIME_SEPARATOR)
    return replace(record, title=f"{given_name}{_TIME_SEPARATOR}{time}")


def name_of(record: Provenance) -> str:
    """Return the title of a run without its time."""
    return record.title.rpartition(_TIME_SEPARATOR)[0] or record.title


def _read_chosen_names(project: QgsProject) -> dict[str, str]:
    """Return the names that the user gave to runs of a project, by the id of the run."""
    text, _ = project.readEntry(_SCOPE, _KEY, "{}")
    try:
        names = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(names, dict):
        return {}
    return {
        str(run_id): name[:MAX_NAME_LENGTH]
        for run_id, name in names.items()
        if isinstance(name, str) and name.strip()
    }
