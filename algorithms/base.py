"""Base class of the algorithms: input checks, the four steps of a run, messages and outputs."""

from __future__ import annotations

import math
import sqlite3
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsMapLayer,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterNumber,
    QgsProcessingUtils,
)
from shapely.errors import GEOSException

from randcrowns.algorithms import outputs
from randcrowns.algorithms.choice import Choice, Declaring, Given, Job
from randcrowns.algorithms.output import UNIT, Output, Value, load_in_group
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.algorithms.showing import Showing
from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.core.remarks import Remark, remarks_to_json
from randcrowns.layers.crs import definition_of, keep_systems, system_from
from randcrowns.layers.databases import layer_file, source_parts, wait_for
from randcrowns.layers.files.places import file_place, look_again
from randcrowns.layers.files.staged import Staged
from randcrowns.layers.garbage import GARBAGE
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import reason, sentences, tr

#: Maximum number of characters of an exception's text in a message.
_MAX_REASON_LENGTH = 200
#: Smallest increase of the progress that is reported to QGIS.
_PROGRESS_STEP = 0.002
#: Fraction of a run that is done when everything is computed and nothing is written.
_COMPUTED = 0.85
#: Fraction of the writing that is done when all tables are written to temporary files.
_STAGED = 0.96


@dataclass
class Made:
    """Results of a run, which are written together at the end."""

    tables: dict[Output, FeatureTable]  #: features by output.
    values: dict[str, Any] = field(default_factory=dict)  #: numbers and texts by output id.
    #: Rasters, pictures and folders by output.
    files: dict[Output, outputs.MadeFile] = field(default_factory=dict)
    remarks: Sequence[Remark] = ()  #: messages of the last step.
    headline: Sequence[Remark] = ()  #: conclusion of the run, in one or a few sentences.


def feedback_progress(feedback: QgsProcessingFeedback) -> Progress:
    """Return a progress callback that moves the progress bar of a run.

    The callback raises Cancelled if the user has cancelled the run. The bar never moves back: a
    fraction below the last one only checks for cancellation.

    Args:
        feedback: feedback of the run. The dock sets its attribute ``stopped`` to end a run without
            QGIS reporting a failed task.
    """
    reported = -1.0

    def report_progress(fraction: float) -> None:
        nonlocal reported
        if feedback.isCanceled() or getattr(feedback, "stopped", False):
            raise Cancelled("Cancelled.")
        if fraction - reported >= _PROGRESS_STEP:
            reported = min(fraction, 1.0)
            feedback.setProgress(100 * reported)

    return report_progress


#: Messages for exceptions of other libraries; the first type that fits is used.
_ERROR_MESSAGES: tuple[tuple[type[Exception], str], ...] = (
    (
        sqlite3.Error,
        "A file cannot be read or written: its database is damaged or in use, or its disk is full. "
        "Choose another file.",
    ),
    (
        OSError,
        "A file cannot be read or written ({why}). Check free space and permissions, or choose "
        "another folder.",
    ),
    (
        GEOSException,
        "An outline cannot be processed ({why}). Run 'Check validity' and 'Fix geometries' on the "
        "layers.",
    ),
    (
        MemoryError,
        "There is not enough memory. Use a smaller area, fewer layers or a larger pixel size.",
    ),
    (
        Exception,
        "Unexpected error ({kind}: {why}). Nothing was written. Please report it with the details "
        "in the log.",
    ),
)


@contextmanager
def _report_errors(feedback: QgsProcessingFeedback) -> Iterator[None]:
    """Convert exceptions to a QgsProcessingException with a user message; log the traceback.

    Cancelled and QgsProcessingException pass unchanged.
    """
    try:
        yield
    except (Cancelled, QgsProcessingException):
        raise
    except RandCrownsError as error:
        raise QgsProcessingException(reason(error)) from error
    except Exception as error:
        feedback.pushDebugInfo(traceback.format_exc())
        template = next(tr(text) for kind, text in _ERROR_MESSAGES if isinstance(error, kind))
        details = str(error)[:_MAX_REASON_LENGTH]
        raise QgsProcessingException(
            template.format(kind=type(error).__name__, why=details)
        ) from error


