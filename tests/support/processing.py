"""Runs of algorithms without a window, and their results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pytest
from qgis.core import (
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
    QgsVectorLayer,
)

from randcrowns.algorithms import crown_algorithm
from randcrowns.core.messages import Message, messages_from_json
from randcrowns.core.progress import Progress, subprogress
from randcrowns.layers.compat import is_null

__all__ = ["OUTPUTS", "Listener", "Ran", "attributes", "run_algorithm", "without_window"]

OUTPUTS = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "PAIRS", "REGIONS", "SUMMARY")


class Listener(QgsProcessingFeedback):
    """Feedback that records messages, and cancels when the progress reaches a percentage."""

    def __init__(self, cancel_at: float | None = None) -> None:
        super().__init__(False)
        self.warnings: list[str] = []
        self.errors: list[str] = []
        self.percents: list[float] = []
        self.cancel_at = cancel_at
        self.progressChanged.connect(self._look)

    def pushWarning(self, text: str) -> None:  # noqa: N802
        self.warnings.append(text)

    def reportError(self, text: str, fatalError: bool = False) -> None:  # noqa: N802
        self.errors.append(text)

    def _look(self, percent: float) -> None:
        self.percents.append(percent)
        if self.cancel_at is not None and percent >= self.cancel_at:
            self.cancel()


@dataclass
class Ran:
    """A run that was refused by the check, has failed, or has results."""

    algorithm: str = ""
    refused: str = ""
    ok: bool = False
    results: dict[str, Any] = field(default_factory=dict)
    feedback: Any = None
    context: Any = None

    @property
    def error(self) -> str:
        return "\n".join(self.feedback.errors)

    @property
    def warnings(self) -> str:
        return "\n".join(self.feedback.warnings)

    @property
    def messages(self) -> tuple[Message, ...]:
        return messages_from_json(self.results["MESSAGES"])

    @property
    def keys(self) -> list[str]:
        return [message.key for message in self.messages]

    def said(self, beginning: str, between: str = "\n") -> str:
        """Return the sentences of the messages whose keys begin with a text."""
        return between.join(
            str(message) for message in self.messages if message.key.startswith(beginning)
        )

    def layer(self, output: str) -> QgsVectorLayer:
        value = self.results[output]
        found = self.context.getMapLayer(value)
        return found if found is not None else QgsVectorLayer(value, output, "ogr")

    def table(self, output: str, made: bool = False) -> pd.DataFrame:
        """Return the rows of an output; ``made`` includes the columns of its provenance."""
        found = attributes(self.layer(output))
        return (
            found if made else found[[name for name in found if not str(name).startswith("run_")]]
        )


def run_algorithm(
    name: str, parameters: dict[str, Any], feedback: Any = None, outputs=OUTPUTS
) -> Ran:
    """Run ``randcrowns:<name>``; outputs without a destination are temporary."""
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    listener = feedback or Listener()
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
    known = {definition.name() for definition in algorithm.parameterDefinitions()}
    everything = {
        **{output: "TEMPORARY_OUTPUT" for output in outputs if output in known},
        **parameters,
    }
    fits, why = algorithm.checkParameterValues(everything, context)
    if not fits:
        return Ran(name, refused=why, feedback=listener, context=context)
    earlier = len(getattr(listener, "percents", []))
    told: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            crown_algorithm, "subprogress", lambda *share: _kept(subprogress(*share), told)
        )
        results, ok = algorithm.run(everything, context, listener)
    _check_progress(getattr(listener, "percents", [])[earlier:])
    assert all(-1e-9 <= fraction <= 1 + 1e-9 for fraction in told), (
        told
    )  # of each step, which the bar is spared
    return Ran(name, ok=ok, results=results, feedback=listener, context=context)


def _kept(progress: Progress, told: list[float]) -> Progress:
    """Return a progress callback that records the fractions."""

    def report(fraction: float) -> None:
        told.append(fraction)
        progress(fraction)

    return report


def _check_progress(percents: list[float]) -> None:
    """Assert that the progress of a run stays between 0 and 100 and never decreases."""
    assert all(-1e-9 <= percent <= 100 + 1e-9 for percent in percents), percents
    back = [(one, other) for one, other in zip(percents, percents[1:]) if other < one - 1e-9]
    assert not back, back


def attributes(layer: QgsVectorLayer) -> pd.DataFrame:
    """Return all attributes; NULL is None or NaN."""
    rows = [[None if is_null(v) else v for v in f.attributes()] for f in layer.getFeatures()]
    return pd.DataFrame(rows, columns=layer.fields().names())


def without_window(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Start Processing without a window of QGIS; return the module of its dialog."""
    from processing.core.Processing import Processing
    from processing.gui import AlgorithmDialog, ParametersPanel, Postprocessing

    Processing.initialize()
    for module in (AlgorithmDialog, ParametersPanel, Postprocessing):
        monkeypatch.setattr(
            module, "iface", None, raising=False
        )  # not every QGIS asks for it everywhere
    return AlgorithmDialog
