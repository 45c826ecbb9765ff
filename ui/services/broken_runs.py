"""Tells of runs that were killed while they wrote, when a project or the dock is opened, and puts right what they left.

Every project that QGIS opens is looked at, so this imports no numpy, pandas, scipy or shapely, directly or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import QgsProject

from randcrowns.layers.databases import layer_file
from randcrowns.layers.files.leftovers import Leftover, leftovers, put_right
from randcrowns.layers.words import tr
from randcrowns.ui.services.messages import Messages


def tell_broken_runs(messages: Messages) -> None:
    """Say what runs that were killed left beside the project and its layers, with a button that puts it right."""
    project = QgsProject.instance()
    files = [layer_file(layer) for layer in project.mapLayers().values()]
    files.append(Path(project.absoluteFilePath() or "."))
    left = leftovers(file.parent for file in files if file is not None and file.is_absolute())
    if not left:
        return
    names = list(dict.fromkeys(place.name for one in left for place in one.places)) or [tr("files")]
    said = tr(
        "A run was broken off while it wrote {files}, and left what it had made. Put right, all is as before that run.",
        files=", ".join(names),
    )
    messages.offer(said, tr("Put right"), lambda: _put_right(messages, left))


def _put_right(messages: Messages, left: Sequence[Leftover]) -> None:
    kept = {str(one.folder): names for one in left for names in [put_right(one)] if names}
    if kept:
        said = tr(
            "What stood in {files} before the run could not be put back; it is kept in {folders}.",
            files=", ".join(name for names in kept.values() for name in names),
            folders=", ".join(kept),
        )
        messages.error(said)
    else:
        messages.success(tr("Everything is as before the run that was broken off."))