_ALL_MESSAGES = Value("REMARKS", tr("All messages (JSON)"), text=True)
_MESSAGE_VALUES = (
    _ALL_MESSAGES,
    Value("REPORT", tr("Input problems"), text=True),
    Value("WARNING", tr("Warnings about the results"), text=True),
)


class _MessageLog:
    """Messages of a run, each once; new ones are written to the log of the run at once.

    Args:
        feedback: feedback of the run, which shows the log.
    """

    def __init__(self, feedback: QgsProcessingFeedback) -> None:
        self._feedback = feedback
        #: Keys of a dictionary, which keeps their order.
        self._messages: dict[Remark, None] = {}

    def add(self, messages: Iterable[Remark]) -> None:
        """Store and log the messages that are new."""
        for message in messages:
            if message in self._messages:
                continue
            self._messages[message] = None
            sentence = message.sentence(tr)
            if message.is_odd:
                self._feedback.pushWarning(sentence)
            else:
                self._feedback.pushInfo(sentence)

    def values(self) -> dict[str, str]:
        """Return the outputs with the messages, by id.

        REMARKS holds all messages as JSON, REPORT those about problems (one per line) and WARNING
        the warnings among them (in one line).
        """
        notices = [message for message in self._messages if message.is_odd]
        warnings = [message for message in notices if message.is_warning]
        return {
            "REMARKS": remarks_to_json(self._messages),
            "REPORT": "\n".join(sentences(notices)),
            "WARNING": " ".join(sentences(warnings)),
        }


