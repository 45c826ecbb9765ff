"""Algorithms that write pictures beside their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsProcessingContext, QgsProcessingFeedback

from randcrowns.algorithms.base import CrownAlgorithm, tr
from randcrowns.algorithms.loading import load_with_style
from randcrowns.algorithms.whole_files import WholeFiles
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress

__all__ = ["PictureAlgorithm"]

_ENDINGS = (".png", ".svg")


class PictureAlgorithm(CrownAlgorithm):
    """Its :meth:`tables` puts pictures into :attr:`pictures`; each takes its place together with the tables."""

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
            if place.is_dir():
                return tr("{folder} is a folder; give '{name}' the name of a file.").format(
                    folder=place, name=definition.description()
                )
            if not place.parent.is_dir():
                return tr("The folder {folder} for '{name}' is not there; make it or choose another.").format(
                    folder=place.parent, name=definition.description()
                )
            from randcrowns.layers.styles.figures import why_no_figures

            if why_no_figures():
                return why_no_figures()
        return ""

    def make_files(
        self, files: WholeFiles, parameters: dict[str, Any], context: QgsProcessingContext, progress: Progress
    ) -> dict[str, str]:
        """The pictures."""
        for name, picture in self.pictures.items():
            place = self._places[name]
            made = files.beside(place, self.parameterDefinition(name).description())
            try:
                made.write_bytes(picture)
            except OSError as error:
                raise InputError(
                    tr("The picture cannot be written to {file}: {why}").format(file=place, why=error.strerror)
                ) from error
        return {name: str(self._places[name]) for name in self.pictures}
