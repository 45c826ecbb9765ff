"""Runs Processing algorithms in the background and says how they ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from qgis.core import (
    QgsApplication,
    QgsMapLayer,
    QgsProcessingAlgorithm,
    QgsProcessingAlgRunnerTask,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputRasterLayer,
    QgsProcessingOutputVectorLayer,
    QgsProcessingUtils,
    QgsProject,
    QgsTask,
)
from qgis.PyQt.QtCore import QObject, QThreadPool, QTimer, pyqtSignal

from randcrowns.core.remarks import remarks_from_json
from randcrowns.layers.words import tr
from randcrowns.ui.services.background import hand_over, read_rows
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.services.result_file import Failed, Outcome, Succeeded, WasCancelled

#: Takes how a run ended; makes the work that reads what a page shows of it.
Ended = Callable[[Outcome], object]
Reader = Callable[[Succeeded], Callable[[], Any]]


class _Feedback(QgsProcessingFeedback):
    """Keeps the sentences of errors apart from the log."""

    def __init__(self) -> None:
        super().__init__(False)
        self.errors: list[str] = []
        #: Whether the run is to stop, as :func:`randcrowns.algorithms.base.feedback_progress` reads it.
        self.stopped = False

    def reportError(self, error: str, fatalError: bool = False) -> None:  # noqa: N802 - Qt names
        self.errors.append(error.strip())
        super().reportError(error, fatalError)


#: Runs under way. QGIS's task works with objects that Python must keep until the task has ended, also when the
#: plugin is unloaded meanwhile.
_UNDER_WAY: set[AlgorithmRun] = set()

#: Tasks that never ran, with what they would work with, should they run yet.
_LOST: list[tuple[QgsTask, _Feedback]] = []

#: Milliseconds after which a task that should run but has not begun is looked after.
_PATIENCE = 3000


class AlgorithmRun(QObject):
    """One run of an algorithm. Emits :attr:`progressed` (0 to 100) and, exactly once, :attr:`ended`."""

    progressed = pyqtSignal(float)
    ended = pyqtSignal(object)

    def __init__(
        self, algorithm_id: str, parameters: dict[str, Any], reader: Reader | None = None
    ) -> None:
        super().__init__()
        self.algorithm_id = algorithm_id
        self.parameters = parameters
        self._reader = reader
        #: What QGIS calls the run.
        self.description = ""
        self._context = QgsProcessingContext()
        self._context.setProject(QgsProject.instance())
        self.feedback = _Feedback()
        self._task: QgsProcessingAlgRunnerTask | None = None
        self._layer_outputs: list[str] = []
        self._done = self._cancelled = False

    def start(self) -> None:
        """Check the parameters and start; the end is always told through :attr:`ended`, never at once."""
        _UNDER_WAY.add(self)
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(self.algorithm_id)
        if algorithm is None:
            said = "The algorithm {name} is not there: is the plugin switched on in Processing?"
            self._fail_soon(tr(said, name=self.algorithm_id))
            return
        fits, why = algorithm.checkParameterValues(self.parameters, self._context)
        if not fits:
            self._fail_soon(why)
            return
        self._layer_outputs = [
            output.name()
            for output in algorithm.outputDefinitions()
            if isinstance(output, (QgsProcessingOutputVectorLayer, QgsProcessingOutputRasterLayer))
        ]
        self._start_task(algorithm)

    def cancel(self) -> None:
        """Ask the run to stop; it ends as :class:`WasCancelled`."""
        self._cancelled = self.feedback.stopped = True
        if (
            self._task is not None
            and self._task.status() == QgsTask.TaskStatus.Queued
            and not self._done
        ):
            self._task.cancel()

    def _start_task(self, algorithm: QgsProcessingAlgorithm) -> None:
        task = QgsProcessingAlgRunnerTask(algorithm, self.parameters, self._context, self.feedback)
        if task.isCanceled():  # preparing it failed; such a task never reports an end
            self._fail_soon()
            return
        self._task, self.description = task, task.description()
        task.progressChanged.connect(self._tell_progress)
        task.executed.connect(self._finish)
        hand_over(task)
        QTimer.singleShot(_PATIENCE, self._start_again_if_lost)

    def _start_again_if_lost(self) -> None:
        """On a busy machine Qt's pool of threads can lose a task: it waits for good though threads are free."""
        if self._done or self._task is None:
            return
        pool = QThreadPool.globalInstance()
        waiting = self._task.status() == QgsTask.TaskStatus.Queued
        if self._cancelled and (waiting or self._task.status() == QgsTask.TaskStatus.Terminated):
            self._end(WasCancelled())
        elif waiting and pool.activeThreadCount() < pool.maxThreadCount():
            lost = self._task
            _LOST.append((lost, self.feedback))
            self.feedback = _Feedback()
            lost.progressChanged.disconnect(self._tell_progress)
            lost.executed.disconnect(self._finish)
            lost.cancel()
            self._start_task(
                QgsApplication.processingRegistry().createAlgorithmById(self.algorithm_id)
            )
        elif waiting:
            QTimer.singleShot(_PATIENCE, self._start_again_if_lost)

    def _fail_soon(self, why: str = "") -> None:
        QTimer.singleShot(0, lambda: self._end(self._failed(why)))

    def _tell_progress(self, percent: float) -> None:
        if not self._done:
            self.progressed.emit(percent)

    def _finish(self, successful: bool, outputs: dict[str, Any]) -> None:
        # A cancel that comes when everything is written comes too late: the outputs are there, and are shown.
        stopped = self._cancelled or (
            not successful and self._task is not None and self._task.isCanceled()
        )
        self._task = None  # QGIS deletes it, also while its results are read
        if stopped and not (successful and outputs):
            self._end(WasCancelled())
        else:
            outcome = self._outcome(dict(outputs)) if successful else self._failed()
            if isinstance(outcome, Failed) or self._reader is None:
                self._end(outcome)
            else:
                read_rows(
                    outcome.rows,
                    self._reader(outcome),
                    lambda found: self._end(replace(outcome, read=found)),
                )

    def _outcome(self, outputs: dict[str, Any]) -> Succeeded | Failed:
        layers, log = {}, self.feedback.textLog()
        for name in filter(outputs.get, self._layer_outputs):
            layer = self._layer(place := str(outputs[name]))
            if layer is None:
                return Failed(
                    tr("The results were written, but {place} cannot be opened.", place=place), log
                )
            layers[name] = layer
        return Succeeded(outputs, layers, log, remarks_from_json(str(outputs.get("REMARKS") or "")))

    def _layer(self, place: str) -> QgsMapLayer | None:
        """A layer in memory, or the one a file holds."""
        made = self._context.takeResultLayer(place)
        if made is not None:
            return made
        hints = QgsProcessingUtils.LayerHint
        hint = (
            hints.Raster if place.lower().endswith(".tif") else hints.UnknownType
        )  # else QGIS warns that it is none
        opened = QgsProcessingUtils.mapLayerFromString(place, self._context, True, hint)
        return None if opened is None else self._context.takeResultLayer(opened.id())

    def _end(self, outcome: Outcome) -> None:
        if self._done:
            return
        self._done = True
        _UNDER_WAY.discard(self)
        self.ended.emit(outcome)

    def _failed(self, why: str = "") -> Failed:
        """Why it failed: this, the last error reported, or where to look."""
        known = (
            why,
            *reversed(self.feedback.errors),
            tr("The run did not finish; the log tab RandCrowns says more."),
        )
        return Failed(next(filter(None, known)), self.feedback.textLog())