class CrownAlgorithm(Declaring):
    """Algorithm that runs in four steps, each of which receives the results of the earlier ones.

    :meth:`take` returns plain values and layer snapshots on the main thread. Then, in the
    background, :meth:`read` reads crowns from the snapshots, :meth:`compute` calls the core, and
    :meth:`tables` returns the outputs, which are written at the very end. The results of the steps
    may have an attribute ``remarks`` with messages.
    """

    #: Fractions of the progress at which reading and computing end; making the outputs ends at 1.
    shares = (0.15, 0.9)
    #: Paragraphs of the help: texts, and parameters whose own help is shown.
    help: tuple[str | Choice[Any], ...] = ()
    #: Outputs that are numbers or texts.
    values: tuple[Value, ...] = ()
    #: Parameters with the layers that the title of a run names.
    parties: tuple[Choice[Any], ...] = ()
    #: Parameters that the title names too, as they distinguish runs with the same layers.
    told_apart_by: tuple[Choice[Any], ...] = ()
    #: Function that is called with the Processing dialog of the algorithm.
    look_after: Callable[[Any], object] | None = None
    #: True if a Processing dialog, which prints every output, shows the run. Its outputs then
    #: contain no JSON.
    in_dialog = False
    #: Content of a report on a run.
    showing = Showing()

    def __init__(self) -> None:
        super().__init__()
        self._settings: Any = None
        #: Requested pictures and their files.
        self._pictures: dict[Output, Path] = {}
        #: Provenance of the run; its title is the name of the group that the outputs are loaded to.
        self.record = Record("", ())
        #: Sources of the written outputs, by id.
        self._written: dict[str, Any] = {}
        self._in_pixels = False

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """Return the help of the algorithm as HTML."""
        texts = (*self.help, tr("Nothing is written when the run is cancelled or fails."))
        return "".join(f"<p>{getattr(text, 'paragraph', text)}</p>" for text in texts)

    def createInstance(self) -> QgsProcessingAlgorithm:  # noqa: N802 - QGIS's name
        """Return a new algorithm of the same class."""
        algorithm = type(self)()
        algorithm.in_dialog = self.in_dialog
        return algorithm

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare the parameters and the outputs."""
        for choice in self.choices:
            for definition in choice.definitions():
                self.addParameter(definition)
        for output in self.outputs:
            self.addParameter(output.definition())
        for value in (*self.values, *_MESSAGE_VALUES, RECORD):
            self.addOutput(value.definition())

    def createCustomParametersWidget(self, parent: Any = None) -> Any:  # noqa: N802 - QGIS's name
        """Return Processing's own dialog after passing it to :attr:`look_after`.

        Without such a function the result is None, and Processing creates its dialog itself.
        """
        if self.look_after is None:
            return None
        from processing.gui.AlgorithmDialog import AlgorithmDialog  # requires a window system

        self.in_dialog = True
        dialog = AlgorithmDialog(self, False, parent)
        self.look_after(dialog)
        return dialog

    def take(self, given: Given) -> Any:
        """Return the settings of the run as plain values and layer snapshots.

        Called on the main thread.
        """
        return Job.of(given)

    def read(self, job: Any, progress: Progress) -> Any:
        """Return the crowns of the layer snapshots, in metres.

        Args:
            job: what :meth:`take` returned.
            progress: called with the fraction done.
        """
        raise NotImplementedError

    def compute(self, job: Any, read: Any, progress: Progress) -> Any:
        """Return the results of the core.

        Args:
            job: what :meth:`take` returned.
            read: what :meth:`read` returned.
            progress: called with the fraction done.
        """
        raise NotImplementedError

    def tables(self, job: Any, read: Any, found: Any, progress: Progress) -> Made:
        """Return the outputs to write.

        Args:
            job: what :meth:`take` returned.
            read: what :meth:`read` returned.
            found: what :meth:`compute` returned.
            progress: called with the fraction done.
        """
        raise NotImplementedError

    def loaded(
        self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]
    ) -> None:
        """Register that an output is styled and moved to the group of its run when it is loaded.

        Args:
            output: id of the output.
            details: how QGIS will load the layer; its post-processor is set.
            others: outputs of the run that are numbers or texts, by id.
        """
        load_in_group(
            details, self.outputs, output, self.record.title, others, self.record.describe
        )

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> bool:
        """Take the layer snapshots on the main thread and start the provenance of the run.

        Raises:
            QgsProcessingException: if an input or an output cannot be used.
        """
        with _report_errors(feedback):
            run_parameters = Given(self, parameters, context)
            self._check_destinations(run_parameters)  # a model does not check the values first
            self._pictures = outputs.pictures_asked_for(run_parameters)
            for layer in run_parameters.inputs():
                wait_for(layer_file(layer))
            self._settings = self.take(run_parameters)
            self.record = Record.of(run_parameters, self.parties, self.told_apart_by)
        return True

    def check_early(self, given: Given) -> None:
        """Raise an InputError for what needs a better message than QGIS's own about types.

        Called before QGIS checks the values.
        """

    def check(self, given: Given) -> None:
        """Raise an InputError for values that cannot be used.

        Called when the numbers and types are valid.
        """

    def first_problem(self, given: Given) -> str:
        """Return the message of the error that :meth:`check` raises, or "" if it raises none."""
        try:
            self.check(given)
        except RandCrownsError as error:
            return reason(error)
        return ""

    def checkParameterValues(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> tuple[bool, str]:
        """Return whether the algorithm can run with the parameters, and the reason if it cannot."""
        run_parameters = Given(self, parameters, context)
        try:
            self.check_early(run_parameters)
            outputs.check_files(run_parameters)
            self._check_numbers(run_parameters)
            is_valid, problem = super().checkParameterValues(parameters, context)
            if is_valid:
                self.check(run_parameters)
                self._check_destinations(run_parameters)
        except RandCrownsError as error:
            return False, reason(error)
        return is_valid, problem

    @GARBAGE.left_to_main_thread()
    def processAlgorithm(  # noqa: N802 - QGIS's name
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        """Compute the results, then write them; return the outputs by id.

        A run that is cancelled or fails writes nothing; a cancelled run returns no outputs.

        Raises:
            QgsProcessingException: if the run fails.
        """
        progress = feedback_progress(feedback)
        messages = _MessageLog(feedback)
        run_parameters = Given(self, parameters, context)
        try:
            with _report_errors(feedback):
                results = self._run_steps(messages, part_of(progress, 0.0, _COMPUTED))
                export_kind = self._export_kind(run_parameters)
                messages.add(outputs.fit_names(results.tables, run_parameters))
                messages.add(outputs.broken_off([*results.tables, *results.files], run_parameters))
                messages.add(outputs.folders_told(results.files, run_parameters, export_kind))
                values = {**results.values, **messages.values()}
                self.record = self.record.with_results(
                    results.headline,
                    values,
                    _stored_files(results, run_parameters),
                    _row_counts(results, run_parameters),
                )
                values[RECORD.id] = self.record.to_json()
                self._written = self._write(
                    results, values, run_parameters, part_of(progress, _COMPUTED, 1.0)
                )
                if self.record.answer:
                    feedback.pushInfo(self.record.answer)
        except Cancelled:
            feedback.pushInfo(tr("Cancelled; nothing was written."))
            return {}
        json_ids = {RECORD.id, _ALL_MESSAGES.id} if self.in_dialog else set()
        shown_values = {name: value for name, value in values.items() if name not in json_ids}
        return {**self._written, **shown_values}

    def postProcessAlgorithm(  # noqa: N802 - QGIS's name
        self, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Reload changed files and describe the outputs on the main thread; return no outputs.

        The provenance is written to the metadata of the layers in memory. Their coordinate
        reference systems, which belong to the worker thread, are created again.
        """
        written_files = {Path(str(source).partition("|")[0]) for source in self._written.values()}
        project = context.project()
        look_again(() if project is None else project.mapLayers().values(), written_files)
        layers = {}
        for output, source in self._written.items():
            layer = QgsProcessingUtils.mapLayerFromString(str(source), context, False)
            if layer is not None:
                layers[output] = layer
        keep_systems(layers.values())
        for output, layer in layers.items():
            if self._in_pixels:
                # QGIS replaces a missing CRS of layers in memory by its own "undefined" one.
                layer.setCrs(QgsCoordinateReferenceSystem())
            self.record.describe(layer, output)
        return {}

    def _run_steps(self, messages: _MessageLog, progress: Progress) -> Made:
        """Return the results of reading, computing and making the outputs.

        Messages of all steps are added to ``messages``.
        """
        settings = self._settings
        read_end, computed_end = self.shares
        messages.add(getattr(settings, "remarks", ()))
        inputs = self.read(settings, part_of(progress, 0.0, read_end))
        messages.add(getattr(inputs, "remarks", ()))
        findings = aside(
            lambda share: self.compute(settings, inputs, share),
            part_of(progress, read_end, computed_end),
        )
        messages.add(getattr(findings, "remarks", ()))

        def make_outputs(share: Progress) -> tuple[Made, list[str]]:
            results = self.tables(settings, inputs, findings, share)
            return results, [definition_of(table.crs) for table in results.tables.values()]

        results, crs_definitions = aside(make_outputs, part_of(progress, computed_end, 1.0))
        # A CRS belongs to the thread that created it, so this thread creates its own.
        for table, definition in zip(results.tables.values(), crs_definitions):
            table.crs = system_from(definition)
        messages.add(results.remarks)
        self._in_pixels = results.values.get(UNIT.id, "m") != "m"
        for output, table in results.tables.items():
            if self._in_pixels:
                output.label_fields(table, results.values[UNIT.id])
            if output.summary:
                self.record.add_to(table)
        progress(1.0)
        return results

    def asked_for(self, output: Output) -> str:
        """Return the format of a requested picture (png or svg), or "" if it is not requested."""
        if output not in self._pictures:
            return ""
        return self._pictures[output].suffix.lower().strip(".")

    def _export_kind(self, given: Given) -> str:
        """Return the key of an export, by which those into the same folder are distinguished."""
        return " ".join([self.name(), *(str(given[choice]) for choice in self.told_apart_by)])

    def _check_destinations(self, given: Given) -> None:
        """Raise an InputError if an output would overwrite an input or another output.

        Input layers from a file of several tables are renamed after their table.
        """
        inputs = given.inputs()
        for layer in inputs:
            _name_after_table(layer, given.context)
        outputs.check_places(given, inputs, self._export_kind(given))

    def _check_numbers(self, given: Given) -> None:
        """Raise an InputError if a number is not finite, outside its limits or not whole."""
        for definition in self.parameterDefinitions():
            name = definition.name()
            if isinstance(definition, QgsProcessingParameterNumber) and given.has(name):
                value = self.parameterAsDouble(given.parameters, name, given.context)
                _check_number(definition, value)

    def _write(
        self, results: Made, values: dict[str, Any], given: Given, progress: Progress
    ) -> dict[str, Any]:
        """Write the requested tables and files, all or none; return their sources by output id.

        Args:
            results: results of the run.
            values: outputs that are numbers or texts, by id.
            given: parameters of the run.
            progress: called with the fraction written.
        """
        context = given.context
        layers_before = dict(context.layersToLoadOnCompletion())
        files_progress = part_of(progress, 0.0, 0.5)
        tables_progress = part_of(progress, 0.5 if results.files else 0.0, _STAGED)
        with Staged(lambda: progress(0.0)) as staged:
            try:
                file_sources = outputs.make_files(
                    given, results.files, staged, files_progress, self._export_kind(given)
                )
                written = outputs.write_tables(
                    given, results.tables, tables_progress, staged, self.record.keep
                )
                staged.move()
            except BaseException:
                context.setLayersToLoadOnCompletion(layers_before)
                raise
        written |= file_sources
        for output_id, source in written.items():
            if context.willLoadLayerOnCompletion(source):
                details = context.layerToLoadOnCompletionDetails(source)
                self.loaded(output_id, details, values)
        with suppress(Cancelled):  # everything is written, so it is too late to cancel
            progress(1.0)
        return dict(written)


