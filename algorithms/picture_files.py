"""Algorithms that write pictures beside their tables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from qgis.core import QgsProcessingContext, QgsProcessingException, QgsProcessingFeedback

from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.loading import load_with_style
from randcrowns.core.errors import InputError

__all__ = ["PictureAlgorithm"]

_ENDINGS = (".png", ".svg")


class PictureAlgorithm(CrownAlgorithm):
    """Keeps pictures as bytes until every table is written; a run that fails or is cancelled writes none."""

    def __init__(self) -> None:
        super().__init__()
        #: Output name -> the picture.
        self.pictures: dict[str, bytes] = {}
        self._places: dict[str, Path] = {}

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> bool:
        """Remember where the pictures go."""
        for definition in self.parameterDefinitions():
            name = definition.name()
            if name.endswith("_FILE") and parameters.get(name) not in (None, ""):
                self._places[name] = Path(self.parameterAsFileOutput(parameters, name, context))
        return super().prepareAlgorithm(parameters, context, feedback)

    def processAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Write the tables, then the pictures."""
        done = super().processAlgorithm(parameters, context, feedback)
        if done:
            for name, picture in self.pictures.items():
                done[name] = _write(self._places[name], picture)
        return done

    def loaded(self, output: str, details: Any, others: dict[str, Any]) -> None:
        """Styled, and one group per run."""
        load_with_style(details, output, "", self.run_title)

    def asked_for(self, name: str) -> str:
        """The kind of picture asked for (png or svg), empty when it is not wanted."""
        return self._places[name].suffix.lower().strip(".") if name in self._places else ""

    def picture_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """Whether a picture cannot be written as asked; empty when all can."""
        for definition in self.parameterDefinitions():
            name = definition.name()
            if not name.endswith("_FILE") or parameters.get(name) in (None, ""):
                continue
            place = Path(self.parameterAsFileOutput(parameters, name, context))
            if place.suffix.lower() not in _ENDINGS:
                return tr("'{name}' must end in .png or .svg, but it is {file}.").format(
                    name=definition.description(), file=place.name
                )
            if not place.parent.is_dir():
                return tr("The folder {folder} for '{name}' is not there; make it or choose another.").format(
                    folder=place.parent, name=definition.description()
                )
            from randcrowns.layers.figures import why_no_figures

            if why_no_figures():
                return why_no_figures()
        return ""


def _write(place: Path, picture: bytes) -> str:
    part = place.with_name(place.name + ".part")
    try:
        part.write_bytes(picture)
        os.replace(part, place)
    except OSError as error:
        part.unlink(missing_ok=True)
        said = InputError(tr("The picture cannot be written to {file}: {why}").format(file=place, why=error.strerror))
        raise QgsProcessingException(str(said)) from error
    return str(place)
