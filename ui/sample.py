"""Adds the simulated plot to the project, and says so."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProject

from randcrowns.core.errors import RandCrownsError
from randcrowns.layers.sample import load_plot, sample_clouds
from randcrowns.layers.words import tr
from randcrowns.ui.messages import Messages

__all__ = ["load_sample_plot"]


def load_sample_plot(iface: Any) -> bool:
    """Add the simulated plot to the project; True when it worked."""
    messages = Messages(iface)
    try:
        load_plot(QgsProject.instance())
    except (RandCrownsError, OSError) as error:
        messages.error(tr("The sample data could not be made: {error}").format(error=error))
        return False
    said = tr("Sample data added: a simulated plot, its crowns drawn by simulated people and a detector.")
    if sample_clouds(QgsProject.instance()):
        said += " " + tr("Page Instances offers its point cloud: other trees, beside the image.")
    messages.info(said)
    return True