def _stored_files(results: Made, given: Given) -> dict[str, str]:
    """Return the paths of requested rasters, pictures and folders by output id.

    Temporary files are not among them.
    """
    paths = {}
    for output in results.files:
        if output in given:
            destination = file_place(outputs.destination_of(given, output))
            if destination is not None:
                paths[output.id] = str(destination.file)
    return paths


def _row_counts(results: Made, given: Given) -> dict[str, int]:
    """Return the number of rows of each requested table by output id."""
    return {output.id: len(table) for output, table in results.tables.items() if output in given}


def _name_after_table(layer: QgsMapLayer, context: QgsProcessingContext) -> None:
    """Rename a layer that Processing opened from ``file|layername=table`` after the table.

    QGIS names it after the file, which many layers can share. Layers of a project keep their name.
    """
    parts = source_parts(layer)
    table = parts.get("layerName")
    path = parts.get("path")
    is_temporary = context.temporaryLayerStore().mapLayer(layer.id()) is not None
    if table and path and is_temporary and layer.name() == Path(path).stem:
        layer.setName(table)


def _check_number(definition: QgsProcessingParameterNumber, value: float) -> None:
    """Raise an InputError if a number is not finite, outside its limits or not whole.

    QGIS accepts some of these, or changes them without a message.
    """
    name = definition.description()
    minimum = definition.minimum()
    maximum = definition.maximum()
    if not math.isfinite(value):
        raise InputError("'{name}' must be a number, but it is {value}.", name=name, value=value)
    if value < minimum:
        raise InputError(
            "'{name}' must be at least {least:g}, but it is {value:g}.",
            name=name,
            least=minimum,
            value=value,
        )
    if value > maximum:
        raise InputError(
            "'{name}' must be at most {most:g}, but it is {value:g}.",
            name=name,
            most=maximum,
            value=value,
        )
    must_be_integer = definition.dataType() == QgsProcessingParameterNumber.Type.Integer
    if must_be_integer and (value != round(value) or not -(2**31) <= value < 2**31):
        raise InputError(
            "'{name}' must be a whole number of at most nine digits, but it is {value:g}.",
            name=name,
            value=value,
        )
