"""Processing algorithms that run in the background and report their outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
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
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from randcrowns.core.messages import messages_from_json
from randcrowns.layers.localization import tr
from randcrowns.ui.services.background import run_read, submit_task
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.run_outcome import Failed, Outcome, Succeeded, WasCancelled

#: Receives the outcome of a run.
OnFinished = Callable[[Outcome], object]
#: Returns, for a run that succeeded, the function that reads what the page shows of its results.
#: It is called on the main thread; the returned function may be called in a worker thread.
MakeReader = Callable[[Succeeded], Callable[[], Any]]


class _Feedback(QgsProcessingFeedback):
    """Feedback of a run that also collects the messages of errors."""

    def __init__(self) -> None:
        super().__init__(False)
        self.errors: list[str] = []
        #: True if the run is to stop, see
        #: :func:`randcrowns.algorithms.crown_algorithm.create_progress`.
        self.stopped = False
        #: What the page continues with after the run, see
        #: :meth:`randcrowns.algorithms.crown_algorithm.CrownAlgorithm.results_to_keep`.
        self.kept_results: Any = None

    def reportError(self, error: str, fatalError: bool = False) -> None:  # noqa: N802 - Qt's name
        """Collect the message and write it to the log."""
        self.errors.append(error.strip())
        super().reportError(error, fatalError)


#: Runs in progress. QGIS's task uses Python objects that must exist until the task has ended,
#: even if the plugin is unloaded in the meantime.
_ACTIVE_RUNS: set[AlgorithmRun] = set()

#: Tasks that QGIS has lost, with their feedback. Both must exist until QGIS deletes the task.
_LOST_TASKS: list[tuple[QgsTask, _Feedback]] = []


class AlgorithmRun(QObject):
    """One run of an algorithm in the background.

    Emits :attr:`progressed` with the progress in percent and, exactly once, :attr:`finished` with
    the :data:`randcrowns.ui.services.run_outcome.Outcome`.

    Args:
        algorithm_id: Id of the algorithm, such as ``randcrowns:scorecrowns``.
        parameters: Processing parameters.
        reader: Makes the function that reads the results before the run ends; what it returns
            is ``Succeeded.read``. None if nothing is read.
    """

    progressed = pyqtSignal(float)
    finished = pyqtSignal(object)

    def __init__(
        self, algorithm_id: str, parameters: dict[str, Any], reader: MakeReader | None = None
    ) -> None:
        super().__init__()
        self.algorithm_id = algorithm_id
        self.parameters = parameters
        self._reader = reader
        #: Title of the task in QGIS; "" before the task is created.
        self.description = ""
        self._context = QgsProcessingContext()
        self._context.setProject(QgsProject.instance())
        self.feedback = _Feedback()
        #: The task; None before the start and after the algorithm has finished.
        self._task: QgsProcessingAlgRunnerTask | None = None
        #: Ids of the outputs that are layers.
        self._layer_outputs: list[str] = []
        self._has_ended = False
        self._is_cancelled = False

    def start(self) -> None:
        """Check the parameters and start the task.

        The outcome, including invalid parameters, is always reported by :attr:`finished` after this
        method has returned.
        """
        _ACTIVE_RUNS.add(self)
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(self.algorithm_id)
        if algorithm is None:
            self._fail_later(
                tr(
                    "The algorithm {name} does not exist. Enable the provider RandCrowns in the "
                    "options of Processing.",
                    name=self.algorithm_id,
                )
            )
            return
        is_valid, problem = algorithm.checkParameterValues(self.parameters, self._context)
        if not is_valid:
            self._fail_later(problem)
            return
        self._layer_outputs = [
            output.name()
            for output in algorithm.outputDefinitions()
            if isinstance(output, (QgsProcessingOutputVectorLayer, QgsProcessingOutputRasterLayer))
        ]
        self._start_task(algorithm)

    def cancel(self) -> None:
        """Request the run to stop; it then ends as :class:`WasCancelled`.

        A run that has already written its results ends as :class:`Succeeded`.
        """
        self._is_cancelled = True
        self.feedback.stopped = True
        # Only a task that waits is cancelled: QGIS reports a running one as failed.
        if self._task is not None and self._is_queued(self._task) and not self._has_ended:
            self._task.cancel()

    @staticmethod
    def _is_queued(task: QgsTask) -> bool:
        """Return True if a task waits for a free thread."""
        return bool(task.status() == QgsTask.TaskStatus.Queued)

    def _start_task(self, algorithm: QgsProcessingAlgorithm) -> None:
        """Start a background task that runs the algorithm; end the run if it cannot start."""
        task = QgsProcessingAlgRunnerTask(algorithm, self.parameters, self._context, self.feedback)
        if task.isCanceled():  # the preparation failed; such a task never emits its end
            self._fail_later()
            return
        self._task = task
        self.description = task.description()
        task.progressChanged.connect(self._report_progress)
        task.executed.connect(self._on_executed)
        submit_task(task, partial(self._restart, algorithm, task))

    def _restart(
        self, algorithm: QgsProcessingAlgorithm, lost_task: QgsProcessingAlgRunnerTask
    ) -> None:
        """Start another task of the run, because QGIS has lost the one that was submitted."""
        _LOST_TASKS.append((lost_task, self.feedback))
        self.feedback = _Feedback()
        lost_task.progressChanged.disconnect(self._report_progress)
        lost_task.executed.disconnect(self._on_executed)
        self._start_task(algorithm)

    def _fail_later(self, reason: str = "") -> None:
        """End the run as failed in the next iteration of the event loop."""
        QTimer.singleShot(0, lambda: self._end(self._create_failure(reason)))

    def _report_progress(self, percent: float) -> None:
        """Emit the progress of the task, 0 to 100, while the run has not ended."""
        if not self._has_ended:
            self.progressed.emit(percent)

    def _on_executed(self, successful: bool, outputs: dict[str, Any]) -> None:
        """End the run, after its results were read if it succeeded.

        Args:
            successful: True if the algorithm has succeeded.
            outputs: Values of the algorithm's outputs by id.
        """
        is_task_cancelled = not successful and self._task is not None and self._task.isCanceled()
        was_stopped = self._is_cancelled or is_task_cancelled
        # QGIS deletes the task, possibly while its results are read.
        self._task = None

        # If everything was written before the cancellation, the results exist and are shown.
        if was_stopped and not (successful and outputs):
            self._end(WasCancelled())
            return
        if successful:
            self._end_with_results(self._open_results(dict(outputs)))
        else:
            self._end(self._create_failure())

    def _end_with_results(self, outcome: Succeeded | Failed) -> None:
        """End the run with an outcome, after its results were read if they could be opened."""
        if isinstance(outcome, Failed) or self._reader is None:
            self._end(outcome)
            return
        run_read(
            outcome.row_count,
            self._reader(outcome),
            lambda page_data: self._end(replace(outcome, page_data=page_data)),
        )

    def _open_results(self, outputs: dict[str, Any]) -> Succeeded | Failed:
        """Open the result layers of an algorithm that has succeeded.

        Args:
            outputs: Values of the algorithm's outputs by id.

        Returns:
            The outcome with the layers; a failure if a layer cannot be opened.
        """
        log = self.feedback.textLog()
        layers: dict[str, QgsMapLayer] = {}
        for output_id in self._layer_outputs:
            if not outputs.get(output_id):
                continue  # not produced by this run
            source = str(outputs[output_id])
            layer = self._open_layer(source)
            if layer is None:
                reason = tr("The results were written, but {place} cannot be opened.", place=source)
                return Failed(reason, log)
            layers[output_id] = layer
        messages = messages_from_json(str(outputs.get("MESSAGES") or ""))
        kept_results = self.feedback.kept_results
        self.feedback.kept_results = None
        return Succeeded(outputs, layers, log, messages, kept_results=kept_results)

    def _open_layer(self, source: str) -> QgsMapLayer | None:
        """Return a result layer, owned by Python; None if it cannot be opened.

        Args:
            source: Id of a temporary layer, or source of a layer in a file.
        """
        temporary_layer = self._context.takeResultLayer(source)
        if temporary_layer is not None:
            return temporary_layer
        # Without the hint, QGIS warns that a raster is not a vector layer.
        hints = QgsProcessingUtils.LayerHint
        hint = hints.Raster if source.lower().endswith(".tif") else hints.UnknownType
        can_open_file = True
        layer = QgsProcessingUtils.mapLayerFromString(source, self._context, can_open_file, hint)
        return None if layer is None else self._context.takeResultLayer(layer.id())

    def _end(self, outcome: Outcome) -> None:
        """Emit :attr:`finished` with the outcome, unless the run has ended before."""
        if self._has_ended:
            return
        self._has_ended = True
        _ACTIVE_RUNS.discard(self)
        self.finished.emit(outcome)

    def _create_failure(self, reason: str = "") -> Failed:
        """Return the outcome of a failed run.

        Args:
            reason: Why it failed; "" for the last error that the algorithm reported.
        """
        reported_errors = [error for error in self.feedback.errors if error]
        last_error = reported_errors[-1] if reported_errors else ""
        unknown_reason = tr("The run did not finish. See the log tab RandCrowns for details.")
        return Failed(reason or last_error or unknown_reason, self.feedback.textLog())


#: Key of the run whose progress the page shows.
_MAIN_RUN = ""


class PageRuns(QObject):
    """The runs of a page in progress: the main run, whose progress is shown, and side runs.

    Emits :attr:`busy_changed` with True when the main run starts and with False when it ends,
    and :attr:`progressed` with its progress in percent. Failures are shown as error messages.

    Args:
        messages: The message bar.
        cancelled_message: Message after the main run was cancelled.
        parent: Qt parent of this object.
    """

    busy_changed = pyqtSignal(bool)
    progressed = pyqtSignal(float)

    def __init__(
        self, messages: MessageBar, cancelled_message: str, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._messages = messages
        self._cancelled_message = cancelled_message
        #: Run by the key of what it makes; _MAIN_RUN for the main run.
        self._active: dict[str, AlgorithmRun] = {}

    @property
    def main_run(self) -> AlgorithmRun | None:
        """The main run; None while there is none."""
        return self._active.get(_MAIN_RUN)

    @property
    def side_run_keys(self) -> tuple[str, ...]:
        """Keys of the side runs."""
        return tuple(key for key in self._active if key != _MAIN_RUN)

    def start(
        self,
        algorithm: str,
        parameters: dict[str, Any],
        on_finished: OnFinished,
        key: str = "",
        reader: MakeReader | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> None:
        """Start a run; a main run is not started while there is another one.

        Args:
            algorithm: Id of the algorithm.
            parameters: Processing parameters.
            on_finished: Called with the outcome. Failures and cancellation were shown before.
            key: Key of a side run, which replaces an active run with the same key; "" for the
                main run.
            reader: Makes the function that reads the results before the run ends.
            on_progress: Called with the progress of the run in percent.
        """
        is_main = key == _MAIN_RUN
        if is_main and self.main_run is not None:
            return
        self.stop(key)
        run = AlgorithmRun(algorithm, parameters, reader)
        self._active[key] = run
        run.finished.connect(lambda outcome: self._on_ended(key, run, outcome, on_finished))
        if on_progress is not None:
            run.progressed.connect(on_progress)
        if is_main:
            self._messages.log_end(run)
            run.progressed.connect(self.progressed)
            self.busy_changed.emit(True)
        run.start()

    def cancel(self) -> None:
        """Cancel the main run, whose end is reported as cancelled."""
        if self.main_run is not None:
            self.main_run.cancel()

    def stop(self, *keys: str) -> None:
        """Stop runs without reporting their end.

        Args:
            *keys: Keys of the runs; keys without an active run are ignored.
        """
        for key in keys:
            if key in self._active:
                self._active.pop(key).cancel()
                self.busy_changed.emit(self.main_run is not None)

    def close(self) -> None:
        """Stop all runs without reporting their end."""
        self.stop(*self._active)

    def _on_ended(
        self, key: str, run: AlgorithmRun, outcome: Outcome, on_finished: OnFinished
    ) -> None:
        """Report the end of a run, unless the run was stopped or replaced.

        Args:
            key: Key of the run.
            run: The run.
            outcome: Its outcome.
            on_finished: Called with the outcome.
        """
        self._messages.remove_task_message(run.description)
        if self._active.get(key) is not run:
            return
        del self._active[key]
        if key == _MAIN_RUN:
            self.busy_changed.emit(False)
            self._messages.call_attention()
            if isinstance(outcome, WasCancelled):
                self._messages.info(self._cancelled_message)
        if isinstance(outcome, Failed):
            self._messages.error(outcome.message, outcome.log)
        log = outcome.log if isinstance(outcome, Succeeded) else ""
        with self._messages.show_errors(log):
            on_finished(outcome)