class Runs(QObject):
    """The runs of a page that are under way: one with progress, and others beside it; failures go to its ``messages``.

    Emits :attr:`busy_changed` when the run with progress begins or ends, which may be ``cancelled``, :attr:`progressed`
    (0 to 100) meanwhile.
    """

    busy_changed = pyqtSignal(bool)
    progressed = pyqtSignal(float)

    def __init__(self, messages: Messages, cancelled: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._messages, self._cancelled = messages, cancelled
        self._under_way: dict[str, AlgorithmRun] = {}

    @property
    def shown(self) -> AlgorithmRun | None:
        """The run with progress."""
        return self._under_way.get("")

    @property
    def beside(self) -> tuple[str, ...]:
        """What the runs beside it make."""
        return tuple(filter(None, self._under_way))

    def begin(
        self,
        algorithm: str,
        parameters: dict[str, Any],
        ended: Ended,
        makes: str = "",
        reader: Reader | None = None,
    ) -> None:
        """Run an algorithm with progress, unless such a run is under way; or beside it.

        Args:
            ended: called with how the run ended; a failure was told by then.
            makes: what a run beside the one with progress makes. It takes the place of one that makes the same.
            reader: of what it made, before it ends.
        """
        if not makes and self.shown is not None:
            return
        self.stop(makes)
        run = self._under_way[makes] = AlgorithmRun(algorithm, parameters, reader)
        run.ended.connect(lambda outcome: self._end(makes, run, outcome, ended))
        if not makes:
            self._messages.log_end(run)
            run.progressed.connect(self.progressed)
            self.busy_changed.emit(True)
        run.start()

    def cancel(self) -> None:
        """Cancel the run with progress; it is told that it was."""
        if self.shown is not None:
            self.shown.cancel()

    def stop(self, *makes: str) -> None:
        """Stop these runs; nobody is told how they end."""
        for made in filter(self._under_way.__contains__, makes):
            self._under_way.pop(made).cancel()
            self.busy_changed.emit(self.shown is not None)

    def close(self) -> None:
        """Stop all."""
        self.stop(*self._under_way)

    def _end(self, makes: str, run: AlgorithmRun, outcome: Outcome, ended: Ended) -> None:
        self._messages.silence(run.description)
        if self._under_way.get(makes) is not run:
            return
        del self._under_way[makes]
        if not makes:
            self.busy_changed.emit(False)
            if isinstance(outcome, WasCancelled):
                self._messages.info(self._cancelled)
        if isinstance(outcome, Failed):
            self._messages.error(outcome.message, outcome.log)
        with self._messages.telling(outcome.log if isinstance(outcome, Succeeded) else ""):
            ended(outcome)
